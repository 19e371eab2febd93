package org.hakam.client

import com.google.protobuf.Message
import io.grpc.MethodDescriptor
import io.grpc.protobuf.ProtoUtils
import org.hakam.v1.ApplyMoveRequest
import org.hakam.v1.ApplyMoveResponse
import org.hakam.v1.BatchApplyMovesRequest
import org.hakam.v1.BatchApplyMovesResponse
import org.hakam.v1.BatchValidateMovesRequest
import org.hakam.v1.BatchValidateMovesResponse
import org.hakam.v1.GetBoardRequest
import org.hakam.v1.GetBoardResponse
import org.hakam.v1.GetViewRequest
import org.hakam.v1.GetViewResponse
import org.hakam.v1.ListGamesRequest
import org.hakam.v1.ListGamesResponse
import org.hakam.v1.ListMovesRequest
import org.hakam.v1.ListMovesResponse
import org.hakam.v1.NewGameRequest
import org.hakam.v1.NewGameResponse
import org.hakam.v1.PrepareGameRequest
import org.hakam.v1.PrepareGameResponse
import org.hakam.v1.ReplayGameRequest
import org.hakam.v1.ReplayGameResponse
import org.hakam.v1.ValidateMoveRequest
import org.hakam.v1.ValidateMoveResponse
import org.hakam.v1.ValidateStateRequest
import org.hakam.v1.ValidateStateResponse

/**
 * The rpcs of `hakam.v1.GameService`, for [Hakam.call] or for any other way of gRPC to call them.
 * All are unary, and each may be sent again at any time.
 */
public object GameService {
    public const val NAME: String = "hakam.v1.GameService"

    @JvmField
    public val LIST_GAMES: MethodDescriptor<ListGamesRequest, ListGamesResponse> =
        rpc("ListGames", ListGamesRequest.getDefaultInstance(), ListGamesResponse.getDefaultInstance())

    @JvmField
    public val GET_BOARD: MethodDescriptor<GetBoardRequest, GetBoardResponse> =
        rpc("GetBoard", GetBoardRequest.getDefaultInstance(), GetBoardResponse.getDefaultInstance())

    @JvmField
    public val PREPARE_GAME: MethodDescriptor<PrepareGameRequest, PrepareGameResponse> =
        rpc("PrepareGame", PrepareGameRequest.getDefaultInstance(), PrepareGameResponse.getDefaultInstance())

    @JvmField
    public val NEW_GAME: MethodDescriptor<NewGameRequest, NewGameResponse> =
        rpc("NewGame", NewGameRequest.getDefaultInstance(), NewGameResponse.getDefaultInstance())

    @JvmField
    public val LIST_MOVES: MethodDescriptor<ListMovesRequest, ListMovesResponse> =
        rpc("ListMoves", ListMovesRequest.getDefaultInstance(), ListMovesResponse.getDefaultInstance())

    @JvmField
    public val VALIDATE_MOVE: MethodDescriptor<ValidateMoveRequest, ValidateMoveResponse> =
        rpc("ValidateMove", ValidateMoveRequest.getDefaultInstance(), ValidateMoveResponse.getDefaultInstance())

    @JvmField
    public val VALIDATE_STATE: MethodDescriptor<ValidateStateRequest, ValidateStateResponse> =
        rpc("ValidateState", ValidateStateRequest.getDefaultInstance(), ValidateStateResponse.getDefaultInstance())

    @JvmField
    public val APPLY_MOVE: MethodDescriptor<ApplyMoveRequest, ApplyMoveResponse> =
        rpc("ApplyMove", ApplyMoveRequest.getDefaultInstance(), ApplyMoveResponse.getDefaultInstance())

    @JvmField
    public val GET_VIEW: MethodDescriptor<GetViewRequest, GetViewResponse> =
        rpc("GetView", GetViewRequest.getDefaultInstance(), GetViewResponse.getDefaultInstance())

    @JvmField
    public val REPLAY_GAME: MethodDescriptor<ReplayGameRequest, ReplayGameResponse> =
        rpc("ReplayGame", ReplayGameRequest.getDefaultInstance(), ReplayGameResponse.getDefaultInstance())

    @JvmField
    public val BATCH_VALIDATE_MOVES: MethodDescriptor<BatchValidateMovesRequest, BatchValidateMovesResponse> =
        rpc(
            "BatchValidateMoves",
            BatchValidateMovesRequest.getDefaultInstance(),
            BatchValidateMovesResponse.getDefaultInstance(),
        )

    @JvmField
    public val BATCH_APPLY_MOVES: MethodDescriptor<BatchApplyMovesRequest, BatchApplyMovesResponse> =
        rpc(
            "BatchApplyMoves",
            BatchApplyMovesRequest.getDefaultInstance(),
            BatchApplyMovesResponse.getDefaultInstance(),
        )

    /** All of them, in the order of the contract. */
    @JvmField
    public val METHODS: List<MethodDescriptor<out Message, out Message>> =
        listOf(
            LIST_GAMES,
            GET_BOARD,
            PREPARE_GAME,
            NEW_GAME,
            LIST_MOVES,
            VALIDATE_MOVE,
            VALIDATE_STATE,
            APPLY_MOVE,
            GET_VIEW,
            REPLAY_GAME,
            BATCH_VALIDATE_MOVES,
            BATCH_APPLY_MOVES,
        )

    private fun <Q : Message, A : Message> rpc(
        name: String,
        request: Q,
        answer: A,
    ): MethodDescriptor<Q, A> =
        MethodDescriptor
            .newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
            .setIdempotent(true)
            .build()
}
