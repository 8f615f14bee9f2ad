"""Translate points of one side's track into points of the other's, for whole words of bits at once."""

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import Bits

HALF_BITS = 13
"""Bits of a word that one table lookup translates: two lookups cover the hand and 24 points."""
_LOWER = np.uint32((1 << HALF_BITS) - 1)


class Crossing:
    """The translation between both tracks: two tables a side, one for the lower bits of a word, one for the upper."""

    def __init__(self, layout: TrackLayout) -> None:
        self._tables = np.zeros((2, 2, 1 << HALF_BITS), np.uint32)
        words = np.arange(1 << HALF_BITS)
        for side in (0, 1):
            there = {point: place for place, point in enumerate(layout.tracks[1 - side], 1)}
            for place, point in enumerate(layout.tracks[side], 1):
                if point in there:
                    upper, bit = divmod(place, HALF_BITS)
                    self._tables[side, upper][words >> bit & 1 == 1] |= np.uint32(1 << there[point])

    def across(self, side: npt.NDArray[np.int8], bits: Bits) -> Bits:
        """Return these points of the tracks of these sides (0 or 1) as places on the other side's track.

        The hand is left out, and so are points that are not on the other side's track.
        """
        lower = self._tables[side, 0, bits & _LOWER]
        crossed: Bits = lower | self._tables[side, 1, bits >> np.uint32(HALF_BITS) & _LOWER]
        return crossed
