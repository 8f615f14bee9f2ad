"""How alike two throws are by themselves: a second witness of what the map of all throws says of them."""

from collections.abc import Sequence

import numpy as np

from companion.vision.dice.atlas.atlas import FoundPose
from companion.vision.dice.atlas.marked import Common
from companion.vision.dice.atlas.pose import LyingThrow
from companion.vision.dice.groups.linkage import Likes


def pairs(common: Common, throws: Sequence[LyingThrow], found: Sequence[FoundPose]) -> tuple[Likes, Likes]:
    """Return how alike every two throws are with their upper faces laid on each other, (n, n) with 0 on the diagonal.

    First as the map turns them: two throws with one face up are alike, all others are not. Then in whichever position
    fits best, where it may be that the map errs. Each is the mean correlation of the faces that both show.

    Args:
        common: what all faces of the die have in common.
        throws: throws of the die.
        found: how each of them lies, by the map.
    """
    solid, steps = common.solid, common.solid.steps
    about = np.array([k for k in range(len(solid.faces)) if solid.faces[k, 0] == 0])
    about = about[np.argsort(solid.turns[about, 0])]  # the symmetry that turns the upper face by each step
    shown = np.zeros((steps, len(throws), len(solid.points), len(solid.weights)), np.float32)
    facing = np.zeros((steps, len(throws), len(solid.points)), np.float32)
    for number, (throw, one) in enumerate(zip(throws, found, strict=True)):
        own = common.own(throw, one.pose)
        for step in range(steps):
            k = about[(int(solid.turns[one.symmetry, 0]) + step) % steps]
            faces, places = solid.faces[k, own.faces], solid.turned[solid.turns[k, own.faces]]
            shown[step, number, faces[:, None], places] = own.facing[:, None] * own.samples
            facing[step, number, faces] = own.facing
    flat = shown.reshape(steps, len(throws), -1)
    each = [(flat[0] @ flat[step].T) / (facing[0] @ facing[step].T) for step in range(steps)]
    laid, best = (np.asarray((likes + likes.T) / 2, np.float64) for likes in (each[0], np.max(each, axis=0)))
    for likes in (laid, best):
        np.fill_diagonal(likes, 0.0)
    return laid, best
