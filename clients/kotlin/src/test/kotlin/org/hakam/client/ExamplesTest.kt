package org.hakam.client

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.io.File
import java.util.concurrent.TimeUnit

/** The examples run, and those in the README are the ones that run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesTest {
    private val service = Service.start()

    @AfterAll
    fun end() = service.close()

    @Test
    fun `the first call of the README is the example`() {
        val fence = Regex("```(kotlin|java)\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
        val blocks = fence.findAll(File("README.md").readText())
        val shown = blocks.groupBy({ it.groupValues[1] }, { it.groupValues[2] })
        assertEquals(File("examples/kotlin/FirstCall.kt").readText(), shown["kotlin"]?.first())
        assertEquals(File("examples/java/FirstCallInJava.java").readText(), shown["java"]?.first())
    }

    @Test
    fun `the first call works`() {
        for (program in listOf("FirstCallKt", "FirstCallInJava")) {
            val lines = output(program)
            assertTrue(lines[0].startsWith("game=tjau"), "$lines")
            assertTrue(lines.any { it.startsWith("WRONG_PHASE") }, "$lines")
            assertTrue(lines.any { it.startsWith("throw") }, "$lines")
        }
    }

    @Test
    fun `whole games are played and drawn`() {
        val lines = output("WholeGamesKt")
        assertEquals(3, lines.count { it.startsWith("seats [") })
        assertTrue(lines.any { Regex("[ .+01]*[01][ .+01]*").matches(it) }, "no piece was drawn")
    }

    private fun output(program: String): List<String> {
        val java = "${System.getProperty("java.home")}/bin/java"
        val command = listOf(java, "-cp", System.getProperty("java.class.path"), program, service.address)
        val process = ProcessBuilder(command).redirectErrorStream(true).start()
        val lines = process.inputStream.bufferedReader().readLines()
        assertTrue(process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0, lines.joinToString("\n"))
        return lines
    }
}
