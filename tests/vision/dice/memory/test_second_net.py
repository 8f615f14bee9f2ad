"""A second look at what is remembered: exemplars are described once, from their pictures, and both nets count."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.faces import DESCRIPTOR_LENGTH, Marks, Vectors
from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.memory.exemplars import Exemplars, View
from companion.vision.dice.memory.pictured import Seconded, SecondNet, patch_of
from companion.vision.images import as_jpeg
from companion.vision.readings import Image
from tests.vision.dice.memory.views import CORNERS, drawn, rotations, thrown, unit, view

GREYS = {"a": 40, "b": 120, "c": 200}
"""A picture of each face: its grey tells the second net which face it is."""


class GreyNet:
    """Stands for the second mark net: it tells faces apart by their grey, and counts what it is asked."""

    def __init__(self) -> None:
        self.described = 0

    def __call__(self, patches: Sequence[Image]) -> Vectors:
        self.described += len(patches)
        return np.array([face_by_grey(float(patch.mean())) for patch in patches], np.float32)


def face_by_grey(grey: float) -> Vectors:
    nearest = min(GREYS.values(), key=lambda value: abs(value - grey))
    return drawn((3, nearest)).astype(np.float32)


def patch(bag: str) -> Image:
    return np.full((PATCH_PIXELS, PATCH_PIXELS, 3), GREYS[bag], np.uint8)


def known_faces(one: dict[str, int], *, pictures: bool = True) -> Exemplars:
    """Return exemplars of bags; ``one``: which face each of them is to the first net."""
    known = Exemplars()
    for throw, (bag, face) in enumerate(one.items()):
        shown = View(view(face, throw).descriptors, [patch(bag)] * CORNERS if pictures else ())
        known.learn(CORNERS, bag, shown, str(throw), named=True)
    return known


def seconded(bag: str, net: SecondNet) -> Seconded:
    return Seconded(rotations(face_by_grey(GREYS[bag]).astype(np.float64)), net)


def test_a_face_between_two_to_the_first_net_is_told_by_the_second() -> None:
    known = known_faces({"a": 0, "b": 1, "c": 2})
    between = rotations(unit(thrown(0, 9) + thrown(1, 9)))
    alone = known.likeness(CORNERS, between)
    assert abs(alone["a"].nets - alone["b"].nets) < 0.05
    both = known.likeness(CORNERS, between, seconded("b", SecondNet(GreyNet())))
    assert both["b"].nets > both["a"].nets + 0.2 > both["c"].nets
    assert {bag: one.number for bag, one in both.items()} == {bag: one.number for bag, one in alone.items()}


def test_each_exemplar_is_described_once_until_it_is_forgotten() -> None:
    net = GreyNet()
    second = SecondNet(net)
    known = known_faces({"a": 0, "b": 1})
    for _ in range(3):
        known.likeness(CORNERS, view(0, 9).descriptors, seconded("a", second))
    assert net.described == 2
    known.learn(CORNERS, "c", View(view(2, 5).descriptors, [patch("c")] * CORNERS), "5", named=True)
    known.forget("0")
    weights = known.likeness(CORNERS, view(2, 9).descriptors, seconded("c", second))
    assert net.described == 3
    assert set(weights) == {"b", "c"}
    assert weights["c"].nets > 0.9


@pytest.mark.parametrize("picture", [b"", b"no picture", as_jpeg(np.zeros((8, 8, 3), np.uint8), 8, 90)])
def test_an_exemplar_without_a_whole_picture_still_counts_by_the_first_net(picture: bytes) -> None:
    assert patch_of(picture) is None
    known = known_faces({"a": 0, "b": 1}, pictures=False)
    weights = known.likeness(CORNERS, view(0, 9).descriptors, seconded("a", SecondNet(GreyNet())))
    assert weights["a"].nets > weights["b"].nets + 0.3


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True), st.integers(0, 5))
@settings(max_examples=20)
def test_a_second_net_that_sees_the_same_changes_nothing(faces: list[int], face: int) -> None:
    known = Exemplars()
    views = {}
    for throw, one in enumerate(faces):
        known.learn(CORNERS, str(one), view(one, throw), str(throw), named=True)
        views[str(throw)] = thrown(one, throw).astype(np.float32)

    class Same(SecondNet):
        def vectors(self, kept: Sequence[object], width: int) -> Vectors:
            assert width == DESCRIPTOR_LENGTH
            return np.array([views[one.source] for one in known], np.float32).reshape(len(kept), width)

    seen = view(face, 99).descriptors
    alone, both = known.likeness(CORNERS, seen), known.likeness(CORNERS, seen, Seconded(seen, Same(GreyNet())))
    assert alone.keys() == both.keys()
    assert all(abs(one.nets - both[bag].nets) < 2e-3 for bag, one in alone.items())


chances = st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(lambda parts: sum(parts) > 0.01)


@given(chances, chances)
def test_two_nets_together_prefer_nothing_that_both_hold_less_likely(one: list[float], other: list[float]) -> None:
    first, second = (
        Marks(np.array([parts[:3]]) / sum(parts), np.array([parts[3]]) / sum(parts)) for parts in (one, other)
    )
    joined = first.averaged(second)
    every = np.append(joined.texts[0], joined.unreadable)
    assert (every >= 0).all()
    assert every.sum() <= 1 + 1e-9
    assert np.allclose(joined.texts, second.averaged(first).texts)
    for i in range(3):
        for j in range(3):
            if first.texts[0, i] <= first.texts[0, j] and second.texts[0, i] <= second.texts[0, j]:
                assert joined.texts[0, i] <= joined.texts[0, j] + 1e-12
