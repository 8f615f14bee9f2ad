"""Make the field's corners exact: straighten the board by its rough corners and look at it again.

Edges are fitted. Where it is known how many columns the board has, the edges are brought in step with these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.vision.boards.field.columns import (
    BAR_SEEN,
    MARKED_CORNER_DEVIATION,
    InStep,
    as_it_lies,
    bar_middle,
    bar_width,
    in_step,
)
from companion.vision.boards.field.edges import between_levels, fit_edges
from companion.vision.boards.field.find import BARRED, POINTED, SQUARED, FieldFinder, Maps
from companion.vision.boards.field.patch import START, straightened
from companion.vision.boards.layout import Layout
from companion.vision.dice.geometry import Points, grow, is_convex, mapped, mapping
from companion.vision.readings import Image

FITTING_ROUNDS: Final = 2

SETTLED_SHARE: Final = 0.004
"""Corners that move by less than this fraction of the field's width are final."""

DOUBTFUL_CORNER_WIDTHS: Final = 0.008
"""Corners that may be off by more than this fraction of the field's width are doubtful."""

LEAST_AGREEMENT: Final = 0.8
"""Corners with which the columns agree less than this are also doubtful."""

CLEAR_AGREEMENT: Final = 0.85
"""All columns and rows except those along one edge agree if their agreement is above this."""

SHRUNK_FIELD: Final = 0.88
"""Markers may lie a frame's width beside a field, so the search between them also starts from a field smaller by this
factor."""

OTHERWISE: Final = (0.92, 1.08)
"""The factors by which the rough field shrinks or grows before another try."""

LEAST_SHOWN: Final = 0.3
"""Where less than this is seen of a board's columns, they neither confirm nor contradict its given corners."""

MOST_CORNER_DEVIATIONS: Final = 4.0
"""Given corners are refused if the columns put them off by more standard deviations than this."""

FARTHEST_FOUND: Final = 3.0
"""The same limit for edges and a bar that were found: a board with a column too many widens its bar, for example."""

BEYOND_CHANCE: Final = 0.25
"""If the chance that the field goes on beyond an outer edge is above this, the edge is a column or a row off: all of
them look alike.

The strip beside a true field has at most 0.12. Beside a field that slipped by 0.8 to 2 columns it has at least 0.34: 60
drawn boards and 8 sample pictures (``bench.boards.slipped``).
"""

BESIDE: Final = (0.2, 0.8)
"""Where the strip beside the field begins and ends, as fractions of a column or a row: the very edge is neither field
nor surroundings."""

MIDDLE_SHARE: Final = 0.04
"""A bar farther from the middle than this, as a fraction of the field's width, shows that the field is a column off."""

IN_THE_MIDDLE: Final = 0.02
WITH_BAR: Final = 0.6
"""Given corners are also kept if the columns agree with them no less than this, and the bar lies so near the middle, as
a fraction of the field's width. On 300 drawn boards it lies at most 0.015 beside the middle of the true field."""

LEVEL_ENOUGH_SLOPE: Final = 0.6
"""An edge that runs less to the right than this, as a fraction of how far it runs up or down, is no top edge."""

LEVEL_SHARE: Final = 0.02
"""A field lies where it lay if its top and bottom are off by at most this fraction of the straightened patch."""

ERROR_COUNTS: Final = 10.0
"""The weight of a field's error against its harmony when the surest of several fields is chosen."""

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Field:
    """A playing field: its ``corners`` from the top left clockwise in pixels (4 x 2), and where it may be doubtful.

    ``bar``: its width, as a fraction of the field's. ``error``: how far a corner may be off, as a fraction of the
    field's width, by its edges alone. ``chance``: that this is such a board. ``harmony``: how well its columns and rows
    agree, from 0 to 1, and 1 where their number is not known. ``inner``: how well they agree without those along the
    one edge that agrees least, for example under a hand; 0 where others contradict, or where the field may go on beyond
    an edge. ``marked``: whether the four printed markers lie evenly around it. ``as_it_lay``: whether it was recognised
    by how its sites looked when they were last agreed on. ``barred``: whether the bar of points lies just in its
    middle.
    """

    corners: Points
    bar: float
    error: float
    chance: float
    harmony: float = 1.0
    inner: float = 0.0
    marked: bool = False
    as_it_lay: bool = False
    barred: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the field may well lie elsewhere."""
        return self.error >= DOUBTFUL_CORNER_WIDTHS or self.harmony <= LEAST_AGREEMENT


class FrameCorrector:
    """Makes rough corners exact, with the net of a `FieldFinder`; ``layout``: None for a board of any squares."""

    def __init__(self, finder: FieldFinder, layout: Layout | None) -> None:
        self._finder = finder
        self._layout = layout
        self._kind = POINTED if layout is not None and layout.is_tables else SQUARED

    def correct(self, image: Image, corners: Points, lay: Points | None = None) -> Field | None:
        """Return the field near these corners, or None where there is none.

        If the result is doubtful, and the field does not lie where it lay before (``lay``, 4 x 2 pixels), the search
        starts again from other corners, and the surest field is kept.
        """
        first = self._rounds(image, corners)
        if first is not None and not first.doubtful:
            return first
        stayed = None if lay is None else self._stayed(image, lay)
        if stayed is not None:
            return stayed
        found = [first, *(self._rounds(image, grow(corners, factor)) for factor in OTHERWISE)]
        best = surest(found)
        if best is None or not best.doubtful:
            return best
        again = self._rounds(image, best.corners)  # every round brings corners that are far off nearer
        return surest([best, again, self._by_columns(image, corners if first is None else first.corners)])

    def beside(self, image: Image, field: Field) -> Field | None:
        """Return the field of a tables board of which a whole column was left out beside its left or right edge.

        Piles hide a column to the net: it takes the last column that it sees for the outermost. Columns look alike, and
        a bar may be as wide as one. So only a bar in the middle shows at which edge the hidden column lies.
        """
        if self._layout is None or not self._layout.is_tables:
            return None
        column = 1 / (self._layout.columns + 1)
        wider = [_UNIT * [1 + column, 1] - [beside, 0] for beside in (column, 0.0)]
        starts = [mapped(mapping(_UNIT, field.corners), one) for one in wider]
        return surest([self._by_columns(image, start, with_bar=True) for start in starts])

    def turned(self, image: Image, field: Field) -> Field | None:
        """Return the field with its columns where the given one has rows, if its top edge still runs to the right.

        Which corner of a board that lies askew is the top left one, its columns tell better than its corners.
        """
        ways = [np.roll(field.corners, way, axis=0) for way in (1, -1)]
        start = max(ways, key=lambda corners: float(corners[1, 0] - corners[0, 0]))
        across, down = start[1] - start[0]
        return self.correct(image, start) if across > abs(down) * LEVEL_ENOUGH_SLOPE else None

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
        return self._in_step(self._finder.maps(straightened(image, corners)), corners, self._layout)

    def _stayed(self, image: Image, corners: Points) -> Field | None:
        """Return the field if its columns and rows show that it lies where it lay; points show it at their ends."""
        if self._layout is None:
            return None
        maps = self._finder.maps(straightened(image, corners))
        field = self._in_step(maps, corners, self._layout)
        if field.inner < CLEAR_AGREEMENT:
            return None
        if self._layout.is_tables:
            edges = fit_edges(maps[self._kind])
            if edges is None or np.abs(between_levels(START, edges) - START).max() > LEVEL_SHARE:
                return None
        return field

    def _in_step(self, maps: Maps, corners: Points, layout: Layout) -> Field:
        """Return the field at known corners, as `known` does; ``maps``: of the board that they straighten."""
        bar = bar_width(maps[BARRED], START) if self._kind == POINTED else 0.0
        stepped = in_step(maps, START, bar, layout, MARKED_CORNER_DEVIATION)
        if stepped.shown < LEAST_SHOWN:
            return Field(corners, bar, 0.0, 1.0)
        harmony = max(stepped.harmony, stepped.inner if stepped.inner >= CLEAR_AGREEMENT else 0.0)
        if WITH_BAR <= harmony < LEAST_AGREEMENT and self._barred(maps, stepped):
            harmony = LEAST_AGREEMENT
        strained = stepped.strain > MOST_CORNER_DEVIATIONS or harmony < LEAST_AGREEMENT
        if strained or self._slipped(maps, stepped, layout):
            return Field(corners, bar, 0.0, 1.0, 0.0)
        return Field(mapped(mapping(START, corners), stepped.corners), stepped.bar, 0.0, 1.0, harmony, stepped.inner)

    def _by_columns(self, image: Image, corners: Points, *, with_bar: bool = False) -> Field | None:
        """Return the field near these corners by its columns and rows; only points take their outer edges as well.

        An edge under a shadow, a raised frame or a leaning pile draws the others askew, but the columns do not bend.
        ``with_bar``: only where a bar is seen in its middle.
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
        moved, barred = mapped(mapping(START, corners), stepped.corners), self._barred(maps, stepped)
        if (
            stepped.strain >= FARTHEST_FOUND
            or self._slipped(maps, stepped, self._layout)
            or not is_convex(moved)
            or (with_bar and not barred)
        ):
            return None
        chance = inside_chance(maps, stepped.corners, self._kind)
        return Field(moved, stepped.bar, slack, chance, stepped.harmony, stepped.inner, barred=barred)

    def _barred(self, maps: Maps, found: InStep) -> bool:
        """Whether a bar is seen just in the middle."""
        if self._kind != POINTED:
            return False
        middle, wide = bar_middle(maps[BARRED], found.corners)
        return wide > BAR_SEEN and abs(middle) <= IN_THE_MIDDLE

    def _slipped(self, maps: Maps, found: InStep, layout: Layout) -> bool:
        """Whether a field goes on beyond an edge, or its bar lies beside its middle: it is a column or a row off."""
        if beyond(maps[self._kind], found.corners, found.bar, layout) > BEYOND_CHANCE:
            return True
        middle, wide = bar_middle(maps[BARRED], found.corners) if layout.is_tables else (0.0, 0.0)
        return wide > BAR_SEEN and abs(middle) > MIDDLE_SHARE

    def _rounds(self, image: Image, corners: Points) -> Field | None:
        field = None
        for _ in range(FITTING_ROUNDS):
            maps = self._finder.maps(straightened(image, corners))
            edges = fit_edges(maps[self._kind])
            if edges is None:
                return None
            chance = inside_chance(maps, edges.corners, self._kind)
            bar = bar_width(maps[BARRED], edges.corners) if self._kind == POINTED else 0.0
            placed, harmony, inner, barred = edges.corners, 1.0, 0.0, False
            if self._layout is not None:
                stepped = in_step(maps, edges.corners, bar, self._layout)
                placed, bar = stepped.corners, stepped.bar
                harmony = stepped.harmony if stepped.strain < FARTHEST_FOUND else 0.0
                if harmony > 0 and not self._slipped(maps, stepped, self._layout):
                    inner = stepped.inner
                    harmony = max(harmony, inner if inner >= CLEAR_AGREEMENT else 0.0)
                    barred = self._barred(maps, stepped)
            moved = mapped(mapping(START, corners), placed)
            if not is_convex(moved) or not np.isfinite(moved).all():
                return None
            wide = float(np.linalg.norm(moved[1] - moved[0]) + np.linalg.norm(moved[2] - moved[3])) / 2
            step = float(np.linalg.norm(moved - corners, axis=1).max()) / max(wide, 1.0)
            corners = moved
            error = edges.slack + (step if step > SETTLED_SHARE else 0.0) / 2
            field = Field(corners, bar, error, chance, harmony, inner, barred=barred)
            if step < SETTLED_SHARE:
                break
        return field


def surest(fields: Sequence[Field | None]) -> Field | None:
    """Return the likeliest field, or None if there is none."""
    found = [one for one in fields if one is not None]
    return max(found, key=lambda one: one.harmony - one.error * ERROR_COUNTS, default=None)


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
