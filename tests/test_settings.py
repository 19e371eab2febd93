"""Every setting, by its flag and by its variable."""

import re
from argparse import ArgumentParser, Namespace
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hakam.settings import Settings, SettingsError, add_flags, load

SETTINGS = {setting.name: setting for setting in fields(Settings)}
NUMBERS = {name: s.metadata for name, s in SETTINGS.items() if "low" in s.metadata}
CHOICES = {name: s.metadata["choices"] for name, s in SETTINGS.items() if "choices" in s.metadata}
FORMS = {name: s.metadata["form"] for name, s in SETTINGS.items() if "form" in s.metadata}
SAMPLES = {"host": "::1", "path": "keys.txt", "hash": "0123456789abcdef" * 4}

OPERATIONS = Path(__file__).resolve().parent.parent / "docs/operations.md"


def flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def variable(name: str) -> str:
    return f"HAKAM_{name.upper()}"


def flags(*args: str) -> Namespace:
    parser = ArgumentParser()
    add_flags(parser)
    return parser.parse_args(args)


def other(name: str) -> tuple[str, Any]:
    """A value of the setting that is not its default, as text and as it is read."""
    if name in NUMBERS:
        return str(NUMBERS[name]["low"] + 1), NUMBERS[name]["low"] + 1
    text = CHOICES[name][1] if name in CHOICES else SAMPLES[FORMS[name]]
    return text, text


class TestLoad:
    def test_nothing_given_is_the_defaults(self) -> None:
        assert load(flags(), {}) == Settings()

    def test_the_test_values_are_not_the_defaults(self) -> None:
        defaults = Settings()
        assert [name for name in SETTINGS if other(name)[1] == getattr(defaults, name)] == []

    @pytest.mark.parametrize("name", SETTINGS)
    def test_a_flag_sets_it_and_nothing_else(self, name: str) -> None:
        text, value = other(name)
        assert load(flags(flag(name), text), {}) == Settings(**{name: value})

    @pytest.mark.parametrize("name", SETTINGS)
    def test_a_variable_sets_it_and_nothing_else(self, name: str) -> None:
        text, value = other(name)
        assert load(flags(), {variable(name): text}) == Settings(**{name: value})

    @pytest.mark.parametrize("name", SETTINGS)
    def test_a_flag_wins_over_the_variable(self, name: str) -> None:
        text, value = other(name)
        default = str(SETTINGS[name].default)
        assert load(flags(flag(name), text), {variable(name): default}) == Settings(**{name: value})
        assert load(flags(flag(name), default), {variable(name): text}) == Settings()

    def test_variables_of_others_do_not_matter(self) -> None:
        assert load(flags(), {"PORT": "x", "hakam_port": "x", "XHAKAM_PORT": "x"}) == Settings()

    @pytest.mark.parametrize("name", NUMBERS)
    def test_the_ends_of_a_range_are_in_it(self, name: str) -> None:
        for end in ("low", "high"):
            number = NUMBERS[name][end]
            assert getattr(load(flags(flag(name), str(number)), {}), name) == number

    @pytest.mark.parametrize("name", CHOICES)
    def test_every_choice_can_be_made(self, name: str) -> None:
        for choice in CHOICES[name]:
            assert getattr(load(flags(flag(name), choice), {}), name) == choice


NO_NUMBERS = ["", " ", "x", "-1", "+1", "1.0", "1e3", "0x10", "1_0", " 1", "1 ", "٣", "9" * 30]
NO_CHOICES = ["", "x", "ON", "on ", "auto,on"]
WRONG = {
    "host": ["", " ", "a b", "a\n", "a\x00", "\x1b[31m"],
    "path": ["a\x00"],
    "hash": [" ", "ab", "g" * 64, "a" * 63, "a" * 65],
}


class TestRefusals:
    @pytest.mark.parametrize("name", NUMBERS)
    def test_no_number_of_the_range(self, name: str) -> None:
        low, high = NUMBERS[name]["low"], NUMBERS[name]["high"]
        wrong = [*NO_NUMBERS, str(low - 1), str(high + 1)]
        refused(name, wrong, f"must be a number from {low} to {high}")

    @pytest.mark.parametrize("name", CHOICES)
    def test_no_choice(self, name: str) -> None:
        refused(name, NO_CHOICES, f"must be one of {', '.join(CHOICES[name])}")

    @pytest.mark.parametrize("name", FORMS)
    def test_no_word_of_the_form(self, name: str) -> None:
        refused(name, WRONG[FORMS[name]], f"must be a {FORMS[name]}")

    def test_a_variable_that_is_no_setting(self) -> None:
        with pytest.raises(SettingsError, match=r"^HAKAM_PROT is no setting$"):
            load(flags(), {"HAKAM_PROT": "1", "HAKAM_PORT": "1"})

    def test_the_address_that_kubernetes_puts_into_a_variable(self) -> None:
        with pytest.raises(SettingsError, match=r"^HAKAM_PORT must be a number"):
            load(flags(), {"HAKAM_PORT": "tcp://10.0.0.1:50051"})


def refused(name: str, values: list[str], why: str) -> None:
    """Each value is refused, by the name of what brought it."""
    for value in values:
        with pytest.raises(SettingsError) as error:
            load(flags(f"{flag(name)}={value}"), {})
        assert str(error.value) == f"{flag(name)} {why}"
        with pytest.raises(SettingsError) as error:
            load(flags(), {variable(name): value})
        assert str(error.value) == f"{variable(name)} {why}"


class TestReflection:
    @pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
    def test_auto_serves_it_on_loopback(self, host: str) -> None:
        assert Settings(host=host).reflects

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org"])  # noqa: S104
    def test_auto_does_not_serve_it_elsewhere(self, host: str) -> None:
        assert not Settings(host=host).reflects

    def test_on_and_off_do_not_ask_where(self) -> None:
        assert Settings(host="::", reflection="on").reflects
        assert not Settings(reflection="off").reflects


class TestHelp:
    def test_every_setting_is_explained(self) -> None:
        parser = ArgumentParser()
        add_flags(parser)
        text = " ".join(parser.format_help().split())
        for name, setting in SETTINGS.items():
            assert flag(name) in text
            assert re.search(rf"default {setting.default}; {variable(name)}\)", text), name

    def test_the_page_for_operators_has_the_same_table(self) -> None:
        assert table() in OPERATIONS.read_text("utf-8")


def table() -> str:
    """The table of the settings as docs/operations.md has it."""
    lines = [
        "| flag | variable | default | values | what it is |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, setting in SETTINGS.items():
        default = f"`{setting.default}`" if setting.default != "" else "none"
        cells = (f"`{flag(name)}`", f"`{variable(name)}`", default, values(name))
        lines.append(f"| {' | '.join(cells)} | {setting.metadata['text']} |")
    return "\n".join(lines) + "\n"


def values(name: str) -> str:
    if name in NUMBERS:
        return f"{NUMBERS[name]['low']:,} to {NUMBERS[name]['high']:,}"
    if name in FORMS:
        return f"a {FORMS[name]}"
    return ", ".join(f"`{choice}`" for choice in CHOICES[name])
