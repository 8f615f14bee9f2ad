"""A second look at what the table remembers: faces that are not clear are compared as two mark nets see them.

The second net learnt from other drawings. Two faces that one net hardly tells apart differ more for both together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import PATCH
from companion.vision.images import BadFrameError, decode_image
from companion.vision.readings import Image

Vectors = npt.NDArray[np.float32]

Describe = Callable[[Sequence[Image]], Vectors]
"""Describes flat faces (`PATCH` x `PATCH` x 3): (n, `faces.DESCRIBED`), each of length 1."""


class Pictured(Protocol):
    """An exemplar of which there is a picture, as JPEG, or none where it is empty."""

    @property
    def picture(self) -> bytes:
        """The flat face."""


class SecondNet:
    """Describes each exemplar once by the second mark net, from its picture, when it is first needed.

    Nothing of this is kept in files: an exemplar's picture says it all.
    """

    def __init__(self, describe: Describe) -> None:
        self._describe = describe
        self._known: WeakKeyDictionary[Pictured, Vectors] = WeakKeyDictionary()

    def vectors(self, kept: Sequence[Pictured], width: int) -> Vectors:
        """Return the descriptors of exemplars, (n, width); zeros for those without a whole picture."""
        new = [one for one in kept if one not in self._known]
        patches = [(one, patch) for one in new for patch in [patch_of(one.picture)] if patch is not None]
        self._known.update({one: np.zeros(width, np.float32) for one in new})
        if patches:
            described = self._describe([patch for _, patch in patches])
            self._known.update({one: vector for (one, _), vector in zip(patches, described, strict=True)})
        return np.array([self._known[one] for one in kept], np.float32).reshape(len(kept), width)


@dataclass(frozen=True, eq=False)
class Seconded:
    """A face as the second mark net sees it.

    ``descriptors``: (rotations, `faces.DESCRIBED`), each of length 1; ``net``: describes the exemplars.
    """

    descriptors: Vectors
    net: SecondNet

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
