"""The cells of a file of throws: CSV with any usual separator, words between blanks, or JSON."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Any, Final, Literal, NamedTuple

from companion.fairness.tables.faces import Faces
from companion.rules.strict_json import StrictJsonError, read_json

MOST_THROWS: Final = 1_000_000
SEPARATORS: Final = ("\t", ";", ",")
REMARKS: Final = ("#", "//", "%")
"""A line that begins so is a remark."""

SAMPLED_LINES: Final = 50
"""How many lines are searched for a separator if the first one has none."""

_DECIMAL: Final = re.compile(r"\s*\d+,0+\s*", re.ASCII)
_PAIR: Final = re.compile(r"\s*([^\s:=,;]+)\s*[:=]\s*(\d(?:[\d.,'\u2019\u00a0\u202f ]*\d)?)\s*", re.ASCII)
_SEP: Final = re.compile(r"\s*sep=(.)\s*", re.IGNORECASE)


class RecordError(ValueError):
    """The program cannot understand a file of throws; the text is one sentence that says where and what it expected."""


class Row(NamedTuple):
    """The cells of one line; ``number`` counts the lines of the file from 1, or the entries of JSON."""

    number: int
    cells: Sequence[str]

    def cell(self, at: int) -> str:
        """Return a cell; empty if the row is shorter."""
        return self.cells[at] if at < len(self.cells) else ""


@dataclass(frozen=True)
class Written:
    """All rows of a file that hold something; ``blank`` lines between them and ``remarks`` are left out and counted.

    ``unit``: what ``Row.number`` counts. ``headed``: the first row is certainly a header, as with JSON's names.
    """

    rows: Sequence[Row]
    blank: int = 0
    remarks: int = 0
    unit: Literal["line", "entry"] = "line"
    headed: bool = False


def written_rows(text: str, faces: Faces) -> Written:
    """Return the rows of a file.

    Raises:
        RecordError: there are none, too many, or the file is not a table.
    """
    plain = text.lstrip("\ufeff").strip()
    if (zero := plain.find("\0")) >= 0:
        raise RecordError(
            f"Expected a text, but line {plain.count(chr(10), 0, zero) + 1} contains a null byte: save the file again, "
            "or take that line from a copy."
        )
    written = _json_rows(plain) if plain.startswith(("[", "{")) else _csv_rows(plain, faces)
    if not written.rows:
        raise RecordError("Expected throws, but the file holds none: write one face a line below the word face.")
    if len(written.rows) > MOST_THROWS + 1:
        raise RecordError(f"Expected at most {MOST_THROWS} lines, but the file has {len(written.rows)}.")
    return written


def _csv_rows(plain: str, faces: Faces) -> Written:
    numbers: list[int] = []
    lines: list[str] = []
    blank = remarks = 0
    separator = None
    for number, line in enumerate(io.StringIO(plain, newline=""), 1):
        if number == 1 and (found := _SEP.fullmatch(line)):
            separator = found[1]
        elif not line.strip().strip(";,\t"):
            blank += 1
        elif _is_remark(line):
            remarks += 1
        else:
            numbers.append(number)
            lines.append(line)
    if separator is None:
        separator = _separator(lines, faces)
    try:
        rows = [
            Row(numbers[min(last, len(lines)) - 1], tuple([intern(cell.strip()) for cell in cells]))
            for last, cells in _cells(lines, separator)
        ]
    except csv.Error as why:
        raise RecordError(f"Expected a table of throws as CSV or JSON, but it cannot be read: {why}.") from why
    return Written(rows, blank, remarks)


def _is_remark(line: str) -> bool:
    """Tell whether a line is a remark; ``#`` as the name of a column is none."""
    start = line.lstrip()
    return start.startswith(REMARKS) and not re.match(r'#"?\s*[,;\t]', start)


def _separator(lines: Sequence[str], faces: Faces) -> str:
    """Return what stands between cells: one of `SEPARATORS`, a blank, a colon, or nothing if each line is one cell."""
    data = lines[1:] if len(lines) > 1 else lines
    if lines and all(map(_DECIMAL.fullmatch, data)):  # a German spreadsheet's whole numbers
        if faces.place("0") is None:
            return ""
        raise RecordError(f"Expected faces as whole numbers, but got {data[0].strip()!r:.40}: write 8, not 8,0.")
    paired = bool(lines) and all(map(_PAIR.fullmatch, data))
    named = {faces.place(pair[1]) for line in lines if (pair := _PAIR.fullmatch(line))} if paired else set()
    if len(named - {None}) == len(faces.labels):
        return ":"  # a comma is part of a number
    for line in lines[:SAMPLED_LINES]:
        for separator in SEPARATORS:
            if separator in line:
                return separator
    if paired:
        return ":"
    return " " if any(len(line.split()) > 1 for line in data[:SAMPLED_LINES]) else ""


def _cells(lines: Sequence[str], separator: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the cells of each row and the number of the last line that it takes, counted from 1."""
    if len(separator) == 1 and separator not in " :":
        table = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        for cells in table:
            yield table.line_num, cells
        return
    for number, line in enumerate(lines, 1):
        if separator == ":":
            pair = _PAIR.fullmatch(line)
            yield number, pair.groups() if pair else line.replace(":", " ").replace("=", " ").split()
        elif separator == " ":
            yield number, line.split()
        elif '"' in line:
            yield number, next(csv.reader([line], delimiter="\x00"))
        else:
            yield number, (line.strip(),)


def _json_rows(plain: str) -> Written:
    try:
        data = read_json(plain)
    except StrictJsonError as why:
        raise RecordError(f"Expected throws as JSON, but it cannot be read: {why.reason}.") from why
    if isinstance(data, dict) and data and all(isinstance(value, list) for value in data.values()):
        if len(data) == 1:
            return _json_list(next(iter(data.values())))
        return _by_column(data)
    if isinstance(data, dict):
        rows = [Row(number, (str(face), _text(count, number))) for number, (face, count) in enumerate(data.items(), 1)]
        return Written([Row(0, ("face", "count")), *rows] if rows else (), unit="entry", headed=True)
    return _json_list(data)


def _json_list(data: Sequence[Any]) -> Written:
    if data and all(isinstance(entry, dict) for entry in data):
        names = tuple(dict.fromkeys(str(name) for entry in data for name in entry))
        rows = [Row(n, [_text(entry.get(name), n) for name in names]) for n, entry in enumerate(data, 1)]
        return Written([Row(0, names), *rows], unit="entry", headed=True)
    rows = [
        Row(number, [_text(one, number) for one in entry] if isinstance(entry, list) else (_text(entry, number),))
        for number, entry in enumerate(data, 1)
    ]
    return Written(rows, unit="entry")


def _by_column(data: Mapping[str, Sequence[Any]]) -> Written:
    lengths = {len(column) for column in data.values()}
    if len(lengths) > 1:
        raise RecordError(
            f"Expected lists of the same length under {', '.join(data):.80}, but they have "
            f"{' and '.join(map(str, sorted(lengths)))} entries."
        )
    columns = [[_text(one, number) for number, one in enumerate(column, 1)] for column in data.values()]
    rows = [Row(number, cells) for number, cells in enumerate(zip(*columns, strict=True), 1)]
    return Written([Row(0, tuple(data)), *rows] if rows else (), unit="entry", headed=True)


def _text(entry: Any, number: int) -> str:
    if entry is None:
        return ""
    if isinstance(entry, bool) or not isinstance(entry, str | int | float):
        raise RecordError(f"Expected a face or an object with a face as entry {number}, but got {entry!r:.60}.")
    return intern(str(entry).strip())
