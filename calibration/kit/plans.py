"""The measures of the kit: boards and their markers, the calibration sheet, men. The figures are in data files."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True)
class BoardPlan:
    """A printed board. Millimetres from the upper left corner of its playing field, x to the right and y down.

    ``board`` is its name in the rules. ``centres`` are the middles of the markers with the ids in ``ids``, clockwise
    from the upper left one; ``marker`` is the edge of their black squares. ``edge``: the width of the print left and
    right of the field, and above and below it. ``cells``: the field's equal columns and rows; none if it has none.
    """

    name: str
    board: str
    field: Point
    marker: float
    edge: Point
    centres: tuple[Point, ...]
    ids: tuple[int, ...]
    dictionary: str
    cells: tuple[int, ...]

    @property
    def seams(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Where a joint of sheets cuts nothing, in millimetres from the print's left and from its upper edge."""
        if not self.cells:
            return (), ()
        across, down = (
            tuple(edge + length * line / count for line in range(1, count))
            for edge, length, count in zip(self.edge, self.field, self.cells, strict=True)
        )
        return across, down

    @property
    def size(self) -> Point:
        """Width and height of the whole print."""
        return self.field[0] + 2 * self.edge[0], self.field[1] + 2 * self.edge[1]


@dataclass(frozen=True)
class CharucoPlan:
    """The calibration sheet: ``columns`` x ``rows`` squares, the edges of square and marker in millimetres."""

    dictionary: str
    columns: int
    rows: int
    square: float
    marker: float


@cache
def board_plans() -> dict[str, BoardPlan]:
    """Return the kit's boards by name."""
    data = _read("companion.vision", "boards", "kit_boards.toml")
    ids = tuple(data["ids"])
    return {
        name: BoardPlan(
            name,
            entry["board"],
            _pair(entry["field"]),
            float(entry["marker"]),
            _pair(entry["edge"]),
            tuple(_pair(centre) for centre in entry["centres"]),
            ids,
            data["dictionary"],
            tuple(entry.get("cells", ())),
        )
        for name, entry in data["boards"].items()
    }


@cache
def charuco_plan() -> CharucoPlan:
    """Return the calibration sheet's measures."""
    return CharucoPlan(**_read("companion.vision", "boards", "kit_charuco.toml"))


@cache
def sizes() -> dict[str, Any]:
    """Return the sizes and colours of everything except boards: ``sizes.toml``."""
    return _read("calibration.kit", "sizes.toml")


def _pair(values: list[float]) -> Point:
    x, y = values
    return float(x), float(y)


def _read(package: str, *path: str) -> dict[str, Any]:
    place = files(package)
    for part in path:
        place /= part
    return tomllib.loads(place.read_text(encoding="utf-8"))
