from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from itertools import pairwise
from random import Random
from typing import Any, TypeVar, get_args

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from hakam import notation, referee
from hakam.games.game import ChanceDue, ChanceKind, Fault, GameOver, NotationError, OptionKind
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.referee import MAX_COUNT, SUPPLIED, AnyGame, Chance, GameState, Seeded
from hakam.rpc.codecs import chance as chance_codec
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.common import unknown_field_faults
from hakam.rpc.codecs.rules import read_rules, write_rules
from hakam.texts import Language, violation_text
from hakam.v1 import chance_pb2, event_pb2, move_pb2, rules_pb2, state_pb2, view_pb2, viewer_pb2
from tests.random_play import RULE_SETS, VARIANTS, Playthrough, case_ids, play, seeded

every_rule_set = pytest.mark.parametrize(("game", "rules"), RULE_SETS, ids=case_ids(RULE_SETS))
every_variant = pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=case_ids(VARIANTS))
SOME = (*RULE_SETS, *VARIANTS[1::5])
some_variants = pytest.mark.parametrize(("game", "rules"), SOME, ids=case_ids(SOME))
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))

M = TypeVar("M", bound=Message)
TJAU = (GAMES["tjau"], GAMES["tjau"].CATALOGUE.rule_sets["egyptian"])
# Numbers that no rule knows, among those that some do.
WILD = (-(2**31), -1, 0, 1, 2, 3, 4, 5, 7, 13, 24, 40, 52, 53, 54, 99, 2**31 - 1)


def through_wire(message: M) -> Iterator[M]:
    """The message as it comes back from its binary and its JSON form."""
    kind = type(message)
    yield kind.FromString(message.SerializeToString())
    yield json_format.Parse(json_format.MessageToJson(message), kind())


def state_message(state: GameState) -> state_pb2.State:
    message = state_pb2.State()
    wire.write_state(state, message)
    return message


def faults_of(message: state_pb2.State) -> dict[str, str]:
    faults: list[Fault] = []
    assert wire.read_state(message, "state", faults) is None
    return {fault.path: fault.reason.value for fault in faults}


def a_state(
    game: AnyGame, rules: Any, source: referee.ChanceSource = SUPPLIED, number: int = 1
) -> GameState:
    states = play(game, rules, source, Random(number)).states
    return states[len(states) // 2]


def sample(played: Playthrough, number: int) -> list[GameState]:
    step = max(1, len(played.states) // number)
    return [*played.states[::step], played.end]


def assert_comes_back(state: GameState) -> None:
    for message in through_wire(state_message(state)):
        faults: list[Fault] = []
        read = wire.read_state(message, "state", faults)
        assert faults == []
        assert read == state
        assert read is not None
        assert repr(read.rules) == repr(state.rules)


@every_variant
def test_a_state_made_of_the_one_before_is_the_one_that_is_written_anew(
    game: AnyGame, rules: Any
) -> None:
    """Every step of a game, whatever it changes: also those that deal, score and end."""
    states = play(game, rules, seeded(Random(17)), Random(17)).states
    for before, after in pairwise(states):
        made = state_pb2.State()
        wire.write_next(before, state_message(before), after, made)
        assert made.SerializeToString() == state_message(after).SerializeToString()


@every_rule_set
def test_every_state_of_a_game_comes_back_from_the_wire(game: AnyGame, rules: Any) -> None:
    sources: tuple[referee.ChanceSource, ...] = (seeded(Random(51)), SUPPLIED)
    for number, source in enumerate(sources):
        played = play(game, rules, source, Random(number))
        for state in played.states:
            binary = state_message(state).SerializeToString()
            assert wire.read_state(state_pb2.State.FromString(binary), "state", []) == state
        for state in sample(played, 25):
            assert_comes_back(state)


@every_variant
def test_states_of_every_variant_come_back_from_the_wire(game: AnyGame, rules: Any) -> None:
    for state in sample(play(game, rules, seeded(Random(53), entropy=0), Random(53)), 3):
        assert_comes_back(state)


@every_rule_set
def test_one_state_has_one_form(game: AnyGame, rules: Any) -> None:
    for state in sample(play(game, rules, seeded(Random(54)), Random(54)), 20):
        binary = state_message(state).SerializeToString(deterministic=True)
        for message in through_wire(state_message(state)):
            read = wire.read_state(message, "state", [])
            assert read is not None
            assert state_message(read).SerializeToString(deterministic=True) == binary


@some_variants
def test_moves_come_back_from_the_wire(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, SUPPLIED, Random(55))
    moves = [*played.moves[:4], *played.moves[-20:]]
    for state in sample(played, 12):
        moves += game.legal_moves(rules, state.position)
    for move in dict.fromkeys(moves):
        message = move_pb2.Move()
        wire.write_move(game, move, message)
        for given in through_wire(message):
            faults: list[Fault] = []
            assert wire.read_move(given, "move", game, rules, faults) == move
            assert faults == []
        text = move_pb2.Move(notation=notation.write_move(game, rules, move))
        assert wire.read_move(text, "move", game, rules, []) == move


def assert_same(value: Any, message: Any) -> None:
    """Every field of a message says what the attribute of the same name says."""
    if isinstance(value, tuple):  # a list of lists is a list of messages with one list each
        (field,) = message.DESCRIPTOR.fields
        assert tuple(getattr(message, field.name)) == value
        return
    assert is_dataclass(value)
    names = {field.name for field in fields(value)} - {"viewer", "seat"}
    assert names <= {field.name for field in message.DESCRIPTOR.fields}, type(value)
    for field in message.DESCRIPTOR.fields:
        said, item = getattr(value, field.name), getattr(message, field.name)
        is_message = field.message_type is not None
        if field.is_repeated:
            assert len(item) == len(said)
            for one, other in zip(said, item, strict=True):
                assert_same(one, other) if is_message else assert_equal(one, other)
        elif said is None:
            assert item == 0 if not field.has_presence else not message.HasField(field.name)
        elif is_message:
            assert message.HasField(field.name)
            assert_same(said, item)
        else:
            assert_equal(said, item)


def assert_equal(one: Any, other: Any) -> None:
    assert int(one) == int(other)


@some_variants
def test_events_are_written_without_loss(game: AnyGame, rules: Any) -> None:
    happened = dict.fromkeys(play(game, rules, SUPPLIED, Random(56)).events)
    for event in [*happened][::5]:
        written: list[event_pb2.Event] = []
        holder = _Events(written)
        wire.write_events(game, [event], holder)
        (message,) = written
        for given in through_wire(message):
            assert_is_event(game, event, given)


class _Events:
    """As much of a repeated field as `write_events` uses."""

    def __init__(self, written: list[event_pb2.Event]) -> None:
        self._written = written

    def add(self) -> event_pb2.Event:
        self._written.append(event_pb2.Event())
        return self._written[-1]


def assert_is_event(game: AnyGame, event: Any, message: event_pb2.Event) -> None:
    if isinstance(event, GameOver):
        assert tuple(message.game_over.outcome.winners) == event.outcome.winners
        assert tuple(message.game_over.outcome.scores) == event.outcome.scores
        return
    assert message.WhichOneof("event") == game.CATALOGUE.id
    inner = getattr(message, game.CATALOGUE.id)
    member = inner.WhichOneof("event")
    assert member.replace("_", "") == type(event).__name__.lower()
    assert_same_event(event, getattr(inner, member))


def assert_same_event(event: Any, message: Any) -> None:
    """As `assert_same`, but here a seat is what is told, not who looks."""
    assert {field.name for field in fields(event)} == {
        field.name for field in message.DESCRIPTOR.fields
    }
    assert_same(event, message)


@every_game
def test_every_kind_of_event_happens_and_has_its_place_on_the_wire(game: AnyGame) -> None:
    name = game.CATALOGUE.id
    kinds = set(get_args(import_module(f"hakam.games.{name}.events").Event))
    happened: set[type] = set()
    for number, (one, rules) in enumerate(VARIANTS):
        if one is game:
            happened |= {type(e) for e in play(game, rules, SUPPLIED, Random(number)).events}
    assert happened == kinds
    members = event_pb2.Event.DESCRIPTOR.fields_by_name[name].message_type
    assert members is not None
    placed = {field.name.replace("_", "") for field in members.oneofs_by_name["event"].fields}
    assert placed == {kind.__name__.lower() for kind in kinds - {GameOver}}


@some_variants
def test_views_are_written_without_loss(game: AnyGame, rules: Any) -> None:
    for state in sample(play(game, rules, seeded(Random(57)), Random(57)), 3):
        for seat in (None, *range(game.seats(rules))):
            out = view_pb2.View()
            wire.write_view(state, seat, out)
            view = game.view(rules, state.position, seat)
            for message in through_wire(out):
                assert_view(state, seat, view, message)


def assert_view(state: GameState, seat: int | None, view: Any, message: view_pb2.View) -> None:
    assert message.viewer.WhichOneof("viewer") == ("spectator" if seat is None else "seat")
    assert message.viewer.seat == (seat or 0)
    assert message.WhichOneof("position") == state.game.CATALOGUE.id
    assert_same(view, getattr(message, state.game.CATALOGUE.id))
    assert message.text == referee.view_text(state, view)
    rules = rules_pb2.Rules()
    write_rules(state.game, state.rules, rules)
    assert message.rules == rules
    assert isinstance(state.chance, Seeded)
    assert message.commitment == state.chance.commitment
    is_over = referee.outcome(state) is not None
    assert message.HasField("reveal") == is_over
    if is_over:
        assert message.reveal.seed == state.chance.seed
        assert tuple(message.reveal.entropy) == state.chance.entropy
    else:
        assert state.chance.seed not in message.SerializeToString()


@every_rule_set
def test_the_turn_says_who_acts_or_what_is_due_or_how_it_ended(game: AnyGame, rules: Any) -> None:
    said = set()
    for state in play(game, rules, SUPPLIED, Random(58)).states:
        turn = state_pb2.Turn()
        wire.write_turn(state, turn)
        assert turn.ply == state.ply
        due, seat = referee.chance_due(state), referee.to_act(state)
        if turn.HasField("chance_due"):
            said.add("chance_due")
            assert_due(due, turn.chance_due)
        else:
            assert due is None
        assert turn.HasField("to_act") == (seat is not None)
        if seat is not None:
            said.add("to_act")
            assert turn.to_act == seat
        outcome = referee.outcome(state)
        assert turn.HasField("outcome") == (outcome is not None)
        if outcome is not None:
            said.add("outcome")
            assert tuple(turn.outcome.winners) == outcome.winners
            assert tuple(turn.outcome.scores) == outcome.scores
    assert said == {"to_act", "chance_due", "outcome"}


def assert_due(due: ChanceDue | None, message: chance_pb2.ChanceDue) -> None:
    assert due is not None
    assert int(message.kind) == int(due.kind)
    is_deal = due.kind is ChanceKind.DEAL
    assert message.seats == (0 if due.kind is ChanceKind.THROW else due.seats)
    assert (message.cards_per_seat, message.first_seat) == (
        (due.per_seat, due.first) if is_deal else (0, 0)
    )
    assert list(message.deck) == sorted(due.deck)
    assert list(message.deck) == sorted(set(message.deck))


@every_variant
def test_rules_come_back_from_the_wire_with_the_types_that_they_had(
    game: AnyGame, rules: Any
) -> None:
    message = rules_pb2.Rules()
    write_rules(game, rules, message)
    for given in through_wire(message):
        for complete in (True, False):
            faults: list[Fault] = []
            read = read_rules(given, "rules", faults, complete=complete)
            assert faults == []
            assert read is not None
            assert read[0] is game
            assert repr(read[1]) == repr(rules)


@every_variant
def test_options_override_their_rule_set(game: AnyGame, rules: Any) -> None:
    whole, name = rules_pb2.Rules(), game.CATALOGUE.id
    write_rules(game, rules, whole)
    part = rules_pb2.Rules()
    getattr(part, name).rule_set = getattr(whole, name).rule_set
    base = game.CATALOGUE.rule_sets[rules.rule_set]
    for option in game.CATALOGUE.options:
        if repr(getattr(rules, option.name)) != repr(getattr(base, option.name)):
            for field, _ in getattr(whole, name).ListFields():
                if field.name in (option.name, f"{option.name}_drawn_by"):
                    copy_field(getattr(whole, name), getattr(part, name), field.name)
    read = read_rules(part, "rules", [], complete=False)
    assert read is not None
    assert repr(read[1]) == repr(rules)


def copy_field(source: Any, target: Any, name: str) -> None:
    value = getattr(source, name)
    if isinstance(value, int):
        setattr(target, name, value)
    else:
        getattr(target, name).extend(value)


@every_game
def test_the_first_rule_set_is_the_default(game: AnyGame) -> None:
    message = rules_pb2.Rules()
    getattr(message, game.CATALOGUE.id).SetInParent()
    read = read_rules(message, "rules", [], complete=False)
    assert read == (game, next(iter(game.CATALOGUE.rule_sets.values())))


@every_rule_set
def test_rules_in_a_state_must_be_complete(game: AnyGame, rules: Any) -> None:
    name = game.CATALOGUE.id
    whole = state_message(a_state(game, rules))
    for field, _ in getattr(whole.rules, name).ListFields():
        part = state_pb2.State()
        part.CopyFrom(whole)
        getattr(part.rules, name).ClearField(field.name)
        option = field.name.removesuffix("_drawn_by")
        assert faults_of(part) == {f"state.rules.{name}.{option}": "FIELD_MISSING"}
    whole.rules.ClearField("revision")
    assert faults_of(whole) == {"state.rules.revision": "FIELD_MISSING"}


@every_rule_set
@pytest.mark.parametrize("revision", [-1, 0, 2, 2**31 - 1])
def test_another_revision_is_refused_by_name(game: AnyGame, rules: Any, revision: int) -> None:
    message = rules_pb2.Rules()
    write_rules(game, rules, message)
    message.revision = revision
    faults: list[Fault] = []
    assert read_rules(message, "rules", faults, complete=False) is None
    (fault,) = faults
    assert (fault.path, fault.reason) == ("rules.revision", Reason.REVISION_UNSUPPORTED)
    assert fault.allowed == ("1",)


@every_game
def test_an_unknown_choice_is_refused_with_those_that_there_are(game: AnyGame) -> None:
    name = game.CATALOGUE.id
    for option in game.CATALOGUE.options:
        if option.kind not in (OptionKind.CHOICE, OptionKind.SEAT):
            continue
        field = option.name if option.kind is OptionKind.CHOICE else f"{option.name}_drawn_by"
        for number in (0, 77, -1):
            message = rules_pb2.Rules()
            setattr(getattr(message, name), field, number)
            faults: list[Fault] = []
            assert read_rules(message, "rules", faults, complete=False) is None
            (fault,) = faults
            assert (fault.path, fault.reason) == (f"rules.{name}.{field}", Reason.VALUE_UNKNOWN)
            assert fault.allowed == tuple(choice for choice, _ in option.choices)


@every_game
def test_an_unknown_rule_set_is_refused_with_those_that_there_are(game: AnyGame) -> None:
    message = rules_pb2.Rules()
    getattr(message, game.CATALOGUE.id).rule_set = 99
    faults: list[Fault] = []
    assert read_rules(message, "rules", faults, complete=False) is None
    (fault,) = faults
    assert fault.path == f"rules.{game.CATALOGUE.id}.rule_set"
    assert fault.reason is Reason.VALUE_UNKNOWN
    assert fault.allowed == tuple(game.CATALOGUE.rule_sets)


@every_rule_set
def test_every_part_of_a_state_is_wanted_and_all_that_lack_are_named(
    game: AnyGame, rules: Any
) -> None:
    assert faults_of(state_pb2.State()) == {
        "state.rules": "FIELD_MISSING",
        "state.chance.version": "FIELD_MISSING",
        "state.chance": "FIELD_MISSING",
        "state.ply": "FIELD_MISSING",
        "state": "FIELD_MISSING",
    }
    message = state_message(a_state(game, rules, seeded(Random(3))))
    message.chance.version = 2
    message.chance.seeded.seed = b"short"
    message.chance.seeded.commitment = bytes(33)
    message.chance.seeded.entropy[:] = [b"", *[b"x"] * 7, bytes(65)]
    message.chance.seeded.events = MAX_COUNT + 1
    message.ply = -1
    message.salt = b"0123456789abcdef"
    assert faults_of(message) == {
        "state.chance.version": "CHANCE_VERSION_UNSUPPORTED",
        "state.chance.seeded.seed": "LENGTH_OUT_OF_RANGE",
        "state.chance.seeded.commitment": "LENGTH_OUT_OF_RANGE",
        "state.chance.seeded.entropy": "LENGTH_OUT_OF_RANGE",
        "state.chance.seeded.entropy[0]": "LENGTH_OUT_OF_RANGE",
        "state.chance.seeded.events": "VALUE_OUT_OF_RANGE",
        "state.ply": "VALUE_OUT_OF_RANGE",
        "state.salt": "FIELD_NOT_ALLOWED",
    }


@every_rule_set
def test_a_state_holds_no_more_chance_events_than_plies(game: AnyGame, rules: Any) -> None:
    message = state_message(a_state(game, rules, seeded(Random(3))))
    message.chance.seeded.events = message.ply + 1
    assert faults_of(message) == {"state.chance.seeded.events": "VALUE_OUT_OF_RANGE"}


def test_a_position_of_another_game_is_refused() -> None:
    for game, rules in RULE_SETS:
        for other in GAMES:
            if other == game.CATALOGUE.id:
                continue
            message = state_message(a_state(game, rules))
            getattr(message, other).SetInParent()
            assert faults_of(message) == {f"state.{other}": "GAME_MISMATCH"}


def test_a_move_of_another_game_is_refused() -> None:
    for game, rules in RULE_SETS:
        for other in GAMES:
            if other == game.CATALOGUE.id:
                continue
            message = move_pb2.Move()
            getattr(message, other).SetInParent()
            faults: list[Fault] = []
            assert wire.read_move(message, "move", game, rules, faults) is None
            assert [(f.path, f.reason) for f in faults] == [(f"move.{other}", "GAME_MISMATCH")]


def test_there_is_a_move_in_a_move() -> None:
    game, rules = TJAU
    for message, path in (
        (move_pb2.Move(), "move"),
        (move_pb2.Move(chance=chance_pb2.ChanceOutcome()), "move.chance"),
        *((empty_move(name), f"move.{name}") for name in [game.CATALOGUE.id]),
    ):
        faults: list[Fault] = []
        assert wire.read_move(message, "move", game, rules, faults) is None
        assert [(f.path, f.reason) for f in faults] == [(path, "FIELD_MISSING")]
        assert faults[0].allowed


def empty_move(name: str) -> move_pb2.Move:
    message = move_pb2.Move()
    getattr(message, name).SetInParent()
    return message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "LENGTH_OUT_OF_RANGE"),
        ("x" * 257, "LENGTH_OUT_OF_RANGE"),
        ("x" * 256, "NOTATION_INVALID"),
        ("رمية", "NOTATION_INVALID"),
        ("chance:throw=9", None),
    ],
)
def test_the_text_of_a_move_is_bounded_and_read_whole(text: str, reason: str | None) -> None:
    game, rules = TJAU
    faults: list[Fault] = []
    move = wire.read_move(move_pb2.Move(notation=text), "move", game, rules, faults)
    assert (move is None) == (reason is not None)
    assert [(f.path, f.reason.value) for f in faults] == (
        [("move.notation", reason)] if reason else []
    )
    assert all(text not in fault.detail or not text for fault in faults)


def wild_message(random: Random, kind: type[M]) -> M:
    """A message whose numbers are any numbers, and whose lists have any length."""
    message = kind()
    fill_wildly(random, message)
    return message


def fill_wildly(random: Random, message: Any) -> None:
    chosen = {random.choice(list(oneof.fields)).name for oneof in message.DESCRIPTOR.oneofs}
    for field in message.DESCRIPTOR.fields:
        in_oneof = field.containing_oneof is not None
        if (in_oneof and field.name not in chosen) or random.random() < 0.1:
            continue
        for _ in range(random.randrange(4) if field.is_repeated else 1):
            set_wild(random, message, field)


def set_wild(random: Random, message: Any, field: Any) -> None:
    target = getattr(message, field.name)
    if field.message_type is not None:
        inner = target.add() if field.is_repeated else target
        inner.SetInParent()
        fill_wildly(random, inner)
        return
    wild: Any = random.choice(WILD)
    if field.type == field.TYPE_STRING:
        wild = random.choice(("", "x", "chance:throw=9", "chance:deal=/", "ز"))
    if field.type == field.TYPE_BOOL:
        wild = random.random() < 0.5
    if field.type == field.TYPE_BYTES:
        wild = random.randbytes(random.choice((0, 1, 32, 33)))
    if field.is_repeated:
        target.append(wild)
    else:
        setattr(message, field.name, wild)


@some_variants
def test_no_move_whatever_its_numbers_does_more_than_be_refused(game: AnyGame, rules: Any) -> None:
    """What the answer to a move needs: a verdict, its sentence, the move and its text again."""
    random = Random(59)
    states = [
        *sample(play(game, rules, SUPPLIED, random), 12),
        *sample(play(game, rules, seeded(random), random), 12),
    ]
    for _ in range(100):
        message = wild_message(random, move_pb2.Move)
        if message.WhichOneof("move") not in (game.CATALOGUE.id, "chance", "notation"):
            continue
        faults: list[Fault] = []
        move = wire.read_move(message, "move", game, rules, faults)
        if faults:
            assert all(fault.path.startswith("move") for fault in faults)
            continue
        state = random.choice(states)
        refused = referee.violation(state, move)
        if refused is not None:
            for language in Language:
                assert violation_text(game.CATALOGUE, refused, language)
        again = move_pb2.Move()
        wire.write_move(game, move, again)
        assert notation.write_move(game, rules, move).isascii()
        if message.WhichOneof("move") != "notation":
            assert again == message


@every_rule_set
def test_no_state_whatever_its_numbers_does_more_than_have_faults(
    game: AnyGame, rules: Any
) -> None:
    random = Random(60)
    name = game.CATALOGUE.id
    good = state_message(a_state(game, rules, seeded(Random(4))))
    for _ in range(150):
        message = state_pb2.State()
        message.CopyFrom(good)
        getattr(message, name).CopyFrom(wild_message(random, type(getattr(good, name))))
        faults: list[Fault] = []
        read = wire.read_state(message, "state", faults)
        assert (read is None) == bool(faults)
        assert all(fault.path.startswith("state") for fault in faults)
        assert len({(f.path, f.reason, f.detail) for f in faults}) == len(faults)


def numbers(*values: int) -> list[Any]:
    """Values of an enum, which may be any numbers."""
    return list(values)


def outcomes() -> Iterable[Chance]:
    yield from (Chance(ChanceKind.THROW, value) for value in range(5))
    yield from (Chance(ChanceKind.SEAT, value) for value in range(7))
    yield Chance(ChanceKind.DEAL, hands=((1, 2), (53, 4)), rest=(52,))


@pytest.mark.parametrize("outcome", list(outcomes()))
def test_outcomes_come_back_from_the_wire(outcome: Chance) -> None:
    message = chance_pb2.ChanceOutcome()
    chance_codec.write_outcome(outcome, message)
    for given in through_wire(message):
        faults: list[Fault] = []
        assert chance_codec.read_outcome(given, "outcome", faults) == outcome
        assert faults == []


def test_cards_that_do_not_exist_are_no_part_of_an_outcome() -> None:
    message = chance_pb2.ChanceOutcome()
    message.deal.hands.add().cards.extend(numbers(1, 54))
    message.deal.rest.extend(numbers(0, 53, -1))
    faults: list[Fault] = []
    chance_codec.read_outcome(message, "outcome", faults)
    assert {fault.path: fault.reason.value for fault in faults} == {
        "outcome.deal.hands[0].cards[1]": "VALUE_UNKNOWN",
        "outcome.deal.rest[0]": "VALUE_UNKNOWN",
        "outcome.deal.rest[2]": "VALUE_UNKNOWN",
    }


def test_an_outcome_is_bounded() -> None:
    message = chance_pb2.ChanceOutcome()
    message.deal.hands.extend(chance_pb2.DealtHand(cards=numbers(1) * 54) for _ in range(9))
    message.deal.rest.extend(numbers(1) * 54)
    faults: list[Fault] = []
    chance_codec.read_outcome(message, "outcome", faults)
    named = {fault.path: fault.reason.value for fault in faults}
    assert named["outcome.deal.hands"] == "LENGTH_OUT_OF_RANGE"
    assert named["outcome.deal.hands[0].cards"] == "LENGTH_OUT_OF_RANGE"
    assert named["outcome.deal.rest"] == "LENGTH_OUT_OF_RANGE"
    assert len(faults) < 16


def test_a_viewer_is_a_seat_of_the_table_or_a_spectator() -> None:
    for game, rules in RULE_SETS:
        seats = game.seats(rules)
        for seat in (-1, seats, 2**31 - 1):
            faults: list[Fault] = []
            wire.read_viewer(viewer_pb2.Viewer(seat=seat), "viewer", game, rules, faults)
            assert [(f.path, f.reason) for f in faults] == [("viewer.seat", "VALUE_OUT_OF_RANGE")]
        for seat in range(seats):
            faults = []
            read = wire.read_viewer(viewer_pb2.Viewer(seat=seat), "viewer", game, rules, faults)
            assert (read, faults) == (seat, [])
        spectator = viewer_pb2.Viewer()
        spectator.spectator.SetInParent()
        faults = []
        assert wire.read_viewer(spectator, "viewer", game, rules, faults) is None
        assert faults == []


def test_unknown_fields_are_found_wherever_they_are() -> None:
    game, rules = TJAU
    message = state_message(a_state(game, rules, seeded(Random(3))))
    assert unknown_field_faults(message, message.SerializeToString()) == ()
    strange = b"\xf8\x7f\x01"  # field 2047, the number 1
    inner = b"\x0a" + bytes([len(strange)]) + strange  # in field 1: the rules
    raw = message.SerializeToString() + strange + inner
    parsed = state_pb2.State.FromString(raw)
    faults = unknown_field_faults(parsed, raw)
    assert sorted(f.path for f in faults) == ["#2047", "rules.#2047"]
    assert {f.reason for f in faults} == {Reason.FIELD_UNKNOWN}
    assert parsed == message


@every_rule_set
def test_positions_come_back_from_their_notation_too(game: AnyGame, rules: Any) -> None:
    for state in sample(play(game, rules, SUPPLIED, Random(61)), 30):
        text = game.write_position(rules, state.position)
        assert text.isascii()
        assert game.validate(rules, game.read_position(rules, text)) == state.position
        with pytest.raises(NotationError):
            game.read_position(rules, text + " ")


def test_a_state_after_an_override_of_its_rules_is_judged_by_them() -> None:
    game, rules = TJAU
    played = play(game, replace(rules, pieces=7), SUPPLIED, Random(3))
    message = state_message(played.end)
    message.rules.tjau.pieces = 1
    assert faults_of(message)
