"""Find men on a straightened board: a net gives maps of where men of each side stand, and what they look like there."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.field.patch import warped
from companion.vision.boards.layout import Layout
from companion.vision.dice.geometry import Points
from companion.vision.readings import Image

Maps = npt.NDArray[np.float32]

CELL_PIXELS: Final = 4
"""The edge of a cell of the maps, in pixels of the straightened board."""

LIGHTER, DARKER, HIDDEN, ACROSS, DOWN, SHAPES = 0, 1, 2, 3, 4, 5
"""The maps: the feet of the lighter and of the darker side's men, and hands (logits); the way from a man's foot to the
middle of his top, in cells; and, for numbered men, from here on the shape."""

SHAPE_NAMES: Final = ("circle", "triangle", "square", "pyramid")
TABLES_MAPS: Final = SHAPES
NUMBERED_MAPS: Final = SHAPES + len(SHAPE_NAMES)


@dataclass(frozen=True)
class Canvas:
    """The straightened board as the net sees it: its size, and the field's left, top, width and height in it."""

    width: int
    height: int
    left: int
    top: int
    field_width: int
    field_height: int

    @property
    def places(self) -> Points:
        """The field's corners, in pixels of the canvas."""
        x0, y0 = self.left - 0.5, self.top - 0.5
        x1, y1 = x0 + self.field_width, y0 + self.field_height
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])

    def to_field(self, x: float, y: float) -> tuple[float, float]:
        """Return a place of the canvas as u and v of the field."""
        return (x + 0.5 - self.left) / self.field_width, (y + 0.5 - self.top) / self.field_height


TABLES_CANVAS: Final = Canvas(448, 416, 24, 28, 400, 360)
SQUARE: Final = 30
"""The edge of a square on the canvas of a board of squares."""


def canvas_of(layout: Layout) -> Canvas:
    """Return the canvas for a board."""
    if layout.is_tables:
        return TABLES_CANVAS
    wide, high = layout.columns * SQUARE, layout.rows * SQUARE
    return Canvas(-(-(wide + 32) // 32) * 32, -(-(high + 32) // 32) * 32, 16, 20, wide, high)


def straighten(image: Image, corners: Points, canvas: Canvas) -> Image:
    """Return the board as the net sees it, `Canvas.height` x `Canvas.width` BGR."""
    return warped(image, corners, canvas.places, (canvas.width, canvas.height))


@dataclass(frozen=True)
class FoundMan:
    """A man on the canvas: his foot (pixels), the middle of his top, the chance that he is there.

    ``darker``: the chance that he is one of the darker side; ``shapes``: the chances of `SHAPE_NAMES`, empty at tables.
    """

    x: float
    y: float
    top: tuple[float, float]
    chance: float
    darker: float
    shapes: tuple[float, ...]


def peaks(maps: Maps, temperature: float, *, least: float, distance: float) -> list[FoundMan]:
    """Return the men that the maps (maps, h, w; logits) show, the likeliest first.

    ``temperature`` divides the logits. A peak below ``least`` is no man. Of two peaks nearer than ``distance`` cells,
    the less likely is not a man.
    """
    light, dark = maps[LIGHTER] / temperature, maps[DARKER] / temperature
    together = np.asarray(np.logaddexp(light, dark), np.float32)  # he is of one side or of the other
    highest = cv2.dilate(together, np.ones((3, 3), np.uint8))
    chances = 1 / (1 + np.exp(-np.clip(together, -30, 30)))
    rows, columns = np.nonzero((together >= highest) & (chances > least))
    order = np.argsort(-chances[rows, columns], kind="stable")
    out: list[FoundMan] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        x, y = _centre(together, int(row), int(column))
        if any(
            np.hypot(x - (man.x + 0.5) / CELL_PIXELS + 0.5, y - (man.y + 0.5) / CELL_PIXELS + 0.5) < distance
            for man in out
        ):
            continue
        here = maps[:, row, column]
        darker = 1 / (1 + np.exp(np.clip(light[row, column] - dark[row, column], -30, 30)))
        shapes: tuple[float, ...] = ()
        if len(here) > SHAPES:
            odds = np.exp(here[SHAPES:] - here[SHAPES:].max())
            shapes = tuple(float(v) for v in odds / odds.sum())
        px, py = (x + 0.5) * CELL_PIXELS - 0.5, (y + 0.5) * CELL_PIXELS - 0.5
        top = (px + float(here[ACROSS]) * CELL_PIXELS, py + float(here[DOWN]) * CELL_PIXELS)
        out.append(FoundMan(px, py, top, float(chances[row, column]), float(darker), shapes))
    return out


def _centre(heat: Maps, row: int, column: int) -> tuple[float, float]:
    """Return the place of a peak between the cells, by the parabola through its neighbours."""
    height, width = heat.shape
    x, y = float(column), float(row)
    if 0 < column < width - 1:
        before, here, after = heat[row, column - 1 : column + 2]
        bend = before - 2 * here + after
        x += 0.5 * float((before - after) / bend) if bend < 0 else 0.0
    if 0 < row < height - 1:
        before, here, after = heat[row - 1 : row + 2, column]
        bend = before - 2 * here + after
        y += 0.5 * float((before - after) / bend) if bend < 0 else 0.0
    return x, y
