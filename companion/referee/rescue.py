"""Opening a journal whatever state its file is in: what can be read is saved, the damaged file is kept aside."""

import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from companion.referee.journal import (
    DamagedJournalError,
    Entry,
    Journal,
    JournalError,
    NotAJournalError,
    read_row,
)
from companion.rules.sentence import Sentence

_MARK = b"events_come_in_order"  # stands in the schema of every journal, mostly on the file's first page
_BESIDE = ("", "-wal", "-shm")


def open_journal(path: Path) -> Journal:
    """Open a journal; where its file is damaged, open a new one with everything that could be read.

    The damaged file is kept beside it under another name. `Journal.notice` says what was found and done: also where
    the file is whole but an event in it is not the one that was written.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file is left as it is.
    """
    try:
        journal = Journal(path)
    except DamagedJournalError:
        if not _was_a_journal(path):
            raise NotAJournalError(
                f"Expected a journal, but {path} is another kind of file: name another one."
            ) from None
        return _rescued(path)
    try:
        changed = journal.broken()
        for match_id, _ in changed:
            journal.events(match_id)
    except (JournalError, sqlite3.Error, ValueError, TypeError):
        journal.close()
        return _rescued(path)
    if changed:
        journal.notice = _changed(changed)
    return journal


def _changed(found: Sequence[tuple[int, int]]) -> Sentence:
    return Sentence(
        "In the journal event {event} of match {match} is not the one that was written: somebody or something has "
        "changed the file.",
        match=found[0][0],
        event=found[0][1],
    )


def _rescued(path: Path) -> Journal:
    aside = _set_aside(path)
    found = _readable(aside)
    journal = Journal(path)
    for entries, _ in found:
        journal.restore(entries)
    said = Sentence(
        "The journal was damaged: {saved} events of {matches} matches were saved, {left} more could be read but do not "
        "follow from them; the damaged file is kept as {file}.",
        saved=sum(len(entries) for entries, _ in found),
        matches=sum(bool(entries) for entries, _ in found),
        left=sum(count for _, count in found),
        file=aside.name,
    )
    changed = journal.broken()
    journal.notice = Sentence("{damage} {changed}", damage=said, changed=_changed(changed)) if changed else said
    return journal


def _was_a_journal(path: Path) -> bool:
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


def _readable(aside: Path) -> list[tuple[list[Entry], int]]:
    """Return each match's entries up to the first that is missing or no event, and how many more there are."""
    rows: dict[tuple[int, int], tuple[Any, ...]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for ends in (_BESIDE, ("",)):  # once with what the log beside it still holds, once without
            copy = Path(folder) / f"copy{len(ends)}.db"
            for end in ends:
                part = aside.with_name(aside.name + end)
                if part.exists() and end != "-shm":
                    shutil.copyfile(part, copy.with_name(copy.name + end))
            for row in _scan(copy):
                rows.setdefault((int(row[0]), int(row[1])), row)
    found = []
    for _, lines in groupby(sorted(rows), key=lambda key: key[0]):
        keys = list(lines)
        entries: list[Entry] = []
        for number, key in enumerate(keys, start=1):
            try:
                entry = read_row(rows[key])
            except JournalError:
                break
            if entry.number != number:
                break
            entries.append(entry)
        found.append((entries, len(keys) - len(entries)))
    return found


def _scan(copy: Path) -> list[tuple[Any, ...]]:
    """Return every row that SQLite still gives, from either end: a bad page stops it only on that side."""
    rows: list[tuple[Any, ...]] = []
    with closing(sqlite3.connect(copy)) as db:
        db.text_factory = lambda data: data.decode("utf-8", "replace")
        db.execute("PRAGMA writable_schema = ON")  # without it SQLite reads nothing of a file that was cut short
        for order in ("ASC", "DESC"):
            try:
                cursor = db.execute(
                    "SELECT match, number, at, actor, body, hash FROM events NOT INDEXED "  # noqa: S608  (two fixed words)
                    f"ORDER BY rowid {order}"
                )
                while (row := cursor.fetchone()) is not None:
                    if isinstance(row[0], int) and isinstance(row[1], int):
                        rows.append(row)
            except (sqlite3.Error, UnicodeError):
                continue
    return rows
