"""Tables for a spreadsheet: CSV of which no cell is taken for a formula."""

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

FORMULA: Final = frozenset("=+-@|%\t\r\n＝＋－＠'")  # noqa: RUF001  (the wide signs are taken for formulas too)
"""A spreadsheet may compute a cell that begins with one of these; an apostrophe before it prevents that."""


def as_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV; lines end with CR and LF. Who reads it again removes an apostrophe before a text."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(map(_safe, row) for row in rows)
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """Put an apostrophe before a text that might be computed."""
    if not isinstance(cell, str):
        return cell
    risky = cell[:1] in FORMULA or (cell[:1].isspace() and cell.lstrip()[:1] in FORMULA)
    return f"'{cell}" if risky else cell
