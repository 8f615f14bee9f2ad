"""Sort faces into groups by their looks: no names, no counts, only faces that are more alike than others."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.dice.groups.linkage import joinings, numbered
from companion.vision.dice.likeness import Outline, Scores, fisher, likeness, prepare, relief
from companion.vision.readings import Image

Groups = npt.NDArray[np.intp]
"""The number of each face's group, from 0, the largest group first; -1 for a face like no other."""


def marks_axis(patches: Sequence[Image]) -> tuple[float, float, float]:
    """Return how much blue, green and red show of the marks of these faces: the axis of their strongest contrast."""
    inner = np.array([patch[8:-8, 8:-8] for patch in patches], np.float64)
    flat = (inner - inner.mean(axis=(1, 2), keepdims=True)).reshape(-1, 3)
    _, vectors = np.linalg.eigh(flat.T @ flat)
    axis = vectors[:, -1] / np.abs(vectors[:, -1]).sum()
    if axis.sum() < 0:
        axis = -axis
    return (float(axis[0]), float(axis[1]), float(axis[2]))


MOST_PAIRS = 64
"""How many others, the likeliest at first sight, a face is exactly compared with; any further one counts as the least
of them."""

GROUPED_SHARE = 0.85
"""The share of faces that a cut must group; a cut that groups fewer is used only if there is no other."""


def all_pairs(patches: Sequence[Image], outline: Outline, axis: tuple[float, float, float]) -> Scores:
    """Return the likeness of every two flat faces, (n, n), in the rotation in which they fit best."""
    reliefs = [relief(patch, outline, axis) for patch in patches]
    prototypes = prepare(reliefs, range(len(reliefs)), outline)
    rows = np.array([likeness(one, prototypes, MOST_PAIRS) for one in reliefs]).reshape(len(reliefs), len(reliefs))
    for row in rows:
        row[row == -1] = row[row > -1].min(initial=1.0)
    both: Scores = np.maximum(rows, rows.T)
    return both


def group(pairs: Scores, most: int, apart: npt.NDArray[np.bool_] | None = None) -> Groups:
    """Return groups of faces with one look each, from their likenesses ``pairs``, (n, n).

    It joins the two most alike groups again and again (average linkage), until there are at most ``most`` groups of two
    faces or more and few faces are alone. It stops there: an owner names a face in two groups twice, which costs
    little, but two faces in one group would be learnt wrongly. Faces marked in ``apart``, (n, n), never get into one
    group.
    """
    cuts, _ = joinings(fisher(pairs), apart)
    fine = [
        cut
        for cut in cuts
        if sum(len(one) > 1 for one in cut) <= most
        and sum(len(one) == 1 for one in cut) <= (1 - GROUPED_SHARE) * len(pairs)
    ]
    return numbered(fine[0] if fine else cuts[-1], len(pairs))


def typical(groups: Groups, pairs: Scores) -> list[int]:
    """Return for each group the face that is most like its others."""
    found = []
    for number in range(int(groups.max(initial=-1)) + 1):
        mine = np.flatnonzero(groups == number)
        found.append(int(mine[pairs[np.ix_(mine, mine)].mean(axis=1).argmax()]))
    return found
