"""The bet is fair against a fair die, agrees with SciPy's sums, and wins against loaded ones."""

import itertools
import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.mixture import mixture_of, shifted
from companion.fairness.outcomes import outcomes_of
from companion.fairness.stakes import CURRENT_STAKES, FIRST_STAKES
from companion.rules.dice import dice_set

NAMES = ("d4", "pips", "ludix", "d20")


@pytest.mark.parametrize("name", NAMES)
def test_all_stakes_together_are_one(name: str) -> None:
    mixture = mixture_of(outcomes_of(dice_set(name).dice[0]))
    assert mixture.on_shifts.sum() + mixture.on_spread.sum() == pytest.approx(1, abs=1e-12)
    assert np.exp(mixture.shifts) @ mixture.fair == pytest.approx(np.ones(len(mixture.shifts)), abs=1e-12)


@pytest.mark.parametrize("stakes", range(FIRST_STAKES, CURRENT_STAKES + 1))
@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 10_000), throws=st.integers(0, 400))
@settings(max_examples=30)
def test_against_a_fair_die_the_next_throw_is_expected_to_win_nothing(
    name: str, stakes: int, seed: int, throws: int
) -> None:
    """The martingale, exactly: the fortune now is the mean of what it is after each outcome of the next throw."""
    mixture = mixture_of(outcomes_of(dice_set(name).dice[0]), stakes)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(throws, rng.dirichlet(np.ones(len(mixture.fair))))
    after = mixture.log_value(counts + np.eye(len(counts), dtype=np.int64))
    now = float(mixture.log_value(counts))
    assert math.log(float(mixture.fair @ np.exp(after - now))) == pytest.approx(0, abs=1e-9)


def test_before_the_first_throw_the_fortune_is_one() -> None:
    mixture = mixture_of(outcomes_of(dice_set("pips").dice[0]))
    assert float(mixture.log_value(np.zeros(6, np.int64))) == pytest.approx(0, abs=1e-12)


@given(st.lists(st.integers(0, 300), min_size=6, max_size=6))
def test_the_spread_bias_is_scipys_dirichlet_multinomial(counts: list[int]) -> None:
    mixture = mixture_of(outcomes_of(dice_set("pips").dice[0]))
    whole = sum(counts)
    fair = scipy.stats.multinomial.logpmf(counts, whole, mixture.fair)
    for concentration, ours in zip(
        mixture.concentrations, mixture.log_dirichlet(np.array(counts)).tolist(), strict=True
    ):
        theirs = scipy.stats.dirichlet_multinomial.logpmf(counts, concentration * mixture.fair, whole) if whole else 0.0
        assert ours == pytest.approx(theirs - fair, abs=1e-9 * max(1.0, abs(theirs)))


@given(st.lists(st.integers(1, 6), min_size=2, max_size=20), st.floats(-9, 9), st.data())
def test_a_shifted_die_is_still_a_die(faces: list[int], step: float, data: st.DataObject) -> None:
    fair = np.array(faces) / sum(faces)
    group = data.draw(st.lists(st.integers(0, len(fair) - 1), min_size=1, max_size=len(fair) - 1, unique=True))
    chances = shifted(fair, group, step)
    assert (chances > 0).all()
    assert chances.sum() == pytest.approx(1)
    assert (chances[group].sum() > fair[group].sum()) == (step > 0) or abs(step) < 1e-9


def test_a_loaded_die_is_found_and_fair_ones_seldom() -> None:
    outcomes = outcomes_of(dice_set("pips").dice[0])
    mixture = mixture_of(outcomes)
    rng = np.random.default_rng(7)
    loaded = shifted(outcomes.fair, (5,), 0.27)  # a six in 27 of 100 throws
    found = wrongly = 0
    for chances, tally in ((loaded, "loaded"), (outcomes.fair, "fair")):
        shown = rng.choice(6, p=chances, size=(200, 600))
        counts = (shown[:, :, None] == np.arange(6)).cumsum(axis=1)
        ever = int((mixture.log_value(counts).max(axis=1) >= math.log(20)).sum())
        found, wrongly = (ever, wrongly) if tally == "loaded" else (found, ever)
    assert found >= 195
    assert wrongly <= 10 + 3 * math.sqrt(200 * 0.05 * 0.95)


def test_the_order_of_the_throws_does_not_matter() -> None:
    mixture = mixture_of(outcomes_of(dice_set("ludix").dice[0]))
    values = {
        round(float(mixture.log_value(np.bincount(order, minlength=4))), 12)
        for order in itertools.permutations([0, 1, 1, 3, 2])
    }
    assert len(values) == 1
