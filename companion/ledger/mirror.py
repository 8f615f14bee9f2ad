"""Keeping the tail beside an open ledger: compared at opening, written after every commit, begun again when it is long.

The order makes the comparison meaningful. An event is durable first in the ledger, then in the tail, and only then
acknowledged. So wherever the power fails, a ledger behind its tail has lost something, and one that is ahead by one
addition has lost nothing. A deletion goes the other way round: it is in the tail before it is in the ledger. The tail
is begun again only when SQLite has emptied its log into the main file, so it always holds what a damaged log can lose.
"""

import errno
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from companion.language.sentence import Sentence, why_of
from companion.ledger.comparison import LedgerComparison, compare, heads_of, rows_behind
from companion.ledger.entries import DamagedJournalError, Entry
from companion.ledger.file import MARK, MARKED
from companion.ledger.tail import (
    Gap,
    beside,
    events_framed,
    forgetting_framed,
    read_tail,
    row_of,
    write_tail,
)

log = logging.getLogger(__name__)

TAIL_BYTES: Final = 1 << 20
"""Bytes of events after which a tail is begun again; about 700 events of a match."""

RETRY_BYTES: Final = 1 << 16
"""Bytes of events between two attempts, while a reader of the ledger keeps its log from being emptied."""

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_sync: Final[Callable[[int], None]] = getattr(os, "fdatasync", os.fsync)


class Mirror:
    """The tail of one ledger that is open for writing; for the ledger's thread alone.

    ``gaps``: acknowledged events known to be lost.
    """

    def __init__(self, db: sqlite3.Connection, ledger: Path, chain: str) -> None:
        """``chain``: the column that numbers the chains.

        Raises:
            DamagedJournalError: the ledger lacks events that its tail has; both are left unchanged.
            sqlite3.Error: the ledger cannot be read.
        """
        self._db = db
        self._ledger = ledger
        self._chain = chain
        self.path = beside(ledger)
        self.gaps: tuple[Gap, ...] = ()
        self._found: Sentence | None = None  # what was wrong at opening, now repaired
        self._unwritten: Sentence | None = None  # why the tail cannot be written now
        self._file = -1
        self._length = 0  # bytes of events
        self._try_at = TAIL_BYTES
        self._stale = True  # the file must not be continued
        with self._locked():
            self._examine()
        try:
            self.make_ready()
        except OSError:
            log.warning("the journal is opened all the same")

    @property
    def trouble(self) -> Sentence | None:
        """What is or was wrong with the tail, None if nothing."""
        return self._unwritten or self._found

    def make_ready(self) -> None:
        """Before an addition: begin the tail again if it cannot be continued.

        Raises:
            OSError: there is no room, so there is soon none for the ledger either.
        """
        if not self._stale:
            return
        try:
            self.renew()
        except OSError as why:
            self._cannot_write(why)
            if why.errno in _NO_ROOM:
                raise
        except sqlite3.Error as why:
            self._cannot_write(why)

    def keep(self, entries: Sequence[Entry[Any]]) -> None:
        """Store durably what the ledger has just stored; errors are only reported, as the ledger has the events."""
        if self._stale:
            return
        try:
            self._append(events_framed(map(row_of, entries)))
        except OSError as why:
            self._cannot_write(why)
            self.begin_again()
        if self._length > self._try_at:
            self._try_at = self._length + RETRY_BYTES
            self._shorten()

    def forgetting(self, chain: int) -> None:
        """Before a chain is deleted: record that it is not lost.

        Raises:
            OSError: the tail could not record it.
        """
        self.make_ready()
        if self._stale and self.path.exists():
            raise OSError(errno.EIO, str(self._unwritten))
        if not self._stale:
            self._append(forgetting_framed(chain))
        self._stale = True  # also if the deletion fails: the tail no longer guards this chain

    def begin_again(self) -> None:
        """Begin the tail again, for a chain that has just arrived; errors are only reported, as the ledger has it."""
        self._stale = True
        with suppress(OSError):
            self.make_ready()

    def lose(self, gaps: Sequence[Gap]) -> None:
        """Record what is lost, for good."""
        self.gaps = tuple(gaps)
        self._stale = True
        self.make_ready()

    def renew(self) -> None:
        """Begin the tail again with the head of every chain, and with what the log could still lose.

        Raises:
            OSError, sqlite3.Error: the old one still exists.
        """
        before = heads_of(self._db, self._chain)
        emptied = self._empty_log()
        with self._locked():
            now = heads_of(self._db, self._chain)
            old = None if emptied else read_tail(self.path)
            rows = [] if old is None else [row for row in old.rows.values() if row[0] in now]
            rows += rows_behind(self._db, self._chain, before if old is None else old.heads, now)
            self.gaps = tuple(gap for gap in self.gaps if gap.chain in now)
            self.close()
            write_tail(self.path, now, self.gaps, rows)
        self._open()
        self._length = sum(len(row[4]) for row in rows)
        self._try_at = max(TAIL_BYTES, self._length + RETRY_BYTES)
        self._stale, self._unwritten = False, None
        self._db.execute(MARKED)

    def close(self) -> None:
        """Close the file without removing it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _examine(self) -> None:
        try:
            tail = read_tail(self.path)
        except OSError:
            self._notify_defective()
            return
        if tail is None:
            self._examine_none()
            return
        found = compare(self._db, self._chain, tail)
        self._judge(found)
        self.gaps = tuple(tail.gaps)
        if found.current:
            self._length = sum(len(row[4]) for row in tail.rows.values())
            self._go_on()

    def _examine_none(self) -> None:
        had_one = self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (MARK,)).fetchone()
        if had_one:
            self._notify(
                Sentence(
                    "The second copy of the journal, {file}, was not there: a new one is made, but there is no way "
                    "of knowing whether events are missing at the journal's end.",
                    file=self.path.name,
                )
            )

    def _judge(self, found: LedgerComparison) -> None:
        if found.lost:
            raise DamagedJournalError(
                Sentence(
                    "The journal {path} is missing {lost} saved events.",
                    path=str(self._ledger),
                    lost=sum(gap.lost for gap in found.lost.values()),
                )
            )
        if found.foreign:
            kept = self._set_aside()
            self._notify(
                Sentence(
                    "The second copy of the journal, {file}, belongs to another journal or to another state of this "
                    "one: it is kept as {kept}, and a new one is made.",
                    file=self.path.name,
                    kept=kept.name,
                )
            )
        if found.defective:
            self._notify_defective()

    def _set_aside(self) -> Path:
        number = 1
        while (kept := self.path.with_name(f"{self._ledger.name}.damaged-tail-{number}")).exists():
            number += 1
        return self.path.rename(kept)

    def _notify_defective(self) -> None:
        self._notify(
            Sentence(
                "The second copy of the journal, {file}, was damaged or incomplete: a new one is made from the "
                "journal, in which nothing is known to be missing.",
                file=self.path.name,
            )
        )

    def _notify(self, found: Sentence) -> None:
        self._found = found
        log.warning("%s", found)

    def _cannot_write(self, why: Exception) -> None:
        sentence = Sentence(
            "The second copy of the journal, {file}, cannot be written ({why}): until it can, the journal is in one "
            "file only.",
            file=self.path.name,
            why=why_of(why),
        )
        if sentence != self._unwritten:
            log.warning("%s", sentence)
        self._unwritten = sentence

    def _go_on(self) -> None:
        try:
            self._open()
        except OSError as why:
            self._cannot_write(why)
        else:
            self._stale = False

    def _open(self) -> None:
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))

    def _append(self, block: bytes) -> None:
        self._write(block)
        while not self._in_place():  # another process has begun the tail again since
            self.close()
            self._open()
            self._write(block)
        self._length += len(block)

    def _write(self, block: bytes) -> None:
        left = memoryview(block)
        while left:
            left = left[os.write(self._file, left) :]
        _sync(self._file)

    def _in_place(self) -> bool:
        return os.path.samestat(os.fstat(self._file), self.path.stat())

    def _shorten(self) -> None:
        try:
            if self._empty_log():
                self.renew()
        except (OSError, sqlite3.Error) as why:
            log.warning("the second copy of the journal goes on growing: %s", why)
            self._stale = self._file < 0

    def _empty_log(self) -> bool:
        """Have SQLite empty its log into the main file; False if somebody is reading just then."""
        patience = self._db.execute("PRAGMA busy_timeout").fetchone()[0]
        self._db.execute("PRAGMA busy_timeout = 0")
        try:
            return not self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError:
            return False
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(patience)}")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes from adding anything meanwhile."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")
