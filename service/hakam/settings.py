"""Everything that an operator can set: one typed object, read from flags and HAKAM_… variables.

A flag wins over its variable. A wrong value is refused at the start, by the name of what set it.
"""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from ipaddress import ip_address
from typing import Any, Final

__all__ = ["KEYS_VARIABLE", "Settings", "SettingsError", "add_flags", "load"]

_MIB: Final = 1024 * 1024
# The keys themselves, for those who keep secrets in the environment; never a flag.
KEYS_VARIABLE: Final = "HAKAM_KEYS"
_FORMS: Final = {
    "host": re.compile(r"[!-~]+", re.ASCII),
    "path": re.compile(r"[^\0]*"),
    "hash": re.compile(r"([0-9a-fA-F]{64})?", re.ASCII),
}


class SettingsError(ValueError):
    """A setting with a value that it cannot have; the text names the setting and the limits."""


def _number(default: int, low: int, high: int, text: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "text": text})


def _choice(choices: tuple[str, ...], text: str) -> Any:
    return field(default=choices[0], metadata={"choices": choices, "text": text})


def _word(default: str, form: str, text: str) -> Any:
    return field(default=default, metadata={"form": form, "text": text})


@dataclass(frozen=True)
class Settings:
    """The settings of `hakam serve`: sizes in bytes, times in seconds; port 0 is any free one."""

    host: str = _word("127.0.0.1", "host", "address to serve on")
    port: int = _number(50051, 0, 65535, "port to serve on")
    metrics_host: str = _word("127.0.0.1", "host", "address of the metrics")
    metrics_port: int = _number(9464, 0, 65535, "port of the metrics")
    workers: int = _number(0, 0, 256, "processes that share the port; 0: one a core")
    pin: str = _choice(("auto", "off"), "auto: a core for each worker, where there are enough")
    max_request_bytes: int = _number(3 * _MIB, 1024, 64 * _MIB, "largest request in bytes")
    max_answer_bytes: int = _number(3 * _MIB, 1024, 64 * _MIB, "largest answer in bytes")
    max_batch_items: int = _number(1000, 1, 100_000, "most items of a batch")
    max_pending_calls: int = _number(256, 1, 4096, "most calls waiting or running")
    max_deadline_seconds: int = _number(30, 1, 3600, "longest that a call is worked on")
    drain_seconds: int = _number(0, 0, 600, "seconds to serve on after health says NOT_SERVING")
    grace_seconds: int = _number(10, 0, 600, "seconds that running calls get to end")
    connection_age_seconds: int = _number(
        300, 0, 86_400, "age at which a connection is asked to go; 0: never"
    )
    connection_grace_seconds: int = _number(
        60, 1, 3600, "seconds that the calls of such a connection get to end"
    )
    tls_cert_file: str = _word("", "path", "certificate chain of the service, PEM: serves with TLS")
    tls_key_file: str = _word("", "path", "private key of the certificate, PEM")
    tls_client_ca_file: str = _word(
        "", "path", "certificates of those who sign clients' certificates: clients must have one"
    )
    tokens_file: str = _word(
        "", "path", "file with the SHA-256 of each token that admits, see `hakam token`"
    )
    keys_file: str = _word("", "path", "file with the keys of sealed states, see `hakam keygen`")
    keeper_sha256: str = _word("", "hash", "SHA-256 of the keeper's credential, 64 hex digits")
    plain_states: str = _choice(
        ("anyone", "keeper"), "who may use plain states, given seeds and supplied chance"
    )
    reflection: str = _choice(("auto", "on", "off"), "gRPC reflection; auto: on loopback only")
    log_format: str = _choice(
        ("auto", "console", "json"), "form of the log; auto: console on a terminal, else json"
    )
    access_log: str = _choice(
        ("sample", "all"), "calls logged; sample: errors, slow calls and one in a hundred"
    )
    slow_milliseconds: int = _number(100, 1, 60_000, "a call that takes longer is logged as slow")
    tracing: str = _choice(
        ("off", "otlp"), "otlp: exports a span of every call; needs the extra hakam[otel]"
    )
    log_level: str = _choice(("info", "debug", "warning", "error"), "the least level logged")

    def with_place(self, port: int, workers: int) -> "Settings":
        """The same settings with a port and a number of workers that are found out."""
        return replace(self, port=port, workers=workers)

    @property
    def reflects(self) -> bool:
        """Whether reflection is served."""
        return self.reflection == "on" or (self.reflection == "auto" and _is_loopback(self.host))

    @property
    def unprotected(self) -> bool:
        """Whether other machines can reach the service and nothing is asked of them."""
        return not (_is_loopback(self.host) or self.tls_cert_file or self.tokens_file)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _flag(setting: Field[Any]) -> str:
    return f"--{setting.name.replace('_', '-')}"


def _variable(setting: Field[Any]) -> str:
    return f"HAKAM_{setting.name.upper()}"


def add_flags(parser: ArgumentParser) -> None:
    """A flag for every setting; its help names the limits, the default and the variable."""
    for setting in fields(Settings):
        meta = setting.metadata
        limits = f"{meta['low']} to {meta['high']}; " if "low" in meta else ""
        parser.add_argument(
            _flag(setting),
            dest=setting.name,
            metavar=_placeholder(setting),
            help=f"{meta['text']} ({limits}default {setting.default}; {_variable(setting)})",
        )


def _placeholder(setting: Field[Any]) -> str:
    if "choices" in setting.metadata:
        return f"{{{','.join(setting.metadata['choices'])}}}"
    return setting.metadata.get("form", "N").upper()  # type: ignore[no-any-return]


def load(flags: Namespace, environ: Mapping[str, str]) -> Settings:
    """The settings; raises SettingsError for the first value that cannot be."""
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        flag: str | None = getattr(flags, setting.name, None)
        if flag is not None:
            values[setting.name] = _read(setting, flag, _flag(setting))
        elif _variable(setting) in environ:
            variable = _variable(setting)
            values[setting.name] = _read(setting, environ[variable], variable)
    _refuse_strangers(environ)
    return Settings(**values)


def _refuse_strangers(environ: Mapping[str, str]) -> None:
    known = {KEYS_VARIABLE, *map(_variable, fields(Settings))}
    for name in sorted(environ):
        if name.startswith("HAKAM_") and name not in known:
            raise SettingsError(f"{name} is no setting")


def _read(setting: Field[Any], text: str, name: str) -> int | str:
    meta = setting.metadata
    if "low" in meta:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
        if not meta["low"] <= number <= meta["high"]:
            raise SettingsError(f"{name} must be a number from {meta['low']} to {meta['high']}")
        return number
    if "choices" in meta and text not in meta["choices"]:
        raise SettingsError(f"{name} must be one of {', '.join(meta['choices'])}")
    if "form" in meta and not _FORMS[meta["form"]].fullmatch(text):
        raise SettingsError(f"{name} must be a {meta['form']}")
    return text
