"""Opening a ledger in any state of its file: everything readable is saved, the damaged file is kept."""

import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from companion.language.sentence import Listing, Sentence
from companion.ledger import comparison
from companion.ledger.entries import (
    GENESIS,
    DamagedJournalError,
    Entry,
    JournalError,
    NotAJournalError,
    breaks,
    chained,
)
from companion.ledger.file import BESIDE, arriving
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger
from companion.ledger.tail import END, Gap, Head, Tail, beside, read_tail, row_of

log = logging.getLogger(__name__)

_MARK = b"events_come_in_order"  # stands in the schema of every ledger, mostly on the file's first page
_LOG = ("-wal", "-shm")
_SQLITE = b"SQLite format 3"
_PAGE_BYTES = 512  # bytes; SQLite's files are whole pages of at least this

L = TypeVar("L", bound=Ledger[Any])


@dataclass(frozen=True)
class _Found:
    """What a damaged ledger and its tail still hold: whole chains, how many more events, and what is lost for good."""

    chains: Sequence[Sequence[Entry[Any]]]
    left: int
    lost: Sequence[Gap]
    gaps: Sequence[Gap]
    end_known: bool


def open_ledger(path: Path, make: type[L]) -> L:
    """Open a ledger; if its file is damaged, open a new one with everything that could be read.

    The damaged file is kept beside it under another name. `Ledger.notice` says what was found and done: also if the
    file is whole but an event in it is not the one that was written, or the beginning of a chain cannot be read. If the
    tail holds the event that was written, that one is put back.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file is left unchanged.
    """
    tail = _tail_of(path)  # as it is now: opening the ledger may begin it again
    try:
        ledger = make(path)
    except DamagedJournalError:
        if not _was_a_ledger(path):
            raise NotAJournalError(
                f"Expected a journal, but {path} is another kind of file: name another one."
            ) from None
        return _rescued(path, make, tail)
    try:
        changed = ledger.broken()
        mended = _mended(ledger, [chain for chain, _ in changed], tail) or ledger.mislabelled()
    except (JournalError, sqlite3.Error, ValueError, TypeError):
        mended = True
    if mended:
        ledger.close()
        return _rescued(path, make, tail)
    if changed:
        ledger.notice = _changed(ledger, changed)
        log.warning("%s", ledger.notice)
    ledger.notice = ledger.notice or ledger.unreadable()
    return ledger


def _changed(ledger: Ledger[Any], changed: Sequence[tuple[int, int]]) -> Sentence:
    """Say which event, by its chain and number, is the first that is not the one that was written."""
    chain, number = changed[0]
    return ledger.kind.say(ledger.kind.changed, chain, event=number)


def _mended(ledger: Ledger[Any], chains: Iterable[int], tail: Tail | None) -> bool:
    """Whether more events of these chains follow from those before them if the tail's are taken where they fit."""
    held = {} if tail is None else {key: row for key, row in tail.rows.items() if key[0] not in tail.forgotten}
    for chain in chains:
        kept = [row_of(entry) for entry in ledger.events(chain)]
        both = [[held[row[:2]], row] if row[:2] in held else [row] for row in kept]
        if breaks(_followed(ledger.kind, both)) < breaks(ledger.events(chain)):
            return True
    return False


def _rescued(path: Path, make: type[L], tail: Tail | None) -> L:
    """Build a whole ledger beside the damaged one, then put it in its place: a kill before that loses nothing."""
    new = path.with_name(f"{path.name}.rescued")
    _remove(new)
    try:
        with make(new) as building:
            found = _found(path, building.kind, tail)
            building.restore([entry for entries in found.chains for entry in entries])
            building.lose(found.gaps)
        aside = _put_in_place(new, path)
    finally:
        _remove(new)
    ledger = make(path)
    parts: dict[str, Any] = {
        "saved": sum(len(entries) for entries in found.chains),
        ledger.kind.chains: sum(bool(entries) for entries in found.chains),
        "left": found.left,
        "file": aside.name,
    }
    saved = Sentence.of(ledger.kind.rescued, **parts)
    ledger.notice = Sentence("{damage} {changed}", damage=saved, changed=_end(found, ledger.kind))
    if changed := ledger.broken():
        ledger.notice = Sentence("{damage} {changed}", damage=ledger.notice, changed=_changed(ledger, changed))
    log.warning("%s", ledger.notice)
    return ledger


def _end(found: _Found, kind: LedgerKind[Any]) -> Sentence:
    """Say which acknowledged events are missing."""
    if found.lost:
        return Sentence(
            "These saved events are missing: {where}.",
            where=Listing(kind.say(kind.lost, gap.chain, event=gap.after, lost=gap.lost) for gap in found.lost),
        )
    if found.end_known:
        return Sentence("According to its second copy, no saved event is missing.")
    return Sentence("There is no way of knowing whether events are missing at its end.")


def _was_a_ledger(path: Path) -> bool:
    """Whether the bytes still show a ledger of this program, or nothing but zeros, as after a power cut.

    Without its schema, only a tail beside it shows that: then any file with SQLite's size or beginning counts.
    """
    data = path.read_bytes()
    if _MARK in data or not data.strip(b"\0"):
        return True
    return beside(path).exists() and (len(data) % _PAGE_BYTES == 0 or data.startswith(_SQLITE))


def _put_in_place(new: Path, path: Path) -> Path:
    """Replace a damaged ledger with a new one; return the path of the damaged one."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for end in _LOG:  # first, or SQLite would take the old log for the new file's
        _move(path, aside, end)
    try:
        os.link(path, aside)
    except OSError:  # a file system without links
        shutil.copyfile(path, aside)
    new.replace(path)
    _move(path, aside, END)
    _move(new, path, END)
    return aside


def _move(one: Path, other: Path, end: str) -> None:
    part = one.with_name(one.name + end)
    if part.exists():
        part.replace(other.with_name(other.name + end))


def _remove(ledger: Path) -> None:
    for end in ("", *BESIDE):
        ledger.with_name(ledger.name + end).unlink(missing_ok=True)


def _found(path: Path, kind: LedgerKind[Any], tail: Tail | None) -> _Found:
    """Go through a damaged ledger and its tail."""
    rows = _candidates(path, kind.chain, tail)
    chains, left = [], 0
    for _, keys in groupby(sorted(rows), key=lambda key: key[0]):
        numbers = list(keys)
        entries = _followed(kind, [rows[key] for key in numbers])
        chains.append(entries)
        left += len(numbers) - len(entries)
    heads = {entries[0].chain: Head(len(entries), entries[-1].hash, entries[0].hash) for entries in chains if entries}
    tail = Tail() if tail is None else tail
    lost = [*comparison.lost(tail, heads).values()]
    gaps = [gap for gap in (*tail.gaps, *lost) if gap.chain in heads]
    return _Found(chains, left, lost, gaps, end_known=bool(tail.heads) and not tail.spoiled and not tail.torn)


def _tail_of(path: Path) -> Tail | None:
    try:
        return read_tail(beside(path))
    except OSError:
        return None


def _candidates(path: Path, chain: str, tail: Tail | None) -> Mapping[tuple[int, int], list[tuple[Any, ...]]]:
    """Return every event that can be read anywhere, by chain and number; the likeliest first."""
    rows: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    if tail is not None:
        rows = {key: [row] for key, row in tail.rows.items() if key[0] not in tail.forgotten}
    marked: frozenset[int] | None = None
    with tempfile.TemporaryDirectory() as folder:
        for ends in (("", "-wal"), ("",)):  # once with the contents of the log beside it, once without
            copy = Path(folder) / f"copy{len(ends)}.db"
            for end in ends:
                part = path.with_name(path.name + end)
                if part.exists():
                    shutil.copyfile(part, copy.with_name(copy.name + end))
            for row in _scan(copy, chain):
                rows.setdefault((row[0], row[1]), []).append(row)
            marked = _unfinished(copy) if marked is None else marked
    unfinished = set(marked or ())
    if tail is not None:
        unfinished -= tail.heads.keys() - tail.forgotten  # the tail knows whole chains only
    return {key: found for key, found in rows.items() if key[0] not in unfinished}


def _followed(kind: LedgerKind[Any], candidates: Iterable[Sequence[tuple[Any, ...]]]) -> list[Entry[Any]]:
    """Return a chain up to the first missing or unreadable event; of several readings, the one that follows."""
    entries: list[Entry[Any]] = []
    for number, rows in enumerate(candidates, start=1):
        before = entries[-1].hash if entries else GENESIS
        readable = [entry for row in rows if (entry := _entry(kind, row)) is not None and entry.number == number]
        if not readable:
            break
        follows = (e for e in readable if e.hash == chained(before, number, e.at, e.actor, e.body))
        entries.append(next(follows, readable[0]))
    return entries


def _entry(kind: LedgerKind[Any], row: Sequence[Any]) -> Entry[Any] | None:
    try:
        return kind.entry(row)
    except JournalError:
        return None


def _unfinished(copy: Path) -> frozenset[int] | None:
    """Return the chains that are marked as still coming in; None where the file is too damaged to say."""
    with closing(sqlite3.connect(copy)) as db, suppress(sqlite3.Error, UnicodeDecodeError):
        return arriving(db)
    return None


def _scan(copy: Path, chain: str) -> Sequence[tuple[Any, ...]]:
    """Return every row that SQLite still returns, from either end: a bad page stops it only on that side."""
    rows: list[tuple[Any, ...]] = []
    with closing(sqlite3.connect(copy)) as db:
        db.text_factory = lambda data: data.decode("utf-8", "replace")
        db.execute("PRAGMA writable_schema = ON")  # otherwise SQLite reads nothing of a file that was cut short
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
