"""The referee: one game with its rules, its chance and its ply, judged and moved on.

Laws:
- Pure: every function is a function of its arguments. Nothing here knows the wire.
- Seeded chance is drawn at once, so no seeded state waits for chance, unless a seat must ask for it
  (the throw of Tjau, W5.1). Supplied chance always waits for its outcome.
- Ply counts moves and chance events; a throw that a seat asks for counts once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from hakam import chance
from hakam.games import cards
from hakam.games.game import (
    ChanceDue,
    ChanceKind,
    ChanceOutcome,
    Fault,
    Game,
    Outcome,
    Violation,
)
from hakam.games.options import rules_text
from hakam.games.reasons import Reason

__all__ = [
    "MAX_COUNT",
    "SUPPLIED",
    "AnyGame",
    "Chance",
    "ChanceSource",
    "GameState",
    "Move",
    "Seeded",
    "Step",
    "Supplied",
    "apply",
    "chance_due",
    "chance_faults",
    "legal_moves",
    "new_game",
    "outcome",
    "source_faults",
    "to_act",
    "turn_violation",
    "view_digest",
    "view_text",
    "violation",
]

AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]

# The greatest ply and the greatest number of chance events.
MAX_COUNT: Final = 1_000_000_000


@dataclass(frozen=True)
class Seeded:
    """Chance that comes from a 32-byte seed and the players' entropy; `events` were drawn so far.

    `commitment` is a stored fact: a replay proves that it fits the seed.
    """

    seed: bytes
    entropy: tuple[bytes, ...]
    events: int
    commitment: bytes


@dataclass(frozen=True)
class Supplied:
    """Chance that the caller brings."""


SUPPLIED: Final = Supplied()

ChanceSource: TypeAlias = Seeded | Supplied


@dataclass(frozen=True)
class Chance:
    """A chance move: an outcome as a caller brings it, not yet judged.

    A THROW and a SEAT have a `value`; a DEAL has the `hands` in seat order, each in the order in
    which the seat gets its cards, and the `rest` that no seat gets.
    """

    kind: ChanceKind
    value: int = 0
    hands: tuple[tuple[int, ...], ...] = ()
    rest: tuple[int, ...] = ()


# A move of a game, or a chance move.
Move: TypeAlias = Any


class GameState:
    """A game under way: everything needed to continue it. `position` is the game's own state.

    `credentials` are the SHA-256 of each seat's credential, if the seats have any; `salt` tells
    apart sealed games with equal content. Neither touches the game.
    """

    __slots__ = ("chance", "credentials", "game", "ply", "position", "rules", "salt")

    def __init__(
        self,
        game: AnyGame,
        rules: Any,
        chance: ChanceSource,
        ply: int,
        position: Any,
        *,
        credentials: tuple[bytes, ...] = (),
        salt: bytes = b"",
    ) -> None:
        self.game: Final = game
        self.rules: Final = rules
        self.chance: Final = chance
        self.ply: Final = ply
        self.position: Final = position
        self.credentials: Final = credentials
        self.salt: Final = salt

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and _fields(self) == _fields(other)

    def __hash__(self) -> int:
        return hash(_fields(self))

    def moved(self, chance: ChanceSource, position: Any) -> "GameState":
        """The state one ply later."""
        return GameState(
            self.game,
            self.rules,
            chance,
            self.ply + 1,
            position,
            credentials=self.credentials,
            salt=self.salt,
        )


def _fields(state: GameState) -> tuple[Any, ...]:
    return (
        state.game.CATALOGUE.id,
        state.rules,
        state.chance,
        state.ply,
        state.position,
        state.credentials,
        state.salt,
    )


# A state and the events that led to it.
Step: TypeAlias = tuple[GameState, tuple[Any, ...]]


def new_game(
    game: AnyGame,
    rules: Any,
    source: ChanceSource,
    *,
    credentials: tuple[bytes, ...] = (),
    salt: bytes = b"",
) -> Step:
    """The first state of a game. A seeded source must not have drawn yet."""
    position = game.initial(rules)
    state = GameState(game, rules, source, 0, position, credentials=credentials, salt=salt)
    return _settle(state, ())


def chance_due(state: GameState) -> ChanceDue | None:
    """The chance event that the caller must bring; None with seeded chance."""
    if isinstance(state.chance, Seeded):
        return None
    return state.game.chance_due(state.rules, state.position)


def to_act(state: GameState) -> int | None:
    """The seat that must move, or None: the game is over, or the caller must bring chance."""
    if chance_due(state) is not None:
        return None
    return state.game.to_act(state.rules, state.position)


def outcome(state: GameState) -> Outcome | None:
    """The result once the game is over."""
    return state.game.outcome(state.rules, state.position)


def legal_moves(state: GameState) -> tuple[Move, ...]:
    """Every legal move of the seat to act; none while nobody is to act."""
    if to_act(state) is None:
        return ()
    return state.game.legal_moves(state.rules, state.position)


def violation(
    state: GameState, move: Move, seat: int | None = None, expected_ply: int | None = None
) -> Violation | None:
    """Why the move may not be played now by this seat (None: whoever is to act), or None.

    A chance move is judged by its kind only; `chance_faults` judges its value.
    """
    if expected_ply is not None and expected_ply != state.ply:
        return Violation(Reason.PLY_MISMATCH, "")
    if outcome(state) is not None:
        return Violation(Reason.GAME_OVER, "")
    if isinstance(move, Chance):
        return _chance_violation(state, move, seat)
    if chance_due(state) is not None:
        return Violation(Reason.CHANCE_IS_DUE, "")
    return turn_violation(state, seat) or state.game.violation(state.rules, state.position, move)


def turn_violation(state: GameState, seat: int | None) -> Violation | None:
    """NOT_YOUR_TURN if the seat is named and is not the one to act."""
    acting = to_act(state)
    if seat is None or seat == acting:
        return None
    return Violation(Reason.NOT_YOUR_TURN, "", seat=acting)


def _chance_violation(state: GameState, move: Chance, seat: int | None) -> Violation | None:
    if isinstance(state.chance, Seeded):
        return Violation(Reason.CHANCE_IS_SEEDED, "")
    due = chance_due(state)
    if due is None:
        return Violation(Reason.NO_CHANCE_IS_DUE, "", seat=to_act(state))
    if seat is not None:
        return Violation(Reason.NOT_YOUR_TURN, "")
    return None if due.kind == move.kind else Violation(Reason.WRONG_PHASE, "")


def chance_faults(due: ChanceDue, move: Chance) -> tuple[Fault, ...]:
    """Every fault of an outcome of the kind that is due; paths are those of a ChanceOutcome."""
    if due.kind is ChanceKind.DEAL:
        # Cards are looked at once there are as many as are due: millions cost their sender alone.
        return tuple(_shape_faults(due, move)) or tuple(_card_faults(due, move))
    high = 4 if due.kind is ChanceKind.THROW else due.seats - 1
    if 0 <= move.value <= high:
        return ()
    path = due.kind.name.lower()
    return (Fault(path, Reason.VALUE_OUT_OF_RANGE, f"{path} must be 0 to {high}"),)


def _shape_faults(due: ChanceDue, move: Chance) -> Iterator[Fault]:
    if len(move.hands) != due.seats:
        yield Fault("deal.hands", Reason.LENGTH_OUT_OF_RANGE, f"must be {due.seats} hands")
    for seat, hand in enumerate(move.hands[: due.seats]):
        if len(hand) != due.per_seat:
            detail = f"must be {due.per_seat} cards"
            yield Fault(f"deal.hands[{seat}].cards", Reason.LENGTH_OUT_OF_RANGE, detail)
    left = len(due.deck) - due.seats * due.per_seat
    if len(move.rest) != left:
        yield Fault("deal.rest", Reason.LENGTH_OUT_OF_RANGE, f"must be {left} cards")


def _card_faults(due: ChanceDue, move: Chance) -> Iterator[Fault]:
    seen: set[int] = set()
    for path, card in _dealt(move):
        if card not in due.deck:
            yield Fault(path, Reason.VALUE_UNKNOWN, "not a card of this deck")
        elif card in seen:
            yield Fault(path, Reason.DUPLICATE, "the card was dealt before")
        seen.add(card)


def _dealt(move: Chance) -> Iterator[tuple[str, int]]:
    for seat, hand in enumerate(move.hands):
        for i, card in enumerate(hand):
            yield f"deal.hands[{seat}].cards[{i}]", card
    for i, card in enumerate(move.rest):
        yield f"deal.rest[{i}]", card


def apply(state: GameState, move: Move) -> Step:
    """The next state and what happened. Trusts the move: `violation` has passed it.

    A chance move must also have passed `chance_faults`.
    """
    due = state.game.chance_due(state.rules, state.position)
    if due is not None and isinstance(move, Chance):
        return _resolve(state, _outcome_of(due, move), state.chance)
    if due is not None:  # W5.1: the move asks for the chance that is due
        return _settle(*_draw(state, due))
    position, events = state.game.apply(state.rules, state.position, move)
    return _settle(state.moved(state.chance, position), events)


def _outcome_of(due: ChanceDue, move: Chance) -> ChanceOutcome:
    if due.kind is ChanceKind.DEAL:
        return cards.order_of_deal(move.hands, move.rest, due.first)
    return move.value


def _resolve(state: GameState, outcome: ChanceOutcome, source: ChanceSource) -> Step:
    position, events = state.game.resolve(state.rules, state.position, outcome)
    return state.moved(source, position), events


def _settle(state: GameState, events: tuple[Any, ...]) -> Step:
    """Draw what is due for as long as the seed is to bring it and nobody asks for it."""
    while isinstance(state.chance, Seeded):
        due = state.game.chance_due(state.rules, state.position)
        if due is None or due.asked_by is not None:
            break
        state, drawn = _draw(state, due)
        events += drawn
    return state, events


def _draw(state: GameState, due: ChanceDue) -> Step:
    source = state.chance
    if not isinstance(source, Seeded):
        raise TypeError("only a seeded state draws")
    rules = rules_text(state.game.CATALOGUE, state.rules).encode("ascii")
    key = chance.game_key(source.seed, rules, source.entropy)
    drawn = Seeded(source.seed, source.entropy, source.events + 1, source.commitment)
    return _resolve(state, chance.draw(key, source.events, due), drawn)


def source_faults(state: GameState) -> tuple[Fault, ...]:
    """What a decoded state has wrong between its chance and its position; paths are a State's."""
    source = state.chance
    if not isinstance(source, Seeded):
        return ()
    faults: list[Fault] = []
    if source.events > state.ply:
        detail = "more chance events than plies"
        faults.append(Fault("chance.seeded.events", Reason.VALUE_OUT_OF_RANGE, detail))
    due = state.game.chance_due(state.rules, state.position)
    if due is not None and due.asked_by is None:
        detail = "seeded chance is drawn at once: no event can be due"
        faults.append(Fault("chance.seeded", Reason.PHASE_INCONSISTENT, detail))
    return tuple(faults)


def view_text(state: GameState, view: Any) -> str:
    """A view as one line of ASCII text: the rules, the ply and what the viewer sees."""
    rules = rules_text(state.game.CATALOGUE, state.rules)
    return f"{rules} ply={state.ply} | {state.game.write_view(state.rules, view)}"


def view_digest(state: GameState) -> bytes:
    """The digest of what a spectator sees, 32 bytes; docs/contract.md specifies it."""
    text = view_text(state, state.game.view(state.rules, state.position, None))
    return sha256(b"hakam/view/v1" + text.encode("ascii")).digest()
