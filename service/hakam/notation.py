"""Any move as one line of ASCII text: a game's own notation, or an outcome of chance.

    chance:throw=3
    chance:seat=1
    chance:deal=2C7H…,9S…,…,…/4D      hands in seat order, then the rest after the stroke

The grammar of each game's moves is in docs/notation.
"""

from typing import Final

from hakam.games import cards
from hakam.games.game import ChanceKind, NotationError
from hakam.referee import AnyGame, Chance, Move

__all__ = ["MAX_LENGTH", "read_move", "write_move"]

MAX_LENGTH: Final = 256
_PREFIX: Final = "chance:"


def write_move(game: AnyGame, rules: object, move: Move) -> str:
    """The text of a move or of an outcome of chance."""
    if not isinstance(move, Chance):
        return game.write_move(rules, move)
    if move.kind is not ChanceKind.DEAL:
        return f"{_PREFIX}{move.kind.name.lower()}={move.value}"
    hands = ",".join([cards.write_cards(hand) for hand in move.hands])
    return f"{_PREFIX}deal={hands}/{cards.write_cards(move.rest)}"


def read_move(game: AnyGame, rules: object, text: str) -> Move:
    """The inverse of `write_move`; raises NotationError."""
    if not 1 <= len(text) <= MAX_LENGTH:
        raise NotationError(f"a move has 1 to {MAX_LENGTH} characters")
    if not text.isascii():
        raise NotationError("a move is ASCII text")
    if not text.startswith(_PREFIX):
        return game.read_move(rules, text)
    kind, _, value = text[len(_PREFIX) :].partition("=")
    start = len(text) - len(value)
    if kind in ("throw", "seat"):
        if len(value) != 1 or value not in "0123456789":
            raise NotationError("one digit must follow", start)
        return Chance(ChanceKind[kind.upper()], int(value))
    if kind != "deal":
        raise NotationError("no such kind of chance", len(_PREFIX))
    return _read_deal(value, start)


def _read_deal(text: str, start: int) -> Chance:
    dealt, stroke, rest = text.partition("/")
    if not stroke:
        raise NotationError("a stroke and the rest must follow", start + len(text))
    hands = []
    for part in dealt.split(","):
        hands.append(cards.read_cards(part, start))
        start += len(part) + 1
    return Chance(ChanceKind.DEAL, hands=tuple(hands), rest=cards.read_cards(rest, start))
