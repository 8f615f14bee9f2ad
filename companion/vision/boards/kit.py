"""The boards of the printed kit, whose markers lie at known places: read from ``kit_boards.toml``, in millimetres."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt

from companion.data_file import data_of

Points = npt.NDArray[np.float64]
Lengths = tuple[float, float]


class KitBoardError(ValueError):
    """The kit has no such board; the text is one sentence."""


@dataclass(frozen=True)
class KitBoard:
    """One printed board, in millimetres. ``board``: what the rules call it.

    ``field``: width and height of the playing field; ``marker``: edge of a marker's black square; ``centres``: the
    markers' middles, by number, from the field's top left corner, x to the right and y down. ``edge``: the width of
    the print left and right of the field, and above and below it. ``cells``: the field's equal columns and rows; none
    if it has none.
    """

    name: str
    board: str
    field: Lengths
    marker: float
    centres: tuple[Lengths, ...]
    edge: Lengths = (0.0, 0.0)
    cells: tuple[int, ...] = ()

    @property
    def size(self) -> Lengths:
        """Width and height of the whole print."""
        return self.field[0] + 2 * self.edge[0], self.field[1] + 2 * self.edge[1]

    @property
    def seams(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Where a joint of sheets cuts nothing, from the print's left and from its upper edge."""
        if not self.cells:
            return (), ()
        across, down = (
            tuple(edge + length * line / count for line in range(1, count))
            for edge, length, count in zip(self.edge, self.field, self.cells, strict=True)
        )
        return across, down

    def places(self) -> dict[int, Points]:
        """Return the corners (4, 2) of each marker as fractions of the field, clockwise from its top left."""
        square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * self.marker
        size = np.array(self.field)
        return {number: (square + centre) / size for number, centre in enumerate(self.centres)}


@cache
def kit_boards() -> Mapping[str, KitBoard]:
    """Return the kit's boards by name."""
    data = data_of(__package__, "kit_boards.toml")
    return {name: msgspec.convert(entry | {"name": name}, KitBoard) for name, entry in data.items()}


def kit_board(name: str) -> KitBoard:
    """Return one of the kit's boards.

    Raises:
        KitBoardError: there is none of that name.
    """
    boards = kit_boards()
    if name not in boards:
        known = ", ".join(boards)
        raise KitBoardError(f"Expected a board of the printed kit ({known}), but got {name!r}: leave out the kit.")
    return boards[name]
