package org.hakam.client

import com.google.gson.JsonParser
import com.google.protobuf.ByteString
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import org.hakam.v1.ApplyMoveRequest
import org.hakam.v1.BatchApplyMovesRequest
import org.hakam.v1.ChanceOutcome
import org.hakam.v1.JackarooRules
import org.hakam.v1.Language
import org.hakam.v1.Move
import org.hakam.v1.NewGameSuppliedChance
import org.hakam.v1.Rules
import org.hakam.v1.TjauRules
import org.hakam.v1.TrixRules
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.assertThrows

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GameTest {
    private val service = Service.start()
    private val hakam = Hakam.builder(service.address).plaintext().build()

    @AfterAll
    fun end() {
        hakam.close()
        service.close()
    }

    @Test
    fun `the catalogue and the boards are there`(): Unit =
        runBlocking {
            assertEquals(listOf("jackaroo", "tjau", "trix"), hakam.games().gamesList.map { it.id })
            assertEquals(2, hakam.board(TJAU).pathsCount)
            assertEquals(4, hakam.board(TRIX).seats)
        }

    @Test
    fun `a game is played, seen and told`(): Unit =
        runBlocking {
            val game = hakam.newGame(TRIX, seat = null)
            assertEquals(game.opening!!.eventsList, game.events)
            val first = game.turn.toAct
            assertEquals(13, game.view(viewerAt(first)).trix.handCount)
            assertEquals(0, game.view().trix.handCount)

            val listed = game.moves(listEffects = true)
            assertTrue(listed.first().effectsCount > 0)
            assertTrue(game.check(listed.first().move).legal)
            val verdict = game.check("play AH")
            assertFalse(verdict.legal)
            assertEquals("REASON_WRONG_PHASE", verdict.violation.reason.name)

            val before = game.ply
            val answer = game.play(listed.first().move, viewers = listOf(SPECTATOR, viewerAt(0)))
            assertEquals(listed.first().notation, answer.notation)
            assertEquals(listOf(0, 13), answer.viewsList.map { it.trix.handCount })
            assertEquals(before + 1, game.ply)
            assertEquals(game.opening.eventsList + answer.eventsList, game.events)
            assertEquals(answer.state, game.state)
            assertNull(game.sealedState)
            assertFalse(game.isOver)
            assertNull(game.outcome)
        }

    @Test
    fun `the second tap of two is refused`(): Unit =
        runBlocking {
            val game = hakam.newGame(TJAU)
            val seen = game.ply
            game.play("throw", expectedPly = seen)
            val state = game.state
            val stale = assertThrows<StaleMoveException> { runBlocking { game.play("throw", expectedPly = seen) } }
            assertEquals(listOf(seen, game.ply), listOf(stale.expectedPly, stale.ply))
            assertEquals(state, game.state)
        }

    @Test
    fun `of two plays at once on one position one is played`(): Unit =
        runBlocking {
            val game = hakam.newGame(TJAU)
            // Nobody answers before both have begun.
            service.signal("STOP")
            val begun = List(2) { async(start = CoroutineStart.UNDISPATCHED) { runCatching { game.play("throw") } } }
            service.signal("CONT")
            val plays = begun.map { it.await() }
            assertEquals(1, plays.count { it.isSuccess })
            assertTrue(plays.any { it.exceptionOrNull() is StaleMoveException })
            assertEquals(1, game.ply)
        }

    @Test
    fun `an illegal move is told in the language of the client`(): Unit =
        runBlocking {
            val arabic =
                Hakam
                    .builder(service.address)
                    .plaintext()
                    .language(Language.LANGUAGE_AR)
                    .build()
            for (client in listOf(arabic, hakam.inLanguage(Language.LANGUAGE_AR))) {
                client.use {
                    val game = it.newGame(TRIX)
                    val refused = assertThrows<IllegalMoveException> { runBlocking { game.play("play AH") } }
                    assertEquals("WRONG_PHASE", refused.reason)
                    assertTrue(refused.text.any { letter -> letter in '\u0600'..'\u06ff' }, refused.text)
                }
            }
            assertEquals(Language.LANGUAGE_EN, hakam.language)
            assertTrue(hakam.games().gamesCount > 0)
        }

    @Test
    fun `a handle for one seat speaks for no other`(): Unit =
        runBlocking {
            val game = hakam.newGame(TRIX)
            val mine = hakam.resume(game.state!!, seat = (game.turn.toAct + 1) % 4)
            assertEquals(13, mine.view().trix.handCount)
            val refused = assertThrows<IllegalMoveException> { runBlocking { mine.play(game.moves().first().move) } }
            assertEquals("NOT_YOUR_TURN", refused.reason)
            assertEquals(game.turn.toAct, refused.seat)
        }

    @Test
    fun `players of a sealed game pass answers on, and each has the whole record`(): Unit =
        runBlocking {
            val secrets = List(2) { ByteString.copyFrom(ByteArray(32) { _ -> it.toByte() }) }
            val hashes = secrets.map(::credentialSha256)
            val prepared = hakam.prepareGame(TJAU, hashes)
            val starter =
                hakam.newGame(TJAU, mapOf(0 to secrets[0]), seat = 0) {
                    preparedSeed = prepared.preparedSeed
                    addAllCredentialSha256(hashes)
                    addAllEntropy(listOf("alice", "bob").map(ByteString::copyFromUtf8))
                    seal = true
                }
            val players = listOf(starter, hakam.join(starter.opening!!, mapOf(1 to secrets[1]), seat = 1))
            while (!players[0].isOver) {
                val (mover, other) = if (players[0].turn.toAct == 0) players else players.reversed()
                val answer = mover.play(mover.moves().first().move)
                assertTrue(other.update(answer))
                assertFalse(other.update(answer))
            }

            val records = players.map { it.record() }
            assertEquals(records[0], records[1])
            assertEquals(prepared.commitment, records[0].commitment)
            assertEquals(2, records[0].seed.entropyCount)
            assertEquals(players[0].events, players[1].events)
            val replayed = hakam.replay(records[0]).replayed
            assertEquals(players[0].outcome, replayed.turn.outcome)
            val digest = replayed.viewDigest.joinToString("") { "%02x".format(it) }
            assertEquals(players[0].view(SPECTATOR).digest(), digest)
        }

    @Test
    fun `credentials that the service makes are the handle's`(): Unit =
        runBlocking {
            val game =
                hakam.newGame(JACKAROO) {
                    makeCredentials = true
                    seal = true
                }
            assertEquals(4, game.opening!!.credentialsCount)
            repeat(4) { game.play(game.moves().first().move) }
            assertEquals(game.ply, hakam.resume(game.sealedState!!, emptyMap()).ply)
            assertThrows<IllegalStateException> { runBlocking { game.record() } }
        }

    @Test
    fun `credentials that are given are hashed in the order of the seats`(): Unit =
        runBlocking {
            val secrets = (3 downTo 0).associateWith { ByteString.copyFrom(ByteArray(32) { _ -> it.toByte() }) }
            val game = hakam.newGame(TRIX, secrets) { seal = true }
            for (seat in 0..3) assertEquals(13, game.view(viewerAt(seat)).trix.handCount)
        }

    @Test
    fun `without a credential one looks on, with another's one is refused`(): Unit =
        runBlocking {
            val game =
                hakam.newGame(TRIX) {
                    makeCredentials = true
                    seal = true
                }
            val onlooker = hakam.resume(game.sealedState!!, emptyMap())
            assertEquals(game.view().text, onlooker.view().text)
            assertThrows<UnauthenticatedException> { runBlocking { onlooker.moves() } }

            val thief = hakam.resume(game.sealedState!!, mapOf(0 to game.opening!!.getCredentials(1)), seat = 0)
            val refused = assertThrows<NotAllowedException> { runBlocking { thief.view() } }
            assertEquals("CREDENTIAL_WRONG", refused.reason)
        }

    @Test
    fun `a newer state is taken, an older one is not`(): Unit =
        runBlocking {
            val game = hakam.newGame(TJAU)
            val other = hakam.resume(game.state!!)
            val old = game.state!!
            game.play("throw")
            assertTrue(other.update(game.state!!))
            assertEquals(game.turn, other.turn)
            assertFalse(other.update(old))
            assertEquals(game.state, other.state)
            assertThrows<IllegalStateException> { runBlocking { other.record() } }
            assertNull(other.opening)
        }

    @Test
    fun `with the turn that was stored no call is needed`(): Unit =
        runBlocking {
            FakeService().use { silent ->
                val game = hakam.newGame(TJAU)
                val resumed = silent.hakam.resume(game.state!!, turn = game.turn)
                assertEquals(listOf(game.turn, game.state), listOf(resumed.turn, resumed.state))
                game.play("throw")
                assertTrue(resumed.update(game.state!!, game.turn))
                assertEquals(game.ply, resumed.ply)
                assertEquals(0, silent.attempts.get())
            }
        }

    @Test
    fun `a newer sealed state is taken`(): Unit =
        runBlocking {
            val game =
                hakam.newGame(TJAU) {
                    makeCredentials = true
                    seal = true
                }
            val other = hakam.resume(game.sealedState!!, emptyMap())
            game.play("throw")
            assertTrue(other.update(game.sealedState!!))
            assertEquals(game.ply, other.ply)
            assertNotNull(other.sealedState)
        }

    @Test
    fun `the record of a game under way is replayed`(): Unit =
        runBlocking {
            val game = hakam.newGame(JACKAROO) { addEntropy(ByteString.copyFromUtf8("x")) }
            repeat(12) { game.play(game.moves().last().move) }
            assertEquals(game.state, hakam.replay(game.record()).replayed.state)
        }

    @Test
    fun `chance is brought, with the right of the keeper where the game is sealed`(): Unit =
        runBlocking {
            Hakam.builder(service.address).plaintext().keeper(Service.KEEPER).build().use { keeper ->
                for (sealed in listOf(false, true)) {
                    val game =
                        keeper.newGame(TJAU) {
                            supplied = NewGameSuppliedChance.getDefaultInstance()
                            makeCredentials = sealed
                            seal = sealed
                        }
                    assertTrue(game.turn.hasChanceDue())
                    assertEquals(emptyList<Any>(), game.moves())
                    assertTrue(game.check(thrown(3)).legal)
                    game.play(thrown(3))
                    game.play(game.moves().first().move)
                    val record = game.record()
                    assertEquals(listOf(1, 1), listOf(record.outcomes.outcomesCount, record.movesCount))
                    assertEquals(
                        game.ply,
                        keeper
                            .replay(record)
                            .replayed.turn.ply,
                    )
                }
            }
        }

    @Test
    fun `where only the keeper may have plain states, he plays as ever`(): Unit =
        Service.start(mapOf("HAKAM_PLAIN_STATES" to "keeper")).use { strict ->
            Hakam.builder(strict.address).plaintext().build().use { stranger ->
                val refused = assertThrows<NotAllowedException> { runBlocking { stranger.newGame(TJAU) } }
                assertEquals("PLAIN_STATE_REFUSED", refused.reason)
            }
            Hakam.builder(strict.address).plaintext().keeper(Service.KEEPER).build().use { keeper ->
                runBlocking {
                    val game = keeper.newGame(TJAU)
                    game.play(game.moves().first().move)
                    assertTrue(game.check(game.moves().first().move).legal)
                    assertEquals(game.view().turn, keeper.resume(game.state!!).turn)
                }
            }
        }

    @Test
    fun `a state that cannot be is refused with all its faults`(): Unit =
        runBlocking {
            val state = hakam.newGame(TJAU).state!!.toBuilder()
            state.tjauBuilder.getSidesBuilder(0).addAllSquares(listOf(3, 3))
            val refused = assertThrows<InvalidRequestException> { runBlocking { hakam.resume(state.build()) } }
            assertEquals("STATE_INVALID", refused.reason)
            assertTrue(refused.faultCount >= 1)
            assertEquals(
                "state.tjau.sides[0]",
                refused.faults
                    .first()
                    .path
                    .substringBefore(".squares"),
            )
        }

    @Test
    fun `rpcs without a function of their own are called by their name`(): Unit =
        runBlocking {
            val game = hakam.newGame(TJAU)
            val item =
                ApplyMoveRequest
                    .newBuilder()
                    .setState(
                        game.state,
                    ).setMove(Move.newBuilder().setNotation("throw"))
            val items = listOf(item.build(), item.setExpectedPly(9).build())
            val batch = BatchApplyMovesRequest.newBuilder().addAllItems(items).build()
            val results = hakam.call(GameService.BATCH_APPLY_MOVES, batch).resultsList
            assertEquals(1, results[0].applied.turn.ply)
            assertEquals("REASON_PLY_MISMATCH", results[1].error.reason.name)
            val tooMany = BatchApplyMovesRequest.newBuilder().addAllItems(List(1001) { item.build() }).build()
            val refused =
                assertThrows<LimitExceededException> {
                    runBlocking { hakam.call(GameService.BATCH_APPLY_MOVES, tooMany) }
                }
            assertEquals(1000, refused.limit)
        }

    @Test
    fun `recorded games end as recorded`(): Unit =
        runBlocking {
            for ((name, sealed) in listOf("tjau-ur" to true, "jackaroo-bordaga-4" to false)) {
                val file = TOP.resolve("proto/testdata/games/$name.json")
                val recorded = JsonParser.parseString(file.readText()).asJsonObject
                val told = mutableListOf<String>()
                hakam.playRecorded(recorded, sealed, told::add)
                assertEquals("end $name ${recorded["view_digest"].asString}", told.last())
                assertNotEquals(told.first(), told.last())
            }
        }

    private companion object {
        val TJAU: Rules = Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()).build()
        val TRIX: Rules = Rules.newBuilder().setTrix(TrixRules.getDefaultInstance()).build()
        val JACKAROO: Rules = Rules.newBuilder().setJackaroo(JackarooRules.getDefaultInstance()).build()

        fun thrown(value: Int): Move = Move.newBuilder().setChance(ChanceOutcome.newBuilder().setThrow(value)).build()
    }
}
