"""Whole numbers in a column as people and spreadsheets write them: 1200, 1.200, 1,200, 1 200, 1'200, 8.0.

A face may be written ``8.0``, and a count too. But three digits after a sign are thousands in one country and decimals
in the next, so the column as a whole must say what they are: shares and percentages are no counts.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.fairness.tables.faces import in_digits
from companion.fairness.tables.lines import RecordError, Row

_BLANKS: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}"
_APOSTROPHES: Final = "'\N{RIGHT SINGLE QUOTATION MARK}\N{ARABIC THOUSANDS SEPARATOR}"
_PLAIN: Final = re.compile(r"\+?(\d{1,9})([.,](0{0,2}|0{4,9}))?", re.ASCII)
_GROUPED: Final = re.compile(r"\+?([1-9]\d{0,2}(?:([., '])\d{3})(?:\2\d{3})*)(?:[.,]0{1,2})?", re.ASCII)

_ROUNDING_SHARE: Final = 0.005
"""The share by which rounded shares and percentages may miss 1 and 100; the last one may be their total."""


@dataclass(frozen=True)
class _Written:
    """A number: the sign between its ``groups`` of thousands, "" if it has none."""

    value: int
    sign: str = ""
    groups: int = 0


def is_whole(written: str) -> bool:
    """Tell whether this is a whole number, alone perhaps one of several."""
    return _read(written) is not None


def amounts(rows: Sequence[Row], at: int) -> list[int | None]:
    """Return the whole numbers in a column of rows, None where a cell holds none.

    Raises:
        RecordError: a number may be one thousand or one; the sentence asks which it is.
    """
    cells = [row.cell(at) for row in rows]
    read = list(map(_read, cells))
    numbers = [one for one in read if one is not None]
    signs = {one.sign for one in numbers} - {""}
    if not signs.isdisjoint(".,") and not (len(signs) == 1 and _agreed(numbers)):
        cell, one = next((cell, one) for cell, one in zip(cells, read, strict=True) if one and one.sign in {".", ","})
        raise RecordError(
            f"Expected whole numbers, but {cell!r:.40} may be {one.value} or a decimal number: write "
            f"{one.value} if you mean that, and leave out every sign for thousands in its column."
        )
    return [None if one is None else one.value for one in read]


def _agreed(read: Sequence[_Written]) -> bool:
    """Tell whether signs surely separate thousands: a whole column has them, not only before zeros, and no shares."""
    decimals = [one.value / 1000**one.groups for one in read]
    totals = (sum(decimals), sum(decimals[:-1]))
    if any(math.isclose(total, whole, rel_tol=_ROUNDING_SHARE) for total in totals for whole in (1, 100)):
        return False
    others = [one.value for one in read if not one.sign]
    if others:
        return max(others) < 1000  # noqa: PLR2004  (else it would have the sign)
    return any(one.groups > 1 or one.value % 1000 for one in read)


def _read(written: str) -> _Written | None:
    text = in_digits(written.strip())
    for letters, plain in ((_BLANKS, " "), (_APOSTROPHES, "'")):
        text = "".join(plain if letter in letters else letter for letter in text)
    if (found := _PLAIN.fullmatch(text)) is not None:
        return _Written(int(found[1]))
    if (found := _GROUPED.fullmatch(text)) is None:
        return None
    return _Written(int(found[1].replace(found[2], "")), found[2], found[1].count(found[2]))
