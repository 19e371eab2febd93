"""Hakam with a switch that the product does not have: SIGUSR1 makes it slow, and quick again."""

import signal
import sys
import time
from itertools import count
from typing import Any

from hakam.cli import main
from hakam.rpc.servicer import GameServicer

# What each move takes, and what every twentieth does: longer than a client waits for an attempt.
SLOW, VERY_SLOW = 0.05, 3.0


def _slow_down() -> None:
    quick = GameServicer.apply_move
    state = {"slow": False}
    calls = count()

    def apply_move(self: GameServicer, request: Any, call: Any) -> Any:
        if state["slow"]:
            time.sleep(VERY_SLOW if next(calls) % 20 == 0 else SLOW)
        return quick(self, request, call)

    def switch(*_: object) -> None:
        state["slow"] = not state["slow"]

    GameServicer.apply_move = apply_move  # type: ignore[method-assign]
    signal.signal(signal.SIGUSR1, switch)


if __name__ == "__main__":
    _slow_down()
    sys.exit(main())
