package org.hakam.client

import com.google.gson.JsonObject
import com.google.gson.JsonParser
import com.google.protobuf.ByteString
import java.io.BufferedReader
import java.io.File
import java.io.IOException
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** The top of the repository. */
val TOP: File = File("../..").canonicalFile

/**
 * The real service as a process of its own on a free port of loopback. The variable `HAKAM_SERVE` has
 * another command that starts one, with `serve` and whatever it needs.
 */
class Service private constructor(
    private val process: Process,
    val address: String,
) : AutoCloseable {
    /** Sends a signal by name: `STOP` pauses it, `CONT` lets it go on. */
    fun signal(name: String) {
        val kill = ProcessBuilder("kill", "-$name", process.pid().toString()).inheritIO().start()
        check(kill.waitFor() == 0) { "kill -$name" }
    }

    /** Ends it at once. */
    override fun close() {
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS)
    }

    companion object {
        /** The credential of the keeper whom every service of these tests knows. */
        val KEEPER: ByteString = ByteString.copyFrom(ByteArray(32) { 7 })

        @JvmStatic
        @JvmOverloads
        fun start(settings: Map<String, String> = emptyMap()): Service {
            val command = System.getenv("HAKAM_SERVE")?.split(" ") ?: listOf("$TOP/.venv/bin/hakam", "serve")
            val builder = ProcessBuilder(command + listOf("--log-format", "json"))
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
            builder.environment().apply {
                keys.removeIf { it.startsWith("HAKAM_") }
                putAll(mapOf("HAKAM_PORT" to "0", "HAKAM_METRICS_PORT" to "0", "HAKAM_WORKERS" to "1"))
                putAll(mapOf("HAKAM_KEYS" to "5a".repeat(64), "HAKAM_KEEPER_SHA256" to KEEPER_SHA256))
                putAll(settings)
            }
            val process = builder.start()
            val log = process.errorStream.bufferedReader()
            val serving = log.lineSequence().mapNotNull(::entry).firstOrNull { it["event"].asString == "serving" }
            if (serving == null) error("ended with ${process.waitFor()} before it served")
            thread(isDaemon = true) { readOn(log) }
            return Service(process, serving["address"].asString)
        }

        /** A process that waits for its log to be read does nothing else. */
        private fun readOn(log: BufferedReader) =
            try {
                log.forEachLine { }
            } catch (_: IOException) {
                // The process was ended.
            }

        private val KEEPER_SHA256 = credentialSha256(KEEPER).joinToString("") { "%02x".format(it) }

        /** gRPC's core has lines of its own. */
        private fun entry(line: String): JsonObject? =
            if (line.startsWith("{")) JsonParser.parseString(line).asJsonObject else null
    }
}
