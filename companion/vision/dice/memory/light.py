"""The light in which dice were learnt: a sentence says when a later throw looks much darker, flatter or less sharp."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template
from companion.vision.readings import Image

BRIGHTNESS_OFFSET: Final = 1.0
"""What is added to each channel before its logarithm, so that black has one."""

DRIFT_DEVIATIONS: Final = 4.0
"""Light has drifted if a figure is more than this many deviations of the learnt throws away, and by more than its least
change in `DRIFTS`."""


@dataclass(frozen=True)
class Light:
    """Light and focus of the learnt throws: for each figure the mean and deviation of its logarithm over the throws.

    Raises:
        ValueError: a figure is no finite number.
    """

    figures: tuple[tuple[str, float, float], ...] = ()

    def __post_init__(self) -> None:
        if not all(math.isfinite(mean) and math.isfinite(off) for _, mean, off in self.figures):
            raise ValueError("Expected finite figures of the light.")

    @classmethod
    def of(cls, throws: Sequence[Sequence[Image]]) -> "Light":
        """Return the light of some throws, measured on the flat faces of each (BGR)."""
        figures = [light_figures(patches) for patches in throws if len(patches)]
        if not figures:
            return cls()
        values = np.array([[value for _, value in one] for one in figures])
        means, offs = values.mean(axis=0), values.std(axis=0)
        return cls(tuple((figures[0][i][0], float(means[i]), float(offs[i])) for i in range(len(means))))

    def drift(self, patches: Sequence[Image]) -> Sentence | None:
        """Return a sentence if a throw's flat upper faces show that light or focus has drifted since, else None."""
        learnt = {name: (mean, off) for name, mean, off in self.figures}
        worst: tuple[float, Sentence] | None = None
        drifts = data_of(__package__, "light.toml")
        for name, value in light_figures(patches) if patches else ():
            if name not in learnt or name not in drifts:
                continue
            less, more = drifts[name]["sentences"]
            mean, off = learnt[name]
            excess = abs(value - mean) / max(drifts[name]["least"], DRIFT_DEVIATIONS * off)
            if excess > 1 and (worst is None or excess > worst[0]):
                times = round(math.exp(abs(value - mean)), 1)
                worst = excess, Sentence.of(Template(more if value > mean else less), times=times)
        return worst[1] if worst else None


def light_figures(patches: Sequence[Image]) -> tuple[tuple[str, float], ...]:
    """Return the figures that describe light and focus of one throw's flat faces: pairs of name and logarithm.

    ``brightness`` of the faces, ``contrast`` of their marks, ``sharpness`` (fine detail for the same contrast) and
    ``colour`` (red over blue). Each is the median over the faces.
    """
    found = np.array([_figures(patch) for patch in patches])
    middle = np.median(found, axis=0)
    return tuple(zip(("brightness", "contrast", "sharpness", "colour"), map(float, middle), strict=True))


def _figures(patch: Image) -> tuple[float, float, float, float]:
    inner = patch[10:-10, 10:-10].astype(np.float32)  # the light differs at the edges of a face
    grey = inner.mean(axis=2)
    blue, _, red = inner.mean(axis=(0, 1)) + BRIGHTNESS_OFFSET
    fast = grey - cv2.GaussianBlur(grey, (0, 0), 8)
    contrast = float(fast.std()) + 0.5
    # remove noise and JPEG artefacts, which are finer than this blur
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    detail = float(cv2.Laplacian(soft, cv2.CV_32F, ksize=3).std()) + 0.05
    return (
        math.log(float(grey.mean()) + BRIGHTNESS_OFFSET),
        math.log(contrast),
        math.log(detail / contrast),
        math.log(float(red) / float(blue)),
    )
