"""How alike two throws of one die are: features that lie alike, the mark net's descriptors, and the general reader.

A feature of one crop (SIFT, Lowe 2004) belongs to the one of the other crop that it resembles clearly more than any
further one. Of these pairs count those that one shift, rotation and small change of size explains (RANSAC, Fischler and
Bolles 1981). Hardly any pairs of different faces do. Where marks are so weak that few features are found, the cosine of
the descriptors still distinguishes faces. What the general reader takes two throws for says something too, even where
it is not sure of either. So the three are added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import Vectors, lengthened
from companion.vision.dice.groups.crops import CROP_PIXELS, Crop
from companion.vision.readings import Image

Likenesses = npt.NDArray[np.float64]

MOST_FEATURES: Final = 120
"""Only the clearest features of a crop are kept."""

LEAST_CONTRAST: Final = 0.02
LOWE_RATIO: Final = 0.8
"""The nearest feature must be nearer than this part of the distance to the second nearest (Lowe 2004)."""

NEAR_PIXELS: Final = 5.0
"""Features that lie alike are at most this many pixels of the crop apart."""

MOST_SHIFT: Final = 0.1
"""The middles of two crops are at most this part of their size apart."""

MOST_ZOOM: Final = 1.33
FEWEST_PAIRS: Final = 4
"""Fewer pairs of features always lie alike."""

MANY_FEATURES: Final = 16.0
"""More features than these that lie alike say no more."""

LIKENESS_PER_FEATURE: Final = 0.125
"""What each feature that lies alike adds to a likeness."""

COMMON_SHARE: Final = 0.8
"""How much of what all faces of the die have in common is taken away from a descriptor."""

HIGHEST_COSINE: Final = 0.97
"""No cosine counts as more."""

READER_WEIGHT: Final = 0.3
"""What each e-fold by which the general reader takes two throws rather for one face than for any two adds."""

READER_ERRS: Final = 0.2
"""So large a part of what the general reader says counts as mere chance: it does not know this die."""


@dataclass(frozen=True, eq=False)
class CropFeatures:
    """What is compared of a crop.

    ``places``: of its features, (n, 2) pixels; ``features``: (n, 128), each of length 1; ``descriptors``: of the face
    in all its rotations, each of length 1; ``guess``: what the general reader takes it for, with its chances.
    """

    places: npt.NDArray[np.float32]
    features: npt.NDArray[np.float32]
    descriptors: Vectors
    guess: tuple[tuple[str, float], ...]


def features_of(crop: Crop) -> CropFeatures:
    """Return what is compared of a crop."""
    places, features = _features(crop.picture)
    return CropFeatures(places, features, crop.descriptors, crop.guess)


def _features(picture: Image) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    finder = cv2.SIFT_create(MOST_FEATURES, contrastThreshold=LEAST_CONTRAST)  # type: ignore[attr-defined]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    points, found = finder.detectAndCompute(grey, None)
    if not points or found is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
    found = found[:MOST_FEATURES] / np.maximum(np.linalg.norm(found[:MOST_FEATURES], axis=1, keepdims=True), 1.0)
    return np.array([point.pt for point in points[:MOST_FEATURES]], np.float32), np.asarray(found, np.float32)


class CropComparison:
    """Compares throws of one die, once it is known what its faces have in common.

    Args:
        looks: throws of the die, from which that follows.
    """

    def __init__(self, features: Sequence[CropFeatures]) -> None:
        every = np.concatenate([one.descriptors for one in features])
        self._common = COMMON_SHARE * every.mean(axis=0)
        self._texts = sorted({text for one in features for text, _ in one.guess})

    def likeness(self, one: CropFeatures, others: Sequence[CropFeatures]) -> Likenesses:
        """Return how alike a throw is to others, (n)."""
        if not others:
            return np.zeros(0)
        mine, theirs = self._own(one.descriptors), np.array([self._own(other.descriptors[:1])[0] for other in others])
        cosines = np.clip((mine @ theirs.T).max(axis=0), -HIGHEST_COSINE, HIGHEST_COSINE)
        same = np.array([min(MANY_FEATURES, lying_alike(one, other)) for other in others])
        return np.asarray(
            np.arctanh(cosines) + LIKENESS_PER_FEATURE * same + READER_WEIGHT * self._read_alike(one, others)
        )

    def pairs(self, features: Sequence[CropFeatures]) -> Likenesses:
        """Return how alike every two throws are, (n, n); the diagonal is 0."""
        found = np.zeros((len(features), len(features)))
        for place, one in enumerate(features):
            found[place, :place] = self.likeness(one, features[:place])
        return found + found.T

    def _read_alike(self, one: CropFeatures, others: Sequence[CropFeatures]) -> Likenesses:
        """Return the logarithm of how much likelier the general reader's guesses are for one face than for any two."""
        if not self._texts:
            return np.zeros(len(others))
        together = np.array([self._chances(other) for other in others]) @ self._chances(one)
        return np.asarray(np.log(len(self._texts) * together))

    def _chances(self, features: CropFeatures) -> Likenesses:
        guess = dict(features.guess)
        chances = np.array([guess.get(text, 0.0) for text in self._texts])
        even = np.full(len(chances), 1 / len(chances))
        read = chances / chances.sum() if chances.any() else even
        return np.asarray((1 - READER_ERRS) * read + READER_ERRS * even)

    def _own(self, descriptors: Vectors) -> Vectors:
        return lengthened(descriptors - self._common)


def lying_alike(one: CropFeatures, other: CropFeatures) -> int:
    """Return how many features of two crops lie alike, 0 where no rotation of one crop explains them."""
    if min(len(one.features), len(other.features)) < FEWEST_PAIRS:
        return 0
    cosines = one.features @ other.features.T
    nearest = cosines.argmax(axis=1)
    rows = np.arange(len(cosines))
    best = cosines[rows, nearest]
    cosines[rows, nearest] = -1.0
    # of vectors of length 1 the squared distance is 2 - 2 cos
    clear = np.flatnonzero(1 - best < LOWE_RATIO**2 * (1 - cosines.max(axis=1)))
    if len(clear) < FEWEST_PAIRS:
        return 0
    cv2.setRNGSeed(1)  # the same two crops are always equally alike
    warp, inside = cv2.estimateAffinePartial2D(
        one.places[clear], other.places[nearest[clear]], ransacReprojThreshold=NEAR_PIXELS, maxIters=100
    )
    if not inside.any():
        return 0
    zoom = float(np.hypot(warp[0, 0], warp[1, 0]))
    middle = np.full(2, (CROP_PIXELS - 1) / 2)
    shift = float(np.linalg.norm(warp[:, :2] @ middle + warp[:, 2] - middle))
    if not 1 / MOST_ZOOM < zoom < MOST_ZOOM or shift > MOST_SHIFT * CROP_PIXELS:
        return 0
    return int(inside.sum())
