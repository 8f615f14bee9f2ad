"""A second look at what the table remembers: faces that are not clear are compared as two mark nets see them.

The second net learnt from other drawings. Two faces that one net hardly tells apart differ more for both together.
Square faces are compared by their reliefs, too: see `relief`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from companion.vision.dice.faces import Vectors
from companion.vision.dice.geometry import PATCH
from companion.vision.dice.memory.relief import WIDTH, reliefs
from companion.vision.images import BadFrameError, decode_image
from companion.vision.readings import Image

Describe = Callable[[Sequence[Image]], Vectors]
"""Describes flat faces (`PATCH` x `PATCH` x 3): (n, `faces.DESCRIBED`), each of length 1."""


class Pictured(Protocol):
    """An exemplar of which there is a picture, as JPEG, or none where it is empty."""

    @property
    def picture(self) -> bytes:
        """The flat face."""


class SecondNet:
    """Describes each exemplar once by the second mark net and its relief, from its picture, when it is first needed.

    Nothing of this is kept in files: an exemplar's picture says it all.
    """

    def __init__(self, describe: Describe) -> None:
        self._described = _Known(describe)
        self._reliefs = _Known(reliefs)

    def vectors(self, kept: Sequence[Pictured], width: int) -> Vectors:
        """Return the descriptors of exemplars, (n, width); zeros for those without a whole picture."""
        return self._described.of(kept, width)

    def reliefs(self, kept: Sequence[Pictured]) -> Vectors:
        """Return the reliefs of exemplars, (n, `relief.WIDTH`); zeros for those without a whole picture."""
        return self._reliefs.of(kept, WIDTH)


class _Known:
    """What is made of the pictures of exemplars, each once."""

    def __init__(self, make: Describe) -> None:
        self._make = make
        self._made: WeakKeyDictionary[Pictured, Vectors] = WeakKeyDictionary()

    def of(self, kept: Sequence[Pictured], width: int) -> Vectors:
        new = [one for one in kept if one not in self._made]
        patches = [(one, patch) for one in new for patch in [patch_of(one.picture)] if patch is not None]
        self._made.update({one: np.zeros(width, np.float32) for one in new})
        if patches:
            made = self._make([patch for _, patch in patches])
            self._made.update({one: vector for (one, _), vector in zip(patches, made, strict=True)})
        return np.array([self._made[one] for one in kept], np.float32).reshape(len(kept), width)


@dataclass(frozen=True, eq=False)
class Seconded:
    """A face at a second look.

    ``descriptors``: (rotations, `faces.DESCRIBED`), each of length 1, by the second mark net; ``net``: describes the
    exemplars; ``reliefs``: (rotations, `relief.WIDTH`), None where the face is not square.
    """

    descriptors: Vectors
    net: SecondNet
    reliefs: Vectors | None = None

    def both(self, first: Vectors) -> Vectors:
        """Return the descriptors of both nets side by side, (rotations, 2 `faces.DESCRIBED`),."""
        return np.hstack([first, self.descriptors])

    def beside(self, kept: Sequence[Pictured], first: Vectors) -> Vectors:
        """Return the exemplars by both nets, as `both`; ``first``: by the first net.

        An exemplar without a picture counts as the first net alone sees it, and is less like anything by both.
        """
        return np.hstack([first, self.net.vectors(kept, first.shape[1])])


def patch_of(picture: bytes) -> Image | None:
    """Return the flat face of an exemplar's picture; None where there is no whole one."""
    if not picture:
        return None
    try:
        patch = decode_image(picture, live=True)
    except BadFrameError:
        return None
    return patch if patch.shape == (PATCH, PATCH, 3) else None
