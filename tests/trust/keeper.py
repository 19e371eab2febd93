"""A keeper as small as one can be: the newest state in memory, compare-and-set on the ply.

Phones reach nothing but this: they get views, moves and public answers, and never a state.
"""

from threading import Lock
from typing import Any

from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import move_pb2, view_pb2
from tests.trust.table import patiently

__all__ = ["Keeper", "StaleError"]


class StaleError(Exception):
    """The game has moved on from the ply that was named."""


class Keeper:
    """One game. It cannot look into the state either: it holds it sealed and has no credential."""

    def __init__(self, stub: pb_grpc.GameServiceStub, first: pb.NewGameResponse) -> None:
        self._stub = stub
        self._lock = Lock()
        self._newest = (first.turn.ply, first.sealed_state)

    def view(self, seat: int | None, credential: bytes) -> view_pb2.View:
        _, sealed = self._newest
        request = pb.GetViewRequest(sealed_state=sealed, credential=credential)
        if seat is None:
            request.viewer.spectator.SetInParent()
        else:
            request.viewer.seat = seat
        return patiently(lambda: self._stub.GetView(request)).view

    def moves(self, credential: bytes) -> list[move_pb2.ListedMove]:
        _, sealed = self._newest
        request = pb.ListMovesRequest(sealed_state=sealed, credential=credential)
        return list(patiently(lambda: self._stub.ListMoves(request)).moves)

    def play(self, credential: bytes, move: move_pb2.Move, ply: int) -> Any:
        """The move on the newest state; what it brought to all."""
        at, sealed = self._newest
        if at != ply:
            raise StaleError
        request = pb.ApplyMoveRequest(
            sealed_state=sealed, credential=credential, move=move, expected_ply=ply
        )
        request.viewers.add().spectator.SetInParent()
        answer = patiently(lambda: self._stub.ApplyMove(request))
        self._compare_and_set(ply, answer)
        answer.ClearField("sealed_state")
        return answer

    def _compare_and_set(self, ply: int, answer: pb.ApplyMoveResponse) -> None:
        """What a database does in one statement: `update … where ply = …`."""
        with self._lock:
            if self._newest[0] != ply:
                raise StaleError
            self._newest = (answer.turn.ply, answer.sealed_state)
