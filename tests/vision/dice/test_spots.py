"""Pips are counted without a net, or it is said that they cannot be; both ways of counting speak together."""

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.faces import Marks
from companion.vision.dice.geometry import Points
from companion.vision.dice.spots import LAYOUTS, count_spots, seconded
from companion.vision.readings import Image

EDGE = 90

APART = 0.045
"""Pips of a six with less face between them than this, in edges, run together in a picture of that size."""


def face(pips: int, *, angle: float = 0.0, wide: float = 0.17, near: float = 0.25, dark: bool = True) -> Image:
    """Return a picture, 200 x 200, of a face that is turned about its middle."""
    body, ink = ((225, 230, 235), (25, 25, 30)) if dark else ((30, 40, 120), (235, 235, 235))
    picture = np.full((200, 200, 3), (70, 110, 90), np.uint8)
    cv2.fillConvexPoly(picture, np.round(square(angle) * 16).astype(np.int32), body, cv2.LINE_AA, 4)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    for place in near + np.array(LAYOUTS[pips]) * (1 - 2 * near):
        at = ((place - 0.5) * EDGE @ turn + 100) * 16
        cv2.circle(picture, (round(at[0]), round(at[1])), round(wide * EDGE * 8), ink, -1, cv2.LINE_AA, 4)
    return picture


def square(angle: float) -> Points:
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners: Points = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * EDGE @ turn + 100
    return corners


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(LAYOUTS)),
    st.fixed_dictionaries(
        {
            "angle": st.floats(0, 6.3),
            "wide": st.floats(0.12, 0.22),
            "near": st.floats(0.2, 0.28),
            "dark": st.booleans(),
        }
    ),
    st.integers(0, 3),
)
def test_pips_are_counted_in_any_turn(pips: int, view: dict[str, Any], first: int) -> None:
    picture = face(pips, **view)
    counted = count_spots(picture, np.roll(square(view["angle"]), first, axis=0))
    run_together = pips == 6 and 0.5 - view["near"] - view["wide"] < APART
    assert counted == pips or (run_together and counted is None)


@pytest.mark.parametrize("text", ["A", "E", "IO", "V", "8", "X"])
def test_letters_are_no_pips(text: str) -> None:
    picture = face(1, wide=0.0)
    cv2.putText(picture, text, (70, 130), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (20, 20, 20), 5, cv2.LINE_AA)
    assert count_spots(picture, square(0.0)) is None


def test_nothing_is_counted_on_a_bare_face_or_in_noise() -> None:
    rng = np.random.default_rng(4)
    assert count_spots(face(1, wide=0.0), square(0.0)) is None
    for _ in range(20):
        noise = np.asarray(rng.integers(0, 256, (200, 200, 3)), np.uint8)
        assert count_spots(noise, square(0.3)) is None


def test_a_part_of_a_face_is_not_counted_as_fewer_pips() -> None:
    picture = face(6)
    half = square(0.0).copy()
    half[:, 0] = np.where(half[:, 0] > 100, 100, half[:, 0])  # three pips in a row: no face has that
    assert count_spots(picture, half) is None
    upper = square(0.0)
    upper[2:, 1] -= 0.27 * EDGE  # two of six in rows of two are cut off
    assert count_spots(np.rot90(face(6)).copy(), upper) is None
    three = face(3)
    cut = square(0.0) * 0.62 + 100 * 0.38  # only the middle one of three is whole
    assert count_spots(three, cut) is None


@given(st.lists(st.floats(0.001, 1.0), min_size=6, max_size=6), st.floats(0, 0.5), st.integers(1, 6))
def test_counting_twice_strengthens_what_both_say(chances: list[float], unreadable: float, spots: int) -> None:
    pips = np.arange(1, 7)
    texts = np.array([chances]) / sum(chances) * (1 - unreadable)
    before = Marks(texts, np.array([unreadable]))
    after = seconded(before, spots, pips)
    assert float(after.texts.sum() + after.unreadable.sum()) == pytest.approx(1.0)
    assert after.texts[0, spots - 1] >= before.texts[0, spots - 1]
    assert all(after.texts[0, k] <= before.texts[0, k] for k in range(6) if k != spots - 1)
