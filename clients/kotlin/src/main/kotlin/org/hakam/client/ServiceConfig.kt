package org.hakam.client

import com.google.gson.Gson
import io.grpc.MethodDescriptor
import kotlin.time.Duration

/** Absolute, since tools for Android move classes to other packages. */
private const val RESOURCE = "/org/hakam/client/service_config.json"

/** The service config that Hakam ships, as gRPC for Java takes it. */
internal val SERVICE_CONFIG: Map<String, Any?> =
    Hakam::class.java.getResourceAsStream(RESOURCE)!!.reader().use { file ->
        @Suppress("UNCHECKED_CAST")
        Gson().fromJson(file, Map::class.java) as Map<String, Any?>
    }

internal fun Map<String, Any?>.withoutWaiting(): Map<String, Any?> =
    mapValues { (name, value) -> if (name == "methodConfig") maps(value).map { it - "waitForReady" } else value }

/**
 * What is left to the caller of a retry policy: gRPC for Java does not act on how long an attempt may
 * be silent, and takes a connection that breaks while it sends for something else than UNAVAILABLE.
 */
internal class RetryPolicy(
    val maxAttempts: Int,
    val pause: Duration,
    val silence: Duration,
) {
    companion object {
        private val byName: Map<String, RetryPolicy> =
            maps(SERVICE_CONFIG["methodConfig"])
                .flatMap { config ->
                    val policy = policyOf(config["retryPolicy"] as Map<*, *>)
                    maps(config["name"]).map { nameOf(it) to policy }
                }.toMap()

        /** Null for a method that is not the service's. */
        fun of(method: MethodDescriptor<*, *>): RetryPolicy? =
            byName[method.fullMethodName] ?: byName[method.serviceName]

        private fun nameOf(name: Map<*, *>): String = listOfNotNull(name["service"], name["method"]).joinToString("/")

        private fun policyOf(policy: Map<*, *>) =
            RetryPolicy(
                maxAttempts = (policy["maxAttempts"] as Double).toInt(),
                pause = Duration.parse(policy["initialBackoff"] as String),
                silence = Duration.parse(policy["perAttemptRecvTimeout"] as String),
            )
    }
}

private fun maps(json: Any?): List<Map<*, *>> = (json as List<*>).map { it as Map<*, *> }
