"""Intervals hold at every look, agree with another's implementation, and narrow as throws are made."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness import confidence
from companion.fairness.confidence import interval, intervals
from companion.fairness.outcomes import outcomes_of
from companion.fairness.reader_intervals import die_intervals
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])


@pytest.mark.parametrize("centre", [1 / 6, 1 / 3, 0.05])
@pytest.mark.parametrize("level", [0.05, 0.05 / 6])
def test_one_beta_distribution_gives_the_interval_of_a_published_implementation(
    centre: float, level: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ville  # noqa: PLC0415, it loads much of scipy, and every worker collects this file

    concentration = 150.0
    monkeypatch.setattr(confidence, "CONCENTRATIONS", (concentration,))
    shown = (np.random.default_rng(2).random(600) < centre * 1.1).astype(float)
    theirs = ville.BernoulliCS(level, prior=(concentration * centre, concentration * (1 - centre)), intersect=False)
    theirs.update(shown)
    counts, whole = shown.cumsum().astype(int), np.arange(1, 601)
    low, high = interval(counts, whole, centre, level)
    assert low == pytest.approx(theirs.lower_, abs=1e-9)
    assert high == pytest.approx(theirs.upper_, abs=1e-9)


@given(st.integers(0, 2000), st.floats(0, 1), st.floats(0.02, 0.98))
def test_an_interval_holds_the_share_that_was_seen(whole: int, part: float, centre: float) -> None:
    count = round(whole * part)
    low, high = interval(np.array(count), np.array(whole), centre, 0.05)
    assert 0 <= low <= high <= 1
    if whole:
        assert low <= count / whole <= high
    else:
        assert (float(low), float(high)) == (0, 1)


@given(st.integers(1, 20_000), st.floats(0, 1), st.floats(0.02, 0.98), st.sampled_from([0.05, 0.002]))
def test_the_ends_are_where_the_bet_has_won_just_enough(whole: int, part: float, centre: float, level: float) -> None:
    count = round(whole * part)
    allowed = float(confidence.log_marginal(np.array(count), np.array(whole), centre)) + np.log(level)
    for end, inside in zip(interval(np.array(count), np.array(whole), centre, level), (1, -1), strict=True):
        for share, kept in ((float(end) - inside * 1e-9, False), (float(end) + inside * 1e-9, True)):
            if 0 < share < 1:
                likely = scipy.stats.binom.logpmf(count, whole, share) - scipy.special.gammaln(whole + 1)
                likely += scipy.special.gammaln(count + 1) + scipy.special.gammaln(whole - count + 1)
                assert (likely >= allowed) == kept


def test_intervals_of_a_loaded_die_hold_at_every_look() -> None:
    rng = np.random.default_rng(11)
    chances = np.array([0.1, 0.15, 0.15, 0.2, 0.2, 0.2])
    moments = np.unique(np.round(np.geomspace(1, 2000, 60)).astype(int)) - 1
    missed = 0
    for _ in range(200):
        counts = (rng.choice(6, p=chances, size=2000)[:, None] == np.arange(6)).cumsum(axis=0)[moments]
        missed += not intervals(counts, CUBE, 0.05).hold(chances).all()
    assert missed <= 10 + 3 * np.sqrt(200 * 0.05 * 0.95)


def test_intervals_narrow_with_the_throws() -> None:
    far = [float(intervals(np.full(6, many), CUBE, 0.05).farthest(CUBE.fair)) for many in (1, 10, 100, 1000, 10_000)]
    assert far == sorted(far, reverse=True)
    assert far[-1] < 0.01


def test_contrasts_have_intervals_of_their_own() -> None:
    counts = np.array([300, 100, 100, 100, 100, 300])
    axes = [contrast for contrast in CUBE.contrasts if contrast.kind == "axis"]
    found = dict(zip(map(CUBE.name, axes), die_intervals(counts, CUBE, axes, 0.05)[1], strict=True))
    assert found["1+6"][0] > 1 / 3
    assert found["2+5"][1] < 1 / 3
