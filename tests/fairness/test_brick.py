"""A brick's model is as good as the bricks that others threw, and a cube is a cube to it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.brick import BrickError, Measured, brick_of, measured, shares, throws_to_see

lengths = st.floats(10, 29)
edges = st.tuples(lengths, lengths, lengths)


@given(edges, st.floats(0.1, 10))
def test_chances_are_chances_in_whatever_unit_and_a_longer_edge_is_never_likelier_to_stand(
    sides: tuple[float, float, float], scale: float
) -> None:
    brick = brick_of(sides)
    assert brick.chances.sum() == pytest.approx(1)
    a, b, c = sides
    assert brick_of((scale * a, scale * b, scale * c)).middle == pytest.approx(brick.middle)
    order = np.argsort(sides)
    for chances in (brick.low, brick.middle, brick.high):
        assert (np.diff(chances[order]) <= 1e-12).all()
        assert chances.sum() == pytest.approx(0.5)


@given(lengths)
def test_of_a_cube_no_bias_is_expected(side: float) -> None:
    brick = brick_of((side, side, side))
    assert brick.low == pytest.approx(np.full(3, 1 / 6))
    assert brick.high == pytest.approx(np.full(3, 1 / 6))
    assert throws_to_see(brick) is None


def fitted(one: Measured) -> float:
    """Return the exponent that this brick alone would need."""
    odds = math.log(2 * one.squares / (1 - one.squares))
    return -odds * math.cbrt(one.ratio) / (one.ratio - 1)


def test_the_range_of_the_model_holds_the_bricks_that_others_threw() -> None:
    bricks, (low, middle, high) = measured()
    telling = [one for one in bricks if abs(one.ratio - 1) > 0.1]
    assert all(low <= fitted(one) <= high for one in telling)
    held = 0
    for one in bricks:
        brick = brick_of((1.0, 1.0, one.ratio))
        least, most = (2 * chance for chance in brick.between(2))
        stray = 2 * math.sqrt(one.squares * (1 - one.squares) / one.throws)
        held += least - stray <= one.squares <= most + stray
    assert held == len(bricks)
    distances = [2 * shares((1.0, 1.0, one.ratio), middle)[2] - one.squares for one in bricks]
    assert np.abs(distances).max() < 0.11, "the middle is off by as much as one brick strays from its neighbours"


def test_a_brick_is_seen_sooner_the_longer_it_is() -> None:
    found = [throws_to_see(brick_of((10.0, 10.0, long))) for long in (10.5, 11.5, 14.0)]
    half = [plan.half for plan in found if plan is not None and plan.half is not None]
    assert len(half) == 3
    assert half == sorted(half, reverse=True)


@pytest.mark.parametrize(
    ("sides", "text"),
    [
        ((1.0, 1.0, 3.1), "nothing is known"),
        ((1.0, 0.0, 1.0), "three lengths"),
        ((1.0, math.nan, 1.0), "three lengths"),
    ],
)
def test_what_no_brick_is_is_refused(sides: tuple[float, float, float], text: str) -> None:
    with pytest.raises(BrickError, match=text):
        brick_of(sides)
