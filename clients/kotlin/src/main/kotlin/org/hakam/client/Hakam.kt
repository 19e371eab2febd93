package org.hakam.client

import com.google.protobuf.ByteString
import io.grpc.CallOptions
import io.grpc.Channel
import io.grpc.ChannelCredentials
import io.grpc.ClientInterceptors
import io.grpc.ConnectivityState
import io.grpc.InsecureChannelCredentials
import io.grpc.ManagedChannel
import io.grpc.MethodDescriptor
import io.grpc.Status
import io.grpc.StatusRuntimeException
import io.grpc.TlsChannelCredentials
import io.grpc.stub.ClientCalls
import io.grpc.stub.StreamObserver
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.hakam.v1.Board
import org.hakam.v1.GetBoardRequest
import org.hakam.v1.Language
import org.hakam.v1.ListGamesRequest
import org.hakam.v1.ListGamesResponse
import org.hakam.v1.NewGameRequest
import org.hakam.v1.NewGameResponse
import org.hakam.v1.PrepareGameRequest
import org.hakam.v1.PrepareGameResponse
import org.hakam.v1.Record
import org.hakam.v1.ReplayGameRequest
import org.hakam.v1.ReplayGameResponse
import org.hakam.v1.Rules
import org.hakam.v1.State
import org.hakam.v1.Turn
import java.io.IOException
import java.util.concurrent.TimeUnit
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toKotlinDuration

/**
 * The referee, over one gRPC channel. Safe to use from many coroutines; make one and keep it.
 *
 * Every call may be made again, whatever became of the first, and is made again by itself where a
 * replica died, drains or is silent. It ends within its `timeout`, all attempts included. A failed
 * call throws a [HakamException]; cancelling the coroutine cancels the call.
 *
 * From Java, use [blocking].
 */
public class Hakam private constructor(
    private val connection: Channel,
    private val ownsConnection: Boolean,
    private val token: AdmissionToken?,
    internal val keeper: ByteString?,
    /** The language of texts. */
    public val language: Language,
    /** How long a call may take that does not say otherwise. */
    public val timeout: Duration,
) : AutoCloseable {
    /**
     * The channel, with the token if there is one, for stubs of one's own. What [call] adds is not in it:
     * the deadline, the end of silent attempts, typed errors.
     */
    public val channel: Channel = if (token == null) connection else ClientInterceptors.intercept(connection, token)

    /** The catalogue: games, rule sets, options, revisions. */
    public suspend fun games(timeout: Duration = this.timeout): ListGamesResponse =
        call(GameService.LIST_GAMES, ListGamesRequest.getDefaultInstance(), timeout)

    /** The board of given rules: enough to draw and animate it. Options may be absent. */
    public suspend fun board(
        rules: Rules,
        timeout: Duration = this.timeout,
    ): Board {
        val request =
            GetBoardRequest
                .newBuilder()
                .setRules(rules)
                .setLanguage(language)
                .build()
        return call(GameService.GET_BOARD, request, timeout).board
    }

    /**
     * Draws a seed for a game to whose chance the players will add: its commitment is to be published
     * before they do. With the hashes of all credentials the seed serves no other game than theirs.
     */
    public suspend fun prepareGame(
        rules: Rules,
        credentialSha256: List<ByteString> = emptyList(),
        timeout: Duration = this.timeout,
    ): PrepareGameResponse {
        val request = PrepareGameRequest.newBuilder().setRules(rules).addAllCredentialSha256(credentialSha256)
        return call(GameService.PREPARE_GAME, request.setLanguage(language).build(), timeout)
    }

    /**
     * Starts a game. Options of [rules] may be absent; [configure] says what else is wanted of
     * `NewGame`: a seed, entropy, a sealed state, credentials, views beside the answer.
     *
     * [credentials], by seat, are those that the handle speaks with; those that the service makes join
     * them. Where [configure] gives no hashes, theirs are given, in the order of the seats.
     *
     * The handle speaks for [seat], or if it is null for whichever seat is to act.
     */
    public suspend fun newGame(
        rules: Rules,
        credentials: Map<Int, ByteString> = emptyMap(),
        seat: Int? = null,
        timeout: Duration = this.timeout,
        configure: NewGameRequest.Builder.() -> Unit = {},
    ): Game {
        val request = NewGameRequest.newBuilder().setRules(rules).setLanguage(language)
        keeper?.let(request::setCredential)
        request.configure()
        if (request.credentialSha256Count == 0 && !request.makeCredentials) {
            request.addAllCredentialSha256(credentials.toSortedMap().values.map(::credentialSha256))
        }
        return Game.begun(this, call(GameService.NEW_GAME, request.build(), timeout), credentials, seat)
    }

    /**
     * A handle on a game that somebody else has just started, from the answer to his `NewGame`: for the
     * players of a sealed game, each with his own credential. Makes no call.
     */
    public fun join(
        opening: NewGameResponse,
        credentials: Map<Int, ByteString> = emptyMap(),
        seat: Int? = null,
    ): Game = Game.begun(this, opening, credentials, seat)

    /**
     * A handle on a game from its plain state, and from the turn that was stored with it; without one
     * the service is asked where the game stands.
     */
    public suspend fun resume(
        state: State,
        seat: Int? = null,
        turn: Turn? = null,
        timeout: Duration = this.timeout,
    ): Game = Game.resumed(this, Held.Plain(state), emptyMap(), seat, turn, timeout)

    /**
     * The same from its sealed state, with the credentials, by seat, that it speaks with. Without
     * credentials it can only look on.
     */
    public suspend fun resume(
        sealedState: ByteString,
        credentials: Map<Int, ByteString>,
        seat: Int? = null,
        turn: Turn? = null,
        timeout: Duration = this.timeout,
    ): Game = Game.resumed(this, Held.Sealed(sealedState), credentials, seat, turn, timeout)

    /**
     * Plays a record again from its start. A move that cannot be played is an answer, not an error.
     */
    public suspend fun replay(
        record: Record,
        timeout: Duration = this.timeout,
    ): ReplayGameResponse {
        val request =
            ReplayGameRequest
                .newBuilder()
                .setRecord(record)
                .setLanguage(language)
                .build()
        return call(GameService.REPLAY_GAME, request, timeout)
    }

    /** Any rpc of [GameService], its request sent as it is: batches, for example. */
    public suspend fun <Q : Any, A : Any> call(
        method: MethodDescriptor<Q, A>,
        request: Q,
        timeout: Duration = this.timeout,
    ): A =
        try {
            // Delays are of real time here, also where the caller's are those of a test.
            withContext(Dispatchers.Default) {
                val seeking = launch { seekReplica() }
                val options = CallOptions.DEFAULT.withDeadlineAfter(timeout.inWholeNanoseconds, TimeUnit.NANOSECONDS)
                attempt(method, options, request).also { seeking.cancel() }
            }
        } catch (e: StatusRuntimeException) {
            throw HakamException.of(e)
        }

    /** The same over the same connection, with texts in another language; closing it closes nothing. */
    public fun inLanguage(language: Language): Hakam =
        Hakam(connection, ownsConnection = false, token, keeper, language, timeout)

    /** The same for Java: calls that block. */
    public fun blocking(): BlockingHakam = BlockingHakam(this)

    /**
     * Ends the connection, and with it the calls that wait, unless the channel was the caller's
     * own.
     */
    override fun close() {
        if (ownsConnection) (connection as ManagedChannel).shutdownNow()
    }

    /**
     * Gives up an attempt that is silent for too long, or whose connection breaks, and makes another,
     * which goes to the next replica; the last has all the time that is left.
     */
    private suspend fun <Q : Any, A : Any> attempt(
        method: MethodDescriptor<Q, A>,
        options: CallOptions,
        request: Q,
    ): A {
        val policy = RetryPolicy.of(method) ?: return channel.unary(method, options, request)
        repeat(policy.maxAttempts - 1) {
            try {
                withTimeoutOrNull(policy.silence) { channel.unary(method, options, request) }?.let { return it }
            } catch (e: StatusRuntimeException) {
                if (!e.isBrokenConnection) throw e
                delay(policy.pause)
            }
        }
        return channel.unary(method, options, request)
    }

    /**
     * While a call waits and no replica is there, looks for one every second: gRPC alone pauses for
     * up to two minutes.
     */
    private suspend fun seekReplica() {
        val channel = connection as? ManagedChannel ?: return
        while (true) {
            delay(1.seconds)
            if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) channel.resetConnectBackoff()
        }
    }

    /** How a [Hakam] is to be set up. */
    public class Builder internal constructor(
        private val given: Channel?,
        private val addresses: List<String>,
    ) {
        private var credentials: ChannelCredentials? = null
        private var token: String? = null
        private var keeper: ByteString? = null
        private var language = Language.LANGUAGE_EN
        private var timeout = 10.seconds
        private var waits = true

        /** No TLS, for a service on this machine or behind something that encrypts. */
        public fun plaintext(): Builder = credentials(InsecureChannelCredentials.create())

        /**
         * How to connect: `TlsChannelCredentials` with an authority or a certificate of one's own.
         * By default TLS with the authorities of the system.
         */
        public fun credentials(credentials: ChannelCredentials): Builder = apply { this.credentials = credentials }

        /**
         * The token that admits, `hakam_…`. It is sent with TLS or to this machine; elsewhere the
         * call fails.
         */
        public fun token(token: String): Builder = apply { this.token = token }

        /**
         * The credential of the service's keeper, where it wants it for plain states, given seeds
         * and supplied chance.
         */
        public fun keeper(credential: ByteString): Builder = apply { keeper = credential }

        /** The language of texts; English by default. */
        public fun language(language: Language): Builder = apply { this.language = language }

        /** How long a call may take, all attempts included; 10 seconds by default. */
        public fun timeout(timeout: Duration): Builder = apply { this.timeout = timeout }

        /** The same for Java. */
        public fun timeout(timeout: java.time.Duration): Builder = timeout(timeout.toKotlinDuration())

        /**
         * Where no replica can be reached, fail after a second or so with [UnavailableException], as
         * somebody at a screen wants it. Otherwise calls wait for one until their time has passed.
         */
        public fun failFast(): Builder = apply { waits = false }

        /**
         * Throws an [IllegalStateException] where a channel was given and how to connect was said
         * too.
         */
        public fun build(): Hakam {
            check(
                given == null || (credentials == null && waits),
            ) { "the channel itself says how it connects and waits" }
            val connection = given ?: connect(addresses, credentials ?: TlsChannelCredentials.create(), waits)
            return Hakam(connection, given == null, token?.let(::AdmissionToken), keeper, language, timeout)
        }
    }

    public companion object {
        /**
         * A client of the service at [addresses]: one `HOST:PORT` or gRPC target such as
         * `dns:///hakam:50051`, which is asked for all its addresses; or several `HOST:PORT`. Calls are
         * balanced over all of them.
         */
        @JvmStatic
        public fun builder(vararg addresses: String): Builder {
            require(addresses.isNotEmpty()) { "no address" }
            return Builder(null, addresses.asList())
        }

        /**
         * A client over a channel of the caller's, who closes it. It should have [serviceConfig], which
         * says how calls are balanced and retried.
         */
        @JvmStatic
        public fun builder(channel: Channel): Builder = Builder(channel, emptyList())

        /**
         * The service config that Hakam ships, for `ManagedChannelBuilder.defaultServiceConfig`.
         */
        @JvmStatic
        public fun serviceConfig(): Map<String, Any?> = SERVICE_CONFIG
    }
}

/** Netty's transport says UNKNOWN of it. What a service answers has no cause. */
private val StatusRuntimeException.isBrokenConnection: Boolean
    get() = status.code == Status.Code.UNKNOWN && status.cause is IOException

private suspend fun <Q : Any, A : Any> Channel.unary(
    method: MethodDescriptor<Q, A>,
    options: CallOptions,
    request: Q,
): A =
    suspendCancellableCoroutine { waiting ->
        val call = newCall(method, options)
        ClientCalls.asyncUnaryCall(
            call,
            request,
            object : StreamObserver<A> {
                private lateinit var answer: A

                override fun onNext(value: A) {
                    answer = value
                }

                override fun onError(error: Throwable) = waiting.resumeWithException(error)

                override fun onCompleted() = waiting.resume(answer)
            },
        )
        // Only a call that has begun can be cancelled. Told of a cancellation in the meantime, this is run at once.
        waiting.invokeOnCancellation { call.cancel("nobody waits for it", it) }
    }
