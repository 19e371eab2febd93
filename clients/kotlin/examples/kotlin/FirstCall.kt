import kotlinx.coroutines.runBlocking
import org.hakam.client.Hakam
import org.hakam.client.IllegalMoveException
import org.hakam.v1.Rules
import org.hakam.v1.TjauRules

fun main(args: Array<String>): Unit =
    runBlocking {
        Hakam.builder(args.firstOrNull() ?: "127.0.0.1:50051").plaintext().build().use { hakam ->
            val game = hakam.newGame(Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()).build())
            println(game.view().text)
            println("seat ${game.turn.toAct} may: ${game.moves().map { it.notation }}")
            try {
                game.play("enter")
            } catch (refused: IllegalMoveException) {
                println("${refused.reason} (${refused.clause}): ${refused.text}")
            }
            println("${game.play("throw").notation}: ${game.events.last()}")
        }
    }
