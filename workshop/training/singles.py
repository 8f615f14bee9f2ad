"""Single faces, drawn fast: more letters, layouts and hands for the mark net than the scenes have."""

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from companion.rules.dice import PIP, UNDERLINE, Shape, dice_set
from workshop.scenes.fonts import Font
from workshop.scenes.patches import ANY_MARKS, LETTERS, picture_face, random_marks, style_for
from workshop.training.store import Flat, Truth
from workshop.training.variety import darken, letter_count, vary_lighting, vary_style

SHAPES: Final[dict[Shape, float]] = {
    "cube": 0.68,
    "tile": 0.08,
    "octahedron": 0.03,
    "trapezohedron": 0.06,
    "dodecahedron": 0.06,
    "icosahedron": 0.09,
}

SHIPPED: Final = 0.3
"""Share of cubes that belong to the sets of the program; all others bear anything."""

PIPS: Final = 0.07
NUMERALS: Final = 0.15
"""Shares of cubes with pips and with numerals; the others bear letters."""

VOWELS: Final = 0.22
"""Share of faces with several letters that bear only vowels, as Wibold's cubes do: few letters, hard to distinguish."""

BENT: Final = 0.03
"""Largest bend of a face's marks as a share of the face; half of the pictures have one."""

LETTER: Final = 7.0
"""Least height of a letter, roughly, in pixels: nobody could read a smaller one."""

LARGEST: Final = 190.0
QUALITY: Final = 92

MANY: Final = 5
"""Faces with this many letters count as having many: half of the shown faces of the program's sets do."""

_SHIPPED_FACES: Final = tuple(
    face.marks
    for name in ("wibold", "ludix")
    for die in dice_set(name).dice
    if die.shape == "cube"
    for face in die.faces
)


def draw_singles(fonts: Sequence[Font], number: int, seed: int) -> Iterator[tuple[bytes, Truth]]:
    """Draw ``number`` faces, each as its small JPEG picture and its ground truth."""
    shapes = list(SHAPES)
    for one in range(number):
        rng = np.random.default_rng([seed, one])
        shape = shapes[int(rng.choice(len(shapes), p=list(SHAPES.values())))]
        marks = _cube_marks(rng) if shape == "cube" else random_marks(rng, shape)
        bent = BENT * float(rng.random()) if PIP not in marks and rng.random() < 0.5 else 0.0
        letters = "" if PIP in marks else "".join(mark for mark in marks if mark != UNDERLINE)
        style = vary_style(rng, style_for(rng, fonts, marks, shape), fonts, letters, shape)
        edge = (_least_edge(marks, shape), LARGEST)
        light = vary_lighting(rng)
        shown = picture_face(rng, fonts, marks, shape, edge=edge, style=style, size=54, bent=bent, lighting=light)
        ok, jpeg = cv2.imencode(".jpg", darken(shown.image, rng), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert ok
        yield jpeg.tobytes(), Truth((Flat(marks, shown.corners, 1.0, legible=True, shape=shape),), ())


def _least_edge(marks: tuple[str, ...], shape: Shape) -> float:
    """Return the smallest edge, in pixels, at which a face's marks are distinguishable."""
    if shape not in ("cube", "tile"):
        return LETTER / (0.24 if len(marks) > 1 else 0.32)
    many = 1 if PIP in marks else len(marks)
    return LETTER / (0.4 if many == 1 else 0.28 if many <= 4 else 0.22)


def _cube_marks(rng: np.random.Generator) -> tuple[str, ...]:
    if rng.random() < SHIPPED:
        many = rng.random() < 0.5
        faces = [marks for marks in _SHIPPED_FACES if not many or len(marks) >= MANY]
        return faces[int(rng.integers(len(faces)))]
    pick = rng.random()
    if pick < PIPS:
        return (PIP,) * int(rng.integers(1, 7))
    if pick < PIPS + NUMERALS:
        while True:
            marks = random_marks(rng, "octahedron")
            if marks[0].isdigit():
                return marks
    count = letter_count(rng)
    if count > 1 and rng.random() < VOWELS:
        return tuple(str(letter) for letter in rng.choice(list("AEIOU"), count))
    if rng.random() < 0.06:
        return tuple(str(mark) for mark in rng.choice(list(ANY_MARKS), count))
    return tuple(str(letter) for letter in rng.choice(list(LETTERS), count))
