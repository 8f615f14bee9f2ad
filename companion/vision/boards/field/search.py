"""The search for a board's field: between its printed markers, in the whole picture, or near known corners."""

from dataclasses import replace
from typing import Final

from companion.vision.boards.field.find import POINTED, SQUARED, FieldFinder
from companion.vision.boards.field.frame import (
    CLEAR_AGREEMENT,
    LEAST_AGREEMENT,
    SHRUNK_FIELD,
    Field,
    FrameCorrector,
    surest,
)
from companion.vision.boards.field.marked import kit_corners, lies_amid, outline
from companion.vision.boards.layout import Layout
from companion.vision.boards.markers import MarkerFinder, MarkersSeen
from companion.vision.dice.geometry import Points, grow
from companion.vision.readings import Image

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
