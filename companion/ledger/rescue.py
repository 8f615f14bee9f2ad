"""Opening a ledger whatever state its file is in: what can be read is saved, the damaged file is kept aside."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, TypeVar

from companion.ledger.entries import DamagedJournalError, Entry, JournalError, NotAJournalError
from companion.ledger.ledger import Kind, Ledger
from companion.rules.sentence import Sentence

_MARK = b"events_come_in_order"  # stands in the schema of every ledger, mostly on the file's first page
_BESIDE = ("", "-wal", "-shm")

L = TypeVar("L", bound=Ledger[Any])


class Words(Protocol):
    """How it is said what was found: a match or a series is called by its own name."""

    def changed(self, chain: int, number: int) -> Sentence:
        """Say that an event of a chain is not the one that was written."""
        ...

    def rescued(self, events: int, chains: int, left: int, file: str) -> Sentence:
        """Say how many events of how many chains were saved, how many more could be read, and where the file is."""
        ...


def open_ledger(path: Path, make: Callable[[Path], L], words: Words) -> L:
    """Open a ledger; where its file is damaged, open a new one with everything that could be read.

    The damaged file is kept beside it under another name. `Ledger.notice` says what was found and done: also where
    the file is whole but an event in it is not the one that was written.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file is left as it is.
    """
    try:
        ledger = make(path)
    except DamagedJournalError:
        if not _was_a_ledger(path):
            raise NotAJournalError(
                f"Expected a journal, but {path} is another kind of file: name another one."
            ) from None
        return _rescued(path, make, words)
    try:
        changed = ledger.broken()
        for chain, _ in changed:
            ledger.events(chain)
    except (JournalError, sqlite3.Error, ValueError, TypeError):
        ledger.close()
        return _rescued(path, make, words)
    if changed:
        ledger.notice = words.changed(*changed[0])
    return ledger


def _rescued(path: Path, make: Callable[[Path], L], words: Words) -> L:
    aside = _set_aside(path)
    ledger = make(path)
    found = _readable(aside, ledger.kind)
    for entries, _ in found:
        ledger.restore(entries)
    said = words.rescued(
        sum(len(entries) for entries, _ in found),
        sum(bool(entries) for entries, _ in found),
        sum(count for _, count in found),
        aside.name,
    )
    changed = ledger.broken()
    ledger.notice = Sentence("{damage} {changed}", damage=said, changed=words.changed(*changed[0])) if changed else said
    return ledger


def _was_a_ledger(path: Path) -> bool:
    """Whether the bytes still show that this was ours, or show nothing at all (zeros after a power cut)."""
    data = path.read_bytes()
    return _MARK in data or not data.strip(b"\0")


def _set_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for end in _BESIDE:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))
    return aside


def _readable(aside: Path, kind: Kind[Any]) -> list[tuple[list[Entry[Any]], int]]:
    """Return each chain's entries up to the first that is missing or no event, and how many more there are."""
    rows: dict[tuple[int, int], tuple[Any, ...]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for ends in (_BESIDE, ("",)):  # once with what the log beside it still holds, once without
            copy = Path(folder) / f"copy{len(ends)}.db"
            for end in ends:
                part = aside.with_name(aside.name + end)
                if part.exists() and end != "-shm":
                    shutil.copyfile(part, copy.with_name(copy.name + end))
            for row in _scan(copy, kind.chain):
                rows.setdefault((int(row[0]), int(row[1])), row)
    found = []
    for _, lines in groupby(sorted(rows), key=lambda key: key[0]):
        keys = list(lines)
        entries: list[Entry[Any]] = []
        for number, key in enumerate(keys, start=1):
            try:
                entry = kind.entry(rows[key])
            except JournalError:
                break
            if entry.number != number:
                break
            entries.append(entry)
        found.append((entries, len(keys) - len(entries)))
    return found


def _scan(copy: Path, chain: str) -> Sequence[tuple[Any, ...]]:
    """Return every row that SQLite still gives, from either end: a bad page stops it only on that side."""
    rows: list[tuple[Any, ...]] = []
    with closing(sqlite3.connect(copy)) as db:
        db.text_factory = lambda data: data.decode("utf-8", "replace")
        db.execute("PRAGMA writable_schema = ON")  # without it SQLite reads nothing of a file that was cut short
        for order in ("ASC", "DESC"):
            try:
                cursor = db.execute(
                    f"SELECT {chain}, number, at, actor, body, hash FROM events NOT INDEXED "  # noqa: S608  (words of our own)
                    f"ORDER BY rowid {order}"
                )
                while (row := cursor.fetchone()) is not None:
                    if isinstance(row[0], int) and isinstance(row[1], int):
                        rows.append(row)
            except (sqlite3.Error, UnicodeError):
                continue
    return rows
