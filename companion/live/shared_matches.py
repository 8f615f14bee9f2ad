"""What a table keeps of the matches that it shares with another one: its secret for their dice, and the line."""

import json
import secrets
import threading
from pathlib import Path
from typing import Annotated, Final

import msgspec

from companion.rules.strict_json import read_json
from companion.whole_file import write_whole

FILE_END: Final = "-shared"
"""The ending of the file beside a journal."""

MOST_KEPT: Final = 50
"""Shared matches whose lines are kept; of older ones the line is gone and the match stays in the journal."""

SECRET_BYTES: Final = 32


class SharedLine(msgspec.Struct, frozen=True):
    """The line of one shared match.

    ``secret``: from which this table's part of common throws comes, hexadecimal. A table that invited another has the
    ``code`` by which that one joins, and the digest of its key once it has joined (``joined``). A table that joined
    another has its address, the fingerprint of its certificate, and its own ``key`` there; or it joined over the
    ``hall`` of both. In a hall, ``guest`` is the other table's name. ``unseen``: what this table opens of the real dice
    that it threw last for the other one, "" for none.
    """

    secret: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    code: str = ""
    joined: str = ""
    host: str = ""
    port: int = 0
    fingerprint: str = ""
    key: str = ""
    hall: bool = False
    guest: str = ""
    unseen: str = ""


class SharedMatches:
    """The lines by the common name of their match, newest last. Thread-safe."""

    def __init__(self, journal: Path) -> None:
        """``journal``: beside which they are kept; an unreadable file counts as an empty one, and is replaced."""
        self._path = journal.with_name(journal.name + FILE_END)
        self._lock = threading.Lock()
        self._lines: dict[str, SharedLine] | None = None

    def _read(self) -> dict[str, SharedLine]:
        if self._lines is None:
            try:
                self._lines = msgspec.convert(read_json(self._path.read_bytes()), dict[str, SharedLine])
            except (OSError, ValueError):
                self._lines = {}
        return self._lines

    def line(self, match: str) -> SharedLine | None:
        """Return the line of a match, None if none is known."""
        with self._lock:
            return self._read().get(match)

    def keep(self, match: str, line: SharedLine) -> None:
        """Keep the line of a match.

        Raises:
            OSError: the file cannot be written.
        """
        with self._lock:
            self._keep(match, line)

    def _keep(self, match: str, line: SharedLine) -> None:
        lines = {name: one for name, one in self._read().items() if name != match} | {match: line}
        lines = dict(list(lines.items())[-MOST_KEPT:])
        data = json.dumps(msgspec.to_builtins(lines), ensure_ascii=False, indent=1).encode()
        write_whole(self._path, data, mode=0o600, folders=True)
        self._lines = lines

    def secret(self, match: str) -> bytes:
        """Return this table's secret for a match, a new one where it has none yet.

        Raises:
            OSError: a new one cannot be kept.
        """
        with self._lock:
            line = self._read().get(match)
            if line is None:
                line = new_line()
                self._keep(match, line)
            return bytes.fromhex(line.secret)

    def keep_unseen(self, match: str, opening: str) -> None:
        """Keep what this table will open; the journal has it only then, since a hall may read that.

        Raises:
            OSError: it cannot be kept.
        """
        with self._lock:
            self._keep(match, msgspec.structs.replace(self._read().get(match) or new_line(), unseen=opening))

    def unseen(self, match: str) -> str:
        """Return what `keep_unseen` kept last, "" for nothing."""
        with self._lock:
            line = self._read().get(match)
            return "" if line is None else line.unseen


def new_line() -> SharedLine:
    """Return a line that has nothing but a new secret."""
    return SharedLine(secrets.token_hex(SECRET_BYTES))
