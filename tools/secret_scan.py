"""Looks for secrets in the files of the repository: with detect-secrets, and two kinds of our own.

Found ones that are none stand in `.secrets.baseline`, by file, kind and hash, so that lines may
move; `--update` writes it anew, and its diff is to be read. A line that says `pragma: allowlist
secret` is passed over. Entropy is not measured: seeds, hashes and goldens are all over the tests.
Tests may name variables `SECRET`; what looks like a key or a token is found there too.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from detect_secrets.core.secrets_collection import SecretsCollection
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.keyword import KeywordDetector
from detect_secrets.settings import transient_settings

__all__ = ["BASELINE", "HakamDetector", "found", "main"]

TOP: Final = Path(__file__).resolve().parent.parent
BASELINE: Final = TOP / ".secrets.baseline"

# File, kind, and hash of what was found.
Finding: TypeAlias = tuple[str, str, str]

_DETECTORS: Final = (
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "BasicAuthDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "JwtTokenDetector",
    "KeywordDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PrivateKeyDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "StripeDetector",
    "TwilioKeyDetector",
)
# What is generated from other files of the tree, or holds hashes of packages by construction.
_SKIPPED: Final = re.compile(r"service/hakam/v1/|requirements/\w+\.txt$|.*\.binpb$")


class HakamDetector(RegexBasedDetector):
    """Tokens of `hakam token`, and keys of `hakam keygen`."""

    secret_type = "Hakam Token Or Key"  # noqa: S105 - the name of the kind
    denylist = (
        re.compile(r"\bhakam_[A-Za-z0-9_-]{43}\b"),
        re.compile(r"\b[0-9A-Fa-f]{128}\b"),
    )


def _settings() -> dict[str, Any]:
    own = {"name": HakamDetector.__name__, "path": Path(__file__).as_uri()}
    return {
        "plugins_used": [own, *({"name": name} for name in _DETECTORS)],
        "filters_used": [{"path": "detect_secrets.filters.allowlist.is_line_allowlisted"}],
    }


def found(names: Iterable[str], root: Path = TOP) -> set[Finding]:
    """What the files, named from the root, hold of secrets."""
    with transient_settings(_settings()):
        secrets = SecretsCollection(root=str(root))
        for name in names:
            secrets.scan_file(name)
    findings = {(name, secret.type, secret.secret_hash) for name, secret in secrets}
    return {one for one in findings if not _is_named_so_in_a_test(one)}


def _is_named_so_in_a_test(finding: Finding) -> bool:
    name, kind, _ = finding
    return kind == KeywordDetector.secret_type and name.startswith("tests/")


def _files() -> Iterator[str]:
    """What is tracked, or would be if it were added."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if (TOP / name).is_file() and not _SKIPPED.match(name):
            yield name


def _known() -> set[Finding]:
    results = json.loads(BASELINE.read_text("utf-8"))["results"]
    return {(name, one["type"], one["hash"]) for name, ones in results.items() for one in ones}


def _write(findings: set[Finding]) -> None:
    results: dict[str, list[dict[str, str]]] = {}
    for name, kind, digest in sorted(findings):
        results.setdefault(name, []).append({"type": kind, "hash": digest})
    BASELINE.write_text(json.dumps({"results": results}, indent=2) + "\n", "utf-8")


def main(arguments: list[str]) -> int:
    """0 where nothing new is found."""
    findings = found(sorted(set(_files())))
    if arguments == ["--update"]:
        _write(findings)
        return 0
    new = sorted(findings - _known())
    for name, kind, _ in new:
        print(f"{name}: looks like a secret ({kind})", file=sys.stderr)
    if new:
        print(f"secrets: {__doc__}", file=sys.stderr)
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
