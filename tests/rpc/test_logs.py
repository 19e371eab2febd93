import json
import re
from io import StringIO

import pytest

from hakam.rpc.logs import make_log


def fault(log_format: str) -> str:
    """What the log says of an exception in whose message and variables there is a secret."""
    stream = StringIO()
    log = make_log(log_format, "info", stream)

    def draw(seed: str) -> int:
        return int(seed)

    try:
        try:
            draw("5ec4e7")
        except ValueError as error:
            raise RuntimeError("5ec4e7") from error
    except RuntimeError:
        log.exception("fault", id="abc")
    return stream.getvalue()


class TestFault:
    @pytest.mark.parametrize("log_format", ["json", "console"])
    def test_no_value_of_the_program_is_logged(self, log_format: str) -> None:
        assert "5ec4e7" not in fault(log_format)

    @pytest.mark.parametrize("log_format", ["json", "console"])
    def test_classes_and_places_are(self, log_format: str) -> None:
        line = fault(log_format)
        assert "abc" in line
        assert "RuntimeError" in line
        assert "draw" in line

    def test_the_first_cause_comes_first(self) -> None:
        line = json.loads(fault("json"))
        assert line["exceptions"] == ["ValueError", "RuntimeError"]
        assert [place.split()[1] for place in line["places"]] == ["fault", "draw", "fault"]
        assert re.fullmatch(r"[\w.]+:\d+ draw", line["places"][1])


class TestFormat:
    def test_json_is_one_object_a_line(self) -> None:
        stream = StringIO()
        log = make_log("json", "info", stream)
        log.info("serving", address="a")
        log.warning("slow")
        lines = [json.loads(line) for line in stream.getvalue().splitlines()]
        assert [(line["event"], line["level"]) for line in lines] == [
            ("serving", "info"),
            ("slow", "warning"),
        ]
        assert lines[0]["address"] == "a"

    def test_auto_is_json_where_nobody_watches(self) -> None:
        stream = StringIO()
        make_log("auto", "info", stream).info("serving")
        assert json.loads(stream.getvalue())["event"] == "serving"

    def test_auto_is_for_people_on_a_terminal(self) -> None:
        class Terminal(StringIO):
            def isatty(self) -> bool:
                return True

        stream = Terminal()
        make_log("auto", "info", stream).info("serving")
        assert "serving" in stream.getvalue()
        assert not stream.getvalue().startswith("{")

    @pytest.mark.parametrize(
        ("level", "shown"),
        [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)],
    )
    def test_a_level_hides_what_is_below_it(self, level: str, shown: int) -> None:
        stream = StringIO()
        log = make_log("json", level, stream)
        for say in (log.debug, log.info, log.warning, log.error):
            say("x")
        assert len(stream.getvalue().splitlines()) == shown

    def test_what_is_logged_goes_to_the_error_stream(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make_log("json", "info").info("serving")
        assert json.loads(capsys.readouterr().err)["event"] == "serving"


class _Gone(StringIO):
    def write(self, _: str) -> int:
        raise BrokenPipeError


def test_a_reader_who_left_stops_nobody() -> None:
    log = make_log("json", "info", _Gone())
    log.info("call")
    log.error("fault")
