"""Somebody's own dice, drawn: the same worn letters in every throw, in the light of a desk."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import numpy as np

from calibration.learning.gather import SeenFace
from calibration.learning.learn import make_memory, sort_faces
from calibration.learning.naming import Name
from companion.rules.dice import dice_set
from companion.vision.dice.memory.table import TableMemory
from companion.vision.readings import Image
from workshop.scenes.faces import FaceStyle, random_style
from workshop.scenes.fonts import find_fonts
from workshop.scenes.patches import render_face_patch

THROWS = 14
SHOWN = ("A", "EI", "IO", "E", "I", "OU")


def style(seed: int) -> FaceStyle:
    """Return how somebody's dice look."""
    drawn = random_style(np.random.default_rng(seed), find_fonts(bundled=True))
    return replace(drawn, jitter=0.0, material=replace(drawn.material, gloss=0.1))


def patch(rng: np.random.Generator, text: str, view: FaceStyle) -> Image:
    """Return one flat face, turned at random."""
    return render_face_patch(rng, (), texts=[text], style=view, edge=(90, 130), corner_error=0.01).image


@cache
def thrown(seed: int = 5) -> tuple[tuple[SeenFace, str], ...]:
    """Return the faces of some throws of two dice, each with its text."""
    rng = np.random.default_rng([seed, 1])
    view = style(seed)
    return tuple(
        (SeenFace(patch(rng, text, view), "square", throw), text)
        for throw in range(THROWS)
        for text in (SHOWN[throw % 3], SHOWN[3 + (throw // 2) % 3])
    )


@cache
def memory(seed: int = 5) -> TableMemory:
    """Return what a table knows of these dice, named by who knows them."""
    faces = thrown(seed)
    truth = {id(face): text for face, text in faces}
    (one,) = sort_faces([face for face, _ in faces], dice_set("wibold"))
    names = {n: Name(truth[id(one.faces[t])], "owner") for n, t in enumerate(one.typical)}
    made = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    return make_memory("own", dice_set("wibold"), [(one, names)], made=made)
