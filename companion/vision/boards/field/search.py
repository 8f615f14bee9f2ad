"""The search for a board's field: between its printed markers, in the whole picture, or near known corners."""

from dataclasses import replace
from typing import Final

import numpy as np

from companion.vision.boards.field.find import POINTED, SQUARED, FieldFinder, upright
from companion.vision.boards.field.frame import (
    CLEAR_AGREEMENT,
    LEAST_AGREEMENT,
    SHRUNK_FIELD,
    Field,
    FrameCorrector,
    surest,
)
from companion.vision.boards.kit import kit_boards
from companion.vision.boards.layout import LAYOUTS, NUMBERS, Layout
from companion.vision.boards.markers import MarkerFinder, MarkersSeen
from companion.vision.boards.pose import PoseError, pose_from_markers
from companion.vision.dice.geometry import Points, grow, is_convex, mapped, mapping
from companion.vision.readings import Image

LARGEST_MARKER_SHARE: Final = 0.3
"""The largest marker beside a board, as a fraction of the shortest distance from one to the next."""

MOST_UNEQUAL: Final = 3.0
"""The four are of one size: the nearest is seen at most this many times as large as the farthest."""

MOST_INSIDE: Final = 0.3
"""How far the middle of a marker may lie inside of the field, in columns or rows."""

MOST_OUTSIDE: Final = 4.0
"""How far it may lie outside of the field, in columns or rows."""

MOST_ASKEW: Final = 0.8
"""How much the four may differ in how far outside they lie, in columns or rows. Beside a field that slipped by a column
or row, they differ by two."""

TABLES_HEIGHT_COLUMNS: Final = 11.0
"""The approximate height of a tables board, in its columns."""

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def outline(seen: MarkersSeen) -> Points | None:
    """Return the quadrilateral just inside of the four markers (4 x 2 pixels, from the picture's top left clockwise).

    None unless each of the four is seen once and they lie as a person lays them around a board: not on one line,
    crossed, the wrong way round as in a mirror, or of very unlike size.
    """
    if not seen.whole:
        return None
    markers = [seen.markers[number] for number in NUMBERS]
    centres = np.array([marker.centre for marker in markers])
    if not np.isfinite(centres).all() or not is_convex(centres):
        return None
    edges = np.roll(centres, -1, axis=0) - centres
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    sides = np.array([marker.side for marker in markers])
    ways = np.linalg.norm(edges, axis=1)
    if (turns <= 0).any() or sides.max() > min(MOST_UNEQUAL * sides.min(), LARGEST_MARKER_SHARE * ways.min()):
        return None
    middle = centres.mean(axis=0)
    inner = [marker.corners[np.linalg.norm(marker.corners - middle, axis=1).argmin()] for marker in markers]
    return upright(np.array(inner, np.float64))


def kit_corners(seen: MarkersSeen, layout: Layout, size: tuple[int, int]) -> Points | None:
    """Return the field's corners (4 x 2 pixels, from the picture's top left clockwise) by a sheet of the printed kit.

    None where the markers do not lie exactly as on the kit's sheet of this board. ``size``: the picture's width and
    height in pixels.
    """
    if outline(seen) is None:
        return None
    for kit in kit_boards().values():
        if LAYOUTS.get(kit.board) != layout:
            continue
        try:
            pose = pose_from_markers(seen.markers, kit.places(), size)
        except PoseError:
            continue
        corners = upright(pose.corners)
        turned = int(np.linalg.norm(pose.corners - corners[0], axis=1).argmin())
        if not pose.strays and turned % 2 == 0:  # a sheet on its side has its columns where others have rows
            return corners
    return None


def lies_amid(corners: Points, seen: MarkersSeen, layout: Layout) -> bool:
    """Whether the four markers lie equally far outside of a field's corners (4 x 2 pixels), as people lay them.

    They do not around a field that slipped by a column or a row. They may not around a high frame seen at a slant
    either: then they are no evidence.
    """
    if outline(seen) is None:
        return False
    centres = upright(np.array([seen.markers[number].centre for number in NUMBERS]))
    beside = mapped(mapping(corners, _UNIT), centres)
    outward = np.where(_UNIT > 0, beside - 1, -beside)
    outward *= [layout.columns + layout.is_tables, TABLES_HEIGHT_COLUMNS if layout.is_tables else layout.rows]
    return bool(
        outward.min() > -MOST_INSIDE and outward.max() < MOST_OUTSIDE and np.ptp(outward, axis=0).max() < MOST_ASKEW
    )


AGREED_ERROR: Final = 2.0
MARKED_ERROR: Final = 2.5
"""Factors on the allowed error of a field's edges: where its columns and rows agree except along one edge, and where
the four markers lie evenly around it. Neither is true of a field that slipped by a column."""

MARKED_HARMONY: Final = 0.6
"""The least agreement of columns and rows in the second case, if the edges are good. A field that is half a column too
wide, which markers cannot detect, agrees less."""

EXACT_ERROR: Final = 0.002
EXACT_HARMONY: Final = 0.7
"""The most error of the edges and the least agreement of the columns in the third case: a bar just in the middle. A
hand over a corner may bend an edge into another straight line, so then nothing may be covered."""


class FieldSearch:
    """Finds the field of one layout's boards. Not for two threads at once.

    Args:
        layout: of the boards.
        error_below: up to this error of its edges a field counts as found for certain.
        chance_above: and from this chance upwards.
    """

    def __init__(self, layout: Layout, error_below: float, chance_above: float) -> None:
        self._layout = layout
        self._error_below = error_below
        self._chance_above = chance_above
        self._finder = FieldFinder()
        self._corrector = FrameCorrector(self._finder, layout)
        self._markers = MarkerFinder()

    def known(self, image: Image, corners: Points) -> Field:
        """Return the field whose corners are known for certain."""
        return self._corrector.known(image, corners)

    def find(self, image: Image, lay: Points | None) -> Field | None:
        """Return where the board's field lies in a BGR picture, or None where there is none.

        If the four printed markers are seen, the reader searches between them. Otherwise, or if they lie around no such
        board, it searches the whole picture. ``lay``: where the field lay in the lesson, 4 x 2 pixels.
        """
        seen = self._markers.find(image, hard=False)
        marked = self._between(image, seen)
        if marked is not None and marked.marked and self.certain(marked):
            return marked
        kind = POINTED if self._layout.is_tables else SQUARED
        rough = self._finder.find(image, kind)
        field = None if rough is None else self._corrector.correct(image, rough.corners, lay)
        field = self._helped(image, field, seen, marked)
        if field is not None and self.certain(field):
            return field
        whole = self._finder.span(image, kind)
        spanned = None if whole is None else self._corrector.correct(image, whole.corners, lay)
        best = surest([field, spanned])
        if best is None or self.certain(best):
            return best
        others = [self._corrector.beside(image, best), self._corrector.turned(image, best)]
        return surest([best, *others])

    def correct(self, image: Image, corners: Points, lay: Points | None) -> Field | None:
        """Return the field near roughly known corners (4 x 2 pixels, from the top left clockwise), made exact.

        If the result is doubtful and the four printed markers are seen, the reader searches between these. ``lay``: see
        `find`.
        """
        return self._helped(image, self._corrector.correct(image, corners, lay), MarkersSeen({}), None)

    def certain(self, field: Field) -> bool:
        """Whether the place of a field is certain, by all evidence together."""
        if field.chance < self._chance_above:
            return False
        if field.marked and field.error <= self._error_below:
            return field.harmony >= MARKED_HARMONY
        more = MARKED_ERROR if field.marked else AGREED_ERROR if field.inner >= CLEAR_AGREEMENT else 1.0
        return field.error <= self._error_below * more and field.harmony >= LEAST_AGREEMENT

    def exact(self, field: Field) -> bool:
        """Whether straight edges and a bar just in the middle show where a board lies whose columns are seen badly."""
        well_seen = field.error <= EXACT_ERROR and field.chance >= self._chance_above
        return field.barred and well_seen and field.harmony >= EXACT_HARMONY

    def _helped(self, image: Image, field: Field | None, seen: MarkersSeen, marked: Field | None) -> Field | None:
        """Return the given field, or, if it is doubtful, one between the markers if that is surer."""
        if field is not None and self.certain(field):
            return field
        if not seen.whole:
            seen = self._markers.find(image)
            marked = self._between(image, seen)
        if field is not None and seen.whole:
            field = replace(field, marked=lies_amid(field.corners, seen, self._layout))
        both = [one for one in (field, marked) if one is not None]
        return surest([one for one in both if self.certain(one)] or both)

    def _between(self, image: Image, seen: MarkersSeen) -> Field | None:
        """Return the field between the four markers, or None where they lie around none."""
        inside = outline(seen)
        if inside is None:
            return None
        height, width = image.shape[:2]
        printed = kit_corners(seen, self._layout, (width, height))
        if printed is not None:
            sheet = replace(self._corrector.measured(image, printed), marked=True)
            if self.certain(sheet):
                return sheet
        found = surest([self._corrector.correct(image, start) for start in (inside, grow(inside, SHRUNK_FIELD))])
        return None if found is None else replace(found, marked=lies_amid(found.corners, seen, self._layout))
