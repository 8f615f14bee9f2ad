"""What the columns of a table of throws are: by their names, and where those leave it open, by their values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final

from companion.data_file import data_of
from companion.fairness.tables.amounts import amounts, is_whole
from companion.fairness.tables.faces import Faces
from companion.fairness.tables.lines import RecordError, Row

GROUPS: Final = ("session", "hand", "die")
"""Columns that may give the group of each throw."""

FACES_IN_ORDER: Final = 4
"""So many throws that count up from 1 hardly come by chance: a first column of them is no throw."""

_NUMBERED: Final = re.compile(r"(.+?)\s*(\d+)")


@dataclass(frozen=True)
class Columns:
    """Which cells of a row are what, each by its place in the row.

    ``faces``: what the die showed, several if a row holds several throws; empty if each cell is a throw. ``count``: how
    often. ``groups``: by the names of `GROUPS`. ``numbers``: which throw it was. ``left_out``: names of columns that
    are not used, or their numbers where they have no names.
    """

    faces: tuple[int, ...] = ()
    count: int | None = None
    suspected: int | None = None
    numbers: int | None = None
    groups: tuple[tuple[str, int], ...] = ()
    left_out: tuple[str, ...] = ()


@cache
def _names() -> Mapping[str, frozenset[str]]:
    """Return the names that columns of each kind may have."""
    return {kind: frozenset(names) for kind, names in data_of(__package__, "columns.toml").items()}


def is_called(written: str, *kinds: str) -> bool:
    """Tell whether a cell is a name of a column of one of these kinds, as ``columns.toml`` has them."""
    name = _plain(written)
    return any(name in _names()[kind] for kind in kinds)


def is_header(rows: Sequence[Row], faces: Faces) -> bool:
    """Tell whether the first row names the columns.

    On a die of numbers, words that are no faces do so too, whatever they are.
    """
    first = rows[0].cells
    kinds = [kind for kind in _names() if kind != "total"]
    if all(map(faces.readable, first)):
        return False
    if any(is_called(_unnumbered(cell), *kinds) or is_called(cell, *kinds) for cell in first):
        return True
    strange = all(faces.place(cell) is None and (not cell or re.search(r"[^\W\d]", cell)) for cell in first)
    return faces.all_numbers and strange and any(map(faces.readable, rows[-1].cells))


def headed(head: Sequence[str], rows: Sequence[Row], faces: Faces) -> Columns:
    """Return what the columns under a header are.

    Raises:
        RecordError: that is not clear, or no column holds what the die showed.
    """
    face = _face_columns(head, rows, faces)
    if len(head) == 1 and any(len(row.cells) > 1 for row in rows):
        return Columns()  # one name over several throws a line
    counts = [at for at, name in enumerate(head) if is_called(name, "count") and at not in face]
    if len(counts) > 1:
        raise RecordError(
            f"Expected one column that says how often a face fell, but got {_listed(head, counts)}: leave the others "
            "out."
        )
    if counts and len(face) > 1:
        raise RecordError(
            f"Expected one column of faces beside {head[counts[0]]!r:.40}, but got {_listed(head, face)}."
        )
    found = Columns(face, count=counts[0] if counts else None)
    for at, name in enumerate(head):
        if at not in face and at not in counts:
            found = _with(found, at, name, rows, faces)
    return found


def _with(found: Columns, at: int, name: str, rows: Sequence[Row], faces: Faces) -> Columns:
    """Return the columns with one more, whatever it is."""
    group = next((one for one in GROUPS if is_called(name, one)), None)
    open_ = found.count is None and len(found.faces) == 1
    if group is not None and group not in dict(found.groups):
        return replace(found, groups=(*found.groups, (group, at)))
    if is_called(name, "suspected"):
        return replace(found, suspected=at)
    kind = _kind(name, found.faces[0], at, rows, faces) if open_ and is_called(name, "unclear") else "other"
    if kind != "other":
        return replace(found, count=at) if kind == "count" else replace(found, numbers=at)
    if open_ and not is_called(name, "index", "ours"):
        _is_no_count(name, found.faces[0], at, rows, faces)
    left = (*found.left_out, name) if name.strip() and not is_called(name, "ours") else found.left_out
    return replace(found, left_out=left)


def _face_columns(head: Sequence[str], rows: Sequence[Row], faces: Faces) -> tuple[int, ...]:
    if len(head) == 1:
        return (0,)
    for kind in ("face", "perhaps_face", "unclear"):
        numbered = [
            at
            for at, name in enumerate(head)
            if is_called(_unnumbered(name), kind) and _plain(name) not in _names()[kind]
        ]
        if len(numbered) > 1:
            return tuple(numbered)
        found = [at for at, name in enumerate(head) if is_called(name, kind)] or numbered
        if kind == "unclear":
            found = [at for at in found if all(faces.readable(row.cell(at)) for row in rows)]
        if len(found) == 1:
            return tuple(found)
        if found:
            raise RecordError(
                f"Expected one column with what the die showed, but {_listed(head, found)} may be that: name it face "
                "and leave the others out."
            )
    known = ", ".join(repr(name)[:40] for name in head)
    raise RecordError(f"Expected a column named face, but the columns are {known}: name the one with the faces so.")


def unheaded(rows: Sequence[Row], faces: Faces) -> Columns:
    """Return what the cells of rows without a header are.

    Raises:
        RecordError: that is not clear.
    """
    wide = max(len(row.cells) for row in rows)
    even = all(len(row.cells) == wide for row in rows)
    if wide == 1:
        return Columns((0,))
    good = [at for at in range(wide) if all(faces.readable(row.cell(at)) for row in rows)]
    whole = [at for at in range(wide) if all(is_whole(row.cell(at)) for row in rows)]
    plain = [re.fullmatch(r"0*(\d+)", row.cells[0]) for row in rows]
    first = [number and int(number[1]) for number in plain] if 0 in good else amounts(rows, 0)
    counting = first in ([*range(1, len(rows) + 1)], [*range(len(rows))])
    if even and wide == 2 and 0 in good and 1 in whole and _distinct(0, rows, faces):  # noqa: PLR2004
        if 1 not in good:
            return Columns((0,), count=1)
        if (len(rows) > 1 or counting) and _ascending(0, rows, faces):
            raise _unclear(rows)
    others = [at for at in range(wide) if at not in good]
    if not others and counting and len(rows) >= FACES_IN_ORDER:
        raise _unclear(rows)
    if counting and others == [0]:
        return Columns(tuple(good), numbers=0) if first[0] == 1 else Columns(tuple(good), left_out=("1",))
    by_face = len(rows) == len(faces.labels) and len(good) == 1 and _distinct(good[0], rows, faces)  # perhaps shares
    if even and len(good) == 1 and not set(others) & set(whole) and not by_face:
        return Columns((good[0],), left_out=tuple(str(at + 1) for at in others))
    if 2 * sum(all(map(faces.readable, row.cells)) for row in rows) > len(rows):
        return Columns()  # if a cell is no face, it is named
    raise _unclear(rows)


def stands_across(rows: Sequence[Row], faces: Faces) -> bool:
    """Tell whether the first row holds all faces in order, perhaps after a name, and the second how often they fell.

    Raises:
        RecordError: the second row may hold throws too.
    """
    if len(rows) != 2 or len(rows[0].cells) != len(rows[1].cells):  # noqa: PLR2004
        return False
    kinds, (first, second) = len(faces.labels), (row.cells for row in rows)
    named = len(first) == kinds + 1
    if [faces.place(cell) for cell in first[named:]] != list(range(kinds)):
        return False
    if not named and all(map(faces.readable, second)):
        raise _unclear(rows)
    return True


def _unclear(rows: Sequence[Row]) -> RecordError:
    line = " ".join(rows[0].cells)
    return RecordError(
        f"Expected a first line that names the columns, for {line!r:.40} may be read in several ways: write face,count "
        "above faces and how often they fell, number,face above the numbers of the throws and what they showed."
    )


def _kind(name: str, face: int, at: int, rows: Sequence[Row], faces: Faces) -> str:
    """Return whether a column holds how often a face fell (``count``), which throw it was (``numbers``), or neither."""
    values = amounts([row for row in rows if not is_called(row.cell(face), "total")], at)
    if None in values or not values:
        return "other"
    sure = [value for value in values if value is not None]
    upward = all(one < other for one, other in pairwise(sure))
    one_by_one = sure == list(range(sure[0], sure[0] + len(sure)))
    if not _distinct(face, rows, faces):
        if upward:
            return "numbers" if sure[0] > 0 else "other"
    elif _ascending(face, rows, faces) and len(sure) > 1 and not (one_by_one and sure[0] < 2):  # noqa: PLR2004
        return "count"
    raise RecordError(
        f"Expected to know what the column {name!r:.40} holds, but it may be how often a face fell or which throw it "
        "was: name it count or index."
    )


def _is_no_count(name: str, face: int, at: int, rows: Sequence[Row], faces: Faces) -> None:
    """Refuse a column of another name that may well be how often each face fell."""
    values = [row.cell(at) for row in rows]
    if len(rows) > 1 and _distinct(face, rows, faces) and any(re.search(r"\d", value) for value in values):
        raise RecordError(
            f"Expected to know what the column {name!r:.40} holds, but its name does not say it: name it count if it "
            "says how often each face fell, else leave it out."
        )


def _distinct(face: int, rows: Sequence[Row], faces: Faces) -> bool:
    """Tell whether each face stands once."""
    seen = [faces.place(row.cell(face)) for row in rows if not is_called(row.cell(face), "total")]
    return len(set(seen)) == len(seen)


def _ascending(face: int, rows: Sequence[Row], faces: Faces) -> bool:
    """Tell whether faces stand in the die's order."""
    seen = [place for row in rows if (place := faces.place(row.cell(face))) is not None]
    return seen == sorted(seen)


def _plain(name: str) -> str:
    plain = " ".join(name.casefold().replace("_", " ").replace("-", " ").split())
    return plain.strip(" .:?()") or plain


def _unnumbered(name: str) -> str:
    found = _NUMBERED.fullmatch(_plain(name))
    return found[1] if found else name


def _listed(head: Sequence[str], places: Sequence[int]) -> str:
    return " and ".join(f"{head[at]!r:.40}" for at in places)
