"""The tail: a second copy of a ledger's newest events, in a small file of its own beside the ledger's.

SQLite drops everything after a damaged page of its write-ahead log, and says nothing. The tail names the last event of
every chain, so that missing events are noticed, and holds the newest events whole, so that they can be restored.

The file is text. A line is eight hexadecimal digits of CRC-32, a space, and JSON: first ``tail`` (the form, and how
many lines of each kind follow before the first event), then the known gaps, the last event of each chain when the file
was begun, then every event since. Lines after a damaged one can still be found; their order does not matter.
"""

import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.ledger.entries import Entry
from companion.whole_file import make_durable

END: Final = "-tail"
"""The ending that the tail's file adds to the name of the ledger's."""

TAIL_FORM: Final = 1

Row = tuple[int, int, float, str, str, str]
"""One stored event: chain, number, at, actor, body, hash."""


class Head(NamedTuple):
    """The known end of a chain: number and hash of its last event, hash of its first."""

    number: int
    digest: str
    first: str


class Gap(NamedTuple):
    """Acknowledged events of a chain that are lost: how many (``lost``) after the event ``after``."""

    chain: int
    after: int
    lost: int


@dataclass
class Tail:
    """What a tail's file holds.

    ``heads``: the last known event of every chain; ``forgotten``: chains that were about to be deleted; ``spoiled``:
    the number of unreadable or missing lines; ``torn``: whether only the last thing written is unreadable, as after a
    power cut.
    """

    heads: dict[int, Head] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)
    rows: dict[tuple[int, int], Row] = field(default_factory=dict)
    forgotten: set[int] = field(default_factory=set)
    spoiled: int = 0
    torn: bool = False

    def without(self, chain: int) -> "Tail":
        """Return the same without one chain."""
        return Tail(
            {number: head for number, head in self.heads.items() if number != chain},
            [gap for gap in self.gaps if gap.chain != chain],
            {key: row for key, row in self.rows.items() if key[0] != chain},
        )


def beside(ledger: Path) -> Path:
    """Return the path of a ledger's tail."""
    return ledger.with_name(ledger.name + END)


def row_of(entry: Entry[Any]) -> Row:
    """Return an entry in its stored form."""
    return entry.chain, entry.number, entry.at, entry.actor, entry.body, entry.hash


def framed(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Return lines in the form of the file; an empty one first, so that a torn line before them damages none."""
    texts = [json.dumps(line, separators=(",", ":")).encode() for line in lines]
    return b"\n" + b"".join(b"%08x %s\n" % (zlib.crc32(text), text) for text in texts)


def events_framed(rows: Iterable[Row]) -> bytes:
    """Return events in the form of the file."""
    return framed({"event": row} for row in rows)


def forgetting_framed(chain: int) -> bytes:
    """Return the line that says that a chain is about to be deleted."""
    return framed([{"forget": chain}])


def write_tail(path: Path, heads: Mapping[int, Head], gaps: Iterable[Gap], rows: Iterable[Row]) -> None:
    """Replace the old file with a new one, whole or not at all; durable when this returns.

    A ledger without events has nothing to lose, so its tail becomes durable with the first one.

    Raises:
        OSError: the old one still exists.
    """
    gaps = list(gaps)
    top: dict[str, Any] = {"tail": TAIL_FORM, "gaps": len(gaps), "heads": len(heads)}
    lines = [top, *({"gap": gap} for gap in gaps), *({"head": (chain, *head)} for chain, head in heads.items())]
    new = path.with_name(path.name + ".new")
    try:
        new.touch(mode=0o600)
        with new.open("wb") as file:
            file.write(framed(lines) + events_framed(rows))
            file.flush()
            if heads:
                os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    if heads:
        make_durable(path.parent)


def read_tail(path: Path) -> Tail | None:
    """Return what can be read of a tail, None where there is none.

    Raises:
        OSError: the file exists but cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    tail, bad, expected = Tail(), 0, 0
    for line in data.split(b"\n"):
        if line and not _take(tail, line):
            bad += 1
        elif line:
            tail.spoiled, bad = tail.spoiled + bad, 0
            expected += _announced(line)
    tail.torn = bad > 0
    tail.spoiled += max(0, expected - len(tail.heads) - len(tail.gaps)) + (data.find(b'{"tail":') < 0)
    for key in sorted(tail.rows):
        _advance(tail, tail.rows[key])
    return tail


def read_gaps(ledger: Path) -> tuple[Gap, ...]:
    """Return the gaps that the tail of a ledger names, none if it cannot be read; reads only its first lines."""
    found = Tail()
    try:
        with beside(ledger).open("rb") as file:
            for line in file:
                if line.strip() and (not _take(found, line.rstrip(b"\n")) or found.heads or found.rows):
                    break
    except OSError:
        return ()
    return tuple(found.gaps)


def _announced(line: bytes) -> int:
    top = json.loads(line[9:])
    return int(top["gaps"] + top["heads"]) if "tail" in top else 0


def _take(tail: Tail, line: bytes) -> bool:
    """Take in one line; return whether it is whole."""
    text = line[9:]
    if line[:9] != b"%08x " % zlib.crc32(text):
        return False
    try:
        match json.loads(text):
            case {"event": [int(chain), int(number), int() | float() as at, str(actor), str(body), str(digest)]}:
                tail.rows[chain, number] = (chain, number, at, actor, body, digest)
            case {"head": [int(chain), int(number), str(digest), str(first)]}:
                tail.heads[chain] = Head(number, digest, first)
            case {"gap": [int(chain), int(after), int(lost)]}:
                tail.gaps.append(Gap(chain, after, lost))
            case {"forget": int(chain)}:
                tail.forgotten.add(chain)
            case {"tail": 1, "gaps": int(), "heads": int()}:
                pass
            case _:
                return False
    except ValueError:
        return False
    return True


def _advance(tail: Tail, row: Row) -> None:
    chain, number, _, _, _, digest = row
    head = tail.heads.get(chain)
    if head is None or number > head.number:
        first = head.first if head is not None else digest if number == 1 else ""
        tail.heads[chain] = Head(number, digest, first)
