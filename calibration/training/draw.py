"""Draws the training material: scenes for the locator; flat faces, alone and cut from scenes, for the face net."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.scenes.fonts import Font
from calibration.scenes.patches import Patch, render_face_patch, render_tetrahedron_patches
from calibration.scenes.render import CUBE_TOP, TETRAHEDRON, DieLabel, Rendered, SeenSide, render
from calibration.scenes.scene import RANGES, random_bodies, random_scene
from calibration.training.store import LabelledPatches, LabelledScenes, Outlines
from companion.vision.dice.faces import FOUR, THREE, Texts
from companion.vision.dice.geometry import Points, area, cut_side, cut_square, edge_length, hide_surroundings
from companion.vision.readings import Image

KEPT_SIZE: Final = (640, 480)
"""Scenes are kept at this width and height: the locator sees no more of them."""

MIXTURE: Final = {"tray": 0.22, "usual": 0.35, "wide": 0.18, "hard": 0.25}
"""The shares of the kinds of scenes, see `calibration.scenes.scene`."""

IN_USE: Final = {"tray": 0.4, "usual": 0.4, "wide": 0.2}
"""The shares for choosing when to ask: cameras as they are set up, without the worst."""

SIDE_SHARE: Final = 0.4
"""The share of tetrahedron sides among the flat faces."""

FEWER: Final = 0.12
"""The share of scenes where dice are missing, all of them in a third of these."""

LOW_RISE: Final = 9.0
"""Sides of a tetrahedron that are lower in the picture (pixels) are not shown to the face net."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Scenes, and the faces that were cut out of them at full size."""

    scenes: LabelledScenes
    faces: LabelledPatches


def draw_patches(fonts: Sequence[Font], number: int, seed: int, texts: Texts) -> LabelledPatches:
    """Return so many flat faces, cubes' and tetrahedra's mixed."""
    rng = np.random.default_rng([seed, 77])
    images: list[Image] = []
    classes: list[int] = []
    while len(images) < number:
        if rng.random() < SIDE_SHARE / 3 / (1 - SIDE_SHARE + SIDE_SHARE / 3):
            tilt = 10.0 if rng.random() < 0.6 else 32.0
            for side in render_tetrahedron_patches(rng, fonts, tilt=tilt):
                images.append(hide_surroundings(side.image))
                classes.append(_side_class(side, texts))
        else:
            patch = render_face_patch(rng, fonts)
            images.append(patch.image)
            classes.append(FOUR * _text_number(patch.text, texts) + patch.rotation)
    return LabelledPatches(np.stack(images[:number]), np.array(classes[:number], np.int64))


def draw_scenes(fonts: Sequence[Font], number: int, seed: int, texts: Texts) -> Drawn:
    """Return so many scenes of all kinds, some with dice missing, and faces cut from them with corners a little off."""
    rng = np.random.default_rng([seed, 78])
    pictures, outlines, patches, classes = [], [], [], []
    for _ in range(number):
        shown = draw_picture(rng, fonts, fewer=FEWER)
        scale = np.array(KEPT_SIZE) / shown.image.shape[1::-1]
        pictures.append(cv2.resize(shown.image, KEPT_SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8))
        outlines.append(_outlines(shown.labels, scale))
        for patch, kind in _faces(shown, rng, texts):
            patches.append(patch)
            classes.append(kind)
    return Drawn(
        LabelledScenes(np.stack(pictures), tuple(outlines)),
        LabelledPatches(np.stack(patches), np.array(classes, np.int64)),
    )


def draw_picture(
    rng: np.random.Generator, fonts: Sequence[Font], *, fewer: float = 0.0, kinds: dict[str, float] | None = None
) -> Rendered:
    """Return one random picture; with the chance ``fewer`` not all dice of the set are there."""
    shares = kinds or MIXTURE
    names = sorted(shares)
    kind = names[int(rng.choice(len(names), p=[shares[name] for name in names]))]
    bodies = random_bodies(rng, fonts, "wibold", RANGES[kind])
    if rng.random() < fewer:
        keep = rng.random(len(bodies)) < (0.0 if rng.random() < 0.33 else 0.6)
        bodies = tuple(body for body, kept in zip(bodies, keep, strict=True) if kept)
    return render(random_scene(rng, fonts, ranges=RANGES[kind], bodies=bodies))


def _outlines(labels: Sequence[DieLabel], scale: Points) -> Outlines:
    def kept(corners: Sequence[tuple[float, float]]) -> Points:
        place: Points = (np.array(corners) + 0.5) * scale - 0.5
        return place

    cubes = tuple(kept(label.corners) for label in labels if label.apex is None and label.visible > 0.3)
    tetrahedra = tuple(
        (kept(label.corners), kept([label.apex])[0])
        for label in labels
        if label.apex is not None and label.visible > 0.3
    )
    return Outlines(cubes, tetrahedra)


def _faces(shown: Rendered, rng: np.random.Generator, texts: Texts) -> list[tuple[Image, int]]:
    """Return faces cut from a picture as the reader would cut them, and things that are none."""
    faces: list[tuple[Image, int]] = []
    for label in shown.labels:
        corners = np.array(label.corners)
        if label.apex is None and label.visible > 0.9 and label.legible:
            first = int(rng.integers(FOUR))
            found = np.roll(_astray(corners, rng), first, axis=0)
            faces.append((cut_square(shown.image, found), FOUR * _text_number(label.face, texts) + first))
        elif label.apex is None and label.visible < 0.55:
            faces.append((cut_square(shown.image, corners), texts.classes - 1))
        for side in label.sides:
            place = np.array(side.corners)
            base = float(np.linalg.norm(place[1] - place[2]))
            rise = 2 * abs(area(place)) / max(base, 1.0)
            if side.visible > 0.8 and rise > LOW_RISE and label.legible:
                faces.append((cut_side(shown.image, _astray(place, rng, 0.015)), _side_class(side, texts)))
            elif side.visible < 0.4 and rise > LOW_RISE:
                faces.append((cut_side(shown.image, place), texts.classes - 1))
    edges = [edge_length(np.array(label.corners)) for label in shown.labels] or [100.0]
    height, width = shown.image.shape[:2]
    turn = rng.uniform(0, np.pi / 2)
    angles = turn + np.arange(4) * np.pi / 2
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * float(rng.choice(edges)) / np.sqrt(2)
    place = ring + rng.random(2) * [width, height]
    cover = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(cover, np.round(place).astype(np.int32), 1)
    under = shown.classes[cover > 0]
    if len(under) and np.isin(under, (CUBE_TOP, TETRAHEDRON)).mean() < 0.2:
        faces.append((cut_square(shown.image, place), texts.classes - 1))
    return faces


def _astray(corners: Points, rng: np.random.Generator, share: float = 0.02) -> Points:
    """Return corners as they might be found: off by about this share of the edge."""
    moved: Points = corners + rng.normal(0, share * edge_length(corners), corners.shape)
    return moved


def _text_number(text: str, texts: Texts) -> int:
    return [name for _, name in texts.cube].index(text)


def _side_class(side: Patch | SeenSide, texts: Texts) -> int:
    return FOUR * len(texts.cube) + THREE * texts.side.index(side.text) + side.rotation
