"""One handle in many hands: moves are played one after the other, and a tap is played once."""

import asyncio
from collections.abc import Callable
from threading import Barrier, Lock, Thread
from typing import Any

import pytest

from hakam.client import AsyncClient, AsyncGame, Client, Game, StaleMoveError
from hakam.v1 import game_service_pb2 as pb

SEED = bytes(range(32))
SHORT: Any = {"tjau": {"pieces": 2}}
HANDS = 8


class Crowd:
    """The lock of a handle, which opens once all hands are at it."""

    def __init__(self) -> None:
        self._here = Barrier(HANDS)
        self._lock = Lock()

    def __enter__(self) -> None:
        self._here.wait()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def at_once(act: Callable[[], None]) -> None:
    """The same by many threads."""
    threads = [Thread(target=act) for _ in range(HANDS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("expected_ply", [0, None], ids=["seen by the player", "by the handle"])
def test_of_taps_at_once_by_threads_one_is_played(
    address: str, expected_ply: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[pb.ApplyMoveResponse] = []
    stale: list[StaleMoveError] = []
    with Client(address) as hakam:
        game = hakam.new_game(SHORT, seed=SEED)
        monkeypatch.setattr(game, "_lock", Crowd())

        def tap() -> None:
            try:
                played.append(game.play("throw", expected_ply=expected_ply))
            except StaleMoveError as error:
                stale.append(error)

        at_once(tap)
        assert (len(played), len(stale)) == (1, HANDS - 1)
        assert (game.ply, game.played) == (1, (played[0].move,))


@pytest.mark.parametrize("expected_ply", [0, None], ids=["seen by the player", "by the handle"])
def test_of_taps_at_once_by_tasks_one_is_played(address: str, expected_ply: int | None) -> None:
    async def taps() -> tuple[AsyncGame, list[Any]]:
        async with AsyncClient(address) as hakam:
            game = await hakam.new_game(SHORT, seed=SEED)
            tapped = (game.play("throw", expected_ply=expected_ply) for _ in range(HANDS))
            return game, await asyncio.gather(*tapped, return_exceptions=True)

    game, (first, *others) = asyncio.run(taps())
    assert isinstance(first, pb.ApplyMoveResponse)
    assert {type(other) for other in others} == {StaleMoveError}
    assert (game.ply, game.played) == (1, (first.move,))


def play_along(game: Game) -> None:
    """Play what is legal as long as there is something, whoever was faster."""
    while not game.over:
        ply = game.ply
        try:
            moves = game.moves()
            if moves:
                game.play(moves[0], expected_ply=ply)
        except StaleMoveError:
            continue


async def play_along_async(game: AsyncGame) -> None:
    while not game.over:
        ply = game.ply
        try:
            moves = await game.moves()
            if moves:
                await game.play(moves[0], expected_ply=ply)
        except StaleMoveError:
            continue


def test_a_game_by_many_threads_is_one_game(address: str) -> None:
    with Client(address) as hakam:
        alone, shared = hakam.new_game(SHORT, seed=SEED), hakam.new_game(SHORT, seed=SEED)
        play_along(alone)
        at_once(lambda: play_along(shared))
        assert (shared.played, shared.events) == (alone.played, alone.events)
        assert shared.state == alone.state


def test_a_game_by_many_tasks_is_one_game(address: str) -> None:
    async def play_all() -> tuple[AsyncGame, AsyncGame]:
        async with AsyncClient(address) as hakam:
            alone = await hakam.new_game(SHORT, seed=SEED)
            shared = await hakam.new_game(SHORT, seed=SEED)
            await play_along_async(alone)
            await asyncio.gather(*(play_along_async(shared) for _ in range(HANDS)))
            return alone, shared

    alone, shared = asyncio.run(play_all())
    assert (shared.played, shared.events) == (alone.played, alone.events)


def test_a_task_that_is_cancelled_leaves_the_game_playable(address: str) -> None:
    async def cancel() -> int:
        async with AsyncClient(address) as hakam:
            game = await hakam.new_game(SHORT, seed=SEED)
            task = asyncio.create_task(game.play("throw"))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert game.ply == 0
            await game.play("throw")
            return game.ply

    assert asyncio.run(cancel()) == 1
