"""One line of ASCII text for moves, positions and views; the grammar is in docs/notation/trix.md.

Readers take what the writers write and nothing else.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from hakam.games.cards import JOKER, read_card, read_cards, write_cards
from hakam.games.game import NotationError
from hakam.games.trix.contracts import Contract
from hakam.games.trix.moves import CHOOSE, DOUBLE_NOTHING, PLAY_CARD, Choose, Double, Move
from hakam.games.trix.rules import Rules
from hakam.games.trix.state import NOBODY, Phase, SeatCard, Setup, SheetDeal, State
from hakam.games.trix.validate import setup as setup_of
from hakam.games.trix.view import View

__all__ = ["read_move", "read_position", "write_move", "write_position", "write_view"]

T = TypeVar("T")

_CONTRACTS: Final = ("-", "K", "S", "Q", "D", "T", "C")
_LINE: Final = re.compile(r"([KSQDTC])((?:[2-9TJQKA][CDHS][0-3])*)=([^=]*)")
_INT: Final = re.compile(r"0|-?[1-9][0-9]{0,3}")
_NOTHING: Final = "-"
# phase sheet owner contract to_act hands doubled trick taken layout out
_FIELDS: Final = 11
_LONGEST: Final = 4096


def write_move(_rules: Rules, move: Move) -> str:
    """`choose queens`, `double QCQS`, `double -` or `play TH`."""
    if isinstance(move, Choose):
        return f"choose {Contract(move.contract).name.lower()}"
    if isinstance(move, Double):
        return f"double {_cards(move.cards)}"
    return f"play {write_cards((move.card,))}"


def read_move(_rules: Rules, text: str) -> Move:
    """The inverse of `write_move`; raises NotationError."""
    kind, _, rest = text.partition(" ")
    at = min(len(kind) + 1, len(text))
    if kind == "choose":
        names = {c.name.lower(): CHOOSE[c] for c in Contract}
        if rest in names:
            return names[rest]
        raise NotationError("not a contract", at)
    if kind == "double":
        return Double(_read_cards(rest, at)) if rest != _NOTHING else DOUBLE_NOTHING
    if kind == "play":
        return PLAY_CARD[_deck_card(read_card(rest, at), at)]
    raise NotationError("not a move: choose, double or play")


def write_position(rules: Rules, state: State) -> str:
    """A whole state, hidden cards included."""
    return _position(setup_of(rules, state))


def _position(s: Setup) -> str:
    fields = (
        Phase(s.phase).name.lower(),
        _sheet(s.sheet),
        _seat(s.owner),
        _CONTRACTS[s.contract],
        _seat(s.to_act),
        _piles(s.hands),
        _seat_cards(s.doubled) or _NOTHING,
        _cards(s.trick),
        _piles(s.taken),
        _cards(s.layout),
        _seats(s.out),
    )
    return " ".join(fields)


def read_position(_rules: Rules, text: str) -> Setup:
    """The inverse of `write_position`, not yet validated; raises NotationError."""
    if len(text) > _LONGEST:
        raise NotationError("too long", _LONGEST)
    parts = text.split(" ")
    if len(parts) != _FIELDS:
        raise NotationError(f"{len(parts)} fields of {_FIELDS}", len(text))
    starts = [0]
    for part in parts:
        starts.append(starts[-1] + len(part) + 1)

    def field(n: int, read: Callable[[str, int], T]) -> T:
        return read(parts[n], starts[n])

    return Setup(
        phase=field(0, _read_phase),
        sheet=field(1, _read_sheet),
        owner=field(2, _read_seat),
        contract=field(3, _read_contract),
        to_act=field(4, _read_seat),
        hands=field(5, _read_piles),
        doubled=field(6, _read_doubled),
        trick=field(7, _read_run),
        taken=field(8, _read_piles),
        layout=field(9, _read_run),
        out=field(10, _read_seats),
    )


def write_view(_rules: Rules, view: View) -> str:
    """What a viewer sees; hidden hands and piles are their sizes."""
    hands: list[str] = [str(size) for size in view.hand_sizes]
    if view.viewer is not None:
        hands[view.viewer] = write_cards(view.hand)
    last = view.last_trick
    fields = (
        _seat(view.viewer),
        Phase(view.phase).name.lower(),
        _sheet(view.sheet),
        _seat(view.owner),
        _CONTRACTS[view.contract],
        _seat(view.to_act),
        "/".join(hands),
        _seat_cards(view.doubled) or _NOTHING,
        _NOTHING if view.trick is None else f"{view.trick.leader}:{write_cards(view.trick.cards)}",
        _NOTHING if last is None else f"{last.leader}:{write_cards(last.cards)}",
        "/".join([str(n) for n in view.tricks]),
        _seat_cards(view.queens) or _NOTHING,
        _numbers(view.points),
        _cards(view.layout),
        _seats(view.out),
    )
    return " ".join(fields)


def _cards(cards: Sequence[int]) -> str:
    return write_cards(cards) or _NOTHING


def _seat(seat: int | None) -> str:
    return _NOTHING if seat is None or seat == NOBODY else str(seat)


def _seats(seats: Sequence[int]) -> str:
    return "".join([str(s) for s in seats]) or _NOTHING


def _piles(piles: Sequence[Sequence[int]]) -> str:
    return "/".join([write_cards(pile) for pile in piles])


def _numbers(numbers: Sequence[int]) -> str:
    return "/".join([str(n) for n in numbers])


def _seat_cards(cards: Sequence[SeatCard]) -> str:
    return "".join([f"{write_cards((c.card,))}{c.seat}" for c in cards])


def _sheet(sheet: Sequence[SheetDeal]) -> str:
    lines = [
        f"{_CONTRACTS[d.contract]}{_seat_cards(d.doubled)}={_numbers(d.points)}" for d in sheet
    ]
    return ",".join(lines) or _NOTHING


def _deck_card(card: int, at: int) -> int:
    if card == JOKER:
        raise NotationError("no joker in this game", at)
    return card


def _read_cards(text: str, at: int) -> tuple[int, ...]:
    if not text:
        raise NotationError("no cards are written -", at)
    return tuple([_deck_card(c, at + 2 * n) for n, c in enumerate(read_cards(text, at))])


def _read_run(text: str, at: int) -> tuple[int, ...]:
    return () if text == _NOTHING else _read_cards(text, at)


def _read_piles(text: str, at: int) -> tuple[tuple[int, ...], ...]:
    piles = []
    for pile in text.split("/"):
        piles.append(_read_cards(pile, at) if pile else ())
        at += len(pile) + 1
    if len(piles) != 4:
        raise NotationError(f"{len(piles)} of 4 seats", at - 1)
    return tuple(piles)


def _read_phase(text: str, at: int) -> int:
    for phase in Phase:
        if phase.name.lower() == text:
            return int(phase)
    raise NotationError("not a phase", at)


def _read_contract(text: str, at: int) -> int:
    if text not in _CONTRACTS:
        raise NotationError("not a contract", at)
    return _CONTRACTS.index(text)


def _read_seat(text: str, at: int) -> int | None:
    if text == _NOTHING:
        return None
    seats = _read_seats(text, at)
    if len(seats) != 1:
        raise NotationError("not one seat", at)
    return seats[0]


def _read_seats(text: str, at: int) -> tuple[int, ...]:
    if text == _NOTHING:
        return ()
    if not text or text.strip("0123"):
        raise NotationError("not a seat 0 to 3", at)
    return tuple([int(s) for s in text])


def _read_doubled(text: str, at: int) -> tuple[SeatCard, ...]:
    if text == _NOTHING:
        return ()
    if not text:
        raise NotationError("no doubled cards are written -", at)
    return _read_seat_cards(text, at)


def _read_seat_cards(text: str, at: int) -> tuple[SeatCard, ...]:
    found = []
    for n in range(0, len(text), 3):
        card = _deck_card(read_card(text[n : n + 2], at + n), at + n)
        seats = _read_seats(text[n + 2 : n + 3], at + n + 2)
        if not seats:
            raise NotationError("not a seat 0 to 3", at + n + 2)
        found.append(SeatCard(card, seats[0]))
    return tuple(found)


def _read_sheet(text: str, at: int) -> tuple[SheetDeal, ...]:
    lines: list[SheetDeal] = []
    if text == _NOTHING:
        return ()
    for line in text.split(","):
        lines.append(_read_line(line, at))
        at += len(line) + 1
    return tuple(lines)


def _read_line(text: str, at: int) -> SheetDeal:
    found = _LINE.fullmatch(text)
    if found is None:
        raise NotationError("not a line of the sheet", at)
    numbers = found[3].split("/")
    if len(numbers) != 4 or not all(_INT.fullmatch(n) for n in numbers):
        raise NotationError("not the points of 4 seats", at + found.start(3))
    doubled = _read_seat_cards(found[2], at + found.start(2))
    points = tuple([int(n) for n in numbers])
    return SheetDeal(_CONTRACTS.index(found[1]), doubled, points)
