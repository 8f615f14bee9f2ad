"""Whole numbers in a column as people and spreadsheets write them: 1200, 1.200, 1,200, 1 200, 1'200, 8.0.

A face may be written ``8.0``, and a count too. But three digits after a sign are thousands in one country and decimals
in the next, so the column as a whole must say what they are.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.fairness.tables.faces import in_digits
from companion.fairness.tables.lines import RecordError, Row

_BLANKS: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}"
_APOSTROPHES: Final = "'\N{RIGHT SINGLE QUOTATION MARK}\N{ARABIC THOUSANDS SEPARATOR}"
_PLAIN: Final = re.compile(r"\+?(\d{1,9})([.,](0{0,2}|0{4,9}))?", re.ASCII)
_GROUPED: Final = re.compile(r"\+?(\d{1,3}(?:([., '])\d{3})(?:\2\d{3})*)(?:[.,]0{1,2})?", re.ASCII)


@dataclass(frozen=True)
class _Written:
    """A number: the sign between its ``groups`` of thousands, "" if it has none; whether these are ``zeros`` alone."""

    value: int
    sign: str = ""
    groups: int = 0
    zeros: bool = False


def is_whole(written: str) -> bool:
    """Tell whether this is a whole number, alone perhaps one of several."""
    return _read(written) is not None


def amounts(rows: Sequence[Row], at: int) -> list[int | None]:
    """Return the whole numbers in a column of rows, None where a cell holds none.

    Raises:
        RecordError: a number may be one thousand or one; the sentence asks which it is.
    """
    read = [_read(row.cells[at] if at < len(row.cells) else "") for row in rows]
    thousands = {one.sign for one in read if one is not None and one.sign in {".", ","}}
    if thousands and not _agreed([one for one in read if one is not None], thousands):
        row, one = next((row, one) for row, one in zip(rows, read, strict=True) if one is not None and one.sign)
        raise RecordError(
            f"Expected whole numbers that mean one thing, but {row.cells[at]!r:.40} in line {row.number} may be "
            f"{one.value} or a decimal number: write {one.value} if you mean that, in every line without a sign for "
            "thousands."
        )
    return [None if one is None else one.value for one in read]


def _agreed(read: Sequence[_Written], signs: set[str]) -> bool:
    """Tell whether a sign surely separates thousands: a whole column uses it, and not only for three zeros."""
    grouped = [one for one in read if one.sign]
    others = [one for one in read if not one.sign]
    whole = len(signs) == 1 and all(one.value < 1000 for one in others)  # noqa: PLR2004  (else it would have the sign)
    return whole and (bool(others) or any(one.groups > 1 or not one.zeros for one in grouped))


def _read(written: str) -> _Written | None:
    text = in_digits(written.strip())
    for letters, plain in ((_BLANKS, " "), (_APOSTROPHES, "'")):
        text = "".join(plain if letter in letters else letter for letter in text)
    if (found := _PLAIN.fullmatch(text)) is not None:
        return _Written(int(found[1]))
    if (found := _GROUPED.fullmatch(text)) is None:
        return None
    digits = found[1].replace(found[2], "")
    groups = found[1].count(found[2])
    return _Written(int(digits), found[2], groups, set(digits[-3 * groups :]) == {"0"})
