"""Make the field's corners exact: straighten the board by its rough corners and look at it again.

Edges are fitted. Where it is known how many columns the board has, the edges are brought in step with these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.columns import TOLD, as_it_lies, in_step
from companion.vision.boards.find import BARRED, CELL_PIXELS, POINTED, SQUARED, FieldFinder, Maps
from companion.vision.boards.layout import Layout
from companion.vision.dice.geometry import Points, grow, is_convex, mapped, mapping
from companion.vision.readings import Image

WIDE, HIGH = 320, 256
"""The straightened board as the net sees it, in pixels."""

PATCH_MARGIN: Final = 0.14
"""The fraction of the patch beside the field on each side: it shows the edges and what lies around them."""

START: Final = np.array(
    [
        [PATCH_MARGIN, PATCH_MARGIN],
        [1 - PATCH_MARGIN, PATCH_MARGIN],
        [1 - PATCH_MARGIN, 1 - PATCH_MARGIN],
        [PATCH_MARGIN, 1 - PATCH_MARGIN],
    ]
)
"""Where the field's corners lie in the patch, as fractions of it."""

ROUNDS: Final = 2

SETTLED: Final = 0.004
"""Corners that move by less than this fraction of the field's width are final."""

DOUBTFUL_CORNER_WIDTHS: Final = 0.008
"""Corners that may be off by more than this fraction of the field's width are doubtful."""

HARMONIOUS: Final = 0.8
"""Corners with which the columns agree less than this are also doubtful."""

AGREED: Final = 0.85
"""All columns and rows except those along one edge agree if their agreement is above this."""

SHRUNK: Final = 0.88
"""Markers may lie a frame's width beside a field, so the search between them also starts from a field smaller by this
factor."""

OTHERWISE: Final = (0.92, 1.08)
"""The factors by which the rough field shrinks or grows before another try."""

SHOWN: Final = 0.3
"""Where less than this is seen of a board's columns, they neither confirm nor contradict its given corners."""

MOST_CORNER_DEVIATIONS: Final = 4.0
"""Given corners are refused if the columns put them off by more standard deviations than this."""

FARTHEST_FOUND: Final = 3.0
"""The same limit for edges and a bar that were found: a board with a column too many widens its bar, for example."""

BEYOND: Final = 0.25
"""If the chance that the field goes on beyond an outer edge is above this, the edge is a column or a row off: all of
them look alike.

The strip beside a true field has at most 0.12. Beside a field that slipped by 0.8 to 2 columns it has at least 0.34: 60
drawn boards and 8 sample pictures (``bench.boards.slipped``).
"""

BESIDE: Final = (0.2, 0.8)
"""Where the strip beside the field begins and ends, as fractions of a column or a row: the very edge is neither field
nor surroundings."""

ERROR_COUNTS: Final = 10.0
"""The weight of a field's error against its harmony when the surest of several fields is chosen."""

ENDS: Final = 0.06
"""The fraction of each edge, at both ends, that is not fitted: corners are round on the maps."""

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Field:
    """A playing field: its ``corners`` from the top left clockwise in pixels (4 x 2), and where it may be doubtful.

    ``bar``: its width, as a fraction of the field's. ``error``: how far a corner may be off, as a fraction of the
    field's width, by its edges alone. ``chance``: that this is such a board. ``harmony``: how well its columns and rows
    agree, from 0 to 1, and 1 where their number is not known. ``inner``: how well they agree without those along the
    one edge that agrees least, for example under a hand; 0 where others contradict, or where the field may go on beyond
    an edge. ``marked``: whether the four printed markers lie evenly around it. ``as_it_lay``: whether it was recognised
    by how its sites looked when they were last agreed on.
    """

    corners: Points
    bar: float
    error: float
    chance: float
    harmony: float = 1.0
    inner: float = 0.0
    marked: bool = False
    as_it_lay: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the field may well lie elsewhere."""
        return self.error >= DOUBTFUL_CORNER_WIDTHS or self.harmony <= HARMONIOUS


def straightened(image: Image, corners: Points) -> Image:
    """Return what the net sees: `HIGH` x `WIDE` BGR, with the corners at `START`."""
    return warped(image, corners, START * [WIDE, HIGH] - 0.5, (WIDE, HIGH))


def warped(image: Image, corners: Points, places: Points, size: tuple[int, int]) -> Image:
    """Return a picture of ``size`` (width, height) in which a quadrilateral of the image comes to lie at ``places``.

    A large board is averaged down first, so that thin lines do not flicker.
    """
    shrink = float(np.sqrt(abs(_area(corners)) / max(abs(_area(places)), 1.0)))
    source = np.asarray(corners, np.float64)
    if shrink > 1.5:  # noqa: PLR2004 (below this, linear interpolation sees every pixel)
        reduced = (max(2, round(image.shape[1] / shrink)), max(2, round(image.shape[0] / shrink)))
        source = (source + 0.5) * [reduced[0] / image.shape[1], reduced[1] / image.shape[0]] - 0.5
        image = np.asarray(cv2.resize(image, reduced, interpolation=cv2.INTER_AREA), np.uint8)
    warp = mapping(source, places)
    flat = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _area(corners: Points) -> float:
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2


class FrameCorrector:
    """Makes rough corners exact, with the net of a `FieldFinder`; ``layout``: None for a board of any squares."""

    def __init__(self, finder: FieldFinder, layout: Layout | None) -> None:
        self._finder = finder
        self._layout = layout
        self._kind = POINTED if layout is not None and layout.is_tables else SQUARED

    def correct(self, image: Image, corners: Points) -> Field | None:
        """Return the field near these corners, or None where there is none.

        If the result is doubtful, the search starts again from other corners, and the surest field is kept.
        """
        first = self._rounds(image, corners)
        if first is not None and not first.doubtful:
            return first
        found = [first, *(self._rounds(image, grow(corners, factor)) for factor in OTHERWISE)]
        best = surest(found)
        if best is None or not best.doubtful:
            return best
        again = self._rounds(image, best.corners)  # every round brings corners that are far off nearer
        return surest([best, again, self._by_columns(image, corners if first is None else first.corners)])

    def measured(self, image: Image, corners: Points) -> Field:
        """Return the field at corners that were measured to a pixel, with how well the picture agrees with them.

        The corners do not move: if a hand covers some columns, the others are still where they are.
        """
        maps = self._finder.maps(straightened(image, corners))
        bar = bar_width(maps[BARRED], START) if self._kind == POINTED else 0.0
        chance = inside_chance(maps, START, self._kind)
        if self._layout is None:
            return Field(corners, bar, 0.0, chance)
        lies = as_it_lies(maps, START, bar, self._layout)
        return Field(corners, bar, 0.0, chance, lies.harmony, lies.inner)

    def known(self, image: Image, corners: Points) -> Field:
        """Return the field whose corners are known, for example by calibration; measure its bar and check its columns.

        If the columns lie a little beside it, the field is brought in step with them. If they contradict the given
        corners, or the board goes on beyond its outer edges, the field has no harmony. If no columns are seen, as on
        boards that no net knows, the field stays as given.
        """
        if self._layout is None:
            return Field(corners, 0.0, 0.0, 1.0)
        maps = self._finder.maps(straightened(image, corners))
        bar = bar_width(maps[BARRED], START) if self._kind == POINTED else 0.0
        stepped = in_step(maps, START, bar, self._layout, TOLD)
        if stepped.shown < SHOWN:
            return Field(corners, bar, 0.0, 1.0)
        harmony = max(stepped.harmony, stepped.inner if stepped.inner >= AGREED else 0.0)
        apart = stepped.strain > MOST_CORNER_DEVIATIONS or harmony < HARMONIOUS
        if apart or beyond(maps[self._kind], stepped.corners, stepped.bar, self._layout) > BEYOND:
            return Field(corners, bar, 0.0, 1.0, 0.0)
        return Field(mapped(mapping(START, corners), stepped.corners), stepped.bar, 0.0, 1.0, harmony, stepped.inner)

    def _by_columns(self, image: Image, corners: Points) -> Field | None:
        """Return the field near these corners by its columns and rows; only points take their outer edges as well.

        An edge under a shadow, a raised frame or a leaning pile draws the others askew, but the columns do not bend.
        """
        if self._layout is None:
            return None
        maps = self._finder.maps(straightened(image, corners))
        edges = fit_edges(maps[self._kind])
        if edges is None:
            return None
        bar = bar_width(maps[BARRED], START) if self._kind == POINTED else 0.0
        start, slack = START, 0.0
        if self._layout.is_tables:  # points have no rows: only the edges show where the points begin
            start, slack = between_levels(START, edges), edges.level_slack
        stepped = in_step(maps, start, bar, self._layout)
        moved = mapped(mapping(START, corners), stepped.corners)
        if (
            stepped.strain >= FARTHEST_FOUND
            or beyond(maps[self._kind], stepped.corners, stepped.bar, self._layout) > BEYOND
            or not is_convex(moved)
        ):
            return None
        chance = inside_chance(maps, stepped.corners, self._kind)
        return Field(moved, stepped.bar, slack, chance, stepped.harmony, stepped.inner)

    def _rounds(self, image: Image, corners: Points) -> Field | None:
        field = None
        for _ in range(ROUNDS):
            maps = self._finder.maps(straightened(image, corners))
            edges = fit_edges(maps[self._kind])
            if edges is None:
                return None
            chance = inside_chance(maps, edges.corners, self._kind)
            bar = bar_width(maps[BARRED], edges.corners) if self._kind == POINTED else 0.0
            placed, harmony, inner = edges.corners, 1.0, 0.0
            if self._layout is not None:
                stepped = in_step(maps, edges.corners, bar, self._layout)
                placed, bar = stepped.corners, stepped.bar
                harmony = stepped.harmony if stepped.strain < FARTHEST_FOUND else 0.0
                if harmony > 0 and beyond(maps[self._kind], placed, bar, self._layout) <= BEYOND:
                    inner = stepped.inner
                    harmony = max(harmony, inner if inner >= AGREED else 0.0)
            moved = mapped(mapping(START, corners), placed)
            if not is_convex(moved) or not np.isfinite(moved).all():
                return None
            wide = float(np.linalg.norm(moved[1] - moved[0]) + np.linalg.norm(moved[2] - moved[3])) / 2
            step = float(np.linalg.norm(moved - corners, axis=1).max()) / max(wide, 1.0)
            corners = moved
            field = Field(corners, bar, edges.slack + (step if step > SETTLED else 0.0) / 2, chance, harmony, inner)
            if step < SETTLED:
                break
        return field


def surest(fields: Sequence[Field | None]) -> Field | None:
    """Return the likeliest field, or None if there is none."""
    found = [one for one in fields if one is not None]
    return max(found, key=lambda one: one.harmony - one.error * ERROR_COUNTS, default=None)


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a field on the straightened board: its ``corners`` as fractions of the patch (4 x 2).

    ``slack``: how far the net's edges stray from straight lines, as a fraction of the field's width; ``level_slack``:
    the same of its top and bottom alone.
    """

    corners: Points
    slack: float
    level_slack: float


def fit_edges(chances: Maps) -> Edges | None:
    """Return the straight edges of a field on its map (h x w, chances); None where there is no field in the middle."""
    height, width = chances.shape
    if float(chances[height // 4 : -height // 4, width // 4 : -width // 4].mean()) < 0.5:  # noqa: PLR2004 (likely or not)
        return None
    rows, columns = _middle(height), _middle(width)
    left, one = _line(rows, _borders(chances[:, : width // 2])[rows])
    right, two = _line(rows, width - 1 - _borders(chances[:, : width // 2 - 1 : -1])[rows])
    top, three = _line(columns, _borders(chances[: height // 2].T)[columns])
    bottom, four = _line(columns, height - 1 - _borders(chances[: height // 2 - 1 : -1].T)[columns])
    corners = [_meet(left, top), _meet(right, top), _meet(right, bottom), _meet(left, bottom)]
    # borders lie between cells: half a cell further than the middle of the last cell inside
    pixels = (np.array(corners) + 0.5) * CELL_PIXELS
    shown = 1 - 2 * PATCH_MARGIN
    level_slack = max(three, four) / height / shown
    slack = max(one / width / shown, two / width / shown, level_slack)
    return Edges(pixels / [WIDE, HIGH], float(slack), float(level_slack))


def between_levels(corners: Points, edges: Edges) -> Points:
    """Return corners (4 x 2) moved up and down to the top and the bottom of the given edges."""
    moved = corners.copy()
    for near, far in ((0, 1), (3, 2)):
        (x0, y0), (x1, y1) = edges.corners[near], edges.corners[far]
        for place in (near, far):
            moved[place, 1] = y0 + (y1 - y0) * (corners[place, 0] - x0) / (x1 - x0)
    return moved


def _middle(length: int) -> npt.NDArray[np.intp]:
    """Return the places along an edge that the fit uses."""
    first = round(length * (PATCH_MARGIN + ENDS * (1 - 2 * PATCH_MARGIN)))
    return np.arange(first, length - first)


def _borders(chances: Maps) -> npt.NDArray[np.float64]:
    """Return for each row of a half map where the field begins, in cells, by the step that fits the row best."""
    signed = chances.astype(np.float64) - 0.5
    total = signed.sum(axis=1, keepdims=True)
    before = np.concatenate([np.zeros((len(signed), 1)), np.cumsum(signed, axis=1)], axis=1)
    gain = total - 2 * before  # what lies inside of a border, less what lies outside of it
    border = gain.argmax(axis=1)
    place = border.astype(np.float64)
    inner = np.clip(border, 1, chances.shape[1] - 1)
    rows = np.arange(len(chances))
    outside, inside = chances[rows, inner - 1].astype(np.float64), chances[rows, inner].astype(np.float64)
    crossing = (0.5 - outside) / np.maximum(inside - outside, 1e-6)
    fine = inner - 1 + np.clip(crossing, 0.0, 1.0)
    place[inner == border] = fine[inner == border]
    return np.asarray(place, np.float64)


Line = tuple[float, float]
"""A border as a function of the place along it: offset and slope."""


def _line(along: npt.NDArray[np.intp], borders: npt.NDArray[np.float64]) -> tuple[Line, float]:
    """Return the line that most borders lie on, and how far they stray from it; a few far ones do not bend it."""
    at = along.astype(np.float64)
    weights = np.ones_like(at)
    offset = slope = 0.0
    for _ in range(8):
        slope, offset = np.polyfit(at, borders, 1, w=weights)
        off = np.abs(borders - offset - slope * at)
        spread = max(1.4826 * float(np.median(off)), 0.05)
        weights = np.minimum(1.0, 1.5 * spread / np.maximum(off, 1e-9))
    stray = float(np.median(np.abs(borders - offset - slope * at)))
    return (float(offset), float(slope)), stray


def _meet(upright: Line, level: Line) -> tuple[float, float]:
    """Return where x = a + b y and y = c + d x meet."""
    (a, b), (c, d) = upright, level
    x = (a + b * c) / (1 - b * d)
    return x, c + d * x


def bar_width(chances: Maps, corners: Points) -> float:
    """Return the width of the bar on its map (h x w, chances), as a fraction of the field.

    ``corners``: those of the field, as fractions of the patch.
    """
    height, width = chances.shape
    places = corners * [width, height] - 0.5
    flat = cv2.warpPerspective(chances, mapping(places, _UNIT * [199, 49]), (200, 50), flags=cv2.INTER_LINEAR)
    wide = flat[5:-5, 70:130].sum(axis=1) / 200
    return float(np.clip(np.median(wide), 0.0, 0.14))


def beyond(chances: Maps, corners: Points, bar: float, layout: Layout) -> float:
    """Return the chance, from 0 to 1, that the field goes on beyond its edges: that of the likeliest edge.

    ``chances``: its map (h x w); ``corners``: as fractions of the patch; ``bar``: as a fraction of the field's width. A
    field that slipped by a whole column is in step with its columns, but leaves one of them outside. Points have no
    rows.
    """
    near, far = BESIDE
    column = (1 - bar) / layout.columns
    strips = [(-far * column, -near * column, 0.1, 0.9), (1 + near * column, 1 + far * column, 0.1, 0.9)]
    if not layout.is_tables:
        row = 1 / layout.rows
        strips += [(0.1, 0.9, -far * row, -near * row), (0.1, 0.9, 1 + near * row, 1 + far * row)]
    height, width = chances.shape
    found = 0.0
    for left, right, top, bottom in strips:
        places = np.stack(np.meshgrid(np.linspace(left, right, 24), np.linspace(top, bottom, 24)), axis=-1)
        pixels = mapped(mapping(_UNIT, corners), places.reshape(-1, 2)) * [width, height] - 0.5
        x, y = pixels.astype(np.float32).T
        seen = cv2.remap(chances, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0.0)
        found = max(found, float(seen.mean()))
    return found


def inside_chance(maps: Maps, corners: Points, kind: int) -> float:
    """Return how sure the maps are of the field: its mean chance inside of it, less that of the other kind of board."""
    height, width = maps.shape[1:]
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [np.round(corners * [width, height] - 0.5).astype(np.int32)], 1)
    if not inside.any():
        return 0.0
    other = SQUARED if kind == POINTED else POINTED
    return float(np.clip(maps[kind][inside > 0].mean() - maps[other][inside > 0].mean(), 0.0, 1.0))
