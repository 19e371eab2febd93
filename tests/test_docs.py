"""What the pages state as facts is so."""

import inspect
import re
from hashlib import sha256
from pathlib import Path

from prometheus_client import CollectorRegistry

from hakam import referee
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.notation import read_move, write_move
from hakam.rpc.errors import code_of
from hakam.rpc.metrics import Metrics
from hakam.rpc.observer import Observer
from hakam.settings import Settings

DOCS = Path(__file__).resolve().parent.parent / "docs"
CONTRACT = (DOCS / "contract.md").read_text("utf-8")
OPERATIONS = (DOCS / "operations.md").read_text("utf-8")
NOTATION = (DOCS / "notation/README.md").read_text("utf-8")


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its head."""
    section = page.split(f" {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    table = re.search(r"(^\|.*\n)+", section, re.MULTILINE)
    assert table is not None
    lines = table[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


class TestErrors:
    def test_the_table_has_the_code_of_every_reason_but_those_of_the_games(self) -> None:
        stated = {
            reason: names(row[0])[0] for row in rows(CONTRACT, "Errors") for reason in names(row[1])
        }
        true = {reason.value: code_of(reason).name for reason in Reason}
        assert stated.items() <= true.items()
        left = {Reason(reason) for reason in true.keys() - stated.keys()}
        worded = {reason for game in GAMES.values() for reason in game.CATALOGUE.reasons}
        assert left <= worded
        assert {code_of(reason).name for reason in left} == {"FAILED_PRECONDITION"}


class TestDigest:
    def test_the_example_is_that_of_a_new_game(self) -> None:
        section = CONTRACT.split("### The digest")[1]
        text, digest = re.findall(r"^```\n(game=.*)\n([0-9a-f]{64})\n```$", section, re.MULTILINE)[
            0
        ]
        game = GAMES["tjau"]
        seeded = referee.Seeded(bytes(32), (), 0, b"")
        state, _ = referee.new_game(game, game.CATALOGUE.rule_sets["egyptian"], seeded)
        assert referee.view_text(state, game.view(state.rules, state.position, None)) == text
        assert referee.view_digest(state).hex() == digest
        assert sha256(b"hakam/view/v1" + text.encode("ascii")).hexdigest() == digest
        assert text in NOTATION


class TestChanceNotation:
    def test_the_examples_are_outcomes(self) -> None:
        game = GAMES["tjau"]
        rules = game.CATALOGUE.rule_sets["egyptian"]
        examples = [names_of[0].strip("`") for names_of in rows(NOTATION, "Outcomes of chance")]
        assert len(examples) == 3
        for text in examples:
            assert write_move(game, rules, read_move(game, rules, text)) == text

    def test_a_game_is_on_the_index_with_moves_of_its_own(self) -> None:
        index = {
            row[2].split("]")[0].strip("[").removesuffix(".md"): row
            for row in rows(NOTATION, "Notation")
        }
        assert sorted(index) == sorted(GAMES)
        for name, row in index.items():
            game = GAMES[name]
            rules = next(iter(game.CATALOGUE.rule_sets.values()))
            for text in re.findall(r"`([^`]+)`", row[1]):
                assert game.write_move(rules, game.read_move(rules, text)) == text


class TestLimits:
    def test_what_can_be_set_has_the_default_that_is_stated(self) -> None:
        limits = {row[0]: row[1] for row in rows(CONTRACT, "Limits")}
        settings = Settings()
        assert limits["a request, an answer"] == "3 MiB each"
        assert settings.max_request_bytes == settings.max_answer_bytes == 3 * 1024 * 1024
        assert limits["items of a batch"] == f"1 to {settings.max_batch_items:,}"
        assert limits["calls waiting or running in one process"] == str(settings.max_pending_calls)


class TestMetrics:
    def test_every_metric_is_on_the_page_with_its_labels(self) -> None:
        metrics = Metrics(CollectorRegistry())
        metrics.of("s", "M")
        stated = {
            names(row[0])[0]: (row[1], set(names(row[2]))) for row in rows(OPERATIONS, "Metrics")
        }
        true = {
            family.name + ("_total" if family.type == "counter" else ""): (
                family.type,
                {label for sample in family.samples for label in sample.labels} - {"le"},
            )
            for family in metrics.registry.collect()
        }
        assert stated == true


class TestLog:
    def test_the_fields_of_a_call_are_on_the_page(self) -> None:
        (stated,) = (names(row[2]) for row in rows(OPERATIONS, "Log") if row[0] == "`call`")
        fields = inspect.getsource(Observer._write)
        assert re.findall(r"^ +(\w+)=", fields, re.MULTILINE) == stated
