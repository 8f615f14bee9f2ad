"""Joining what is most alike, again and again (average linkage): groups of throws or faces with one look each."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Likes = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]
"""The number of each one's group, from 0, the largest group first; -1 for one like no other."""


def joinings(
    pairs: Likes, separate: npt.NDArray[np.bool_] | None = None
) -> tuple[list[list[tuple[int, ...]]], list[float]]:
    """Return the groups after each joining, at first every one alone, and how alike the two joined groups were.

    ``pairs``: how alike every two are, (n, n), on a scale on which a mean makes sense. Those marked in ``separate``,
    (n, n), never get into one group.
    """
    count = len(pairs)
    likes = pairs.copy()
    if separate is not None:
        likes[separate] = -np.inf  # then the mean of any groups with such a pair is -inf too
    np.fill_diagonal(likes, -np.inf)
    sizes = np.ones(count)
    members: list[list[int]] = [[i] for i in range(count)]
    alive = np.ones(count, bool)
    heights: list[float] = []
    cuts: list[list[tuple[int, ...]]] = [[(i,) for i in range(count)]]
    for _ in range(count - 1):
        one, other = divmod(int(likes.argmax()), count)
        if likes[one, other] == -np.inf:
            break
        heights.append(float(likes[one, other]))
        joined = (likes[one] * sizes[one] + likes[other] * sizes[other]) / (sizes[one] + sizes[other])
        joined[[one, other]] = -np.inf
        joined[~alive] = -np.inf
        likes[one], likes[:, one] = joined, joined
        likes[other], likes[:, other] = -np.inf, -np.inf
        sizes[one] += sizes[other]
        members[one] += members[other]
        alive[other] = False
        cuts.append([tuple(members[i]) for i in np.flatnonzero(alive)])
    return cuts, heights


def numbered(cut: Sequence[tuple[int, ...]], count: int) -> Numbers:
    """Return the number of each one's group after a cut, `Numbers`."""
    groups = np.full(count, -1, np.intp)
    for number, one in enumerate(sorted((one for one in cut if len(one) > 1), key=lambda one: (-len(one), min(one)))):
        groups[list(one)] = number
    return groups
