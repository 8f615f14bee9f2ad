"""Hitting men of the other side, for every kind of many positions at once."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from companion.odds.tables.corners import taken
from companion.odds.tables.crossing import Crossing
from companion.odds.tables.men import BIT_SLICES, HAND, Bits, add, remove


class Standing(Protocol):
    """Positions, one column each.

    ``men`` (8, columns): the slices of the own men, then those of the other side. ``hit`` (2, columns): of the men in
    hand, those that were hit, own and other. ``blots``: points of the own track where one man of the other side stands.
    ``side``: which side plays, 0 or 1.
    """

    men: Bits
    hit: npt.NDArray[np.int8]
    blots: Bits
    side: npt.NDArray[np.int8]


def strike(standing: Standing, struck: Bits, crossing: Crossing, *, corners: bool) -> None:
    """Send the other side's men on these points of the own track into its hand, in place.

    ``corners``: men in hand are grouped by the table where they were hit.
    """
    columns = np.flatnonzero(struck)
    if not columns.size:
        return
    there = crossing.across(standing.side[columns], struck[columns])
    men = standing.men[BIT_SLICES:, columns]
    remove(men, there)
    add(men, taken(there) if corners else np.broadcast_to(HAND, there.shape))
    standing.men[BIT_SLICES:, columns] = men
    standing.hit[1, columns] += 1
    standing.blots ^= struck
