package org.hakam.client

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import com.google.protobuf.ByteString
import com.google.protobuf.util.JsonFormat
import kotlinx.coroutines.runBlocking
import org.hakam.v1.Rules
import java.io.File

/** Plays recorded games: `games ADDRESSES FOLDER plain|sealed`. */
fun main(args: Array<String>): Unit =
    runBlocking {
        val (addresses, folder, form) = args
        require(form == "plain" || form == "sealed") { "neither plain nor sealed: $form" }
        Hakam.builder(*addresses.split(",").toTypedArray()).plaintext().build().use { hakam ->
            for (file in File(folder).listFiles { it.extension == "json" }!!.sorted()) {
                hakam.playRecorded(JsonParser.parseString(file.readText()).asJsonObject, form == "sealed", ::println)
            }
        }
    }

/** Plays one to its end and tells how it goes. */
suspend fun Hakam.playRecorded(
    recorded: JsonObject,
    sealed: Boolean,
    tell: (String) -> Unit,
) {
    val name = recorded["name"].asString
    tell("start $name")
    val rules = Rules.newBuilder().apply { JsonFormat.parser().merge(recorded["rules"].toString(), this) }.build()
    val credentials = recorded["credentials"].bytes().withIndex().associate { (seat, bytes) -> seat to bytes }
    val game =
        newGame(rules, if (sealed) credentials else emptyMap()) {
            seed = ByteString.fromHex(recorded["seed"].asString)
            seal = sealed
        }
    for ((index, notation) in recorded["moves"].asJsonArray.map { it.asString }.withIndex()) {
        if (index % 10 == 0) {
            val listed = game.moves().firstOrNull { it.notation == notation } ?: error("$name: $notation is not listed")
            if (index % 20 == 0) game.play(listed.move) else game.play(notation)
        } else {
            game.play(notation)
        }
        if ((index + 1) % 25 == 0) tell("at $name ${game.ply}")
    }
    check(game.isOver) { "$name is not over" }
    tell("end $name ${game.view(SPECTATOR).digest()}")
}

private fun JsonElement.bytes(): List<ByteString> = asJsonArray.map { ByteString.fromHex(it.asString) }
