"""Which man is which, all men of a board together: of each kind there are only so many.

A man that looks like 225 or 289 is the 225 where the 289 stands elsewhere. The chances of each man's kinds under the
limits are computed by messages between men and kinds (sum-product on the bipartite graph, as for matchings).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ROUNDS: Final = 10

UNLISTED_MAN_CHANCE: Final = 1e-4
"""The chance that a man is of no listed kind, or one more than there should be: limits are no law of nature."""


def assigned(chances: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return how the limits change each man's chances: factors (n x kinds) to multiply them with.

    ``chances``: of each man to be of each kind (n x kinds); what is missing from 1 is the chance that he is nothing,
    which no limit holds for. ``limits``: how many there are of each kind.
    """
    nothing = np.maximum(1 - chances.sum(axis=1, keepdims=True), 0) + UNLISTED_MAN_CHANCE
    factors = np.ones_like(chances)
    if len(chances) < 2:  # noqa: PLR2004 (one man shares with nobody)
        return factors
    for turn in range(ROUNDS):
        told = chances * factors
        odds = chances / np.maximum(told.sum(axis=1, keepdims=True) + nothing - told, 1e-12)
        room = _room(odds, limits)
        factors = room if turn == 0 else np.sqrt(factors * room)
    return factors


def _room(odds: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return for each man and kind how likely the others leave one of that kind to him (n x kinds).

    ``odds``: of each man to be of a kind. With at most m of it, the others may be m - 1 with him and m without him.
    """
    room = np.empty_like(odds)
    single = limits == 1
    room[:, single] = 1 / (1 + odds[:, single].sum(axis=0) - odds[:, single])
    if not single.all():
        room[:, ~single] = _shared(odds[:, ~single], limits[~single])
    return room


def _shared(odds: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return the room of kinds of which there are several: sums over all sets of others, by how many they are."""
    men, kinds = odds.shape
    weights = np.zeros((men, kinds, int(limits.max()) + 1))
    weights[:, :, 0] = 1.0
    for other in range(men):
        one = np.repeat(odds[other : other + 1], men, axis=0)
        one[other] = 0.0  # nobody is among the others of himself
        weights[:, :, 1:] = weights[:, :, 1:] + one[:, :, None] * weights[:, :, :-1]
    many = np.arange(weights.shape[2])
    with_him = (weights * (many < limits[:, None])).sum(axis=2)
    without = (weights * (many <= limits[:, None])).sum(axis=2)
    return np.asarray(with_him / without)
