"""Decide which man is which, for all men of a board together: the number of men of each kind is limited.

A man that looks like 225 or 289 is the 225 if the 289 stands elsewhere. Messages between men and kinds give the chances
of each man's kinds under the limits (sum-product on the bipartite graph, as for matchings).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ASSIGNING_ROUNDS: Final = 10

UNLISTED_MAN_CHANCE: Final = 1e-4
"""The chance that a man is of no listed kind, or one more than there should be: real boards may break the limits."""


def assigned(chances: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return how the limits change each man's chances: factors (n x kinds) to multiply them with.

    ``chances``: of each man to be of each kind (n x kinds). What is missing from 1 is the chance that he is nothing,
    for which there is no limit. ``limits``: how many men there are of each kind.
    """
    nothing = np.maximum(1 - chances.sum(axis=1, keepdims=True), 0) + UNLISTED_MAN_CHANCE
    factors = np.ones_like(chances)
    if len(chances) < 2:  # noqa: PLR2004 (one man shares with nobody)
        return factors
    for turn in range(ASSIGNING_ROUNDS):
        weighed = chances * factors
        odds = chances / np.maximum(weighed.sum(axis=1, keepdims=True) + nothing - weighed, 1e-12)
        room = _room(odds, limits)
        factors = room if turn == 0 else np.sqrt(factors * room)
    return factors


def _room(odds: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return for each man and kind the chance that the others leave one man of that kind to him (n x kinds).

    ``odds``: of each man to be of a kind. With at most m of it, the others may be m - 1 with him and m without him.
    """
    room = np.empty_like(odds)
    single = limits == 1
    room[:, single] = 1 / (1 + odds[:, single].sum(axis=0) - odds[:, single])
    if not single.all():
        room[:, ~single] = _shared(odds[:, ~single], limits[~single])
    return room


def _shared(odds: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return the room for kinds with several men: sums over all sets of others, by the size of the set."""
    most = int(limits.max())
    before, after = _sums(odds, most)[:-1], _sums(odds[::-1], most)[-2::-1]  # nobody is among the others of himself
    weights = np.stack(
        [sum(before[:, :, k] * after[:, :, many - k] for k in range(many + 1)) for many in range(most + 1)], axis=2
    )
    many = np.arange(most + 1)
    with_him = (weights * (many < limits[:, None])).sum(axis=2)
    without = (weights * (many <= limits[:, None])).sum(axis=2)
    return np.asarray(with_him / without)


def _sums(odds: Floats, most: int) -> Floats:
    """Return for the first 0 to n men the sums over their sets of 0 to ``most`` men: (n + 1) x kinds x (most + 1)."""
    men, kinds = odds.shape
    sums = np.zeros((men + 1, kinds, most + 1))
    sums[:, :, 0] = 1.0
    for man, one in enumerate(odds):
        sums[man + 1, :, 1:] = sums[man, :, 1:] + one[:, None] * sums[man, :, :-1]
    return sums
