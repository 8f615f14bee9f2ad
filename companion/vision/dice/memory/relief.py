"""Reliefs of flat faces as vectors: a second kind of likeness, beside what the mark nets make of a face.

The mark nets are taught to see letters, and see less of what else tells two faces of one owner apart: the worn corner,
the slip of the pen. A relief keeps the picture itself, without its light (`likeness.relief`).
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.faces import Vectors, lengthened
from companion.vision.dice.geometry import PATCH
from companion.vision.dice.likeness import LAYERS, relief
from companion.vision.readings import Image

RIM: Final = 6
"""Pixels of a flat face left out at each edge: corners are never exact, and the edges of all dice are alike."""

SAMPLES: Final = 26
"""Samples along an edge of what is left."""

WIDTH: Final = LAYERS * SAMPLES**2
"""The length of a relief's vector."""


def reliefs(patches: Sequence[Image]) -> Vectors:
    """Return the reliefs of flat square faces (`PATCH` x `PATCH` x 3, BGR) as they lie: (n, `WIDTH`), of length 1."""
    inner = slice(RIM, PATCH - RIM)
    rows = []
    for patch in patches:
        made = cv2.resize(relief(patch, "square")[inner, inner], (SAMPLES, SAMPLES), interpolation=cv2.INTER_AREA)
        rows.append((made - made.mean(axis=(0, 1))).reshape(WIDTH))
    return lengthened(np.array(rows, np.float32).reshape(len(rows), WIDTH))
