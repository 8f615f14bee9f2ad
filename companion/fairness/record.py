"""Throws of a die as people record them: single throws in their order, or counts, and what was understood of a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Outcomes
from companion.fairness.tables.amounts import amounts
from companion.fairness.tables.columns import Columns, headed, is_called, is_header, stands_across, unheaded
from companion.fairness.tables.faces import Faces
from companion.fairness.tables.lines import MOST_THROWS, RecordError, Row, Written, written_rows
from companion.language.sentence import Listing, Sentence
from companion.rules.die import Die


@dataclass(frozen=True, eq=False)
class Record:
    """Throws of one die.

    ``places``: of the outcomes in their order (n), None for a throw that was not read; None in all if only ``counts``
    (k) are known. ``groups``: for each kind of group that the file names (`session`, `hand`, `die`), the group of each
    throw. ``numbers``: those that the file gives its throws. ``suspected``: what throws that were not read likely were.
    ``understood``: how the file was read, in words. ``unread``: how many throws were not read.
    """

    counts: Counts
    places: Sequence[int | None] | None
    groups: Mapping[str, Sequence[str]]
    numbers: Sequence[int]
    suspected: Sequence[int | None]
    understood: tuple[Sentence, ...]
    unread: int


def read_record(text: str, outcomes: Outcomes, die: Die) -> Record:
    """Read the throws of one die.

    A file may hold one throw a line or several, or counts by face; with or without a header, separated by commas,
    semicolons, tabs or blanks, with remarks and blank cells; or JSON. The text of a face is that on the die; letters
    may be in any order.

    Raises:
        RecordError: anything else, anything that may be read in two ways, or throws of several dice.
    """
    records = read_records(text, outcomes, die)
    if len(records) > 1:
        raise RecordError(
            f"Expected throws of one die, but the column die names {', '.join(sorted(records))}: judge them together "
            "with companion fairness batch, or keep the lines of one die."
        )
    return next(iter(records.values()))


def read_records(text: str, outcomes: Outcomes, die: Die) -> dict[str, Record]:
    """Read the throws of several dice, which a column ``die`` distinguishes; one record a die, by its name, in order.

    The name is empty if the file has no such column.

    Raises:
        RecordError: as `read_record`.
    """
    faces = Faces(outcomes)
    written = written_rows(text, faces)
    if stands_across(written.rows, faces):
        cells = zip(written.rows[0].cells, written.rows[1].cells, strict=True)
        rows = [Row(2, pair) for pair in cells if faces.place(pair[0]) is not None]
        columns, head = Columns((0,), count=1), True
    else:
        head = written.headed or is_header(written.rows, faces)
        rows = list(written.rows[head:]) if head else [_split(row, faces) for row in written.rows]
        if not rows:
            raise RecordError("Expected throws, but the file holds none: write one face a line below the word face.")
        columns = headed(written.rows[0].cells, rows, faces) if head else unheaded(rows, faces)
        if head:
            _check_width(rows, len(written.rows[0].cells), columns, written)
    reading = _Reading(faces, die, written, columns, head=head)
    by_die: dict[str, list[Row]] = {}
    at = dict(columns.groups).get("die")
    for row in rows:
        by_die.setdefault("" if at is None else row.cell(at), []).append(row)
    return {name: reading.record(of) for name, of in by_die.items()}


class _Reading:
    """Reads the rows of one file, whose columns are known."""

    def __init__(self, faces: Faces, die: Die, written: Written, columns: Columns, *, head: bool) -> None:
        self.faces, self.die, self.written, self.columns, self.head = faces, die, written, columns, head

    def record(self, rows: Sequence[Row]) -> Record:
        """Return the throws of some rows, in their order."""
        kinds = len(self.faces.labels)
        if self.columns.count is not None:
            counts = np.zeros(kinds, np.int64)
            unread = self._count(rows, counts)
            understood = self._understood(int(counts.sum()) + unread, unread, several=False)
            return Record(counts, None, {}, (), (), tuple(understood), unread)
        places: list[int | None] = []
        numbers: list[int] = []
        rows_of: list[Row] = []  # of each throw
        for place, number, row in self._throws(rows):
            places.append(place)
            numbers.append(len(places) if number is None else number)
            rows_of.append(row)
        if len(places) > MOST_THROWS:
            raise RecordError(f"Expected at most {MOST_THROWS} throws, but the file has {len(places)}.")
        read = np.array([place for place in places if place is not None], np.int64)
        groups = {name: [row.cell(at) for row in rows_of] for name, at in self.columns.groups}
        return Record(
            np.bincount(read, minlength=kinds),
            places,
            {name: of for name, of in groups.items() if any(of)},
            numbers,
            [None if place is not None else self._likely(row) for place, row in zip(places, rows_of, strict=True)],
            tuple(self._understood(len(places), len(places) - len(read), several=len(places) > len(rows))),
            len(places) - len(read),
        )

    def _throws(self, rows: Sequence[Row]) -> Iterator[tuple[int | None, int | None, Row]]:
        """Yield for each throw its place, None if it was not read, the number that the file gives it, and its row."""
        columns, place_of = self.columns, self.faces.place
        one = len(columns.faces) == 1
        named = columns.numbers is not None and one
        numbers = amounts(rows, columns.numbers or 0) if named else repeat(None, len(rows))
        for row, number in zip(rows, numbers, strict=True):
            cells = [row.cell(at) for at in columns.faces] if columns.faces else row.cells
            for cell in cells if one else _whole(cells):
                place = place_of(cell)
                if place is None and not self.faces.unread(cell):
                    raise self._strange(cell, row)
                yield place, number, row

    def _likely(self, row: Row) -> int | None:
        """Return what a throw that was not read likely was, as its row says."""
        return None if self.columns.suspected is None else self.faces.place(row.cell(self.columns.suspected))

    def _count(self, rows: Sequence[Row], counts: Counts) -> int:
        """Enter how often each face fell, and return how many throws were not read.

        Compares with the file's own sum if its last row has one.
        """
        assert self.columns.count is not None
        face, unread = self.columns.faces[0], 0
        stands: dict[int | None, int] = {}  # by face, in which line
        for row, count in zip(rows, amounts(rows, self.columns.count), strict=True):
            if count is None or count > MOST_THROWS:
                raise RecordError(
                    f"Expected a whole number from 0 to {MOST_THROWS} in {self.written.unit} {row.number}, but got "
                    f"{row.cell(self.columns.count)!r:.40}: write how often the face came up."
                )
            cell = row.cell(face)
            place = self.faces.place(cell)
            if place is None and is_called(cell, "total") and row is rows[-1]:
                if count != counts.sum() + unread:
                    raise RecordError(
                        f"Expected {counts.sum() + unread} as the sum of the counts in {self.written.unit} "
                        f"{row.number}, but got {count}: correct the counts or leave that line out."
                    )
                continue
            if place is None and not self.faces.unread(cell):
                raise self._strange(cell, row)
            if place in stands:
                raise RecordError(
                    f"Expected each face once, but {cell!r:.40} is in {self.written.unit} {stands[place]} and in "
                    f"{self.written.unit} {row.number}: write one line with how often it came up in all."
                )
            stands[place] = row.number
            if place is None:
                unread = count
            else:
                counts[place] = count
        self._check_complete(stands)
        return unread

    def _check_complete(self, stands: Mapping[int | None, int]) -> None:
        missing = [label for place, label in enumerate(self.faces.labels) if place not in stands]
        if missing:
            raise RecordError(
                f"Expected a count of every face, but {', '.join(missing):.80} {'is' if len(missing) == 1 else 'are'} "
                "missing: write 0 as the count of a face that never came up."
            )

    def _strange(self, cell: str, row: Row) -> RecordError:
        known = ", ".join(self.faces.labels)
        return RecordError(
            f"Expected one of the faces {known} in {self.written.unit} {row.number}, but got {cell!r:.40}."
        )

    def _understood(self, throws: int, unread: int, *, several: bool) -> Iterator[Sentence]:
        columns, written = self.columns, self.written
        layout = Sentence("several per line") if several else Sentence("one per line")
        if columns.count is not None:
            layout = Sentence("counted by face")
        head = Sentence("with a header") if self.head else Sentence("no header")
        if written.unit == "entry":
            head = Sentence("as JSON")
        yield Sentence(
            "{count} throws of a {die}, {layout}, {head}.",
            count=throws,
            die=f"d{len(self.die.faces)}",
            layout=layout,
            head=head,
        )
        if unread:
            yield Sentence("Of these, {count} have no face and count as not read.", count=unread)
        if written.blank:
            yield Sentence("{count} blank lines were left out.", count=written.blank)
        if written.remarks:
            yield Sentence("{count} comment lines were left out.", count=written.remarks)
        if columns.left_out:
            yield Sentence("Not used: column {names}.", names=Listing(map(_shown, columns.left_out)))


def _shown(name: str) -> str:
    """Return the name of a column as it may stand on a page: on one line, and not too long."""
    return "".join(letter if letter.isprintable() else " " for letter in name)[:LONGEST_SHOWN]


LONGEST_SHOWN: Final = 40


def _check_width(rows: Sequence[Row], wide: int, columns: Columns, written: Written) -> None:
    """Refuse rows with more cells than their header names, or too few to hold a face: nobody knows what these are."""
    for row in rows if columns.faces else ():
        if len(row.cells) <= max(columns.faces) and len(columns.faces) == 1:
            raise RecordError(
                f"Expected {wide} cells in {written.unit} {row.number}, as the header names them, but got "
                f"{len(row.cells)}: separate the cells of all lines alike."
            )
        if len(_whole(row.cells)) > wide:
            raise RecordError(
                f"Expected at most {wide} cells in {written.unit} {row.number}, as the header names them, but got "
                f"{len(_whole(row.cells))}: name every column."
            )


def _split(row: Row, faces: Faces) -> Row:
    """Return a row with several faces in one cell as several cells: people mix commas and blanks."""
    if len(row.cells) == 1 and " " not in row.cells[0]:
        return row
    cells = _whole(row.cells)
    if any(" " in cell for cell in cells):
        pieces = [piece for cell in cells for piece in cell.split() or ("",)]
        cells = pieces if all(map(faces.readable, pieces)) else cells
    return Row(row.number, cells)


def _whole(cells: Sequence[str]) -> Sequence[str]:
    """Return cells without the blank ones at their end, but at least one."""
    many = len(cells)
    while many > 1 and not cells[many - 1]:
        many -= 1
    return cells[:many]
