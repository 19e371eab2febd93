package org.hakam.client

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
        .defaultServiceConfig(if (waits) SERVICE_CONFIG else SERVICE_CONFIG.withoutWaiting())
        .enableRetry()
        .perRpcBufferLimit(RETRIED_BYTES)
        .build()

private fun targetOf(addresses: List<String>): String {
    val only = addresses.singleOrNull()
    if (only != null) return only
    NameResolverRegistry.getDefaultRegistry().register(SeveralAddresses)
    return SeveralAddresses.target(addresses)
}
