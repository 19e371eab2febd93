import com.google.protobuf.ByteString
import io.grpc.TlsChannelCredentials
import kotlinx.coroutines.runBlocking
import org.hakam.client.Hakam
import org.hakam.client.IllegalMoveException
import org.hakam.client.SPECTATOR
import org.hakam.client.StaleMoveException
import org.hakam.client.credentialSha256
import org.hakam.client.digest
import org.hakam.client.viewerAt
import org.hakam.v1.JackarooRules
import org.hakam.v1.Language
import org.hakam.v1.Rules
import org.hakam.v1.TjauRules
import org.hakam.v1.TrixRuleSet
import org.hakam.v1.TrixRules
import java.io.File
import java.security.SecureRandom
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private suspend fun secure(
    address: String,
    authority: File,
    token: String,
) {
    // region secure
    val tls = TlsChannelCredentials.newBuilder().trustManager(authority).build()
    Hakam.builder(address).credentials(tls).token(token).build().use { hakam ->
        println(hakam.games().gamesList.map { it.id })
    }
    // endregion
}

private suspend fun play(hakam: Hakam) {
    // region play
    val trix = TrixRules.newBuilder().setRuleSet(TrixRuleSet.TRIX_RULE_SET_COMPLEX)
    val game = hakam.newGame(Rules.newBuilder().setTrix(trix).build())
    while (!game.isOver) {
        game.play(game.moves().first().move)
    }
    println("${game.outcome} ${game.events.size}")
    // endregion
    // region fairness
    val replayed = hakam.replay(game.record())
    println("${replayed.hasReplayed()} ${game.view(SPECTATOR).digest()}")
    // endregion
}

private suspend fun look(hakam: Hakam) {
    val game = hakam.newGame(Rules.newBuilder().setJackaroo(JackarooRules.getDefaultInstance()).build())
    // region view
    val own = game.view(viewerAt(2))
    val everybody = game.view(SPECTATOR)
    println("${own.jackaroo.handList} ${everybody.jackaroo.discardList}")
    // endregion
    // region errors
    try {
        game.play("2C 0.0+2")
    } catch (e: IllegalMoveException) {
        println("${e.reason} ${e.clause} ${e.text}")
    }
    // endregion
    // region deadline
    val move = game.moves(timeout = 500.milliseconds).first().move
    // endregion
    // region stale
    val onScreen = game.ply
    game.play(move, expectedPly = onScreen)
    try {
        game.play(move, expectedPly = onScreen)
    } catch (e: StaleMoveException) {
        println("${e.expectedPly} ${e.ply}")
    }
    // endregion
    val stored = checkNotNull(game.state)
    // region resume
    val later = hakam.resume(stored)
    // endregion
    check(later.ply == game.ply)
}

private suspend fun sealed(hakam: Hakam) {
    val rules = Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()).build()
    val random = SecureRandom()
    // region sealed
    val (mine, hers) = List(2) { ByteString.copyFrom(ByteArray(32).also(random::nextBytes)) }
    val table =
        hakam.newGame(rules) {
            setSeal(true)
            addAllCredentialSha256(listOf(mine, hers).map(::credentialSha256))
        }
    val game = hakam.resume(checkNotNull(table.sealedState), mapOf(0 to mine), seat = 0)
    val played = game.play("throw")
    table.update(played)
    // endregion
    check(table.ply == game.ply)
}

/** Every task of docs/clients.md, which shows the regions here: ADDRESSES TLS CA TOKEN. */
fun main(args: Array<String>): Unit =
    runBlocking {
        val (addresses, tls, authority, token) = args
        secure(tls, File(authority), token)
        val replicas = addresses.split(",").toTypedArray()
        // region connect
        val hakam =
            Hakam
                .builder(*replicas)
                .plaintext()
                .language(Language.LANGUAGE_AR)
                .timeout(5.seconds)
                .build()
        // endregion
        hakam.use {
            play(it)
            look(it)
            sealed(it)
        }
    }
