"""Which side each man is of: men of one side look alike, so all men of a board are told apart together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.men import FoundMan
from companion.vision.readings import Image

Floats = npt.NDArray[np.float64]

SURE: Final = 0.5
"""Men less likely than this say nothing of how their side looks."""

ROUNDS: Final = 12
LEAST_SPREAD: Final = 5.0
"""Men of one side differ by at least so much in lightness and colour (CIELAB, 100 steps of lightness)."""

APART: Final = 5.0
"""Two sides are told apart if they differ by so many spreads."""

BRIGHTER: Final = 7.0
"""By so many steps of lightness the lighter side is at least lighter; else the net's word alone says which it is."""

DOUBT: Final = 0.002
"""So much doubt is left to a man whose looks say clearly which side he is of."""

UNSURE: Final = 0.1
"""So much is left where it is not clear which side is the lighter: they are alike, or only one is on the board."""


def looks(flat: Image, men: Sequence[FoundMan], radius: float) -> Floats:
    """Return how men look (n x 3, CIELAB): the middle value over a disc on each man's top, pixels of the canvas."""
    lab = cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    height, width = lab.shape[:2]
    out = np.zeros((len(men), 3))
    for number, man in enumerate(men):
        x, y = man.top
        x0, x1 = int(np.clip(x - radius, 0, width - 2)), int(np.clip(x + radius + 1, 1, width))
        y0, y1 = int(np.clip(y - radius, 0, height - 2)), int(np.clip(y + radius + 1, 1, height))
        piece = lab[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)].reshape(-1, 3)
        out[number] = np.median(piece, axis=0)
    return out


def two_sides(men: Sequence[FoundMan], seen: Floats) -> list[FoundMan]:
    """Return the men with ``darker`` told by how they look, beside all others on the board.

    Where the men do not fall apart in two groups, perhaps because one side only is on the board, what the net said of
    all of them together is kept for each.
    """
    sure = np.array([man.chance > SURE for man in men])
    if not sure.any():
        return list(men)
    voted = np.clip(np.array([man.darker for man in men]), 1e-4, 1 - 1e-4)
    shares, apart = _parted(seen[sure], voted[sure])
    if apart is None:
        together = float(np.clip(voted[sure].mean(), UNSURE, 1 - UNSURE))
        return [replace(man, darker=together) for man in men]
    means, spread = apart
    darker = _darker_group(means, shares, voted[sure])
    far = [((seen - mean) ** 2 / spread**2).sum(axis=1) / 2 for mean in means]
    odds = np.clip(far[1 - darker] - far[darker], -30, 30)
    doubt = DOUBT if abs(float(means[0, 0] - means[1, 0])) > BRIGHTER else UNSURE
    chances = np.clip(1 / (1 + np.exp(-odds)), doubt, 1 - doubt)
    return [replace(man, darker=float(chance)) for man, chance in zip(men, chances, strict=True)]


def _parted(seen: Floats, voted: Floats) -> tuple[Floats, tuple[Floats, Floats] | None]:
    """Return each man's share in the second of two groups, and the groups' means (2 x 3) and spread (3), if any."""
    best: tuple[float, Floats, Floats, Floats] | None = None
    for start in (voted, (seen[:, 0] < np.median(seen[:, 0])).astype(float) * 0.98 + 0.01):
        shares = start
        for _ in range(ROUNDS):
            weights = np.stack([1 - shares, shares], axis=1) + 1e-6
            means = (weights.T @ seen) / weights.sum(axis=0)[:, None]
            inner = sum((weights[:, k : k + 1] * (seen - means[k]) ** 2).sum(axis=0) for k in range(2))
            spread = np.sqrt(inner / weights.sum() + LEAST_SPREAD**2)
            far = [((seen - mean) ** 2 / spread**2).sum(axis=1) / 2 for mean in means]
            shares = 1 / (1 + np.exp(np.clip(far[1] - far[0], -30, 30)))
        distance = float(np.linalg.norm((means[0] - means[1]) / spread))
        if best is None or distance > best[0]:
            best = distance, shares, means, spread
    assert best is not None
    distance, shares, means, spread = best
    return shares, (means, spread) if distance > APART else None


def _darker_group(means: Floats, shares: Floats, voted: Floats) -> int:
    """Return which of two groups is the darker side."""
    gap = float(means[0, 0] - means[1, 0])
    if abs(gap) > BRIGHTER:
        return int(gap > 0)
    logits = np.log(voted / (1 - voted))
    return int(float((logits * (2 * shares - 1)).sum()) > 0)
