"""The fixed test agrees with SciPy and with counting by hand."""

import itertools

import numpy as np
import pytest
import scipy

from companion.fairness.fixed_sample import fixed_test
from companion.fairness.outcomes import Floats

FAIR = np.full(6, 1 / 6)
LUDIX = np.array([1, 2, 1, 2]) / 6


@pytest.mark.parametrize("fair", [FAIR[:4] * 1.5, LUDIX])
@pytest.mark.parametrize("seed", range(2))
def test_an_exact_p_is_the_sum_over_all_sequences_that_stray_as_far(fair: Floats, seed: int) -> None:
    counts = np.random.default_rng(seed).multinomial(6, fair)
    strays: dict[tuple[int, ...], float] = {}

    def stray(tally: tuple[int, ...]) -> float:
        if tally not in strays:
            found = scipy.stats.power_divergence(tally, 6 * fair, lambda_="log-likelihood").statistic
            strays[tally] = float(found)
        return strays[tally]

    total = 0.0
    for throws in itertools.product(range(4), repeat=6):
        if stray(tuple(np.bincount(throws, minlength=4))) >= stray(tuple(counts)) - 1e-9:
            total += float(np.prod(fair[list(throws)]))
    assert fixed_test(counts, fair).p == pytest.approx(min(1, total), abs=1e-9)


def test_the_statistic_is_scipys() -> None:
    counts = np.array([12, 9, 15, 3, 11, 10])
    expected = scipy.stats.power_divergence(counts, lambda_="log-likelihood").statistic
    assert fixed_test(counts, FAIR).statistic == pytest.approx(expected, abs=1e-9)


def test_a_simulated_p_is_near_the_exact_one_and_near_chi_square() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(30, FAIR[:4] * 1.5)
    exact = fixed_test(counts, FAIR[:4] * 1.5)
    assert exact.exact
    big = rng.multinomial(6000, FAIR)
    simulated = fixed_test(big, FAIR, drawn=20_000)
    assert not simulated.exact
    assert simulated.p == pytest.approx(
        scipy.stats.power_divergence(big, lambda_="log-likelihood").pvalue, abs=5 * simulated.error + 0.01
    )


def test_p_is_uniform_enough_under_a_fair_die() -> None:
    rng = np.random.default_rng(5)
    p = np.array([fixed_test(rng.multinomial(20, LUDIX), LUDIX).p for _ in range(60)])
    for level in (0.05, 0.2, 0.5):
        assert (p <= level).mean() <= level + 3 * np.sqrt(level * (1 - level) / 60)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0], [1, 2, 3]])
def test_without_throws_or_with_other_outcomes_there_is_no_test(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="Expected at least one throw of 4 outcomes"):
        fixed_test(np.array(counts), LUDIX)
