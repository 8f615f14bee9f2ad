"""Reliefs of square faces: the same marks are alike in another light, other marks are not."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.faces import Vectors
from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.memory.balance import Balance, evidence
from companion.vision.dice.memory.exemplars import Exemplars, Likeness, View
from companion.vision.dice.memory.pictured import Seconded, SecondNet
from companion.vision.dice.memory.relief import WIDTH, reliefs
from companion.vision.readings import Image
from tests.vision.dice.memory.views import CORNERS, rotations, thrown, unit, view

BAGS = ("A", "E", "I", "O")


def face(text: str, light: float = 1.0, slope: float = 0.0) -> Image:
    """Return a drawn flat face; ``light``: how bright, ``slope``: by how much brighter on the right."""
    grey = np.full((PATCH_PIXELS, PATCH_PIXELS), 190, np.uint8)
    cv2.putText(grey, text, (12, 46), cv2.FONT_HERSHEY_SIMPLEX, 1.1, 40, 3)
    ramp = light * (1 + slope * np.linspace(-0.5, 0.5, PATCH_PIXELS))
    return np.repeat(np.clip(grey * ramp, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def turned(patch: Image) -> list[Image]:
    return [np.ascontiguousarray(np.rot90(patch, turn)) for turn in range(CORNERS)]


def blind(patches: Sequence[Image]) -> Vectors:
    """Return what a net makes of faces that all look the same to it."""
    return np.tile(rotations(thrown(0, 0))[:1], (len(patches), 1))


@given(st.sampled_from("AEMORT"), st.floats(0.6, 1.2), st.floats(-0.4, 0.4))
@settings(max_examples=25)
def test_a_relief_has_length_one_and_hardly_knows_the_light(text: str, light: float, slope: float) -> None:
    one, other = reliefs([face(text), face(text, light, slope)])
    assert one.shape == (WIDTH,)
    assert np.linalg.norm(one) == pytest.approx(1, abs=1e-4)
    assert one @ other > 0.97
    assert max(float(one @ away) for away in reliefs([face(wrong) for wrong in "AEMORT" if wrong != text])) < 0.85


def test_no_face_and_an_empty_face_have_reliefs_without_direction() -> None:
    assert reliefs([]).shape == (0, WIDTH)
    assert np.isfinite(reliefs([np.full((PATCH_PIXELS, PATCH_PIXELS, 3), 128, np.uint8)])).all()


@pytest.mark.parametrize("text", BAGS)
@pytest.mark.parametrize("turn", range(CORNERS))
def test_faces_that_look_the_same_to_both_nets_are_told_by_their_reliefs(text: str, turn: int) -> None:
    known = Exemplars()
    for throw, bag in enumerate(BAGS):
        known.learn(CORNERS, bag, View(view(throw).descriptors, turned(face(bag))), str(throw), named=True)
    seen = reliefs(turned(np.ascontiguousarray(np.rot90(face(text, 0.8), turn))))
    looked = Seconded(rotations(thrown(0, 0)), SecondNet(blind), seen)
    between = rotations(unit(np.sum([thrown(one, 0) for one in range(len(BAGS))], axis=0)))
    weights = known.likeness(CORNERS, between, looked)
    by_relief = {bag: one.relief or 0.0 for bag, one in weights.items()}
    assert by_relief.keys() == set(BAGS)
    assert all(by_relief[text] > other + 0.2 for bag, other in by_relief.items() if bag != text)
    posterior, _ = Balance().weigh(evidence(np.full(4, 0.24), 0.04, weights, BAGS))
    assert int(posterior.argmax()) == BAGS.index(text)


def test_an_exemplar_without_a_picture_is_like_nothing_by_its_relief() -> None:
    known = Exemplars()
    known.learn(CORNERS, "A", View(view(0, 1).descriptors), "1", named=True)
    looked = Seconded(rotations(thrown(0, 0)), SecondNet(blind), reliefs(turned(face("A"))))
    assert known.likeness(CORNERS, view(0, 9).descriptors, looked)["A"].relief == 0


def test_reliefs_that_mislead_at_a_table_soon_count_less() -> None:
    known = {"A": Likeness(0.9, 3, 0.2), "E": Likeness(0.3, 3, 0.9), "I": Likeness(0.3, 3, 0.2)}
    shown = evidence(np.array([0.3, 0.3, 0.2, 0.2]), 0.0, known, BAGS)
    balance = Balance()
    before, _ = balance.weigh(shown)
    for throw in range(4):
        balance.learn(shown, 0, str(throw))
    after, _ = balance.weigh(shown)
    assert before[0] < 0.5
    assert after[0] > 0.9


def test_a_picture_of_an_exemplar_is_made_a_relief_once() -> None:
    known = Exemplars()
    known.learn(CORNERS, "A", View(view(0, 1).descriptors, turned(face("A"))), "1", named=True)
    net = SecondNet(blind)
    first = net.reliefs(list(known))
    assert np.array_equal(first, net.reliefs(list(known)))
    assert float(first[0] @ reliefs([face("A")])[0]) > 0.95
