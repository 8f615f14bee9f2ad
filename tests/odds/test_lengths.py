"""The exact length of a game against the paper, against ruled-out cases and against another way to compute it."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.odds.lengths import LengthDistribution
from companion.odds.ludus_regularis import length

WHOLE, SUMS = "ludus-regularis", "ludus-regularis/sum"


@pytest.mark.parametrize(
    ("slug", "mean", "deviation", "most"),
    [(WHOLE, 1656.0514, 821.59, 3242), (SUMS, 338.4531, 230.988, 793)],
)
def test_mean_deviation_and_95th_percentile(slug: str, mean: float, deviation: float, most: int) -> None:
    lasts = length(slug)
    assert float(lasts.mean) == pytest.approx(mean, abs=5e-5)
    assert lasts.deviation == pytest.approx(deviation, abs=5e-3)
    assert lasts.percentile(0.95) == most
    assert lasts.within(most - 1) < 0.95 <= lasts.within(most)


@pytest.mark.parametrize("slug", [WHOLE, SUMS])
def test_mean_and_deviation_follow_from_the_distribution(slug: str) -> None:
    lasts = length(slug)
    chances = [later - now for now, later in zip((0.0, *lasts.cumulative), lasts.cumulative, strict=False)]
    mean = math.fsum(n * chance for n, chance in enumerate(chances))
    square = math.fsum(n * n * chance for n, chance in enumerate(chances))
    assert mean == pytest.approx(float(lasts.mean), abs=1e-5)
    assert math.sqrt(square - mean * mean) == pytest.approx(lasts.deviation, abs=1e-3)


@pytest.mark.parametrize("slug", [WHOLE, SUMS])
def test_the_distribution_never_falls_and_comes_to_one(slug: str) -> None:
    found = length(slug).cumulative
    assert all(now <= later + 1e-30 for now, later in pairwise(found))
    assert 1 - found[-1] < 1e-12
    assert length(slug).within(-1) == 0
    assert length(slug).within(len(found)) == 1


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 5))
def test_small_games_agree_with_walking_through_all_states(weights: list[int], nothing: int) -> None:
    total = sum(weights) + nothing
    lasts = LengthDistribution(weights, total)
    states = {frozenset[int](): Fraction(1)}
    for throws in range(12):
        done = states.get(frozenset(range(len(weights))), Fraction(0))
        assert lasts.within(throws) == pytest.approx(float(done), abs=1e-12)
        following: dict[frozenset[int], Fraction] = {}
        for state, chance in states.items():
            stay = chance * Fraction(nothing, total)
            following[state] = following.get(state, Fraction(0)) + stay
            for prize, weight in enumerate(weights):
                got = state | {prize}
                following[got] = following.get(got, Fraction(0)) + chance * Fraction(weight, total)
        states = following


def test_equal_prizes_are_the_collectors_problem() -> None:
    lasts = LengthDistribution([1] * 6, 6)
    assert lasts.mean == 6 * sum(Fraction(1, n) for n in range(1, 7))


def test_a_certain_prize_comes_at_once() -> None:
    lasts = LengthDistribution([5], 5)
    assert lasts.mean == 1
    assert lasts.deviation == 0
    assert lasts.percentile(0.99) == 1


def test_the_histogram_holds_every_game() -> None:
    for width in (1, 50, 250, 100_000):
        assert math.fsum(length(SUMS).histogram(width)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("weights", "total"), [([], 5), ([0], 5), ([3, 3], 5)])
def test_impossible_weights_are_refused(weights: list[int], total: int) -> None:
    with pytest.raises(ValueError, match="weights"):
        LengthDistribution(weights, total)


@pytest.mark.parametrize("share", [0, 1, random.Random(1).uniform(2, 3)])
def test_a_percentile_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        length(SUMS).percentile(share)
