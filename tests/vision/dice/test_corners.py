"""Turns in which a triangle or pentagon is tried: each lies where it was found, and one of them nearly as it does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.corners import TURNS, turns
from companion.vision.dice.geometry import Points, area


def ring(corners: int, angle: float) -> Points:
    around = angle + np.arange(corners) * 2 * np.pi / corners
    placed: Points = 80 * np.column_stack([np.cos(around), np.sin(around)]) + [200, 150]
    return placed


@pytest.mark.parametrize("corners", [3, 5])
@given(found=st.floats(0, 7), angle=st.floats(0, 7))
def test_one_of_the_turns_is_nearly_that_of_the_face(corners: int, found: float, angle: float) -> None:
    lies = ring(corners, angle)
    tries = turns(ring(corners, found))
    assert len(tries) == TURNS
    for one in tries:
        assert one.mean(axis=0) == pytest.approx(lies.mean(axis=0))
        assert area(one) == pytest.approx(area(lies))
    orders = [np.roll(lies, k, axis=0) for k in range(corners)]
    off = min(np.linalg.norm(one - order, axis=1).max() for one in tries for order in orders)
    # the farthest from any of them is half a step
    assert off < 2 * 80 * np.sin(np.pi / (corners * TURNS) / 2) + 1e-6
