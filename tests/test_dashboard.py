"""The dashboard and the alert rules: every query is one, and asks only for what there is."""

import json
import re
from pathlib import Path

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry

from hakam.rpc.metrics import Metrics

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
BOARD = json.loads((DEPLOY / "grafana/hakam.json").read_text("utf-8"))
RULES = yaml.safe_load((DEPLOY / "prometheus/hakam.rules.yml").read_text("utf-8"))
TESTS = yaml.safe_load((DEPLOY / "prometheus/hakam.rules.test.yml").read_text("utf-8"))

PANEL_QUERIES = [
    pytest.param(target["expr"], id=f"{panel['title']} {target['refId']}")
    for panel in BOARD["panels"]
    for target in panel["targets"]
]
RULE_QUERIES = [
    pytest.param(rule["expr"], id=rule.get("record") or rule["alert"])
    for group in RULES["groups"]
    for rule in group["rules"]
]
RECORDED = {
    rule["record"] for group in RULES["groups"] for rule in group["rules"] if "record" in rule
}
ALERTS = {rule["alert"] for group in RULES["groups"] for rule in group["rules"] if "alert" in rule}


def filled(query: str) -> str:
    """A panel's query as Grafana sends it."""
    return query.replace("$__rate_interval", "1m").replace("$job", ".*")


def metrics() -> dict[str, set[str]]:
    """The labels of every series that Hakam shows; those that a scrape adds are any's."""
    shown = Metrics(CollectorRegistry())
    shown.of("s", "M")
    shown.refusals["OVERLOADED"].inc()
    found: dict[str, set[str]] = {}
    for family in shown.registry.collect():
        for sample in family.samples:
            found.setdefault(sample.name, {"job", "instance"}).update(sample.labels)
    return found


def selectors(query: str) -> list[tuple[str, set[str]]]:
    """The metrics that a query selects, each with the labels that it matches."""
    found: list[tuple[str, set[str]]] = []

    def see(node: promql_parser.Expr) -> bool:
        if isinstance(node, promql_parser.VectorSelector):
            labels = {matcher.name for matcher in node.matchers.matchers}
            found.append((str(node.name), labels))
        return True

    promql_parser.walk(promql_parser.parse(filled(query)), see)
    return found


@pytest.mark.parametrize("query", [*PANEL_QUERIES, *RULE_QUERIES])
def test_a_query_asks_for_what_there_is(query: str) -> None:
    have = metrics()
    asked = selectors(query)
    assert asked
    for name, labels in asked:
        assert name in RECORDED or labels <= have[name]


def test_no_rate_interval_is_written_by_hand() -> None:
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            assert re.findall(r"\[(.*?)\]", target["expr"]) == ["$__rate_interval"] * target[
                "expr"
            ].count("[")


def test_panels_do_not_overlap_and_have_names_of_their_own() -> None:
    cells = [
        (x, y)
        for panel in BOARD["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["title"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_every_alert_is_shown_firing() -> None:
    fired = {
        case["alertname"]
        for test in TESTS["tests"]
        for case in test.get("alert_rule_test", ())
        if case["exp_alerts"]
    }
    assert fired == ALERTS


def test_every_alert_has_its_line_on_the_page() -> None:
    page = (DEPLOY.parent / "docs/operations.md").read_text("utf-8")
    stated = set(re.findall(r"^\| `(Hakam\w+)` \|", page, re.MULTILINE))
    assert stated == ALERTS
