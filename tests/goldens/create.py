"""Golden records: whole random games of every rule set, which replay for ever.

    PYTHONPATH=service python -m tests.goldens.create

writes those that are missing and never touches one that is there: a golden that fails says that a
revision of the rules has changed, and is answered by a new revision, not by a new golden.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from google.protobuf import json_format

from hakam.chance import CHANCE_VERSION
from hakam.games.registry import GAMES
from hakam.record import Record
from hakam.referee import SUPPLIED, AnyGame
from hakam.rpc.codecs.chance import write_outcome
from hakam.rpc.codecs.game import write_move
from hakam.rpc.codecs.rules import write_rules
from hakam.v1 import record_pb2
from tests.random_play import play, record_of, seeded

__all__ = ["FOLDER", "create", "expected", "message_of", "text_of"]

FOLDER: Final = Path(__file__).parent


def expected() -> Iterator[tuple[str, AnyGame, Any, bool]]:
    """The name of every golden of this release, its game, its rules, and whether it is seeded."""
    for game in GAMES.values():
        catalogue = game.CATALOGUE
        for number, (name, rules) in enumerate(catalogue.rule_sets.items()):
            stem = f"{catalogue.id}-{name}-r{catalogue.revision}"
            yield f"{stem}.json", game, rules, True
            if number == 0:
                yield f"{stem}-supplied.json", game, rules, False


def message_of(record: Record) -> record_pb2.Record:
    """The record on the wire."""
    message = record_pb2.Record(
        chance_version=CHANCE_VERSION,
        commitment=record.commitment,
        view_digest=record.view_digest,
    )
    write_rules(record.game, record.rules, message.rules)
    if record.seed is None:
        message.outcomes.SetInParent()
    else:
        message.seed.seed = record.seed
        message.seed.entropy.extend(record.entropy)
    for outcome in record.outcomes:
        write_outcome(outcome, message.outcomes.outcomes.add())
    for move in record.moves:
        write_move(record.game, move, message.moves.add())
    return message


def text_of(message: record_pb2.Record) -> str:
    """The record in protojson, a move or an outcome a line."""
    fields = json_format.MessageToDict(message)
    if "outcomes" in fields:
        fields["outcomes"] = {"outcomes": _Lines(fields["outcomes"]["outcomes"])}
    fields["moves"] = _Lines(fields["moves"])
    return _json(fields) + "\n"


class _Lines(list[Any]):
    """A list that is written an item a line."""


def _json(value: Any) -> str:
    if isinstance(value, _Lines):
        return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"
    if isinstance(value, dict) and any(isinstance(item, dict | _Lines) for item in value.values()):
        return "{\n" + ",\n".join(f'"{key}": {_json(item)}' for key, item in value.items()) + "\n}"
    return json.dumps(value)


def create(folder: Path) -> list[str]:
    """Write the goldens that are missing; gives their names."""
    missing = [golden for golden in expected() if not (folder / golden[0]).exists()]
    for name, game, rules, is_seeded in missing:
        random = Random(name)
        source = seeded(random) if is_seeded else SUPPLIED
        text = text_of(message_of(record_of(play(game, rules, source, random))))
        with (folder / name).open("x", encoding="utf-8") as file:
            file.write(text)
    return [name for name, *_ in missing]


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}\n" for name in create(FOLDER))
