package org.hakam.client

import io.grpc.CallCredentials
import io.grpc.CallOptions
import io.grpc.Channel
import io.grpc.ClientCall
import io.grpc.ClientInterceptor
import io.grpc.Grpc
import io.grpc.Metadata
import io.grpc.MethodDescriptor
import io.grpc.SecurityLevel
import io.grpc.Status
import java.net.InetSocketAddress
import java.util.concurrent.Executor

/** Sends the token that admits with every call, but never in clear over a network. */
internal class AdmissionToken(
    token: String,
) : CallCredentials(),
    ClientInterceptor {
    private val headers = Metadata().apply { put(AUTHORIZATION, "Bearer $token") }

    override fun applyRequestMetadata(
        info: RequestInfo,
        executor: Executor,
        applier: MetadataApplier,
    ) {
        if (info.securityLevel == SecurityLevel.PRIVACY_AND_INTEGRITY || info.isToThisMachine()) {
            applier.apply(headers)
        } else {
            applier.fail(Status.UNAUTHENTICATED.withDescription("the token is not sent without TLS"))
        }
    }

    override fun <Q, A> interceptCall(
        method: MethodDescriptor<Q, A>,
        options: CallOptions,
        next: Channel,
    ): ClientCall<Q, A> = next.newCall(method, options.withCallCredentials(this))

    private fun RequestInfo.isToThisMachine(): Boolean {
        val peer = transportAttrs[Grpc.TRANSPORT_ATTR_REMOTE_ADDR]
        return peer is InetSocketAddress && peer.address?.isLoopbackAddress == true
    }

    private companion object {
        val AUTHORIZATION: Metadata.Key<String> = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)
    }
}
