"""Faces with the same marks, told apart by grain and wear if possible: the eight X of four Ludix dice.

Nobody names them, so only one thing shows whether they are told apart correctly: two faces in the same throw are two
faces. Twins are kept only if the sorting by looks obeys that far better than chance would.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.learning.grouping import Groups, split
from companion.vision.dice.score_calibration import Scores

SHUFFLES = 999
CHANCE = 0.01
"""The highest chance at which random sorting obeys as well."""

STEADY = 0.9
"""The lowest share of faces that fall among their own twins when their own throw is left out."""


def find_twins(pairs: Scores, throws: Sequence[int], number: int) -> Groups | None:
    """Return which of ``number`` twins each face of one text is, -1 if unknown; None if they cannot be told apart.

    ``pairs``: likenesses of these faces, (n, n). ``throws``: the throw of each.
    """
    count = len(pairs)
    if number < 2 or count < 3 * number:
        return None
    throw = np.asarray(throws)
    found = split(pairs, number)
    if found is None:
        return None
    together = np.triu(throw[:, None] == throw[None, :], 1)
    one, other = np.nonzero(together)
    if not len(one):
        return None
    clashes = _clashes(found, one, other)
    rng = np.random.default_rng(count)
    shuffled = np.array([_clashes(rng.permutation(found), one, other) for _ in range(SHUFFLES)])
    if (1 + (shuffled <= clashes).sum()) / (1 + SHUFFLES) > CHANCE:
        return None
    return found if steady_share(pairs, throw, found) >= STEADY else None


def steady_share(pairs: Scores, throws: npt.NDArray[np.int_], found: Groups) -> float:
    """Return how often the most similar face of another throw is of the same twin."""
    usable = (throws[:, None] != throws[None, :]) & (found[None, :] >= 0)
    nearest = np.where(usable, pairs, -np.inf).argmax(axis=1)
    known = (found >= 0) & usable.any(axis=1)
    return float((found[nearest] == found)[known].mean()) if known.any() else 0.0


def _clashes(found: Groups, one: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> int:
    return int(((found[one] == found[other]) & (found[one] >= 0)).sum())
