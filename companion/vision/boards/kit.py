"""The boards of the printed kit, whose markers lie at known places: read from ``kit_boards.toml``, in millimetres."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.vision.boards.layout import NUMBERS

Points = npt.NDArray[np.float64]

KIT_BOARDS: Final = Path(__file__).with_name("kit_boards.toml")


class KitBoardError(ValueError):
    """The kit has no such board, or its file is damaged; the text is one sentence."""


@dataclass(frozen=True)
class KitBoard:
    """One printed board, in millimetres. ``board``: what the rules call it.

    ``field``: width and height of the playing field; ``marker``: edge of a marker's black square; ``centres``: the
    markers' middles, by number, from the field's top left corner.
    """

    name: str
    board: str
    title: str
    field: tuple[float, float]
    marker: float
    centres: tuple[tuple[float, float], ...]

    def places(self) -> dict[int, Points]:
        """Return the corners (4, 2) of each marker as fractions of the field, clockwise from its top left."""
        square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * self.marker
        size = np.array(self.field)
        return {number: (square + centre) / size for number, centre in enumerate(self.centres)}


def kit_boards(path: Path = KIT_BOARDS) -> Mapping[str, KitBoard]:
    """Return the kit's boards by name; none where there is no such file.

    Raises:
        KitBoardError: the file is damaged.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise KitBoardError(
            f"The kit's boards in {path} cannot be read ({error}): install the program again."
        ) from error
    return {name: _board(name, entry, path) for name, entry in data.get("boards", {}).items()}


def kit_board(name: str, path: Path = KIT_BOARDS) -> KitBoard:
    """Return one of the kit's boards.

    Raises:
        KitBoardError: there is none of that name, or the file is damaged.
    """
    boards = kit_boards(path)
    if name not in boards:
        known = ", ".join(boards) or "none"
        raise KitBoardError(f"Expected a board of the printed kit ({known}), but got {name!r}: leave out the kit.")
    return boards[name]


def _board(name: str, entry: Mapping[str, Any], path: Path) -> KitBoard:
    try:
        width, height = (float(value) for value in entry["field"])
        centres = tuple((float(x), float(y)) for x, y in entry["centres"])
        edge = float(entry["marker"])
        board, title = str(entry["board"]), str(entry["title"])
        fault = "" if len(centres) == len(NUMBERS) else "four centres are needed"
    except (KeyError, TypeError, ValueError) as error:
        fault = f"{type(error).__name__}: {error}"
    else:
        if not fault and (min(width, height, edge) <= 0 or not np.isfinite(centres).all()):
            fault = "lengths must be above zero"
        if not fault:
            return KitBoard(name, board, title, (width, height), edge, centres)
    raise KitBoardError(
        f"Expected board, title, field, marker and four centres of the kit's board {name} in {path}, but they are "
        f"damaged ({fault}): install the program again."
    )
