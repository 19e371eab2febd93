package org.hakam.client

import com.google.protobuf.Any
import com.google.protobuf.ByteString
import com.google.rpc.ErrorInfo
import io.grpc.Metadata
import io.grpc.Status
import io.grpc.StatusRuntimeException
import io.grpc.protobuf.StatusProto
import org.hakam.v1.Reason
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Test

/** What no service of this release sends, and must not break anything. */
class ErrorsTest {
    @Test
    fun `an error without details has the type of its code`() {
        val error = HakamException.of(Status.UNAVAILABLE.withDescription("no healthy upstream").asRuntimeException())
        assertInstanceOf(UnavailableException::class.java, error)
        assertEquals(listOf("", "no healthy upstream"), listOf(error.reason, error.text))
        assertEquals("UNAVAILABLE: no healthy upstream", error.message)
        assertEquals(Reason.REASON_UNSPECIFIED, error.knownReason)
        assertEquals(emptyMap<String, String>(), error.metadata)
    }

    @Test
    fun `every code has a type`() {
        val unexpected =
            setOf("CANCELLED", "UNKNOWN", "NOT_FOUND", "ALREADY_EXISTS", "ABORTED", "OUT_OF_RANGE", "DATA_LOSS")
        for (code in Status.Code.values().filter { it != Status.Code.OK }) {
            val error = HakamException.of(code.toStatus().asRuntimeException())
            assertEquals(code, error.code)
            assertEquals(code.name in unexpected, error is UnexpectedException)
        }
    }

    @Test
    fun `a reason of a later release is kept as it was sent`() {
        val info = ErrorInfo.newBuilder().setDomain("hakam").setReason("TOO_LATE")
        val error = HakamException.of(refusal(info.putMetadata("card", "CARD_99").putMetadata("seat", "x")))
        assertEquals("TOO_LATE", error.reason)
        assertEquals(Reason.REASON_UNSPECIFIED, error.knownReason)
        val illegal = assertInstanceOf(IllegalMoveException::class.java, error)
        assertNull(illegal.card)
        assertNull(illegal.seat)
        assertEquals("CARD_99", error.metadata["card"])
    }

    @Test
    fun `a reason of another domain is none`() {
        val info = ErrorInfo.newBuilder().setDomain("example.org").setReason("PLY_MISMATCH")
        val error = HakamException.of(refusal(info))
        assertSame(IllegalMoveException::class.java, error.javaClass)
        assertEquals("", error.reason)
    }

    @Test
    fun `details that cannot be read are none`() {
        val type = "type.googleapis.com/google.rpc.ErrorInfo"
        val broken = Any.newBuilder().setTypeUrl(type).setValue(ByteString.fromHex("ff"))
        val unreadable = StatusProto.toStatusRuntimeException(status().addDetails(broken).build())
        val details = Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER)
        val trailers = Metadata().apply { put(details, byteArrayOf(-1)) }
        val noise = Status.FAILED_PRECONDITION.withDescription("no").asRuntimeException(trailers)
        for (error in listOf(unreadable, noise)) {
            assertEquals("FAILED_PRECONDITION: no", HakamException.of(error).message)
        }
    }

    private fun status() =
        com.google.rpc.Status
            .newBuilder()
            .setCode(Status.Code.FAILED_PRECONDITION.value())
            .setMessage("no")

    private fun refusal(info: ErrorInfo.Builder): StatusRuntimeException =
        StatusProto.toStatusRuntimeException(status().addDetails(Any.pack(info.build())).build())
}
