"""Draw the training material: scenes with known truth, of every kind of dice that the reader should read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.dice import Die, Face
from companion.vision.dice.geometry import Points, area, clockwise
from workshop.scenes.bodies import Body, Placed, random_body
from workshop.scenes.camera import Camera
from workshop.scenes.faces import random_style
from workshop.scenes.fonts import Font
from workshop.scenes.lighting import soft_lighting
from workshop.scenes.paint import visible_sides
from workshop.scenes.render import DieLabel, Rendered, SeenSide, render
from workshop.scenes.scene import TRAINING, NoRoomError, Ranges, Scene, random_bodies, random_scene
from workshop.training.store import Flat, Truth
from workshop.training.variety import letter_count, vary_bodies, vary_scene

SIZES: Final = ((640, 480), (480, 640), (640, 480), (640, 400), (560, 560))
"""Sizes of the pictures, this small because the nets see no more of them."""

VIEWS: Final[Mapping[str, tuple[float, Ranges]]] = {
    "tray": (0.36, Ranges(edge=(34, 118), field_of_view=(17, 32), tilt=(0, 9), softness=(0.15, 0.7), noise=(0.5, 4))),
    "usual": (0.34, Ranges(edge=(24, 95), field_of_view=(17, 45), tilt=(0, 28), softness=(0.2, 0.8), noise=(0.5, 6))),
    "wide": (0.18, Ranges(edge=(30, 130), field_of_view=(40, 70), tilt=(0, 52), softness=(0.2, 0.9), noise=(0.5, 6))),
    "hard": (
        0.12,
        Ranges(
            edge=(18, 110),
            field_of_view=(17, 70),
            tilt=(0, 52),
            softness=(0.4, 1.5),
            noise=(2, 10),
            quality=(45, 95),
            moving=0.08,
            hand=0.12,
            things=0.6,
        ),
    ),
}
"""The kinds of cameras: share and ranges. Pixels are those of `SIZES`, half or less of what cameras deliver."""

KINDS: Final[Mapping[str, float]] = {
    "wibold": 0.32,
    "made up": 0.22,
    "ludix": 0.07,
    "pips": 0.13,
    "tiles": 0.06,
    "numerals": 0.11,
    "none": 0.03,
    "oblique": 0.06,
}
"""The shares of what lies on the table: Wibold's dice, invented dice, dice with numerals, nothing."""

SLANTED: Final[Mapping[str, float]] = {"numerals": 0.55, "oblique": 0.3, "wibold": 0.1, "made up": 0.05}
"""The shares where sides are visible beside the upper faces: dice with many faces, and dice seen from the side."""

OBLIQUE: Final = replace(TRAINING, tilt=(28, 60), field_of_view=(35, 70), edge=(22, 110))
OBLIQUE_SETS: Final = ("pips", "ludix", "wibold", "d6")
OBLIQUE_SHARES: Final = (0.64, 0.12, 0.14, 0.1)
SOFT: Final = 0.7
"""Share of soft light from a bright room where dice are seen from the side, so that sides are as bright as the tops."""

NUMERALS: Final = ("d4", "d6", "d8", "d10", "d12", "d20")

FEWER: Final = 0.15
"""The share of scenes with missing dice; in a third of these, all are missing."""

LEAST_SEEN: Final = 0.05
"""Dice with a smaller visible share do not exist for the training."""

SIDE_SEEN: Final = 0.6
"""Sides of dice with a smaller visible share are dropped."""

SIDE_AREA: Final = 60.0
"""Smaller sides, in pixels, are dropped too: nobody would take them for a face."""

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def draw_scenes(
    fonts: Sequence[Font], number: int, seed: int, *, kinds: Mapping[str, float] = KINDS, view: str | None = None
) -> Iterator[tuple[bytes, Truth]]:
    """Draw ``number`` scenes, each as its JPEG picture and its ground truth."""
    for one in range(number):
        rng = np.random.default_rng([seed, one])
        try:
            scene, shown = draw_picture(rng, fonts, kinds=kinds, view=view)
        except NoRoomError:  # the dice of a few random scenes do not fit together
            continue
        yield shown.jpeg, shown_truth(scene, shown)


def draw_picture(
    rng: np.random.Generator, fonts: Sequence[Font], *, kinds: Mapping[str, float] = KINDS, view: str | None = None
) -> tuple[Scene, Rendered]:
    """Return one random scene and its picture.

    Raises:
        NoRoomError: its dice do not fit together.
    """
    sorts = sorted(kinds)
    bodies: tuple[Body, ...]
    kind = sorts[int(rng.choice(len(sorts), p=np.array([kinds[one] for one in sorts]) / sum(kinds.values())))]
    if kind == "oblique":
        name = str(rng.choice(OBLIQUE_SETS, p=OBLIQUE_SHARES))
        bodies = vary_bodies(rng, random_bodies(rng, fonts, name, OBLIQUE), fonts)
        scene = vary_scene(rng, random_scene(rng, fonts, ranges=OBLIQUE, bodies=bodies))
        if rng.random() < SOFT:
            scene = replace(scene, lighting=soft_lighting(rng))
        return scene, render(scene)
    if kind in ("pips", "tiles", "none"):
        bodies = () if kind == "none" else vary_bodies(rng, random_bodies(rng, fonts, kind, TRAINING), fonts)
        scene = vary_scene(rng, random_scene(rng, fonts, ranges=TRAINING, bodies=bodies))
        return scene, render(scene)
    names = sorted(VIEWS)
    name = view or names[int(rng.choice(len(names), p=[VIEWS[one][0] for one in names]))]
    ranges = replace(VIEWS[name][1], size=SIZES[int(rng.integers(len(SIZES)))])
    match kind:
        case "made up":
            bodies = made_up_bodies(rng, fonts, ranges)
        case "numerals":
            chosen = rng.choice(NUMERALS, int(rng.integers(2, 6)))
            bodies = tuple(body for one in chosen for body in random_bodies(rng, fonts, str(one), ranges))
        case _:
            bodies = random_bodies(rng, fonts, kind, ranges)
    if rng.random() < FEWER:
        keep = rng.random(len(bodies)) < (0.0 if rng.random() < 0.33 else 0.6)
        bodies = tuple(body for body, kept in zip(bodies, keep, strict=True) if kept)
    scene = vary_scene(rng, random_scene(rng, fonts, ranges=ranges, bodies=vary_bodies(rng, bodies, fonts)))
    return scene, render(scene)


def made_up_bodies(rng: np.random.Generator, fonts: Sequence[Font], ranges: Ranges) -> tuple[Body, ...]:
    """Return invented dice: 2 to 5 cubes and tetrahedra with any letters, each with its own look or alike."""
    first = random_style(rng, fonts)
    bodies = []
    for number in range(int(rng.integers(2, 6))):
        alike = rng.random() < 0.6
        style = random_style(rng, fonts, like=first if alike else None)
        tetrahedron = rng.random() < 0.35
        if tetrahedron:
            style = replace(style, bevel=style.bevel * float(rng.uniform(0.3, 1.0)))
            faces = tuple(_letters(rng, 4) for _ in range(4))
        else:
            faces = tuple(_letters(rng, letter_count(rng)) for _ in range(6))
        die = Die(
            str(number),
            "tetrahedron" if tetrahedron else "cube",
            "down" if tetrahedron else "up",
            tuple(Face(text, 0, tuple(text)) for text in faces),
        )
        edge = float(rng.uniform(*ranges.tetrahedron)) if tetrahedron else float(np.exp(rng.normal(0, 0.1)))
        bodies.append(random_body(rng, die, "made up", style, edge))
    return tuple(bodies)


def _letters(rng: np.random.Generator, count: int) -> str:
    """Return ``count`` letters; a single mark is sometimes a plus, or a digit that reads only one way up."""
    if count == 1 and rng.random() < 0.25:
        return str(rng.choice(list("+++01234578")))
    return "".join(rng.choice(list(LETTERS), count))


def shown_truth(scene: Scene, shown: Rendered) -> Truth:
    """Return a picture's ground truth in the form that training uses."""
    marks = {(one.body.die.name, face.text): face.marks for one in scene.dice for face in one.body.die.faces}
    faces = [
        _flat(label, marks[label.die, label.face], label)
        for label in shown.labels
        if label.apex is None and label.visible > LEAST_SEEN
    ]
    tetrahedra = [
        (np.array(label.corners), np.array(label.apex), _sides(label, marks))
        for label in shown.labels
        if label.apex is not None and label.visible > LEAST_SEEN
    ]
    read = [placed for placed in scene.dice if not placed.blank]  # in the order of the picture's instance numbers
    sides = [
        side
        for number, placed in enumerate(read, 1)
        for side in _other_sides(placed, scene.camera)
        if abs(area(side)) > SIDE_AREA and _cover(shown.instances == number, side) > SIDE_SEEN
    ]
    return Truth(tuple(faces), tuple(tetrahedra), tuple(sides))


def _other_sides(placed: Placed, camera: Camera) -> Iterator[Points]:
    """Yield the faces of a die that face the camera, except its upper face, in pixels."""
    for side in visible_sides(placed, camera):
        if not side.upper:
            yield clockwise(camera.project(side.corners))


def _cover(mine: npt.NDArray[np.bool_], corners: Points) -> float:
    """Return the share of a polygon that lies in the picture and shows this die."""
    low = np.floor(corners.min(axis=0)).astype(int)
    wide, high = np.ceil(corners.max(axis=0)).astype(int) - low + 1
    drawn = np.zeros((high, wide), np.uint8)
    cv2.fillConvexPoly(drawn, np.round((corners - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    y, x = np.nonzero(drawn)
    y, x = y + low[1], x + low[0]
    within = (y >= 0) & (x >= 0) & (y < mine.shape[0]) & (x < mine.shape[1])
    return float(mine[y[within], x[within]].sum() / max(1, len(y)))


def _sides(label: DieLabel, marks: Mapping[tuple[str, str], tuple[str, ...]]) -> tuple[Flat, ...]:
    return tuple(_flat(side, marks[label.die, side.text], label) for side in label.sides)


def _flat(seen: DieLabel | SeenSide, marks: tuple[str, ...], label: DieLabel) -> Flat:
    return Flat(
        marks, np.roll(np.array(seen.corners), -seen.rotation, axis=0), seen.visible, label.legible, label.shape
    )
