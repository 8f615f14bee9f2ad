"""The bet by listing everything that a die can show: no simulation, no rounding but the computer's."""

import itertools
import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.confidence import intervals
from companion.fairness.fixed_sample import fixed_test
from companion.fairness.mixture import Mixture, mixture_of
from companion.fairness.outcomes import Floats, Outcomes, outcomes_of
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.rules.dice import dice_set


def outcomes(name: str) -> Outcomes:
    return outcomes_of(dice_set(name).dice[0])


@pytest.mark.parametrize(("name", "throws"), [("d4", 12), ("pips", 7), ("ludix", 12)])
def test_what_a_fair_die_wins_on_average_is_nothing(name: str, throws: int) -> None:
    mixture = mixture_of(outcomes(name))
    kinds = len(mixture.fair)
    ways = np.array([way for way in itertools.product(range(throws + 1), repeat=kinds) if sum(way) == throws])
    chances = scipy.stats.multinomial.pmf(ways, throws, mixture.fair)
    assert chances.sum() == pytest.approx(1, abs=1e-9)
    assert float(chances @ np.exp(mixture.log_value(ways))) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("name", ["d4", "ludix"])
def test_the_exact_chance_of_ever_calling_a_fair_die_biased_is_small(name: str) -> None:
    """Of all sequences of 32 throws, followed by their counts: how likely one is that was ever called, or missed."""
    die = outcomes(name)
    mixture, most = mixture_of(die), 32
    grid = np.indices((most + 1,) * 3).reshape(3, -1).T  # the counts of three outcomes; the fourth has the rest
    going = np.zeros((most + 1,) * 3)
    going[0, 0, 0] = 1.0
    held = going.copy()
    for throws in range(1, most + 1):
        counts = np.column_stack([grid, throws - grid.sum(axis=1)])
        possible = counts[:, 3] >= 0
        called, missed = np.zeros(len(grid), bool), np.zeros(len(grid), bool)
        called[possible] = mixture.log_value(counts[possible]) >= -math.log(SIGNIFICANCE_LEVEL)
        missed[possible] = ~intervals(counts[possible], die, SIGNIFICANCE_LEVEL).hold(die.fair)
        going, held = (
            np.where(fails.reshape(going.shape), 0.0, _next(chances, die.fair))
            for chances, fails in ((going, called), (held, missed))
        )
    assert 1e-5 < 1 - going.sum() < SIGNIFICANCE_LEVEL
    assert 1e-5 < 1 - held.sum() < SIGNIFICANCE_LEVEL


def _next(chances: Floats, fair: Floats) -> Floats:
    """Return how likely each count is one throw later."""
    out = chances * fair[3]
    out[1:] += chances[:-1] * fair[0]
    out[:, 1:] += chances[:, :-1] * fair[1]
    out[:, :, 1:] += chances[:, :, :-1] * fair[2]
    return np.asarray(out)


@given(st.lists(st.booleans(), min_size=1, max_size=120), st.floats(0.1, 0.9), st.floats(1, 500))
@settings(max_examples=40, deadline=None)
def test_of_two_outcomes_the_bet_is_that_of_a_published_implementation(
    heads: list[bool], fair: float, concentration: float
) -> None:
    import ville  # noqa: PLC0415, it loads much of scipy, and every worker collects this file

    ours = Mixture(np.array([fair, 1 - fair]), np.zeros((0, 2)), np.zeros(0), (concentration,), np.ones(1))
    theirs = ville.BernoulliTest(fair, prior=(concentration * fair, concentration * (1 - fair)))
    theirs.update(np.array(heads, float))
    counts = np.column_stack([np.cumsum(heads), np.cumsum(~np.array(heads))])
    assert ours.log_value(counts) == pytest.approx(theirs.log_e_values_, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_simulated_fixed_test_agrees_with_scipys_simulation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fair = np.full(6, 1 / 6)
    counts = rng.multinomial(200, rng.dirichlet(np.full(6, 60.0)))
    ours = fixed_test(counts, fair, drawn=20_000)
    theirs = scipy.stats.monte_carlo_test(
        counts,
        lambda size: rng.multinomial(200, fair, size=size[0]),
        lambda sample, axis: scipy.stats.power_divergence(sample, axis=axis, lambda_="log-likelihood").statistic,
        vectorized=True,
        n_resamples=20_000,
        alternative="greater",
    )
    assert ours.statistic == pytest.approx(float(theirs.statistic), abs=1e-9)
    assert ours.p == pytest.approx(float(theirs.pvalue), abs=4 * math.sqrt(2) * max(ours.error, 0.001))
