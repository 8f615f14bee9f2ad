"""The throws themselves as a table, one a line, which a spreadsheet opens and the laboratory reads again."""

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, get_args

from companion.fairness.account import CountedThrow, DieAccount, How
from companion.fairness.outcomes import Outcomes
from companion.fairness.tables.lines import MOST_THROWS, RecordError
from companion.fairness.tables.wholeness import WholeTable, checked, with_links
from companion.spreadsheet import as_csv

EARLIER: Final = ("number", "at", "face", "suspected", "how", "asked", "corrected", "session", "hand", "digest")
"""The columns of a table that an earlier version wrote."""

UNCHAINED: Final = (*EARLIER, "first", "withdrawn", "audited", "by", "reason", "together")
"""The columns of a table that the version before this one wrote."""

COLUMNS: Final = (*UNCHAINED, "chain")
"""The columns of the table; ``at`` is UTC in ISO 8601; ``asked``, ``corrected``, ``withdrawn``, ``audited`` 0 or 1."""


def to_csv(account: DieAccount) -> str:
    """Return the throws as CSV with `COLUMNS`, or face and count if only counts are known; lines end with CR and LF.

    An apostrophe precedes a cell that a spreadsheet might take for a formula; `read_table` removes it.
    """
    labels = account.outcomes.labels
    if account.throws is None:
        counted = [*zip(labels, account.counts.tolist(), strict=True)]
        return as_csv([("face", "count"), *counted, *([("?", account.unread)] if account.unread else ())])
    rows = ([str(one.number), *_plain(one[1:], labels)] for one in account.throws)
    # a table with faults must not look whole when it is written again
    linked = ((row, "") for row in rows) if account.faults else with_links(rows, len(account.throws))
    return as_csv([COLUMNS, *((*row, link) for row, link in linked)])


def rows_of(account: DieAccount) -> list[dict[str, str | int | None]]:
    """Return the throws as in a report's JSON: the columns of the table by name; empty if only counts are known."""
    return [_row(one, account.outcomes.labels) for one in account.throws or ()]


def _row(one: CountedThrow, labels: Sequence[str]) -> dict[str, str | int | None]:
    return {
        "number": one.number,
        "at": _moment(one.at) or None,
        "face": None if one.outcome is None else labels[one.outcome],
        "suspected": None if one.suspected is None else labels[one.suspected],
        "how": one.how,
        "asked": one.asked,
        "corrected": one.corrected,
        "session": one.session,
        "hand": one.hand,
        "digest": one.digest,
        "first": None if one.first is None else labels[one.first],
        "withdrawn": one.withdrawn,
        "audited": one.audited,
        "by": one.by,
        "reason": one.reason,
        "together": one.together,
    }


def is_sequence(text: str) -> bool:
    """Tell whether a text is a table in the form of `to_csv`, perhaps saved again by a spreadsheet."""
    return _separator(text) is not None


def _separator(text: str) -> str | None:
    """Return what stands between the columns of such a table, None if it is no such table."""
    head = text.lstrip("\ufeff").partition("\n")[0].strip()
    names = {of.join(columns): of for of in ",;\t" for columns in (EARLIER, UNCHAINED, COLUMNS)}
    return names.get(head.replace('"', ""))


def read_sequence(text: str, outcomes: Outcomes) -> tuple[CountedThrow, ...]:
    """Read a table in the form of `to_csv`, row by row.

    Raises:
        RecordError: it has a line that makes no sense.
    """
    return _throws(list(_rows(text)), outcomes)


def read_table(text: str, outcomes: Outcomes) -> WholeTable:
    """Read a table in the form of `to_csv`, and whether it is whole.

    Raises:
        RecordError: as `read_sequence`.
    """
    cells = list(_rows(text))
    return checked(_throws(cells, outcomes), [row[:-1] for row in cells], [row[-1] for row in cells])


def verified(text: str) -> tuple[WholeTable, str]:
    """Return a table in the form of `to_csv` by its numbers and links alone, and its last link: empty without a chain.

    Raises:
        RecordError: it is no such table.
    """
    if not is_sequence(text):
        raise RecordError(f"Expected a table that the laboratory wrote, with the columns {', '.join(COLUMNS)}.")
    cells = list(_rows(text))
    throws = [CountedThrow(_whole(row[0], line), None, "file") for line, row in enumerate(cells, 1)]
    _refuse_doubles(throws)
    return checked(throws, [row[:-1] for row in cells], [row[-1] for row in cells]), cells[-1][-1]


def _throws(rows: Sequence[Sequence[str]], outcomes: Outcomes) -> tuple[CountedThrow, ...]:
    throws = [_thrown(dict(zip(COLUMNS, cells, strict=True)), line, outcomes) for line, cells in enumerate(rows, 1)]
    _refuse_doubles(throws)
    return tuple(throws)


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row under `COLUMNS`, empty where an earlier version has no such column."""
    written = io.StringIO(text.lstrip("\ufeff"), newline="")
    line = 0
    try:
        for line, row in enumerate(csv.DictReader(written, delimiter=_separator(text) or ","), 1):
            if line > MOST_THROWS:
                raise RecordError(f"Expected at most {MOST_THROWS} throws, but the file has more.")
            yield [(row.get(name) or "").removeprefix("'") for name in COLUMNS]
    except csv.Error as why:
        raise RecordError(f"Expected a table of throws, but it cannot be read: {why}.") from why
    if not line:
        raise RecordError("Expected throws, but the file holds none.")


def _refuse_doubles(throws: Sequence[CountedThrow]) -> None:
    """Refuse a table that holds a throw more often than it fell: nobody knows which rows are right."""
    numbers: set[int] = set()
    pictures: dict[str, int] = {}
    for one in throws:
        if one.number in numbers:
            raise RecordError(f"Expected each throw once, but number {one.number} occurs twice: delete the copy.")
        numbers.add(one.number)
        if one.digest and not one.withdrawn:
            pictures[one.digest] = pictures.get(one.digest, 0) + 1
            if pictures[one.digest] > one.together:
                raise RecordError(
                    f"Expected each throw once, but an earlier throw has the picture of throw {one.number} too: "
                    "delete the copy."
                )


@lru_cache(maxsize=4096)  # many throws of a file differ by their numbers alone
def _plain(after_number: tuple[Any, ...], labels: tuple[str, ...]) -> list[str]:
    """Return the cells after the number, as a row's link covers them: without what protects a spreadsheet."""
    row = _row(CountedThrow(0, *after_number), labels)
    return [
        value.encode("utf-8", "replace").decode()
        if isinstance(value, str)
        else ""
        if value is None
        else str(int(value))
        for name, value in row.items()
        if name != "number"
    ]


def _thrown(row: Mapping[str, str], line: int, outcomes: Outcomes) -> CountedThrow:
    how = next((one for one in _HOW if one == row["how"]), None)
    if how is None:
        raise RecordError(f"Expected one of {', '.join(_HOW)} as how of throw {line}, but got {row['how']!r:.40}.")
    number, together = (_whole(row[name] or default, line) for name, default in (("number", ""), ("together", "1")))
    return CountedThrow(
        number=number,
        outcome=_place(row["face"], line, outcomes),
        how=how,
        at=_seconds(row["at"], line),
        suspected=_place(row["suspected"], line, outcomes),
        asked=_yes(row["asked"], line),
        corrected=_yes(row["corrected"], line),
        digest=row["digest"] or None,
        session=row["session"],
        hand=row["hand"],
        first=_place(row["first"], line, outcomes),
        withdrawn=_yes(row["withdrawn"] or "0", line),
        audited=_yes(row["audited"] or "0", line),
        by=row["by"],
        reason=row["reason"],
        together=together,
    )


def _whole(written: str, line: int) -> int:
    if not (written.isdecimal() and written.isascii() and len(written) < _DIGITS):
        raise RecordError(f"Expected the number of throw {line}, but got {written!r:.40}.")
    return int(written)


_HOW: Final[tuple[How, ...]] = get_args(How)
_DIGITS: Final = 12


def _place(face: str, line: int, outcomes: Outcomes) -> int | None:
    if not face:
        return None
    if face not in outcomes.labels:
        known = ", ".join(outcomes.labels)
        raise RecordError(f"Expected one of the faces {known} as throw {line}, but got {face!r:.40}.")
    return outcomes.labels.index(face)


def _yes(written: str, line: int) -> bool:
    if written not in {"0", "1"}:
        raise RecordError(
            f"Expected 0 or 1 under asked, corrected, withdrawn and audited of throw {line}, but got {written!r:.40}."
        )
    return written == "1"


def _moment(at: float | None) -> str:
    """Return a time in ISO 8601 to a microsecond; an empty text for None or a time outside the calendar."""
    if at is None or not math.isfinite(at):
        return ""
    try:
        return datetime.fromtimestamp(at, UTC).isoformat()
    except (OverflowError, ValueError, OSError):
        return ""


def _seconds(written: str, line: int) -> float | None:
    if not written:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError as why:
        raise RecordError(f"Expected a moment such as 2026-11-22T17:00:00+00:00 at throw {line}, but {why}.") from why
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
