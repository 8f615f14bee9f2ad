"""Augment patches and windows, so that one drawn scene teaches many looks: light, blur, noise, shadows."""

import cv2
import numpy as np

from companion.vision.dice.geometry import Points, edge_length
from companion.vision.readings import Image


def recolour(picture: Image, rng: np.random.Generator) -> Image:
    """Return the picture in another light: gains, gamma, swapped channels, blur, noise, sometimes negative."""
    if rng.random() < 0.15:
        picture = picture[..., rng.permutation(3)]
    if rng.random() < 0.1:
        picture = np.repeat(picture.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    return relight(picture, rng, negative=0.04)


def relight(picture: Image, rng: np.random.Generator, *, negative: float = 0.0) -> Image:
    """Return the picture in another light: gains, gamma, blur, noise; ``negative`` is the share of negatives."""
    # one table per channel applies gamma, gain and negative at once
    levels = np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.25))
    if negative and rng.random() < negative:
        levels = levels[::-1]
    gains = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.2))
    table = np.clip(levels[:, None] * gains * 255, 0, 255).astype(np.uint8)[None]
    shown = np.asarray(cv2.LUT(np.ascontiguousarray(picture), table), np.uint8)
    if rng.random() < 0.25:
        shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)
    if rng.random() < 0.4:
        noise = rng.standard_normal(shown.shape, np.float32) * np.float32(rng.uniform(0, 13))
        shown = np.clip(shown + noise, 0, 255).astype(np.uint8)
    return shown


def worsen(patch: Image, rng: np.random.Generator) -> Image:
    """Return a patch that sometimes has fewer pixels, is smeared, or has a shadow's edge across it."""
    side = patch.shape[0]
    if rng.random() < 0.25:
        small = int(rng.integers(20, 48))
        other = small if rng.random() < 0.5 else side
        size = (small, other) if rng.random() < 0.5 else (other, small)
        patch = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)
        patch = np.asarray(cv2.resize(patch, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.12:
        length, angle = int(rng.integers(2, 6)), rng.random() * np.pi
        kernel = np.zeros((7, 7), np.float32)
        step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        cv2.line(kernel, _cell(3 - step), _cell(3 + step), (1.0,), 1)
        patch = np.asarray(cv2.filter2D(patch, -1, kernel / kernel.sum()), np.uint8)
    if rng.random() < 0.25:
        corners = rng.random((3, 2)) * 2 * side - side / 2
        shade = np.ones((side, side), np.float32)
        cv2.fillConvexPoly(shade, corners.astype(np.int32), (float(rng.uniform(0.35, 0.9)),))
        soft = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.5, 6)))
        patch = np.asarray(patch * soft[..., None], np.uint8)
    return patch


def astray(corners: Points, rng: np.random.Generator, much: float) -> Points:
    """Return corners as a net might find them: all turned, stretched and shifted together, and each a little off.

    ``much``: 1 is the error that the corner net leaves in hard pictures.
    """
    centre, edge = corners.mean(axis=0), edge_length(corners)
    angle = float(np.clip(rng.normal(0, 0.05 * much), -0.5, 0.5))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * np.exp(rng.normal(0, 0.04 * much)) + rng.normal(0, 0.02 * much, (2, 2))
    moved: Points = (corners - centre) @ turn.T + centre + rng.normal(0, 0.025 * much * edge, 2)
    return moved + rng.normal(0, 0.02 * much * edge, corners.shape)


def _cell(place: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, int]:
    return round(place[0]), round(place[1])
