"""The colour of a die's body: brighter or darker it is the same die, in another colour it is a stranger's."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.memory.body import COLOUR_CHANNELS, LEAST_EXEMPLARS, Bodies, bodies
from companion.vision.dice.memory.exemplars import Exemplars, View
from companion.vision.readings import Image
from tests.vision.dice.memory.views import CORNERS, view

BONE = (170, 200, 215)
OLIVE = (70, 110, 130)
COLOURS = st.tuples(*[st.integers(40, 200)] * 3)


def face(colour: tuple[int, int, int], text: str = "A", light: float = 1.0) -> Image:
    """Return a flat face with a dark letter; ``colour``: blue, green and red of its body."""
    drawn = np.clip(np.full((PATCH_PIXELS, PATCH_PIXELS, 3), colour) * light, 0, 255).astype(np.uint8)
    cv2.putText(drawn, text, (18, 46), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (30, 30, 30), 3)
    return drawn


def remembered(number: int, *colours: tuple[int, int, int]) -> Exemplars:
    known = Exemplars()
    for throw in range(number):
        patch = face(colours[throw % len(colours)], "AEIOU"[throw % 5])
        known.learn(
            CORNERS, "AEIOU"[throw % 5], View(view(throw).descriptors, [patch] * CORNERS), str(throw), named=True
        )
    return known


@given(COLOURS, st.sampled_from("AEIOU"), st.floats(0.85, 1.15))
@settings(max_examples=40)
def test_another_letter_in_other_light_has_the_same_body(colour: tuple[int, int, int], text: str, light: float) -> None:
    one, other = bodies([face(colour), face(colour, text, light)])
    assert np.linalg.norm(one - other) < 0.12


def test_only_exemplars_of_its_own_colour_may_be_of_its_die() -> None:
    known, kept = Bodies(), list(remembered(8, BONE, OLIVE))
    every_second = [True, False] * 4
    assert known.alike(face(BONE, "O", 0.9), kept).tolist() == every_second
    assert known.alike(face(OLIVE, "I", 1.1), kept).tolist() == [not one for one in every_second]
    assert not known.alike(face((60, 60, 160)), kept).any()


def test_too_few_exemplars_or_none_with_a_picture_tell_nothing_of_colours() -> None:
    assert Bodies().alike(face(OLIVE), list(remembered(LEAST_EXEMPLARS - 1, BONE))).all()
    bare = Exemplars()
    for throw in range(LEAST_EXEMPLARS):
        bare.learn(CORNERS, "A", view(throw), str(throw), named=True)
    assert Bodies().alike(face(OLIVE), list(bare)).all()
    assert bodies([]).shape == (0, COLOUR_CHANNELS)
