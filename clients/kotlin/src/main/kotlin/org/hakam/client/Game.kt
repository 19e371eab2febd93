package org.hakam.client

import com.google.protobuf.ByteString
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import org.hakam.v1.ApplyMoveRequest
import org.hakam.v1.ApplyMoveResponse
import org.hakam.v1.Event
import org.hakam.v1.GetViewRequest
import org.hakam.v1.ListMovesRequest
import org.hakam.v1.ListedMove
import org.hakam.v1.Move
import org.hakam.v1.NewGameResponse
import org.hakam.v1.Outcome
import org.hakam.v1.Record
import org.hakam.v1.RecordedOutcomes
import org.hakam.v1.RecordedSeed
import org.hakam.v1.State
import org.hakam.v1.Turn
import org.hakam.v1.ValidateMoveRequest
import org.hakam.v1.ValidateMoveResponse
import org.hakam.v1.View
import org.hakam.v1.Viewer
import kotlin.time.Duration

/**
 * A handle on a game: keeps the newest state and what was seen of the game, and asks the service for
 * all else. It knows no rules.
 *
 * Safe to use from many coroutines: moves are played one after the other, and everything that is read
 * belongs to the newest state. A call that fails changes nothing.
 */
public class Game private constructor(
    private val hakam: Hakam,
    private val credentials: Map<Int, ByteString>,
    /**
     * The seat that every request speaks for; null: whichever is to act, with its credential if it
     * is known.
     */
    public val seat: Int?,
    /**
     * The answer to `NewGame` that this handle began with: commitment, credentials made, views and
     * moves asked for. Null where it was resumed.
     */
    public val opening: NewGameResponse?,
    held: Held,
    turn: Turn,
) {
    private val turns = Mutex()

    @Volatile
    private var newest = Newest(held, turn, opening?.eventsList.orEmpty(), emptyList(), opening != null)

    /** Where the game stands: who is to act, or which chance is due, or how it ended. */
    public val turn: Turn get() = newest.turn

    /** The number of moves and chance events so far. */
    public val ply: Int get() = turn.ply

    public val isOver: Boolean get() = turn.hasOutcome()

    /** The result; null until the game is over. */
    public val outcome: Outcome? get() = if (isOver) turn.outcome else null

    /** The state to be stored, if it is plain. Whoever has it sees every hand. */
    public val state: State? get() = (newest.held as? Held.Plain)?.state

    /** The state to be stored, if it is sealed. */
    public val sealedState: ByteString? get() = (newest.held as? Held.Sealed)?.state

    /** Everything that happened as far as this handle saw it, in order. */
    public val events: List<Event> get() = newest.events

    /**
     * Every legal move of the seat to act; the first is a safe automatic one. Empty once the game
     * is over and while chance is due.
     */
    public suspend fun moves(
        listEffects: Boolean = false,
        timeout: Duration = hakam.timeout,
    ): List<ListedMove> {
        val asked = newest
        val request = ListMovesRequest.newBuilder().setExpectedPly(asked.turn.ply).setListEffects(listEffects)
        asked.held.give(request::setState, request::setSealedState)
        seat?.let(request::setSeat)
        credential(asked)?.let(request::setCredential)
        return hakam.call(GameService.LIST_MOVES, request.setLanguage(hakam.language).build(), timeout).movesList
    }

    /** Whether a move is legal, or why not. "No" is an answer here, not an error. */
    public suspend fun check(
        move: Move,
        timeout: Duration = hakam.timeout,
    ): ValidateMoveResponse {
        val asked = newest
        val request = ValidateMoveRequest.newBuilder().setMove(move).setExpectedPly(asked.turn.ply)
        asked.held.give(request::setState, request::setSealedState)
        if (!move.hasChance()) seat?.let(request::setSeat)
        credential(asked, move)?.let(request::setCredential)
        return hakam.call(GameService.VALIDATE_MOVE, request.setLanguage(hakam.language).build(), timeout)
    }

    /** [check] of a move in notation. */
    public suspend fun check(
        notation: String,
        timeout: Duration = hakam.timeout,
    ): ValidateMoveResponse = check(moveOf(notation), timeout)

    /**
     * Plays a move. The answer has what happened, the move as notation, where the game stands now, and
     * the views that [viewers] ask for: at most 7, of a sealed state only the mover's and a spectator's.
     *
     * [expectedPly] says which position the move is meant for: give the ply that the player saw. By
     * default it is that of the newest state when this is called. If the game has moved on, as at the
     * second tap of two, [StaleMoveException] is thrown and nothing changes.
     *
     * @throws IllegalMoveException if the rules forbid it
     */
    public suspend fun play(
        move: Move,
        expectedPly: Int = ply,
        viewers: List<Viewer> = emptyList(),
        timeout: Duration = hakam.timeout,
    ): ApplyMoveResponse =
        turns.withLock {
            val asked = newest
            val request =
                ApplyMoveRequest
                    .newBuilder()
                    .setMove(move)
                    .setExpectedPly(expectedPly)
                    .addAllViewers(viewers)
            asked.held.give(request::setState, request::setSealedState)
            if (!move.hasChance()) seat?.let(request::setSeat)
            credential(asked, move)?.let(request::setCredential)
            val answer = hakam.call(GameService.APPLY_MOVE, request.setLanguage(hakam.language).build(), timeout)
            newest = asked.after(answer)
            answer
        }

    /** [play] of a move in notation. */
    public suspend fun play(
        notation: String,
        expectedPly: Int = ply,
        viewers: List<Viewer> = emptyList(),
        timeout: Duration = hakam.timeout,
    ): ApplyMoveResponse = play(moveOf(notation), expectedPly, viewers, timeout)

    /** What a viewer may see: by default the seat that this handle speaks for, or a spectator. */
    public suspend fun view(
        viewer: Viewer = seat?.let(::viewerAt) ?: SPECTATOR,
        timeout: Duration = hakam.timeout,
    ): View {
        val asked = newest
        val credential = if (viewer.hasSeat() || asked.held is Held.Plain) credential(asked, viewer.seat) else null
        return hakam.view(asked.held, viewer, credential, asked.turn.ply, timeout)
    }

    /**
     * Takes the answer to somebody else's move, if it is newer than what this handle has; says whether it
     * was. Where no answer is left out, [events] and [record] stay complete.
     */
    public suspend fun update(answer: ApplyMoveResponse): Boolean =
        turns.withLock { takeIfNewer(answer.turn) { it.after(answer) } }

    /**
     * Takes a plain state, if it is newer than the one that this handle has; says whether it was.
     * Without the turn that belongs to it the service is asked where the game stands. What happened in
     * between was not seen, so there will be no [record].
     */
    public suspend fun update(
        state: State,
        turn: Turn? = null,
        timeout: Duration = hakam.timeout,
    ): Boolean = update(Held.Plain(state), turn, timeout)

    /** The same of a sealed state. */
    public suspend fun update(
        sealedState: ByteString,
        turn: Turn? = null,
        timeout: Duration = hakam.timeout,
    ): Boolean = update(Held.Sealed(sealedState), turn, timeout)

    /**
     * The game so far as a record, for [Hakam.replay] and for whoever wants to check the chance of it.
     * That of a sealed game with a seed asks the service for what is revealed at the end.
     *
     * @throws IllegalStateException if this handle did not see the game from its start, or if the seed is
     *   not revealed yet
     */
    public suspend fun record(timeout: Duration = hakam.timeout): Record {
        val seen = newest
        check(seen.isWhole) { "the game was not seen from its start" }
        val (outcomes, moves) = seen.moves.partition(Move::hasChance)
        val record = Record.newBuilder().addAllMoves(moves)
        when (seen.held) {
            is Held.Plain -> record.tell(seen.held.state)
            is Held.Sealed -> record.tell(view(SPECTATOR, timeout), hakam.games(timeout).chanceVersionsList.last())
        }
        if (!record.hasSeed()) {
            record.setOutcomes(RecordedOutcomes.newBuilder().addAllOutcomes(outcomes.map(Move::getChance)))
        }
        return record.build()
    }

    private suspend fun update(
        held: Held,
        told: Turn?,
        timeout: Duration,
    ): Boolean {
        val turn = told ?: hakam.turnOf(held, timeout)
        return turns.withLock { takeIfNewer(turn) { Newest(held, turn, it.events, it.moves, isWhole = false) } }
    }

    private fun takeIfNewer(
        turn: Turn,
        next: (Newest) -> Newest,
    ): Boolean {
        if (turn.ply <= ply) return false
        newest = next(newest)
        return true
    }

    /**
     * With a plain state, and with what chance brings, the keeper's; else that of the seat, or any
     * where no seat is to act.
     */
    private fun credential(
        asked: Newest,
        speaker: Int? = seat ?: asked.turn.seatToAct,
    ): ByteString? =
        when {
            asked.held is Held.Plain -> hakam.keeper
            speaker == null -> credentials.values.firstOrNull()
            else -> credentials[speaker]
        }

    private fun credential(
        asked: Newest,
        move: Move,
    ): ByteString? = if (move.hasChance()) hakam.keeper else credential(asked)

    internal companion object {
        fun begun(
            hakam: Hakam,
            opening: NewGameResponse,
            known: Map<Int, ByteString>,
            seat: Int?,
        ): Game {
            val held = if (opening.hasState()) Held.Plain(opening.state) else Held.Sealed(opening.sealedState)
            val made = opening.credentialsList.withIndex().associate { (seat, credential) -> seat to credential }
            return Game(hakam, known + made, seat, opening, held, opening.turn)
        }

        suspend fun resumed(
            hakam: Hakam,
            held: Held,
            credentials: Map<Int, ByteString>,
            seat: Int?,
            turn: Turn?,
            timeout: Duration,
        ): Game = Game(hakam, credentials.toMap(), seat, opening = null, held, turn ?: hakam.turnOf(held, timeout))
    }
}

/** A state in either of its forms. */
internal sealed interface Held {
    class Plain(
        val state: State,
    ) : Held

    class Sealed(
        val state: ByteString,
    ) : Held
}

private fun Held.give(
    plain: (State) -> Any,
    sealed: (ByteString) -> Any,
) {
    when (this) {
        is Held.Plain -> plain(state)
        is Held.Sealed -> sealed(state)
    }
}

/**
 * The newest state, and what was seen on the way to it. Never changed, so that whoever reads it
 * reads of one position.
 */
private class Newest(
    val held: Held,
    val turn: Turn,
    val events: List<Event>,
    val moves: List<Move>,
    /** Whether the moves are all there were since the start. */
    val isWhole: Boolean,
) {
    fun after(answer: ApplyMoveResponse): Newest {
        val held = if (answer.hasState()) Held.Plain(answer.state) else Held.Sealed(answer.sealedState)
        return Newest(held, answer.turn, events + answer.eventsList, moves + answer.move, isWhole)
    }
}

private val Turn.seatToAct: Int? get() = if (hasToAct()) toAct else null

private fun moveOf(notation: String): Move = Move.newBuilder().setNotation(notation).build()

private suspend fun Hakam.view(
    held: Held,
    viewer: Viewer,
    credential: ByteString?,
    expectedPly: Int?,
    timeout: Duration,
): View {
    val request = GetViewRequest.newBuilder().setViewer(viewer)
    held.give(request::setState, request::setSealedState)
    credential?.let(request::setCredential)
    expectedPly?.let(request::setExpectedPly)
    return call(GameService.GET_VIEW, request.setLanguage(language).build(), timeout).view
}

/** By the spectator's view, for which a sealed state needs no credential. */
private suspend fun Hakam.turnOf(
    held: Held,
    timeout: Duration,
): Turn = view(held, SPECTATOR, keeper.takeIf { held is Held.Plain }, expectedPly = null, timeout).turn

private fun Record.Builder.tell(state: State) {
    setRules(state.rules).setChanceVersion(state.chance.version)
    if (state.chance.hasSeeded()) {
        val chance = state.chance.seeded
        setSeed(RecordedSeed.newBuilder().setSeed(chance.seed).addAllEntropy(chance.entropyList))
        setCommitment(chance.commitment)
    }
}

/** A view does not say by which version its chance is derived; it is that of new games. */
private fun Record.Builder.tell(
    view: View,
    chanceVersion: Int,
) {
    setRules(view.rules).setChanceVersion(chanceVersion)
    if (!view.commitment.isEmpty) {
        check(view.hasReveal()) { "the seed is not revealed before the game is over" }
        setSeed(RecordedSeed.newBuilder().setSeed(view.reveal.seed).addAllEntropy(view.reveal.entropyList))
        setCommitment(view.commitment)
    }
}
