package org.hakam.client

import com.google.protobuf.ByteString
import io.grpc.Channel
import io.grpc.MethodDescriptor
import io.grpc.Status
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.runBlocking
import org.hakam.v1.ApplyMoveResponse
import org.hakam.v1.Board
import org.hakam.v1.Event
import org.hakam.v1.Language
import org.hakam.v1.ListGamesResponse
import org.hakam.v1.ListedMove
import org.hakam.v1.Move
import org.hakam.v1.NewGameRequest
import org.hakam.v1.NewGameResponse
import org.hakam.v1.Outcome
import org.hakam.v1.PrepareGameResponse
import org.hakam.v1.Record
import org.hakam.v1.ReplayGameResponse
import org.hakam.v1.Rules
import org.hakam.v1.State
import org.hakam.v1.Turn
import org.hakam.v1.ValidateMoveResponse
import org.hakam.v1.View
import org.hakam.v1.Viewer
import java.time.Duration
import java.util.function.Consumer
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

/**
 * [Hakam] for Java: the same calls, each holding its thread until it is answered. A thread that is
 * interrupted gets an [UnexpectedException] with the code `CANCELLED`, and stays interrupted.
 */
public class BlockingHakam internal constructor(
    private val hakam: Hakam,
) : AutoCloseable by hakam {
    private val timeout = hakam.timeout.toJavaDuration()

    /** See [Hakam.channel]. */
    public val channel: Channel get() = hakam.channel

    /** See [Hakam.inLanguage]. */
    public fun inLanguage(language: Language): BlockingHakam = hakam.inLanguage(language).blocking()

    /** See [Hakam.games]. */
    @JvmOverloads
    public fun games(timeout: Duration = this.timeout): ListGamesResponse =
        await { hakam.games(timeout.toKotlinDuration()) }

    /** See [Hakam.board]. */
    @JvmOverloads
    public fun board(
        rules: Rules,
        timeout: Duration = this.timeout,
    ): Board = await { hakam.board(rules, timeout.toKotlinDuration()) }

    /** See [Hakam.prepareGame]. */
    @JvmOverloads
    public fun prepareGame(
        rules: Rules,
        credentialSha256: List<ByteString> = emptyList(),
        timeout: Duration = this.timeout,
    ): PrepareGameResponse = await { hakam.prepareGame(rules, credentialSha256, timeout.toKotlinDuration()) }

    /** See [Hakam.newGame]. */
    @JvmOverloads
    public fun newGame(
        rules: Rules,
        configure: Consumer<NewGameRequest.Builder> = Consumer {},
        credentials: Map<Int, ByteString> = emptyMap(),
        seat: Int? = null,
        timeout: Duration = this.timeout,
    ): BlockingGame = handle { hakam.newGame(rules, credentials, seat, timeout.toKotlinDuration(), configure::accept) }

    /** See [Hakam.join]. */
    @JvmOverloads
    public fun join(
        opening: NewGameResponse,
        credentials: Map<Int, ByteString> = emptyMap(),
        seat: Int? = null,
    ): BlockingGame = BlockingGame(hakam, hakam.join(opening, credentials, seat))

    /** See [Hakam.resume]. */
    @JvmOverloads
    public fun resume(
        state: State,
        seat: Int? = null,
        turn: Turn? = null,
        timeout: Duration = this.timeout,
    ): BlockingGame = handle { hakam.resume(state, seat, turn, timeout.toKotlinDuration()) }

    /** See [Hakam.resume]. */
    @JvmOverloads
    public fun resume(
        sealedState: ByteString,
        credentials: Map<Int, ByteString>,
        seat: Int? = null,
        turn: Turn? = null,
        timeout: Duration = this.timeout,
    ): BlockingGame = handle { hakam.resume(sealedState, credentials, seat, turn, timeout.toKotlinDuration()) }

    /** See [Hakam.replay]. */
    @JvmOverloads
    public fun replay(
        record: Record,
        timeout: Duration = this.timeout,
    ): ReplayGameResponse = await { hakam.replay(record, timeout.toKotlinDuration()) }

    /** See [Hakam.call]. */
    @JvmOverloads
    public fun <Q : Any, A : Any> call(
        method: MethodDescriptor<Q, A>,
        request: Q,
        timeout: Duration = this.timeout,
    ): A = await { hakam.call(method, request, timeout.toKotlinDuration()) }

    private fun handle(make: suspend () -> Game) = BlockingGame(hakam, await { make() })
}

/** [Game] for Java. */
public class BlockingGame internal constructor(
    hakam: Hakam,
    private val game: Game,
) {
    private val timeout = hakam.timeout.toJavaDuration()

    /** See [Game.seat]. */
    public val seat: Int? get() = game.seat

    /** See [Game.opening]. */
    public val opening: NewGameResponse? get() = game.opening

    /** See [Game.turn]. */
    public val turn: Turn get() = game.turn

    /** See [Game.ply]. */
    public val ply: Int get() = game.ply

    /** See [Game.isOver]. */
    public val isOver: Boolean get() = game.isOver

    /** See [Game.outcome]. */
    public val outcome: Outcome? get() = game.outcome

    /** See [Game.state]. */
    public val state: State? get() = game.state

    /** See [Game.sealedState]. */
    public val sealedState: ByteString? get() = game.sealedState

    /** See [Game.events]. */
    public val events: List<Event> get() = game.events

    /** See [Game.moves]. */
    @JvmOverloads
    public fun moves(
        listEffects: Boolean = false,
        timeout: Duration = this.timeout,
    ): List<ListedMove> = await { game.moves(listEffects, timeout.toKotlinDuration()) }

    /** See [Game.check]. */
    @JvmOverloads
    public fun check(
        move: Move,
        timeout: Duration = this.timeout,
    ): ValidateMoveResponse = await { game.check(move, timeout.toKotlinDuration()) }

    /** See [Game.check]. */
    @JvmOverloads
    public fun check(
        notation: String,
        timeout: Duration = this.timeout,
    ): ValidateMoveResponse = await { game.check(notation, timeout.toKotlinDuration()) }

    /** See [Game.play]. */
    @JvmOverloads
    public fun play(
        move: Move,
        expectedPly: Int = ply,
        viewers: List<Viewer> = emptyList(),
        timeout: Duration = this.timeout,
    ): ApplyMoveResponse = await { game.play(move, expectedPly, viewers, timeout.toKotlinDuration()) }

    /** See [Game.play]. */
    @JvmOverloads
    public fun play(
        notation: String,
        expectedPly: Int = ply,
        viewers: List<Viewer> = emptyList(),
        timeout: Duration = this.timeout,
    ): ApplyMoveResponse = await { game.play(notation, expectedPly, viewers, timeout.toKotlinDuration()) }

    /** See [Game.view]: the view of this handle's seat, or a spectator's. */
    public fun view(): View = await { game.view() }

    /** See [Game.view]. */
    @JvmOverloads
    public fun view(
        viewer: Viewer,
        timeout: Duration = this.timeout,
    ): View = await { game.view(viewer, timeout.toKotlinDuration()) }

    /** See [Game.update]. */
    public fun update(answer: ApplyMoveResponse): Boolean = await { game.update(answer) }

    /** See [Game.update]. */
    @JvmOverloads
    public fun update(
        state: State,
        turn: Turn? = null,
        timeout: Duration = this.timeout,
    ): Boolean = await { game.update(state, turn, timeout.toKotlinDuration()) }

    /** See [Game.update]. */
    @JvmOverloads
    public fun update(
        sealedState: ByteString,
        turn: Turn? = null,
        timeout: Duration = this.timeout,
    ): Boolean = await { game.update(sealedState, turn, timeout.toKotlinDuration()) }

    /** See [Game.record]. */
    @JvmOverloads
    public fun record(timeout: Duration = this.timeout): Record = await { game.record(timeout.toKotlinDuration()) }
}

private fun <T> await(block: suspend CoroutineScope.() -> T): T =
    try {
        runBlocking(block = block)
    } catch (_: InterruptedException) {
        Thread.currentThread().interrupt()
        throw HakamException.of(Status.CANCELLED.withDescription("the thread was interrupted").asRuntimeException())
    }
