"""Throws of a die as people record them: a table of single throws in their order, or of counts, as CSV or JSON."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Outcomes
from companion.rules.die import Die
from companion.rules.strict_json import StrictJsonError, read_json

MOST_THROWS: Final = 1_000_000
GROUPS: Final = ("session", "hand", "die")
"""Columns that may give the group of each throw."""


class RecordError(ValueError):
    """The program cannot understand a file of throws; the text is one sentence that says where and what it expected."""


@dataclass(frozen=True, eq=False)
class Record:
    """Throws of one die. ``shown``: places of outcomes in their order (n), None if only ``counts`` (k) are known.

    ``groups``: for each kind of group that the file names (`session`, `hand`, `die`), the group of each throw.
    """

    counts: Counts
    shown: Counts | None
    groups: Mapping[str, Sequence[str]]


def read_record(text: str, outcomes: Outcomes, die: Die) -> Record:
    """Read throws.

    As CSV with a header: a column ``face`` with one throw a line (and perhaps ``session``, ``hand``, ``die``), or the
    columns ``face`` and ``count``. As JSON: a list of faces, a list of objects with those names, or an object of counts
    by face. The text of a face is that on the die; letters may be in any order.

    Raises:
        RecordError: anything else.
    """
    rows = _numbered(text)
    return _record_of(rows, outcomes, _places(outcomes, die))


def read_records(text: str, outcomes: Outcomes, die: Die) -> dict[str, Record]:
    """Read the throws of several dice, which a column ``die`` tells apart; one record a die, by its name, in order.

    The name is empty if the file has no such column. If the table has a column ``suspected``, lines without a face are
    throws that were not read, and the result leaves them out.

    Raises:
        RecordError: as `read_record`.
    """
    by_die: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, row in _numbered(text):
        if row.get("face") or "suspected" not in row:
            by_die.setdefault(row.get("die") or "", []).append((number, row))
    known = _places(outcomes, die)
    return {name: _record_of(rows, outcomes, known) for name, rows in by_die.items()}


def _record_of(rows: Sequence[tuple[int, Mapping[str, str]]], outcomes: Outcomes, known: Mapping[str, int]) -> Record:
    if "count" in rows[0][1]:
        counts = np.zeros(len(outcomes.labels), np.int64)
        for number, row in rows:
            counts[_place(row, number, known)] += _count(row, number)
        return Record(counts, None, {})
    shown = np.array([_place(row, number, known) for number, row in rows], np.int64)
    groups = {
        name: [row.get(name) or "" for _, row in rows] for name in GROUPS if any(row.get(name) for _, row in rows)
    }
    return Record(np.bincount(shown, minlength=len(outcomes.labels)), shown, groups)


def _numbered(text: str) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a file, each with its number."""
    rows = _rows(text)
    if not rows:
        raise RecordError("Expected throws, but the file holds none: write one face a line below the word face.")
    if len(rows) > MOST_THROWS:
        raise RecordError(f"Expected at most {MOST_THROWS} lines, but the file has {len(rows)}.")
    return list(enumerate(rows, 1))


def _rows(text: str) -> list[dict[str, str]]:
    plain = text.lstrip("\ufeff").strip()
    if plain.startswith(("[", "{")):
        return _from_json(plain)
    try:
        found = csv.DictReader(io.StringIO(plain), delimiter=";" if ";" in plain.partition("\n")[0] else ",")
        rows = [{str(name).strip().lower(): str(value or "").strip() for name, value in row.items()} for row in found]
    except csv.Error as why:
        raise RecordError(f"Expected a table of throws as CSV or JSON, but it cannot be read: {why}.") from why
    if rows and "face" not in rows[0]:
        raise RecordError(f"Expected a column named face, but the columns are {', '.join(rows[0])}.")
    return rows


def _from_json(text: str) -> list[dict[str, str]]:
    try:
        data = read_json(text)
    except StrictJsonError as why:
        raise RecordError(f"Expected throws as JSON, but it cannot be read: {why.reason}.") from why
    if isinstance(data, dict):
        return [{"face": str(face), "count": str(count)} for face, count in data.items()]
    rows = []
    for number, entry in enumerate(data, 1):
        if isinstance(entry, dict):
            row: Mapping[str, Any] = entry
        elif isinstance(entry, str | int) and not isinstance(entry, bool):
            row = {"face": entry}
        else:
            raise RecordError(f"Expected a face or an object with a face as throw {number}, but got {entry!r:.60}.")
        rows.append({str(name): "" if value is None else str(value) for name, value in row.items()})
    return rows


def _places(outcomes: Outcomes, die: Die) -> dict[str, int]:
    """Return the place of each outcome under every way of writing it."""
    known = {label: place for place, label in enumerate(outcomes.labels)}
    for face in die.faces:
        if face.text in known:
            known.setdefault("".join(sorted(face.text)), known[face.text])
    return known


def _place(row: Mapping[str, str], number: int, known: Mapping[str, int]) -> int:
    face = row.get("face", "").strip()
    for written in (face, face.upper(), "".join(sorted(face.upper()))):
        if written in known:
            return known[written]
    faces = ", ".join(dict.fromkeys(known))
    raise RecordError(f"Expected one of the faces {faces} as throw {number}, but got {face!r:.40}.")


def _count(row: Mapping[str, str], number: int) -> int:
    written = row.get("count", "")
    if not written.isdecimal() or int(written) > MOST_THROWS:
        raise RecordError(f"Expected a whole number from 0 to {MOST_THROWS} in line {number}, but got {written!r:.40}.")
    return int(written)
