"""Faces sorted into groups by their looks: no names, no counts, only what is more alike than other faces are."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.dice.likeness import Outline, likeness, prepare, relief
from companion.vision.dice.score_calibration import Scores, fisher
from companion.vision.readings import Image

Groups = npt.NDArray[np.intp]
"""The number of each face's group, from 0, the largest group first; -1 for a face like no other."""


def marks_axis(patches: Sequence[Image]) -> tuple[float, float, float]:
    """Return how much blue, green and red tell of the marks of these faces: the axis of their strongest contrast."""
    inner = np.array([patch[8:-8, 8:-8] for patch in patches], np.float64)
    flat = (inner - inner.mean(axis=(1, 2), keepdims=True)).reshape(-1, 3)
    _, vectors = np.linalg.eigh(flat.T @ flat)
    axis = vectors[:, -1] / np.abs(vectors[:, -1]).sum()
    if axis.sum() < 0:
        axis = -axis
    return (float(axis[0]), float(axis[1]), float(axis[2]))


MOST_PAIRS = 64
"""A face is laid on so many others exactly, the likeliest at first sight; any further one is like the least of them."""

COVERED = 0.85
"""A cut that leaves more faces alone than this lets in is taken only where there is no other."""


def all_pairs(patches: Sequence[Image], outline: Outline, axis: tuple[float, float, float]) -> Scores:
    """Return the likeness of each two flat faces, (n, n), in whichever rotation they fit best."""
    reliefs = [relief(patch, outline, axis) for patch in patches]
    prototypes = prepare(reliefs, range(len(reliefs)), outline)
    rows = np.array([likeness(one, prototypes, MOST_PAIRS) for one in reliefs]).reshape(len(reliefs), len(reliefs))
    for row in rows:
        row[row == -1] = row[row > -1].min(initial=1.0)
    both: Scores = np.maximum(rows, rows.T)
    return both


def group(pairs: Scores, least: int, most: int, apart: npt.NDArray[np.bool_] | None = None) -> Groups:
    """Return the groups of faces whose likenesses are ``pairs``, (n, n). Never together come those ``apart``, (n, n).

    The two most alike groups are joined again and again (average linkage), until the next two would be clearly less
    alike than those before: at the widest step in likeness among all cuts that leave ``least`` to ``most`` groups of
    two faces or more and few faces alone. Where none does, at the cut that comes nearest.
    """
    count = len(pairs)
    likes = fisher(pairs)
    if apart is not None:
        likes[apart] = -np.inf  # and so is any mean in which such a pair takes part
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
    return _numbered(cuts[_widest(cuts, heights, least, most)], count)


def _widest(cuts: Sequence[Sequence[tuple[int, ...]]], heights: Sequence[float], least: int, most: int) -> int:
    """Return which cut to take: after so many joinings."""
    sizable = [sum(len(one) > 1 for one in cut) for cut in cuts]
    alone = [sum(len(one) == 1 for one in cut) for cut in cuts]
    inside = [i for i in range(1, len(cuts)) if least <= sizable[i] <= most]
    usable = [i for i in inside if alone[i] <= (1 - COVERED) * len(cuts[0])] or inside
    if not usable:
        wanted = (least + most) / 2
        return min(range(len(cuts)), key=lambda i: (abs(sizable[i] - wanted), -i))
    lowest = [*np.minimum.accumulate(heights), -np.inf] if heights else [-np.inf]
    # after the last joining that is allowed nothing can be told of the next: a step like any other
    usual = float(np.median(heights)) - float(min(heights)) if heights else 0.0
    following = [*heights, float(lowest[-2]) - usual if heights else 0.0]
    return max(usable, key=lambda i: float(lowest[i - 1]) - following[i])


def _numbered(cut: Sequence[tuple[int, ...]], count: int) -> Groups:
    groups = np.full(count, -1, np.intp)
    for number, one in enumerate(sorted((one for one in cut if len(one) > 1), key=lambda one: (-len(one), min(one)))):
        groups[list(one)] = number
    return groups


def typical(groups: Groups, pairs: Scores) -> list[int]:
    """Return for each group the face that is most like its others."""
    found = []
    for number in range(int(groups.max(initial=-1)) + 1):
        mine = np.flatnonzero(groups == number)
        found.append(int(mine[pairs[np.ix_(mine, mine)].mean(axis=1).argmax()]))
    return found
