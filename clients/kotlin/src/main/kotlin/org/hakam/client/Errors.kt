package org.hakam.client

import com.google.protobuf.InvalidProtocolBufferException
import com.google.protobuf.Message
import com.google.rpc.BadRequest
import com.google.rpc.ErrorInfo
import com.google.rpc.LocalizedMessage
import io.grpc.Status
import io.grpc.StatusRuntimeException
import io.grpc.protobuf.StatusProto
import org.hakam.v1.Card
import org.hakam.v1.Reason

/**
 * A call that failed. Its type follows from the gRPC code, and for [StaleMoveException] from the
 * reason; an error without details, such as a proxy's, has the type of its code and no [reason].
 *
 * Branch on the type and on [reason]; [text] is for people, in the language of the request.
 */
public sealed class HakamException(
    error: StatusRuntimeException,
) : RuntimeException(error) {
    private val info: ErrorInfo? = error.info

    /** The gRPC code. */
    public val code: Status.Code = error.status.code

    /** The reason as it was sent, such as `MUST_FOLLOW_SUIT`; empty where none was. */
    public val reason: String = info?.reason.orEmpty()

    /**
     * [reason] as a value of the contract; `REASON_UNSPECIFIED` where none was sent, or one that
     * this release does not know.
     */
    public val knownReason: Reason = enumNamed<Reason>("REASON_$reason") ?: Reason.REASON_UNSPECIFIED

    /** What happened, for people. */
    public val text: String = error.detail<LocalizedMessage>()?.message ?: error.status.description.orEmpty()

    /** Ids and numbers beside the reason. */
    public val metadata: Map<String, String> = info?.metadataMap.orEmpty()

    override val message: String
        get() = listOf(code.name, reason, text).filter(String::isNotEmpty).joinToString(": ")

    internal fun number(name: String): Int? = metadata[name]?.toIntOrNull()

    public companion object {
        /** The typed form of an error of gRPC, for those who call it without [Hakam.call]. */
        @JvmStatic
        public fun of(error: StatusRuntimeException): HakamException =
            when (error.status.code) {
                Status.Code.FAILED_PRECONDITION -> {
                    if (error.info?.reason == "PLY_MISMATCH") StaleMoveException(error) else IllegalMoveException(error)
                }

                Status.Code.INVALID_ARGUMENT -> {
                    InvalidRequestException(error)
                }

                Status.Code.UNAUTHENTICATED -> {
                    UnauthenticatedException(error)
                }

                Status.Code.PERMISSION_DENIED -> {
                    NotAllowedException(error)
                }

                Status.Code.RESOURCE_EXHAUSTED -> {
                    LimitExceededException(error)
                }

                Status.Code.UNAVAILABLE -> {
                    UnavailableException(error)
                }

                Status.Code.DEADLINE_EXCEEDED -> {
                    DeadlineExceededException(error)
                }

                Status.Code.UNIMPLEMENTED -> {
                    UnsupportedException(error)
                }

                Status.Code.INTERNAL -> {
                    ServiceFaultException(error)
                }

                else -> {
                    UnexpectedException(error)
                }
            }
    }
}

/** `FAILED_PRECONDITION`: the move, or the question, does not fit the position. */
public open class IllegalMoveException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error) {
    /** The ply of the position that was meant. */
    public val ply: Int? = number("ply")

    /**
     * The first clause that forbids the move, such as `T2.2`; null where no rule of a game does.
     */
    public val clause: String? = metadata["clause"]

    /** The seat concerned: whose piece stands in the way, or whose turn it is. */
    public val seat: Int? = number("seat")

    /** The marble concerned. */
    public val marble: Int? = number("marble")

    /** The cell concerned: a cell's id in Jackaroo, a square of the path in Tjau. */
    public val cell: Int? = number("cell")

    /** The card concerned. */
    public val card: Card? = metadata["card"]?.let { enumNamed<Card>(it) }
}

/**
 * `PLY_MISMATCH`: the move was meant for another position than the newest, such as the second of a
 * double tap.
 */
public class StaleMoveException internal constructor(
    error: StatusRuntimeException,
) : IllegalMoveException(error) {
    /** The ply that the request meant. */
    public val expectedPly: Int? = number("expected_ply")
}

/** `INVALID_ARGUMENT`: a request, a state or a seal that cannot be. */
public class InvalidRequestException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error) {
    /** The fields at fault; at most 32. */
    public val faults: List<FieldFault> =
        error.detail<BadRequest>()?.fieldViolationsList.orEmpty().map {
            FieldFault(it.field, it.reason, it.description)
        }

    /** The number of all faults. */
    public val faultCount: Int = number("faults") ?: faults.size
}

/** A field at fault. */
public class FieldFault internal constructor(
    /** The field, from the request down, such as `state.trix.hands[1].cards[2]`. */
    public val path: String,
    /** The reason as it was sent. */
    public val reason: String,
    /** A short fact for the developer, in English. */
    public val text: String,
) {
    override fun toString(): String = "$path: $reason: $text"
}

/** `UNAUTHENTICATED`: a credential, or the token that admits, is missing. */
public class UnauthenticatedException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error)

/** `PERMISSION_DENIED`: the credential is not that of the seat, or only the keeper may ask so. */
public class NotAllowedException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error)

/** `RESOURCE_EXHAUSTED`: more than the service takes or gives at once. */
public class LimitExceededException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error) {
    /** The limit. */
    public val limit: Int? = number("limit")
}

/** `UNAVAILABLE`, after all attempts: nobody answers, or all are busy. */
public class UnavailableException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error)

/**
 * `DEADLINE_EXCEEDED`: the time of the call has passed, also where it was spent waiting for a
 * replica.
 */
public class DeadlineExceededException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error)

/** `UNIMPLEMENTED`: a newer release of the service has it. */
public class UnsupportedException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error)

/** `INTERNAL`: a fault of the service. */
public class ServiceFaultException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error) {
    /** By which the service's log has it. */
    public val id: String? = metadata["id"]
}

/** Any other code: one that the contract does not have, or a call that was cancelled on the way. */
public class UnexpectedException internal constructor(
    error: StatusRuntimeException,
) : HakamException(error)

/** Details that are not Hakam's own, such as a proxy's, have another domain. */
private val StatusRuntimeException.info: ErrorInfo? get() = detail<ErrorInfo>()?.takeIf { it.domain == "hakam" }

/** The detail of a type; null where there is none, or none that can be read. */
private inline fun <reified M : Message> StatusRuntimeException.detail(): M? =
    try {
        StatusProto
            .fromThrowable(this)
            ?.detailsList
            ?.firstOrNull { it.`is`(M::class.java) }
            ?.unpack(M::class.java)
    } catch (_: IllegalArgumentException) {
        null
    } catch (_: InvalidProtocolBufferException) {
        null
    }

private inline fun <reified E : Enum<E>> enumNamed(name: String): E? = enumValues<E>().firstOrNull { it.name == name }
