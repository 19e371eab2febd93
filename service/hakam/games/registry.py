"""The games that this release referees, by id."""

from typing import Any, Final

from hakam.games import jackaroo, tjau, trix
from hakam.games.game import Game

__all__ = ["GAMES"]

GAMES: Final[dict[str, Game[Any, Any, Any, Any, Any]]] = {
    game.CATALOGUE.id: game for game in (jackaroo, tjau, trix)
}
