"""The colour of a die's body: it tells die from die, and a stranger's die, whose face looks like one that is known.

Letters of two hands may look alike; dice of two makers seldom have one colour. So a face is compared with exemplars of
its own colour alone. Where there is none, it is read as if nothing were remembered.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import Vectors
from companion.vision.dice.memory.pictured import Known, Pictured
from companion.vision.readings import Image

INNER: Final = slice(10, -10)
"""What of a flat face counts, in pixels from its edges: the edges are worn, and corners are never exact."""

DARK_OFFSET: Final = 2.0
"""What is added to each channel before its logarithm, so that noise in black says little."""

BRIGHTNESS_WEIGHT: Final = 0.3
"""How much brightness counts beside colour: it changes with the place on the table."""

OTHER_COLOUR_DISTANCE: Final = 0.12
"""A body has another colour than an exemplar's if they differ by more than this (natural logarithm). In drawn
sittings of 16 developing hands, 2 of 578 faces of the table's own dice were farther from all those of the first twelve
throws, and of dice from a stranger's hand 250 of 288."""

LEAST_EXEMPLARS: Final = 6
"""With fewer exemplars, nothing is known of the table's colours."""

COLOUR_CHANNELS: Final = 3


def bodies(patches: Sequence[Image]) -> Vectors:
    """Return blue and red by green, and brightness, of flat BGR faces of `PATCH_PIXELS`: (n, `COLOUR_CHANNELS`)."""
    return colours(np.array([np.median(patch[INNER, INNER].reshape(-1, 3), axis=0) for patch in patches]))


def colours(middles: npt.ArrayLike) -> Vectors:
    """Return what `bodies` does, of the median BGR values of faces: (n, 3)."""
    logs = np.log(np.asarray(middles, np.float32).reshape(-1, 3) + DARK_OFFSET)
    green = logs[:, 1]
    by_green = [logs[:, 0] - green, logs[:, 2] - green, BRIGHTNESS_WEIGHT * logs.mean(axis=1)]
    return np.column_stack(by_green).astype(np.float32)


class Bodies:
    """Compares the body of a face with those of exemplars."""

    def __init__(self) -> None:
        self._known = Known(bodies)

    def alike(self, patch: Image, kept: Sequence[Pictured]) -> npt.NDArray[np.bool_]:
        """Return which exemplars have the colour of a flat face: (n,); all of them while too few show theirs."""
        pictured = np.array([bool(one.picture) for one in kept], np.bool_)
        if pictured.sum() < LEAST_EXEMPLARS:
            return np.ones(len(kept), np.bool_)
        distances = np.linalg.norm(self._known.of(kept, COLOUR_CHANNELS) - bodies([patch]), axis=1)
        return np.asarray(~pictured | (distances <= OTHER_COLOUR_DISTANCE), np.bool_)
