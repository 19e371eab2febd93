"""Plays the games of a folder by the client, and says how each went.

`python clients/python/games.py ADDRESSES FOLDER plain|sealed [--asyncio]`
"""

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hakam.client import AsyncClient, Client, HakamError, view_digest
from hakam.v1.move_pb2 import ListedMove

# Every so many moves the legal ones are asked for, and the ply is told.
_ASKED: Final = 10
_TOLD: Final = 25


class _WrongError(Exception):
    """The game does not go as its file says."""


@dataclass(frozen=True)
class _Plan:
    """A game to be played: its rules, its seed, its seats' credentials, every move."""

    name: str
    rules: Mapping[str, Any]
    seed: bytes
    credentials: Mapping[int, bytes]
    moves: tuple[str, ...]

    def start(self, form: str) -> dict[str, Any]:
        """What the game is started with, plain or sealed."""
        if form == "plain":
            return {"seed": self.seed}
        return {"seed": self.seed, "seal": True, "credentials": self.credentials}


def _plan(path: Path) -> _Plan:
    fields = json.loads(path.read_text("utf-8"))
    return _Plan(
        fields["name"],
        fields["rules"],
        bytes.fromhex(fields["seed"]),
        dict(enumerate(map(bytes.fromhex, fields["credentials"]))),
        tuple(fields["moves"]),
    )


def _listed(text: str, moves: Sequence[ListedMove]) -> ListedMove:
    """The legal move of that notation."""
    for move in moves:
        if move.notation == text:
            return move
    raise _WrongError(f"{text} is not among the legal moves")


def _end(plan: _Plan, *, over: bool) -> None:
    if not over:
        raise _WrongError(f"{plan.name} is not over")


def _say(*words: object) -> None:
    print(*words, flush=True)


def _play_all(args: Namespace, plans: Sequence[_Plan]) -> None:
    with Client(args.addresses) as hakam:
        for plan in plans:
            _say("start", plan.name)
            game = hakam.new_game(plan.rules, **plan.start(args.form))
            for number, text in enumerate(plan.moves):
                asked = number % _ASKED == 0
                game.play(_listed(text, game.moves()) if asked else text)
                if (number + 1) % _TOLD == 0:
                    _say("at", plan.name, game.ply)
            _end(plan, over=game.over)
            _say("end", plan.name, view_digest(game.view("spectator")))


async def _play_all_async(args: Namespace, plans: Sequence[_Plan]) -> None:
    async with AsyncClient(args.addresses) as hakam:
        for plan in plans:
            _say("start", plan.name)
            game = await hakam.new_game(plan.rules, **plan.start(args.form))
            for number, text in enumerate(plan.moves):
                asked = number % _ASKED == 0
                await game.play(_listed(text, await game.moves()) if asked else text)
                if (number + 1) % _TOLD == 0:
                    _say("at", plan.name, game.ply)
            _end(plan, over=game.over)
            _say("end", plan.name, view_digest(await game.view("spectator")))


def main() -> int:
    """Exit code 0, or 1 with a message where a game does not go as its file says."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("addresses", type=lambda text: text.split(","))
    parser.add_argument("folder", type=Path)
    parser.add_argument("form", choices=("plain", "sealed"))
    parser.add_argument("--asyncio", action="store_true")
    args = parser.parse_args()
    plans = [_plan(path) for path in sorted(args.folder.glob("*.json"))]
    try:
        if args.asyncio:
            asyncio.run(_play_all_async(args, plans))
        else:
            _play_all(args, plans)
    except (HakamError, _WrongError) as error:
        print(f"games: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
