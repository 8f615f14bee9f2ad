"""What is made of the pictures of exemplars, each once: nothing of it is kept in files, a picture says it all.

Faces that are not clear get a second pass: they are compared as two mark nets see them. The second net learnt from
other drawings. Two faces that one net hardly distinguishes differ more for both together. Square faces are compared by
their reliefs, too: see `relief`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from companion.vision.dice.faces import Vectors
from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.memory.relief import WIDTH, reliefs
from companion.vision.images import decode_image
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Image

Describe = Callable[[Sequence[Image]], Vectors]
"""Describes flat faces (`PATCH_PIXELS` x `PATCH_PIXELS` x 3) by vectors: (n, width)."""


class Pictured(Protocol):
    """An exemplar of which there is a picture, as JPEG, or none where it is empty."""

    @property
    def picture(self) -> bytes:
        """The flat face."""


class Known:
    """Describes each exemplar once, from its picture, when it is first needed."""

    def __init__(self, make: Describe) -> None:
        self._make = make
        self._made: WeakKeyDictionary[Pictured, Vectors] = WeakKeyDictionary()

    def of(self, kept: Sequence[Pictured], width: int) -> Vectors:
        """Return what is made of exemplars, (n, ``width``); zeros for those without a whole picture."""
        new = [one for one in kept if one not in self._made]
        patches = [(one, patch) for one in new for patch in [patch_of(one.picture)] if patch is not None]
        self._made.update({one: np.zeros(width, np.float32) for one in new})
        if patches:
            made = self._make([patch for _, patch in patches])
            self._made.update({one: vector for (one, _), vector in zip(patches, made, strict=True)})
        return np.array([self._made[one] for one in kept], np.float32).reshape(len(kept), width)


def patch_of(picture: bytes) -> Image | None:
    """Return the flat face of an exemplar's picture; None where there is no whole one."""
    if not picture:
        return None
    try:
        patch = decode_image(picture, live=True)
    except BadFrameError:
        return None
    return patch if patch.shape == (PATCH_PIXELS, PATCH_PIXELS, 3) else None


class SecondNet:
    """Describes each exemplar once by the second mark net and its relief, from its picture, when it is first needed.

    Nothing of this is kept in files: an exemplar's picture says it all.
    """

    def __init__(self, describe: Describe) -> None:
        self._described = Known(describe)
        self._reliefs = Known(reliefs)

    def vectors(self, kept: Sequence[Pictured], width: int) -> Vectors:
        """Return the descriptors of exemplars, (n, width); zeros for those without a whole picture."""
        return self._described.of(kept, width)

    def reliefs(self, kept: Sequence[Pictured]) -> Vectors:
        """Return the reliefs of exemplars, (n, `relief.WIDTH`); zeros for those without a whole picture."""
        return self._reliefs.of(kept, WIDTH)


@dataclass(frozen=True, eq=False)
class Seconded:
    """A face at a second pass.

    ``descriptors``: (rotations, `faces.DESCRIPTOR_LENGTH`), each of length 1, by the second mark net; ``net``:
    describes the exemplars; ``reliefs``: (rotations, `relief.WIDTH`), None where the face is not square.
    """

    descriptors: Vectors
    net: SecondNet
    reliefs: Vectors | None = None
