package org.hakam.client

import com.google.protobuf.Message
import io.grpc.MethodDescriptor.MethodType
import io.grpc.MethodDescriptor.PrototypeMarshaller
import org.hakam.v1.GameServiceProto
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class GameServiceTest {
    private val contract = GameServiceProto.getDescriptor().findServiceByName("GameService")

    @Test
    fun `the methods are those of the contract, in its order`() {
        val methods =
            GameService.METHODS.map { method ->
                val messages = listOf(method.requestMarshaller, method.responseMarshaller)
                val prototypes = messages.map { (it as PrototypeMarshaller<*>).messagePrototype as Message }
                listOf(method.fullMethodName) + prototypes.map { it.descriptorForType.fullName }
            }
        val expected =
            contract.methods.map {
                listOf("${contract.fullName}/${it.name}", it.inputType.fullName, it.outputType.fullName)
            }
        assertEquals(expected, methods)
    }

    @Test
    fun `all are unary, as in the contract`() {
        assertTrue(contract.methods.none { it.isClientStreaming || it.isServerStreaming })
        assertEquals(setOf(MethodType.UNARY), GameService.METHODS.map { it.type }.toSet())
    }
}
