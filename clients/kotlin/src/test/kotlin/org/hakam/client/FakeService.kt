package org.hakam.client

import io.grpc.ManagedChannel
import io.grpc.ServerCall
import io.grpc.ServerCallHandler
import io.grpc.ServerServiceDefinition
import io.grpc.Status
import io.grpc.inprocess.InProcessChannelBuilder
import io.grpc.inprocess.InProcessServerBuilder
import io.grpc.stub.ServerCalls
import org.hakam.v1.ListGamesRequest
import org.hakam.v1.ListGamesResponse
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger

/**
 * A service in this process that answers ListGames as it is told: attempt by attempt an error, or
 * null for an answer; then it is silent.
 */
class FakeService(
    vararg script: Status?,
) : AutoCloseable {
    val attempts = AtomicInteger()

    /** Is down once an attempt was cancelled by who made it. */
    val cancelled = CountDownLatch(1)

    private val script = ConcurrentLinkedQueue(script.map { { it } })
    private val name = InProcessServerBuilder.generateName()
    private val server =
        InProcessServerBuilder
            .forName(name)
            .addService(definition())
            .build()
            .start()

    val channel: ManagedChannel =
        InProcessChannelBuilder
            .forName(name)
            .defaultServiceConfig(Hakam.serviceConfig())
            .enableRetry()
            .propagateCauseWithStatus(true)
            .build()

    val hakam: Hakam = Hakam.builder(channel).build()

    override fun close() {
        channel.shutdownNow()
        server.shutdownNow()
    }

    private fun definition(): ServerServiceDefinition {
        val answering =
            ServerCalls.asyncUnaryCall<ListGamesRequest, ListGamesResponse> { _, observer ->
                val told = script.poll() ?: return@asyncUnaryCall
                val error = told()
                if (error != null) return@asyncUnaryCall observer.onError(error.asRuntimeException())
                observer.onNext(ListGamesResponse.newBuilder().setRelease("fake").build())
                observer.onCompleted()
            }
        val counting =
            ServerCallHandler<ListGamesRequest, ListGamesResponse> { call, headers ->
                attempts.incrementAndGet()
                val listener = answering.startCall(call, headers)
                Watching(listener, cancelled)
            }
        return ServerServiceDefinition.builder(GameService.NAME).addMethod(GameService.LIST_GAMES, counting).build()
    }

    private class Watching<Q>(
        private val listener: ServerCall.Listener<Q>,
        private val cancelled: CountDownLatch,
    ) : ServerCall.Listener<Q>() {
        override fun onMessage(message: Q) = listener.onMessage(message)

        override fun onHalfClose() = listener.onHalfClose()

        override fun onReady() = listener.onReady()

        override fun onComplete() = listener.onComplete()

        override fun onCancel() {
            cancelled.countDown()
            listener.onCancel()
        }
    }
}
