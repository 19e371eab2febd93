import kotlinx.coroutines.runBlocking
import org.hakam.client.Game
import org.hakam.client.Hakam
import org.hakam.v1.Board
import org.hakam.v1.JackarooRules
import org.hakam.v1.Rules
import org.hakam.v1.TjauRules
import org.hakam.v1.TrixRules
import org.hakam.v1.View
import kotlin.math.roundToInt

/** Plays a game of each kind by moves drawn at random, and draws the board now and then. */
fun main(args: Array<String>): Unit =
    runBlocking {
        Hakam.builder(args.firstOrNull() ?: "127.0.0.1:50051").plaintext().build().use { hakam ->
            for (rules in listOf(
                Rules.newBuilder().setTjau(TjauRules.getDefaultInstance()),
                Rules.newBuilder().setTrix(TrixRules.getDefaultInstance()),
                Rules.newBuilder().setJackaroo(JackarooRules.getDefaultInstance()),
            )) {
                val board = hakam.board(rules.build())
                val game = hakam.newGame(rules.build())
                while (!game.isOver) {
                    if (game.ply % 100 == 0) game.show(board)
                    game.play(game.moves().random().move)
                }
                game.show(board)
                println("seats ${game.outcome?.winnersList} won, scores ${game.outcome?.scoresList}\n")
            }
        }
    }

private suspend fun Game.show(board: Board) {
    val view = view()
    println("ply $ply, ${view.text.substringAfter("| ")}")
    val pieces = pieces(board, view)
    val lines = board.cellsList.groupBy { it.y.roundToInt() }.toSortedMap()
    for (cells in lines.values) {
        val line = StringBuilder()
        for (cell in cells.sortedBy { it.x }) {
            line.append(" ".repeat(maxOf(0, (2 * cell.x).roundToInt() - line.length)))
            line.append(pieces[cell.id] ?: if (cell.hasOwner()) '+' else '.')
        }
        println(line)
    }
}

/**
 * The seat whose piece stands on a cell, by the cell's id. Tjau counts squares along a seat's path,
 * from 1.
 */
private fun pieces(
    board: Board,
    view: View,
): Map<Int, Int> =
    buildMap {
        view.tjau.sidesList.forEachIndexed { seat, side ->
            side.squaresList.forEach { put(board.getPaths(seat).getCells(it - 1), seat) }
        }
        view.jackaroo.sidesList.forEachIndexed { seat, side -> side.marblesList.forEach { put(it, seat) } }
    }
