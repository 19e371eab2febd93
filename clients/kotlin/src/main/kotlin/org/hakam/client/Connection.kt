package org.hakam.client

import com.google.gson.Gson
import io.grpc.ChannelCredentials
import io.grpc.Grpc
import io.grpc.ManagedChannel
import io.grpc.NameResolverRegistry

/** Requests up to this size are kept to be sent again; the service takes 3 MiB. */
private const val RETRIED_BYTES = 4L shl 20

internal fun connect(
    addresses: List<String>,
    credentials: ChannelCredentials,
    waits: Boolean,
): ManagedChannel =
    Grpc
        .newChannelBuilder(targetOf(addresses), credentials)
        .defaultServiceConfig(if (waits) serviceConfig() else serviceConfig().withoutWaiting())
        .enableRetry()
        .perRpcBufferLimit(RETRIED_BYTES)
        .build()

private fun targetOf(addresses: List<String>): String {
    val only = addresses.singleOrNull()
    if (only != null) return only
    NameResolverRegistry.getDefaultRegistry().register(SeveralAddresses)
    return SeveralAddresses.target(addresses)
}

internal fun serviceConfig(): Map<String, Any?> =
    Hakam::class.java.getResourceAsStream("service_config.json")!!.reader().use { file ->
        @Suppress("UNCHECKED_CAST")
        Gson().fromJson(file, Map::class.java) as Map<String, Any?>
    }

private fun Map<String, Any?>.withoutWaiting(): Map<String, Any?> =
    mapValues { (name, value) ->
        if (name == "methodConfig") (value as List<*>).map { (it as Map<*, *>) - "waitForReady" } else value
    }
