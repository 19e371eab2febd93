package org.hakam.client

import com.google.gson.JsonArray
import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import com.google.protobuf.Message
import com.google.protobuf.util.JsonFormat
import com.google.rpc.BadRequest
import com.google.rpc.ErrorInfo
import com.google.rpc.LocalizedMessage
import io.grpc.MethodDescriptor
import io.grpc.MethodDescriptor.PrototypeMarshaller
import io.grpc.Status
import io.grpc.protobuf.StatusProto
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.DynamicContainer
import org.junit.jupiter.api.DynamicContainer.dynamicContainer
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import java.util.Base64

/** What the service has been recorded to send and to take, rpc by rpc. */
class WireTest {
    @TestFactory
    fun `recorded exchanges are read and written alike`(): List<DynamicContainer> =
        GameService.METHODS.map { method ->
            val rpc = method.bareMethodName!!
            val exchanges = JsonParser.parseString(TOP.resolve("proto/testdata/wire/$rpc.json").readText()).asJsonArray
            val tests = exchanges.map { it.asJsonObject }.map { dynamicTest(it["name"].asString) { check(method, it) } }
            dynamicContainer(rpc, tests)
        }

    private fun check(
        method: MethodDescriptor<*, *>,
        exchange: JsonObject,
    ) {
        val request = exchange["request"].asJsonObject
        if (request.has("json")) check(method.requestMarshaller.prototype(), request)
        if (exchange.has("answer")) check(method.responseMarshaller.prototype(), exchange["answer"].asJsonObject)
        if (exchange.has("error")) checkError(exchange["error"].asJsonObject)
    }

    private fun check(
        prototype: Message,
        recorded: JsonObject,
    ) {
        val bytes = recorded["binary"].bytes()
        val message = prototype.parserForType.parseFrom(bytes)
        assertArrayEquals(bytes, message.toByteArray())
        assertEquals(recorded["json"], JSON.print(message).parsed())
        val read = prototype.newBuilderForType()
        JsonFormat.parser().merge(recorded["json"].toString(), read)
        assertEquals(message, read.build())
    }

    private fun checkError(recorded: JsonObject) {
        val status =
            com.google.rpc.Status
                .parseFrom(recorded["status"].bytes())
        val json = recorded["json"].asJsonObject
        assertEquals(json, JSON.print(status).parsed())

        val error = HakamException.of(StatusProto.toStatusRuntimeException(status))
        val info = json.detail("ErrorInfo")!!
        val metadata = info["metadata"]?.asJsonObject ?: JsonObject()
        assertInstanceOf(TYPES.getValue(error.code), error)
        assertEquals(recorded["code"].asString, error.code.name)
        assertEquals(recorded["reason"].asString, error.reason)
        assertEquals("REASON_${error.reason}", error.knownReason.name)
        assertEquals(json.detail("LocalizedMessage")!!["message"].asString, error.text)
        assertEquals(metadata.keySet().associateWith { metadata[it].asString }, error.metadata)

        fun number(name: String): Int? = metadata[name]?.asInt
        when (error) {
            is IllegalMoveException -> {
                assertEquals(error.reason == "PLY_MISMATCH", error is StaleMoveException)
                assertEquals(metadata["clause"]?.asString, error.clause)
                assertEquals(metadata["card"]?.asString, error.card?.name)
                val numbers = listOf(error.ply, error.seat, error.marble, error.cell)
                assertEquals(listOf("ply", "seat", "marble", "cell").map(::number), numbers)
                if (error is StaleMoveException) assertEquals(number("expected_ply"), error.expectedPly)
            }

            is InvalidRequestException -> {
                val faults = json.detail("BadRequest")?.get("fieldViolations")?.asJsonArray ?: JsonArray()
                val expected = faults.map { it.texts("field", "reason", "description") }
                assertEquals(expected, error.faults.map { listOf(it.path, it.reason, it.text) })
                assertEquals(number("faults") ?: faults.size(), error.faultCount)
            }

            is LimitExceededException -> {
                assertEquals(number("limit"), error.limit)
            }

            is ServiceFaultException -> {
                assertEquals(metadata["id"].asString, error.id)
            }

            else -> {
                assertFalse(metadata.has("clause"))
            }
        }
    }

    private companion object {
        val JSON: JsonFormat.Printer =
            JsonFormat.printer().usingTypeRegistry(
                JsonFormat.TypeRegistry
                    .newBuilder()
                    .add(DETAILS)
                    .build(),
            )
        val TYPES =
            mapOf(
                Status.Code.FAILED_PRECONDITION to IllegalMoveException::class.java,
                Status.Code.INVALID_ARGUMENT to InvalidRequestException::class.java,
                Status.Code.UNAUTHENTICATED to UnauthenticatedException::class.java,
                Status.Code.PERMISSION_DENIED to NotAllowedException::class.java,
                Status.Code.RESOURCE_EXHAUSTED to LimitExceededException::class.java,
                Status.Code.UNAVAILABLE to UnavailableException::class.java,
                Status.Code.DEADLINE_EXCEEDED to DeadlineExceededException::class.java,
                Status.Code.UNIMPLEMENTED to UnsupportedException::class.java,
                Status.Code.INTERNAL to ServiceFaultException::class.java,
            )
    }
}

private val DETAILS = listOf(ErrorInfo.getDescriptor(), BadRequest.getDescriptor(), LocalizedMessage.getDescriptor())

private fun MethodDescriptor.Marshaller<*>.prototype(): Message =
    (this as PrototypeMarshaller<*>).messagePrototype as Message

private fun String.parsed(): JsonElement = JsonParser.parseString(this)

private fun JsonElement.bytes(): ByteArray = Base64.getDecoder().decode(asString)

private fun JsonElement.texts(vararg names: String): List<String> = names.map { asJsonObject[it]?.asString.orEmpty() }

private fun JsonObject.detail(type: String): JsonObject? =
    this["details"].asJsonArray.map { it.asJsonObject }.firstOrNull { it["@type"].asString.endsWith(".$type") }
