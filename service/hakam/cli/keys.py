"""`hakam keygen`, and the keys of `hakam serve`."""

import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from hakam.seal import KEY_BYTES, KeyRing, KeyRingError, read_keys
from hakam.settings import KEYS_VARIABLE, Settings, SettingsError

__all__ = ["add_command", "load_keys"]


def add_command(parser: ArgumentParser) -> None:
    """`hakam keygen` takes no flags."""
    parser.description = (
        "Print a new key for sealed states: one line of 128 hex digits. Put it last into the keys "
        "of every replica first, and then, in a second roll-out, in front."
    )
    parser.set_defaults(run=_run)


def _run(_args: Namespace) -> int:
    print(secrets.token_hex(KEY_BYTES))
    return 0


def load_keys(settings: Settings, environ: Mapping[str, str]) -> KeyRing:
    """The keys of the file, or of HAKAM_KEYS; raises SettingsError, which never shows a key."""
    if settings.keys_file and KEYS_VARIABLE in environ:
        raise SettingsError(f"keys come from a file or from {KEYS_VARIABLE}, not from both")
    source = settings.keys_file or KEYS_VARIABLE
    try:
        if settings.keys_file:
            text = Path(settings.keys_file).read_text(encoding="ascii")
        else:
            text = environ.get(KEYS_VARIABLE, "")
        return KeyRing(read_keys(text))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not ASCII text"
        raise SettingsError(f"{source}: {reason}") from None
    except KeyRingError as error:
        raise SettingsError(f"{source}: {error}") from None
