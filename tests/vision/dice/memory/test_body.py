"""The colour of a die's body: brighter or darker it is the same die, in another colour it is a stranger's."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.geometry import PATCH
from companion.vision.dice.memory.body import LEAST, WIDTH, Bodies, bodies
from companion.vision.dice.memory.exemplars import Exemplars, View
from companion.vision.readings import Image
from tests.vision.dice.memory.views import CORNERS, view

BONE = (170, 200, 215)
OLIVE = (70, 110, 130)
COLOURS = st.tuples(*[st.integers(40, 200)] * 3)


def face(colour: tuple[int, int, int], text: str = "A", light: float = 1.0) -> Image:
    """Return a flat face with a dark letter; ``colour``: blue, green and red of its body."""
    drawn = np.clip(np.full((PATCH, PATCH, 3), colour) * light, 0, 255).astype(np.uint8)
    cv2.putText(drawn, text, (18, 46), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (30, 30, 30), 3)
    return drawn


def remembered(number: int, *colours: tuple[int, int, int]) -> Exemplars:
    known = Exemplars()
    for throw in range(number):
        patch = face(colours[throw % len(colours)], "AEIOU"[throw % 5])
        known.learn(
            CORNERS, "AEIOU"[throw % 5], View(view(throw).descriptors, [patch] * CORNERS), str(throw), said=True
        )
    return known


@given(COLOURS, st.sampled_from("AEIOU"), st.floats(0.85, 1.15))
@settings(max_examples=40)
def test_another_letter_in_other_light_has_the_same_body(colour: tuple[int, int, int], text: str, light: float) -> None:
    one, other = bodies([face(colour), face(colour, text, light)])
    assert np.linalg.norm(one - other) < 0.12


def test_a_die_of_another_colour_is_strange_and_the_table_s_own_are_not() -> None:
    known, two = Bodies(), remembered(8, BONE, OLIVE)
    assert not known.is_strange(face(BONE, "O", 0.9), list(two))
    assert not known.is_strange(face(OLIVE, "I", 1.1), list(two))
    assert known.is_strange(face((60, 60, 160)), list(two))
    assert known.is_strange(face(BONE), list(remembered(8, OLIVE)))


def test_too_few_exemplars_or_none_with_a_picture_make_nothing_strange() -> None:
    few = list(remembered(LEAST - 1, BONE))
    assert not Bodies().is_strange(face(OLIVE), few)
    bare = Exemplars()
    for throw in range(LEAST):
        bare.learn(CORNERS, "A", view(throw), str(throw), said=True)
    assert not Bodies().is_strange(face(OLIVE), list(bare))
    assert bodies([]).shape == (0, WIDTH)
