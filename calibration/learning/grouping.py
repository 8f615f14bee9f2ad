"""Sort faces into groups by their likeness: no names, no counts, only faces that are more alike than others."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import SHORTEST_DESCRIPTOR, Vectors
from companion.vision.dice.groups.linkage import Likes, joinings, numbered

Groups = npt.NDArray[np.intp]
"""The number of each face's group, from 0, the largest group first; -1 for a face like no other."""


GROUPED_SHARE = 0.85
"""The share of faces that a cut must group; a cut that groups fewer is used only if there is no other."""


def all_pairs(views: Sequence[Vectors]) -> Likes:
    """Return how alike each two faces are in their best rotation, (n, n), after Fisher's transformation.

    ``views``: the descriptors of each face in all its rotations. What all faces have in common tells none from another.
    """
    every = np.array(views)
    own = every - every[:, 0].mean(axis=0)
    own /= np.maximum(np.linalg.norm(own, axis=2, keepdims=True), SHORTEST_DESCRIPTOR)
    pairs = np.max([own[:, turn] @ own[:, 0].T for turn in range(own.shape[1])], axis=0)
    return np.asarray(np.arctanh(np.clip(np.maximum(pairs, pairs.T), -0.95, 0.995)), np.float64)


def group(pairs: Likes, most: int, separate: npt.NDArray[np.bool_] | None = None) -> Groups:
    """Return groups of faces that are alike, from their likenesses ``pairs``, (n, n).

    It joins the two most alike groups again and again (average linkage), until there are at most ``most`` groups of two
    faces or more and few faces are alone. It stops there: an owner names a face in two groups twice, which costs
    little, but two faces in one group would be learnt wrongly. Faces marked in ``separate``, (n, n), never get into one
    group.
    """
    cuts, _ = joinings(pairs, separate)
    fine = [
        cut
        for cut in cuts
        if sum(len(one) > 1 for one in cut) <= most
        and sum(len(one) == 1 for one in cut) <= (1 - GROUPED_SHARE) * len(pairs)
    ]
    return numbered(fine[0] if fine else cuts[-1], len(pairs))


def typical(groups: Groups, pairs: Likes) -> list[int]:
    """Return for each group the face that is most like its others."""
    found = []
    for number in range(int(groups.max(initial=-1)) + 1):
        mine = np.flatnonzero(groups == number)
        found.append(int(mine[pairs[np.ix_(mine, mine)].mean(axis=1).argmax()]))
    return found
