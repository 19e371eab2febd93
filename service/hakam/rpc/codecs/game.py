"""The envelope of every game on the wire: states, moves, events, views, records, the catalogue."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from google.protobuf.message import Message

from hakam import notation, referee
from hakam.games.game import (
    Board,
    Catalogue,
    Fault,
    GameOver,
    NotationError,
    Option,
    OptionKind,
    Outcome,
    Text,
)
from hakam.games.options import option_text
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.record import Record
from hakam.referee import MAX_COUNT, AnyGame, Chance, GameState, Move, Seeded
from hakam.rpc.codecs.chance import (
    check_bytes,
    check_entropy,
    check_version,
    read_outcome,
    read_source,
    write_due,
    write_outcome,
    write_source,
)
from hakam.rpc.codecs.common import choose, required, write_event
from hakam.rpc.codecs.registry import CODECS
from hakam.rpc.codecs.rules import read_rules, write_rules
from hakam.v1 import (
    board_pb2,
    catalogue_pb2,
    event_pb2,
    language_pb2,
    move_pb2,
    record_pb2,
    state_pb2,
    view_pb2,
    viewer_pb2,
)

__all__ = [
    "SPECTATOR",
    "check_credentials",
    "read_move",
    "read_record",
    "read_state",
    "read_viewer",
    "write_board",
    "write_catalogue",
    "write_events",
    "write_listed_move",
    "write_move",
    "write_next",
    "write_state",
    "write_turn",
    "write_view",
]

# Who looks, when no seat does.
SPECTATOR: Final = None
# Real ones have less than a quarter of it; each item of a hostile list costs a fault.
_MAX_POSITION_BYTES: Final = 4096
_MAX_MOVE_BYTES: Final = 512


def read_state(
    message: state_pb2.State, path: str, faults: list[Fault], *, sealed: bool = False
) -> GameState | None:
    """The state; None, and every fault that was found, where it is none.

    Only the inside of a sealed state has a salt.
    """
    found: list[Fault] = []
    read = read_rules(message.rules, f"{path}.rules", found, complete=True)
    source = read_source(message.chance, f"{path}.chance", found)
    ply: int = required(message, "ply", path, found)
    if not 0 <= ply <= MAX_COUNT:
        detail = f"must be 0 to {MAX_COUNT}"
        found.append(Fault(f"{path}.ply", Reason.VALUE_OUT_OF_RANGE, detail))
    if message.salt and not sealed:
        detail = "only the inside of a sealed state has a salt"
        found.append(Fault(f"{path}.salt", Reason.FIELD_NOT_ALLOWED, detail))
    credentials = tuple(message.credential_sha256)
    if read is not None:
        check_credentials(credentials, f"{path}.credential_sha256", *read, found)
    name = choose(message, "position", path, found)
    state = None
    if read is not None and name is not None:
        position = _read_position(message, name, path, read, found)
        if position is not None:
            state = GameState(
                *read, source, ply, position, credentials=credentials, salt=message.salt
            )
    if state is not None and not found:
        found += [_below(path, fault) for fault in referee.source_faults(state)]
    faults += found
    return None if found else state


def check_credentials(
    credentials: Sequence[bytes], path: str, game: AnyGame, rules: Any, faults: list[Fault]
) -> None:
    """None at all, or the SHA-256 of one for each seat."""
    seats = game.seats(rules)
    if len(credentials) not in (0, seats):
        detail = f"must be one for each of the {seats} seats, or none"
        faults.append(Fault(path, Reason.LENGTH_OUT_OF_RANGE, detail))
        return
    for i, credential in enumerate(credentials):
        check_bytes(credential, f"{path}[{i}]", faults)


def _below(path: str, fault: Fault) -> Fault:
    return replace(fault, path=f"{path}.{fault.path}" if fault.path else path)


def _read_position(
    message: state_pb2.State, name: str, path: str, read: tuple[AnyGame, Any], faults: list[Fault]
) -> Any | None:
    game, rules = read
    where = f"{path}.{name}"
    if name != game.CATALOGUE.id:
        faults.append(Fault(where, Reason.GAME_MISMATCH, "the rules are of another game"))
        return None
    if _is_too_long(getattr(message, name), _MAX_POSITION_BYTES, where, faults):
        return None
    missing: list[Fault] = []
    setup = CODECS[name].read_state(getattr(message, name), where, missing)
    faults += missing
    if missing:
        return None
    position = game.validate(rules, setup)
    if isinstance(position, tuple):
        faults += [_below(where, fault) for fault in position]
        return None
    return position


def write_state(state: GameState, out: state_pb2.State) -> None:
    """The inverse of `read_state`."""
    game = state.game
    name = game.CATALOGUE.id
    write_rules(game, state.rules, out.rules)
    write_source(state.chance, out.chance)
    out.ply = state.ply
    out.credential_sha256.extend(state.credentials)
    out.salt = state.salt
    CODECS[name].write_state(game.setup(state.rules, state.position), getattr(out, name))


def write_next(
    before: GameState, like: state_pb2.State, state: GameState, out: state_pb2.State
) -> None:
    """What `write_state` writes, made of the message of the state before: most of it stays."""
    out.CopyFrom(like)
    out.ply = state.ply
    if state.chance != before.chance:
        out.chance.Clear()
        write_source(state.chance, out.chance)
    game, rules = state.game, state.rules
    old, new = game.setup(rules, before.position), game.setup(rules, state.position)
    name = game.CATALOGUE.id
    CODECS[name].write_next(old, new, getattr(out, name))


def write_turn(state: GameState, out: state_pb2.Turn) -> None:
    """Where the game stands."""
    out.ply = state.ply
    due = referee.chance_due(state)
    if due is not None:
        write_due(due, out.chance_due)
        return
    seat = referee.to_act(state)
    if seat is not None:
        out.to_act = seat
        return
    outcome = referee.outcome(state)
    if outcome is not None:
        _write_outcome(outcome, out.outcome)


def _write_outcome(outcome: Outcome, out: event_pb2.Outcome) -> None:
    out.winners.extend(outcome.winners)
    out.scores.extend(outcome.scores)


def read_move(
    message: move_pb2.Move, path: str, game: AnyGame, rules: Any, faults: list[Fault]
) -> Move | None:
    """The move or the outcome of chance; None, and a fault, where there is none."""
    which = choose(message, "move", path, faults)
    if which == "notation":
        return _read_notation(message.notation, f"{path}.notation", game, rules, faults)
    if which == "chance":
        return read_outcome(message.chance, f"{path}.chance", faults)
    if which is None:
        return None
    if which != game.CATALOGUE.id:
        detail = "the state is of another game"
        faults.append(Fault(f"{path}.{which}", Reason.GAME_MISMATCH, detail))
        return None
    if _is_too_long(getattr(message, which), _MAX_MOVE_BYTES, f"{path}.{which}", faults):
        return None
    return CODECS[which].read_move(getattr(message, which), f"{path}.{which}", faults)


def _is_too_long(message: Message, limit: int, path: str, faults: list[Fault]) -> bool:
    """Whether the message is longer than any real one, and so not worth a look at its items."""
    if message.ByteSize() <= limit:
        return False
    faults.append(Fault(path, Reason.LENGTH_OUT_OF_RANGE, f"at most {limit} bytes"))
    return True


def _read_notation(
    text: str, path: str, game: AnyGame, rules: Any, faults: list[Fault]
) -> Move | None:
    if not 1 <= len(text) <= notation.MAX_LENGTH:
        detail = f"must be 1 to {notation.MAX_LENGTH} characters"
        faults.append(Fault(path, Reason.LENGTH_OUT_OF_RANGE, detail))
        return None
    try:
        return notation.read_move(game, rules, text)
    except NotationError as error:
        detail = f"not a move, at character {error.position}"
        faults.append(Fault(path, Reason.NOTATION_INVALID, detail))
        return None


def write_move(game: AnyGame, move: Move, out: move_pb2.Move) -> None:
    """The typed move."""
    if isinstance(move, Chance):
        write_outcome(move, out.chance)
    else:
        name = game.CATALOGUE.id
        CODECS[name].write_move(move, getattr(out, name))


def write_listed_move(
    state: GameState, move: Move, out: move_pb2.ListedMove, *, effects: bool
) -> None:
    """A legal move, its notation, and what it would do."""
    write_move(state.game, move, out.move)
    out.notation = notation.write_move(state.game, state.rules, move)
    if effects:
        happened = state.game.effects(state.rules, state.position, move)
        write_events(state.game, happened, out.effects)


def write_events(game: AnyGame, events: Iterable[Any], out: Any) -> None:
    """Every event, in order; `out` is a repeated field of Event."""
    name = game.CATALOGUE.id
    for event in events:
        if isinstance(event, GameOver):
            _write_outcome(event.outcome, out.add().game_over.outcome)
        else:
            write_event(event, getattr(out.add(), name))


def read_viewer(
    message: viewer_pb2.Viewer, path: str, game: AnyGame, rules: Any, faults: list[Fault]
) -> int | None:
    """A seat, or SPECTATOR; a fault where nobody looks or the seat is not at the table."""
    if choose(message, "viewer", path, faults) != "seat":
        return SPECTATOR
    seats = game.seats(rules)
    if not 0 <= message.seat < seats:
        detail = f"must be 0 to {seats - 1}"
        faults.append(Fault(f"{path}.seat", Reason.VALUE_OUT_OF_RANGE, detail))
    return message.seat


def write_view(state: GameState, seat: int | None, out: view_pb2.View) -> None:
    """What the seat, or a spectator, may see."""
    game = state.game
    name = game.CATALOGUE.id
    if seat is SPECTATOR:
        out.viewer.spectator.SetInParent()
    else:
        out.viewer.seat = seat
    write_rules(game, state.rules, out.rules)
    write_turn(state, out.turn)
    if isinstance(state.chance, Seeded):
        _write_commitment(state, state.chance, out)
    view = game.view(state.rules, state.position, seat)
    out.text = referee.view_text(state, view)
    CODECS[name].write_view(view, getattr(out, name))


def _write_commitment(state: GameState, source: Seeded, out: view_pb2.View) -> None:
    out.commitment = source.commitment
    if referee.outcome(state) is not None:
        out.reveal.seed = source.seed
        out.reveal.entropy.extend(source.entropy)


def read_record(message: record_pb2.Record, path: str, faults: list[Fault]) -> Record | None:
    """The record, its moves not yet judged; None, and every fault, where it is none."""
    found: list[Fault] = []
    read = read_rules(message.rules, f"{path}.rules", found, complete=True)
    version = required(message, "chance_version", path, found)
    if message.HasField("chance_version"):
        check_version(version, f"{path}.chance_version", found)
    source = choose(message, "chance", path, found)
    if source == "seed":
        check_bytes(message.seed.seed, f"{path}.seed.seed", found)
        check_entropy(message.seed.entropy, f"{path}.seed.entropy", found)
    for field in ("commitment", "view_digest"):
        if getattr(message, field):
            check_bytes(getattr(message, field), f"{path}.{field}", found)
    outcomes = [
        read_outcome(outcome, f"{path}.outcomes.outcomes[{i}]", found)
        for i, outcome in enumerate(message.outcomes.outcomes)
    ]
    moves = [] if read is None else _read_moves(message, path, *read, found)
    faults += found
    if found or read is None:
        return None
    return Record(
        game=read[0],
        rules=read[1],
        seed=message.seed.seed if source == "seed" else None,
        entropy=tuple(message.seed.entropy),
        outcomes=tuple(outcome for outcome in outcomes if outcome is not None),
        moves=tuple(moves),
        commitment=message.commitment,
        view_digest=message.view_digest,
    )


def _read_moves(
    message: record_pb2.Record, path: str, game: AnyGame, rules: Any, faults: list[Fault]
) -> list[Move]:
    moves = []
    for i, move in enumerate(message.moves):
        where = f"{path}.moves[{i}]"
        read = read_move(move, where, game, rules, faults)
        if isinstance(read, Chance):
            detail = "outcomes of chance have a list of their own"
            faults.append(Fault(f"{where}.chance", Reason.FIELD_NOT_ALLOWED, detail))
        moves.append(read)
    return moves


def write_board(board: Board, seats: int, out: board_pb2.Board) -> None:
    """A board as data."""
    out.seats = seats
    for cell in board.cells:
        out.cells.add(
            id=cell.id,
            kind=int(cell.kind),
            owner=cell.owner,
            x=cell.x,
            y=cell.y,
        )
    for path in board.paths:
        out.paths.add(seat=path.seat, cells=path.cells)


def write_catalogue(out: Any) -> None:
    """Every game, ascending by id; `out` is a repeated field of GameInfo."""
    for _, game in sorted(GAMES.items()):
        _write_game(game, out.add())


def _write_game(game: AnyGame, out: catalogue_pb2.GameInfo) -> None:
    catalogue = game.CATALOGUE
    out.id = catalogue.id
    _write_text(catalogue.name, out.name)
    out.revisions.append(catalogue.revision)
    for name, rules in catalogue.rule_sets.items():
        info = out.rule_sets.add(name=name, seats=game.seats(rules))
        _write_text(catalogue.rule_set_texts[name], info.text)
        write_rules(game, rules, info.rules)
    for option in catalogue.options:
        _write_option(catalogue, option, out.options.add())


def _write_option(catalogue: Catalogue[Any], option: Option, out: catalogue_pb2.OptionInfo) -> None:
    out.name = option.name
    out.kind = int(option.kind)  # type: ignore[assignment] # the enum's number
    out.clause = option.clause
    _write_text(option.text, out.text)
    for name, text in option.choices:
        choice = out.choices.add(name=name)
        _write_text(text, choice.text)
    if option.kind in (OptionKind.INT, OptionKind.SEAT, OptionKind.INT_LIST):
        out.low, out.high = option.low, option.high
    if option.kind is OptionKind.INT_LIST:
        out.max_items = option.max_items
    rule_sets = catalogue.rule_sets.values()
    out.defaults.extend(option_text(getattr(rules, option.name)) for rules in rule_sets)


def _write_text(text: Text, out: language_pb2.Text) -> None:
    out.en, out.ar = text.en, text.ar
