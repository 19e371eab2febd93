package org.hakam.client

import com.google.gson.Gson
import com.google.gson.JsonParser
import io.grpc.CallOptions
import io.grpc.Grpc
import io.grpc.Status
import io.grpc.stub.ClientCalls
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.hakam.v1.ListGamesRequest
import org.hakam.v1.Rules
import org.hakam.v1.TjauRules
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.parallel.Execution
import org.junit.jupiter.api.parallel.ExecutionMode
import java.net.InetSocketAddress
import java.nio.channels.ClosedChannelException
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.measureTime

/** Mostly waits, so all at once. */
@Execution(ExecutionMode.CONCURRENT)
class RetriesTest {
    @Test
    fun `the service config is the one that Hakam ships`() {
        val shipped = JsonParser.parseString(TOP.resolve("deploy/client/service_config.json").readText())
        assertEquals(shipped, Gson().toJsonTree(Hakam.serviceConfig()))
    }

    @Test
    fun `what a dying replica leaves is sent again`() =
        FakeService(Status.UNAVAILABLE, Status.CANCELLED, Status.UNAVAILABLE, null).use { fake ->
            assertEquals("fake", runBlocking { fake.hakam.games() }.release)
            assertEquals(4, fake.attempts.get())
        }

    @Test
    fun `a connection that breaks while it is written to is left for another`() =
        FakeService(Status.UNKNOWN.withCause(ClosedChannelException()), null).use { fake ->
            assertEquals("fake", runBlocking { fake.hakam.games() }.release)
            assertEquals(2, fake.attempts.get())
        }

    @Test
    fun `what a service does not know is not sent again`() =
        FakeService(Status.UNKNOWN, null).use { fake ->
            assertThrows<UnexpectedException> { runBlocking { fake.hakam.games() } }
            assertEquals(1, fake.attempts.get())
        }

    @Test
    fun `after five attempts it is given up`() =
        FakeService(*Array(6) { Status.UNAVAILABLE }).use { fake ->
            assertThrows<UnavailableException> { runBlocking { fake.hakam.games() } }
            assertEquals(5, fake.attempts.get())
        }

    @Test
    fun `a refusal is not sent again`() =
        FakeService(Status.FAILED_PRECONDITION, null).use { fake ->
            assertThrows<IllegalMoveException> { runBlocking { fake.hakam.games() } }
            assertEquals(1, fake.attempts.get())
        }

    @Test
    fun `a call ends at its deadline`() =
        FakeService().use { fake ->
            val time = timeUntilDeadline(fake.hakam, 300.milliseconds)
            assertTrue(time in 250.milliseconds..8.seconds, "$time")
        }

    @Test
    fun `cancelling the coroutine cancels the call`() =
        FakeService().use { fake ->
            runBlocking {
                val call = launch { fake.hakam.games() }
                while (fake.attempts.get() == 0) delay(10.milliseconds)
                call.cancel()
            }
            assertTrue(fake.cancelled.await(5, TimeUnit.SECONDS))
        }

    @Test
    fun `an attempt without an answer is given up after two seconds, but not the fifth`() =
        FakeService().use { fake ->
            assertThrows<DeadlineExceededException> { runBlocking { fake.hakam.games(5.seconds) } }
            assertEquals(3, fake.attempts.get())
            assertThrows<DeadlineExceededException> { runBlocking { fake.hakam.games(11.seconds) } }
            assertEquals(3 + 5, fake.attempts.get())
        }

    @Test
    fun `batches and replays may be silent for longer`() {
        val limits = GameService.METHODS.associate { it.bareMethodName to RetryPolicy.of(it)!!.silence }
        val longer = setOf("ReplayGame", "BatchValidateMoves", "BatchApplyMoves")
        assertEquals(longer, limits.filterValues { it == 10.seconds }.keys)
        assertEquals(9, limits.values.count { it == 2.seconds })
    }

    @Test
    fun `a killed replica of two is not noticed`() =
        replicas { hakam, first, _ ->
            val game = hakam.newGame(TJAU)
            repeat(30) { index ->
                if (index == 10) first.close()
                game.play(game.moves().first().move)
            }
            assertTrue(game.ply >= 30)
        }

    @Test
    fun `a paused replica of two costs its attempt`() =
        replicas { hakam, first, _ ->
            while (first.address != peerOf(hakam)) delay(10.milliseconds)
            first.signal("STOP")
            val times = List(6) { measureTime { hakam.games() } }
            assertTrue(times.all { it < 7.seconds }, "$times")
            assertTrue(times.any { it > 1.5.seconds }, "nothing met the paused one: $times")
        }

    @Test
    fun `a paused replica that is alone is waited for`() =
        Service.start().use { service ->
            Hakam.builder(service.address).plaintext().build().use { hakam ->
                runBlocking {
                    hakam.games()
                    service.signal("STOP")
                    val waiting = async(start = CoroutineStart.UNDISPATCHED) { hakam.games() }
                    delay(3.seconds)
                    service.signal("CONT")
                    assertTrue(waiting.await().release.isNotEmpty())
                }
            }
        }

    @Test
    fun `a paused replica that is alone lasts until the deadline`() =
        Service.start().use { service ->
            Hakam.builder(service.address).plaintext().build().use { hakam ->
                runBlocking { hakam.games() }
                service.signal("STOP")
                val time = timeUntilDeadline(hakam, 3.seconds)
                assertTrue(time in 2.5.seconds..8.seconds, "$time")
            }
        }

    @Test
    fun `where nobody is, a call waits until its deadline`() =
        nowhere().use { hakam ->
            val time = timeUntilDeadline(hakam, 1.seconds)
            assertTrue(time in 0.9.seconds..8.seconds, "$time")
        }

    @Test
    fun `where nobody is, failing fast tells at once`() =
        nowhere { failFast() }.use { hakam ->
            val time = measureTime { assertThrows<UnavailableException> { runBlocking { hakam.games() } } }
            assertTrue(time < 8.seconds, "$time")
        }

    @Test
    fun `a call that waits finds a replica within a second or so of its start`() {
        val address = Service.start().use { it.address }
        Hakam.builder(address).plaintext().build().use { hakam ->
            assertThrows<DeadlineExceededException> { runBlocking { hakam.games(7.seconds) } }
            runBlocking {
                val waiting = async(start = CoroutineStart.UNDISPATCHED) { hakam.games(30.seconds) }
                delay(1.seconds)
                Service.start(mapOf("HAKAM_PORT" to address.substringAfterLast(":"))).use {
                    lateinit var release: String
                    val time = measureTime { release = waiting.await().release }
                    assertTrue(release.isNotEmpty())
                    assertTrue(time < 4.seconds, "$time")
                }
            }
        }
    }

    /** Who answers a call. */
    private fun peerOf(hakam: Hakam): String {
        val call = hakam.channel.newCall(GameService.LIST_GAMES, CallOptions.DEFAULT)
        ClientCalls.futureUnaryCall(call, ListGamesRequest.getDefaultInstance()).get()
        val peer = call.attributes[Grpc.TRANSPORT_ATTR_REMOTE_ADDR] as InetSocketAddress
        return "${peer.hostString}:${peer.port}"
    }

    private fun timeUntilDeadline(
        hakam: Hakam,
        timeout: Duration,
    ): Duration = measureTime { assertThrows<DeadlineExceededException> { runBlocking { hakam.games(timeout) } } }

    private fun nowhere(configure: Hakam.Builder.() -> Unit = {}): Hakam =
        Hakam
            .builder("127.0.0.1:1")
            .plaintext()
            .apply(configure)
            .build()

    private fun replicas(block: suspend (Hakam, Service, Service) -> Unit): Unit =
        Service.start().use { first ->
            Service.start().use { second ->
                Hakam.builder(first.address, second.address).plaintext().build().use { hakam ->
                    runBlocking { block(hakam, first, second) }
                }
            }
        }

    companion object {
        /**
         * What the first call of all takes to load its classes is none of the times that are
         * measured.
         */
        @JvmStatic
        @BeforeAll
        fun warmUp(): Unit =
            Service.start().use { service ->
                Hakam
                    .builder(service.address)
                    .plaintext()
                    .build()
                    .use { runBlocking { it.games() } }
                FakeService(null).use { runBlocking { it.hakam.games() } }
            }

        private val TJAU: Rules = Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()).build()
    }
}
