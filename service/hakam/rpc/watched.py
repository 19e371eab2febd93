"""Files that are read again when they change on disk: certificates and tokens.

Laws:
- Every file is read whole and judged before it is used; a change that is broken leaves in force
  what was there before, and one warning in the log.
- No line of the log and no error holds anything of a file's content.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

from structlog.typing import FilteringBoundLogger

from hakam.settings import SettingsError

__all__ = ["Watched"]

T = TypeVar("T")


class Watched(Generic[T]):
    """What `read` makes of the contents of some files, given in their order.

    `read` raises SettingsError for what is broken, and so does the constructor.
    """

    def __init__(
        self,
        paths: Sequence[str],
        read: Callable[[Sequence[bytes]], T],
        log: FilteringBoundLogger,
    ) -> None:
        self._paths: Final = tuple(map(Path, paths))
        self._read: Final = read
        self._log: Final = log
        self._lock: Final = Lock()
        self._seen = self._marks()
        self._value = self._load()

    def get(self) -> T:
        """The newest that could be read."""
        with self._lock:
            marks = self._marks()
            if marks != self._seen:
                self._seen = marks
                self._reload()
            return self._value

    def _reload(self) -> None:
        names = [str(path) for path in self._paths]
        try:
            self._value = self._load()
        except SettingsError as error:
            self._log.warning("kept", files=names, why=str(error))
        else:
            self._log.info("reloaded", files=names)

    def _load(self) -> T:
        return self._read([_content(path) for path in self._paths])

    def _marks(self) -> tuple[object, ...]:
        return tuple(_mark(path) for path in self._paths)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None


def _mark(path: Path) -> object:
    """What differs where a file was written or put in the place of another; None: there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
