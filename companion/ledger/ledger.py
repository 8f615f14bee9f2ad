"""A ledger: events of many chains in one SQLite file to which the program only adds.

A ledger's `LedgerKind` says what a chain is, a match or a series of throws. Only a whole chain can be deleted from the
file, for good, if its owner wants that.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from companion.language.sentence import Sentence, why_of
from companion.ledger.entries import (
    GENESIS,
    DamagedJournalError,
    Entry,
    JournalError,
    JournalWriteError,
    MovedOnError,
    UnknownChainError,
    chained,
)
from companion.ledger.file import (
    ARRIVING,
    NEVER_REMOVED,
    arriving,
    close_as_it_is,
    is_of_a_share,
    open_file,
    open_read_only,
)
from companion.ledger.kind import LedgerKind
from companion.ledger.mirror import Mirror
from companion.ledger.tail import Gap
from companion.rules.strict_json import read_json

LARGEST_NUMBER = 2**63 - 1  # the largest that an SQLite file can hold

E = TypeVar("E")


class Ledger(Generic[E]):
    """An open ledger. One thread writes; others may open it read-only.

    A writable one keeps a second copy of its newest events, its tail. ``notice``: a sentence about what was found and
    done at opening, or None. A class for what it holds sets ``kind``.
    """

    kind: LedgerKind[E]

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        """Open the ledger; create it if it is missing and ``writable``.

        Raises:
            DamagedJournalError, NotAJournalError, NewerJournalError, JournalError: the file is left unchanged.
        """
        self.path = path
        self.notice: Sentence | None = None
        self._tips: dict[int, tuple[int, str]] = {}
        self._mirror: Mirror | None = None
        try:
            if writable:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = open_file(path, self.kind) if writable else open_read_only(path)
            if writable:
                self._mirror = self._mirrored()
                for chain in arriving(self._db):  # the program ended before it was whole
                    with suppress(JournalError):  # it stays hidden
                        self.abandon(chain)
        except (sqlite3.OperationalError, OSError) as why:
            if isinstance(why, sqlite3.Error) and is_of_a_share(why):
                raise JournalError(
                    Sentence(
                        "The journal {path} cannot be used ({why}): another program holds it, or its folder is a share "
                        "of the network, where no journal is safe. Name a file on a disk of this computer.",
                        path=str(path),
                        why=why_of(why),
                    )
                ) from why
            raise JournalError(
                Sentence(
                    "The journal {path} cannot be opened ({why}): name a writable file.",
                    path=str(path),
                    why=why_of(why),
                )
            ) from why
        except (sqlite3.DatabaseError, UnicodeError) as why:  # SQLite quotes a damaged schema as raw bytes
            raise DamagedJournalError(
                Sentence("The journal {path} is damaged ({why}).", path=str(path), why=why_of(why))
            ) from why

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _mirrored(self) -> Mirror:
        try:
            return Mirror(self._db, self.path, self.kind.chain)
        except BaseException:
            close_as_it_is(self._db, self.path)
            raise

    def close(self) -> None:
        """Close the file. Nothing is lost: every event was durable when its append returned."""
        self._db.close()
        if self._mirror is not None:
            self._mirror.close()

    @property
    def copy_trouble(self) -> Sentence | None:
        """What is or was wrong with the second copy of the newest events, None if nothing."""
        return None if self._mirror is None else self._mirror.trouble

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Acknowledged events known to be lost."""
        return () if self._mirror is None else self._mirror.gaps

    def lose(self, gaps: Sequence[Gap]) -> None:
        """Record beside the ledger which acknowledged events are lost."""
        if self._mirror is not None:
            self._mirror.lose(gaps)

    def open_chain(self, first: E, at: float, actor: str) -> int:
        """Write the first event of a new chain; return the chain's number."""
        chain = self.next_chain()
        self._tips[chain] = (0, GENESIS)
        self.append(chain, [first], at, actor)
        return chain

    def next_chain(self) -> int:
        """Return the number of the next chain."""
        row = self._db.execute(f"SELECT COALESCE(MAX({self.kind.chain}), 0) + 1 FROM events").fetchone()  # noqa: S608  (a word of our own)
        return int(row[0])

    def append(self, chain: int, events: Sequence[E], at: float, actor: str) -> list[Entry[E]]:
        """Write events, all or none; they are durable when this returns.

        Raises:
            JournalError: no such chain, in the words of the ledger's kind.
            JournalWriteError: the disk or another program prevented it; nothing was written.
        """
        number, digest = self._tip(chain)
        at = float(at)  # as the file returns it: the hash covers its written form
        entries = []
        for event in events:
            number += 1
            body = self.kind.written(event)
            digest = chained(digest, number, at, actor, body)
            entries.append(Entry(chain, number, at, actor, event, body, digest))
        self._insert([(entry, str(getattr(entry.event, "kind", ""))) for entry in entries])
        self._tips[chain] = (number, digest)
        return entries

    def arrive(self, chain: int, entries: Sequence[Entry[E]]) -> None:
        """Write the next entries of a chain from elsewhere under this number; nobody is shown it before `arrived`.

        What has not arrived when the ledger is opened again is deleted.

        Raises:
            JournalWriteError: nothing of them was written.
        """
        self._tips.pop(chain, None)
        mark = [(ARRIVING, ()), ("INSERT OR IGNORE INTO arriving VALUES (?)", (chain,))]
        self._insert([(replace(e, chain=chain), str(getattr(e.event, "kind", ""))) for e in entries], mark)

    def arrived(self, chain: int) -> None:
        """Show a chain whose last entries have come; the tail then knows it, so that no damage can hide it again.

        Raises:
            JournalWriteError: it stays hidden.
        """
        self._insert([], [("DELETE FROM arriving WHERE chain = ?", (chain,))])
        if self._mirror is not None:
            self._mirror.begin_again()

    def abandon(self, chain: int) -> None:
        """Delete what has arrived of a chain.

        Raises:
            JournalError: nothing of it is here, or it stays hidden until the ledger is opened again.
        """
        self._tips.pop(chain, None)
        self.forget(chain, self._tip(chain)[1])

    def restore(self, entries: Sequence[Entry[E]]) -> None:
        """Write entries unchanged, all or none: a rescued chain, which the caller has checked.

        Raises:
            JournalWriteError: nothing was written.
        """
        self._insert([(entry, str(getattr(entry.event, "kind", ""))) for entry in entries])

    def _insert(
        self, entries: Sequence[tuple[Entry[E], str]], first: Sequence[tuple[str, tuple[int, ...]]] = ()
    ) -> None:
        rows = [(e.chain, e.number, e.at, e.actor, kind, e.body, e.hash) for e, kind in entries]
        self.check_copy()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for statement, values in first:
                    self._db.execute(statement, values)
                self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as why:
            self._tips.clear()
            raise self._unwritten(why) from why
        if self._mirror is not None and not first:
            self._mirror.keep([entry for entry, _ in entries])

    def forget(self, chain: int, last_hash: str) -> bool:
        """Delete a whole chain for good: the only thing that a ledger ever deletes, because people may ask for it.

        SQLite overwrites its events in the file, and the log beside the file is emptied. Returns whether that is done;
        False means that somebody was reading just then, so the log is emptied when the ledger closes. ``last_hash``:
        the hash of the chain's last event; a chain that has gone on since somebody looked at it is left alone.

        Raises:
            JournalError: no such chain, in the words of the ledger's kind.
            MovedOnError: its last event is another one.
            JournalWriteError: nothing was removed.
        """
        if self._tip(chain)[1] != last_hash:
            raise MovedOnError(self.kind.say(self.kind.moved_on, chain))
        try:
            if self._mirror is not None:
                self._mirror.forgetting(chain)
            self._db.execute("PRAGMA secure_delete = ON")  # otherwise the bytes stay in the file
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.execute("DROP TRIGGER events_are_never_removed")
                self._db.execute(f"DELETE FROM events WHERE {self.kind.chain} = ?", (chain,))  # noqa: S608  (a word of our own)
                self._db.execute(NEVER_REMOVED)
                if chain in arriving(self._db):
                    self._db.execute("DELETE FROM arriving WHERE chain = ?", (chain,))
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._tips.pop(chain, None)
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except (sqlite3.Error, OSError) as why:
            self._tips.clear()
            raise self._unwritten(why) from why
        try:
            self.check_copy()
        except JournalWriteError:  # the tail still holds the chain, and its announced deletion
            return False
        return not busy

    def check_copy(self) -> None:
        """Check that the second copy takes events, if it did not the last time.

        Raises:
            JournalWriteError: the disk has no room for it.
        """
        try:
            if self._mirror is not None:
                self._mirror.make_ready()
        except OSError as why:
            raise self._unwritten(why) from why

    def _unwritten(self, why: sqlite3.Error | OSError) -> JournalWriteError:
        return JournalWriteError(
            Sentence(
                "The journal {path} could not be written ({why}): make sure that the disk has room and that no other "
                "companion uses the same journal.",
                path=str(self.path),
                why=why_of(why),
            )
        )

    def check_room(self) -> None:
        """Rewrite the file's first page unchanged, durably: after a refused event this shows whether there is room.

        Raises:
            JournalWriteError: there is none yet.
        """
        try:
            self._db.execute(f"PRAGMA user_version = {self.kind.schema}")
        except sqlite3.Error as why:
            raise JournalWriteError(f"The journal {self.path} still cannot be written ({why}).") from why
        self.check_copy()

    def _tip(self, chain: int) -> tuple[int, str]:
        if chain not in self._tips:
            last = f"SELECT number, hash FROM events WHERE {self.kind.chain} = ? ORDER BY number DESC LIMIT 1"  # noqa: S608  (a word of our own)
            row = self._db.execute(last, (chain,)).fetchone() if 0 < chain <= LARGEST_NUMBER else None
            if row is None:
                raise UnknownChainError(self.kind.say(self.kind.unknown, chain, path=str(self.path)))
            self._tips[chain] = (int(row[0]), str(row[1]))
        return self._tips[chain]

    def events(self, chain: int, after: int = 0) -> tuple[Entry[E], ...]:
        """Return the entries of a chain after the given number.

        Raises:
            JournalError: no such chain, in the words of the ledger's kind, or an entry cannot be read.
        """
        self._tip(chain)
        if chain in arriving(self._db):
            raise UnknownChainError(self.kind.say(self.kind.unknown, chain, path=str(self.path)))
        return tuple(
            self.kind.entry(row)
            for row in self._rows(f"WHERE {self.kind.chain} = ? AND number > ? ORDER BY number", chain, after)
        )

    def _rows(self, which: str, *values: int) -> sqlite3.Cursor:
        columns = f"{self.kind.chain}, number, at, actor, body, hash"
        return self._db.execute(f"SELECT {columns} FROM events {which}", values)  # noqa: S608  (words of our own)

    def broken(self) -> tuple[tuple[int, int], ...]:
        """Return chain and number of the first event in each chain whose hash does not follow from the one before."""
        found: dict[int, int] = {}
        digest, of = GENESIS, None
        for chain, number, at, actor, body, kept in self._rows(f"ORDER BY {self.kind.chain}, number"):
            before = digest if chain == of else GENESIS
            if chain not in found and kept != chained(before, number, at, actor, body):
                found[chain] = number
            digest, of = kept, chain
        return tuple(found.items())

    def mislabelled(self) -> bool:
        """Whether an event stands in the file under another kind than its own: hashes do not cover that column.

        An event that this program cannot read is no sign of that: its match says so where it is opened.
        """
        rows = self._db.execute("""SELECT kind, body FROM events WHERE instr(body, '"kind":"' || kind || '"') = 0""")
        return any(self._is_another(kind, body) for kind, body in rows)

    def _is_another(self, kind: str, body: str) -> bool:
        try:
            return kind != str(getattr(self.kind.read(read_json(body)), "kind", ""))
        except (ValueError, TypeError):
            return False

    def latest(self) -> tuple[int, ...]:
        """Return the numbers of all chains, the last written to first, whatever the clock showed then."""
        chain = self.kind.chain
        rows = self._db.execute(f"SELECT {chain} FROM events GROUP BY {chain} ORDER BY MAX(rowid) DESC")  # noqa: S608  (a word of our own)
        hidden = arriving(self._db)
        return tuple(int(row[0]) for row in rows if row[0] not in hidden)

    def count(self, kind: str) -> dict[int, int]:
        """Return how many events of a kind each chain has, by the chain's number; chains without any are left out."""
        chain = self.kind.chain
        rows = self._db.execute(f"SELECT {chain}, COUNT(*) FROM events WHERE kind = ? GROUP BY {chain}", (kind,))  # noqa: S608  (a word of our own)
        return {int(row[0]): int(row[1]) for row in rows}

    def ends(self, first: int = 0, count: int = -1, only: int | None = None) -> list[tuple[Entry[E], float, int, str]]:
        """Return each chain's first entry with time, number and hash of its last; the last written to comes first.

        ``first``: how many to skip; ``count``: how many to return at most, below zero all; ``only``: the one chain to
        return. A chain whose first entry cannot be read is left out; `unreadable` reports it.
        """
        return [end for end in self._ends(first, count, only) if not isinstance(end, Sentence)]

    def chains(self) -> int:
        """Return how many chains there are."""
        return int(self._db.execute(f"SELECT COUNT(*) FROM events a WHERE {self._begins_shown()}").fetchone()[0])  # noqa: S608  (words of our own)

    def unreadable(self) -> Sentence | None:
        """Report the last chain that begins with an unreadable event; None where all are readable."""
        return next((end for end in self._ends() if isinstance(end, Sentence)), None)

    def _ends(
        self, first: int = 0, count: int = -1, only: int | None = None
    ) -> list[tuple[Entry[E], float, int, str] | Sentence]:
        chain = self.kind.chain
        rows = self._db.execute(
            f"SELECT a.{chain}, a.number, a.at, a.actor, a.body, a.hash, b.at, b.number, b.hash"  # noqa: S608  (a word of our own)
            f" FROM events a JOIN events b ON b.{chain} = a.{chain} AND b.number ="
            f" (SELECT MAX(number) FROM events c WHERE c.{chain} = a.{chain})"
            f" WHERE {self._begins_shown()} AND a.{chain} = COALESCE(?, a.{chain})"
            f" ORDER BY b.at DESC, a.{chain} DESC LIMIT ? OFFSET ?",
            (only, count, first),
        )
        return [self._end(row) for row in rows.fetchall()]

    def _begins_shown(self) -> str:
        hidden = ", ".join(map(str, arriving(self._db)))
        return f"a.number = 1 AND a.{self.kind.chain} NOT IN ({hidden})"

    def _end(self, row: Sequence[Any]) -> tuple[Entry[E], float, int, str] | Sentence:
        try:
            return self.kind.entry(row[:6]), row[6], row[7], row[8]
        except JournalError as why:
            return why.sentence
