"""Faces without pictures: descriptors of a net that turns exactly with the face.

A rotation by one corner rolls the descriptor by a quarter, so that the likeness of two faces depends on nothing but how
they lie to each other.
"""

import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import DESCRIPTOR_LENGTH, Vectors
from companion.vision.dice.memory.exemplars import Exemplars, View

CORNERS = 4
SAME_KIND = 0.97
"""How like its own face a throw of it looks: two throws of one face are as alike as the square of this."""

Seeds = int | tuple[int, ...]


def unit(vector: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector), np.float64)


def drawn(seed: Seeds) -> npt.NDArray[np.float64]:
    """Return a descriptor that is like no other (cosine near 0)."""
    return unit(np.random.default_rng(seed).normal(size=DESCRIPTOR_LENGTH))


def thrown(face: int, throw: int, like: float = SAME_KIND) -> npt.NDArray[np.float64]:
    """Return how a face looks in one throw: as much as ``like`` like the face itself."""
    return unit(like * drawn((1, face)) + np.sqrt(1 - like**2) * drawn((2, face, throw)))


def rotations(vector: npt.NDArray[np.float64], turn: int = 0) -> Vectors:
    """Return a descriptor in all rotations, ``turn`` first: (4, `DESCRIPTOR_LENGTH`)."""
    part = DESCRIPTOR_LENGTH // CORNERS
    return np.array([np.roll(vector, part * (turn + k)) for k in range(CORNERS)], np.float32)


def view(face: int, throw: int = 0, turn: int = 0) -> View:
    """Return a throw of a face, lying ``turn`` corners round."""
    return View(rotations(thrown(face, throw), turn))


def content(exemplars: Exemplars) -> list[tuple[int, str, str, bool]]:
    """Return what is known of each exemplar apart from its looks."""
    return [(one.outline, one.bag, one.source, one.named) for one in exemplars]


def distinguished(exemplars: Exemplars) -> list[tuple[str, list[str]]]:
    """Return the contradictions by the names of their throws."""
    return [(one.source, [other.source for other in others]) for one, others in exemplars.contradictions()]
