"""Opening a journal whatever state its file is in: what can be read is saved, the damaged file is kept aside."""

import shutil
import sqlite3
import tempfile
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
    broken_at,
    read_row,
)
from companion.rules.sentence import Sentence

_MARK = b"events_come_in_order"  # stands in the schema of every journal, mostly on the file's first page
_BESIDE = ("", "-wal", "-shm")


def open_journal(path: Path) -> Journal:
    """Open a journal; where its file is damaged, open a new one with everything that could be read.

    The damaged file is kept beside it under another name, and `Journal.notice` says so.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file is left as it is.
    """
    try:
        return Journal(path)
    except DamagedJournalError:
        if not _was_a_journal(path):
            raise NotAJournalError(
                f"Expected a journal, but {path} is another kind of file: name another one."
            ) from None
    aside = _set_aside(path)
    found = _readable(aside)
    saved = [entry for match in found for entry in match[0]]
    left = sum(count for _, count in found)
    journal = Journal(path)
    for match, _ in found:
        journal.restore(match)
    journal.notice = Sentence(
        "The journal was damaged: {saved} events of {matches} matches were saved, {left} more could be read but do not "
        "follow from them; the damaged file is kept as {file}.",
        saved=len(saved),
        matches=sum(bool(match) for match, _ in found),
        left=left,
        file=aside.name,
    )
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
    """Return each match's entries that follow from each other, and how many more could be read but do not."""
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
        entries, count = [], 0
        for key in lines:
            count += 1
            try:
                entries.append(read_row(rows[key]))
            except JournalError:
                continue
        broken = broken_at(entries)
        good = entries if broken is None else entries[: broken - 1]
        found.append((good, count - len(good)))
    return found


def _scan(copy: Path) -> list[tuple[Any, ...]]:
    """Return every row that SQLite still gives, from either end: a bad page stops it only on that side."""
    rows: list[tuple[Any, ...]] = []
    with closing(sqlite3.connect(copy)) as db:
        for order in ("ASC", "DESC"):
            try:
                cursor = db.execute(
                    "SELECT match, number, at, actor, body, hash FROM events NOT INDEXED "  # noqa: S608  (two fixed words)
                    f"ORDER BY rowid {order}"
                )
                while (row := cursor.fetchone()) is not None:
                    if isinstance(row[0], int) and isinstance(row[1], int):
                        rows.append(row)
            except sqlite3.Error:
                continue
    return rows
