"""Find what differs between two pictures of one table; light, exposure and noise do not count as a difference."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Image

SMALL_WIDTH = 320  # pixels; averaging 4x4 pixels of 1280x720 removes three quarters of the noise
NOISE_FLOOR = 8.0  # of 255: JPEG's own flicker between two pictures of a still table reaches 5
NOISE_FACTOR = 5.2  # 75th percentiles of the noise: six standard deviations of a difference
SHADE = (0.6, 1.25)  # a soft shadow or reflection leaves this share of the light
EXPOSURE = (0.4, 2.5)  # factor by which one step of automatic exposure or white balance may change a channel
SHADE_PIXELS = 15  # small pixels over which shade is even: smaller than a hand, about the size of a die
EDGE_SHARE = 0.25  # share of the brightness step at an edge that a trembling camera may cause
SPECK_PIXELS = 8  # small pixels: a smaller region does not count as movement (a die has 100 and more)


@dataclass(frozen=True)
class Change:
    """``mask``: 255 where the pictures differ, uint8; ``noise``: 75th percentile of the differences elsewhere."""

    mask: npt.NDArray[np.uint8]
    noise: float

    @property
    def moved(self) -> bool:
        """Whether any region is large enough to be an object."""
        return bool(self.regions())

    def regions(self) -> list[tuple[int, int, int, int]]:
        """Return left, top, right, bottom of each region that is large enough to be an object."""
        if cv2.countNonZero(self.mask) < SPECK_PIXELS:
            return []
        _, _, stats, _ = cv2.connectedComponentsWithStats(self.mask, connectivity=8)
        return [
            (int(left), int(top), int(left + across), int(top + down))
            for left, top, across, down, area in stats[1:]
            if area >= SPECK_PIXELS
        ]


def shrink(image: Image) -> Image:
    """Reduce the picture to a width of about 320 pixels by averaging whole blocks."""
    factor = max(1, round(image.shape[1] / SMALL_WIDTH))
    size = (max(1, image.shape[1] // factor), max(1, image.shape[0] // factor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def compare(now: Image, before: Image, noise: float) -> Change:
    """Compare two small pictures of one size; ``noise`` is the `Change.noise` of a still table.

    A pixel counts as unchanged in two cases. Either one change of exposure of the whole picture explains it, or such a
    change together with a soft shadow: the pixel's surroundings became darker by the same factor, and its colour did
    not change.
    """
    threshold = max(NOISE_FLOOR, NOISE_FACTOR * noise)
    raw = cv2.absdiff(now, before)
    if not (raw > threshold).any():
        return Change(np.zeros(now.shape[:2], np.uint8), float(np.percentile(raw[::3, ::3, 1], 75)))
    # Work in bytes and plane by plane: a reduction over the last axis of three costs more than everything else.
    old = [
        cv2.convertScaleAbs(plane, alpha=factor)
        for plane, factor in zip(cv2.split(before), _exposure(now, before), strict=True)
    ]
    new = cv2.split(now)
    grey_new = np.asarray(cv2.cvtColor(now, cv2.COLOR_BGR2GRAY), np.uint8)
    grey_old = np.asarray(cv2.cvtColor(cv2.merge(old), cv2.COLOR_BGR2GRAY), np.uint8)
    shade = _shade(grey_new, grey_old)
    plain, shaded = np.zeros(now.shape[:2], np.uint8), np.zeros(now.shape[:2], np.uint8)
    for new_plane, old_plane, before_plane in zip(new, old, cv2.split(before), strict=True):
        differing = cv2.absdiff(new_plane, old_plane)
        # Where the old picture was overexposed, its true brightness is unknown: any greater brightness may be right.
        differing[(before_plane >= 250) & (new_plane > old_plane)] = 0  # noqa: PLR2004
        plain = np.maximum(plain, differing)
        under_shade = cv2.multiply(old_plane, shade, dtype=cv2.CV_8U)
        shaded = np.maximum(shaded, cv2.absdiff(new_plane, under_shade))
    difference = np.minimum(plain, shaded)
    steps = cv2.morphologyEx(grey_old, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    allowed = cv2.convertScaleAbs(steps, alpha=EDGE_SHARE, beta=threshold)
    mask = np.where(difference > allowed, 255, 0).astype(np.uint8)
    return Change(mask, float(np.percentile(difference[::3, ::3], 75)))


def _shade(now: Image, before: Image) -> npt.NDArray[np.float32]:
    """Return the factor by which the surroundings of each pixel became brighter, clipped to `SHADE`."""
    window = (SHADE_PIXELS, SHADE_PIXELS)
    new = cv2.blur(now, window).astype(np.float32) + 1
    old = cv2.blur(before, window).astype(np.float32) + 1
    return np.asarray(np.clip(new / old, *SHADE), np.float32)


def _exposure(now: Image, before: Image) -> list[float]:
    """Return the factor by which each channel became brighter over most of the picture."""
    new, old = now[::4, ::4].reshape(-1, 3), before[::4, ::4].reshape(-1, 3)
    factors = [1.0, 1.0, 1.0]
    for channel in range(3):
        usable = (old[:, channel] > 24) & (old[:, channel] < 230) & (new[:, channel] > 8) & (new[:, channel] < 250)  # noqa: PLR2004
        if int(usable.sum()) >= 100:  # noqa: PLR2004  with fewer pixels, a hand could cover all of them
            ratios = new[usable, channel].astype(np.float32) / old[usable, channel]
            factors[channel] = min(max(float(np.median(ratios)), EXPOSURE[0]), EXPOSURE[1])
    return factors
