"""Throws that nobody read may have shown anything: with any faces in their place the bet has won at least the bound."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.planning import off_by
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.unread import least_log_value
from companion.fairness.verdict import judge
from companion.rules.dice import dice_set

NAMES = ("pips", "ludix", "d20")


@given(name=st.sampled_from(NAMES), seed=st.integers(0, 10_000), read=st.integers(1, 800), unread=st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_no_faces_in_their_place_make_the_bet_poorer(name: str, seed: int, read: int, unread: int) -> None:
    outcomes = outcomes_of(dice_set(name).dice[0])
    mixture, rng = mixture_of(outcomes), np.random.default_rng(seed)
    counts = rng.multinomial(read, rng.dirichlet(outcomes.fair * 40))
    bound = float(least_log_value(mixture, counts[None], np.array([unread]))[0])
    added = rng.multinomial(unread, rng.dirichlet(np.full(len(counts), 0.5), size=200))
    assert (mixture.log_value(counts + added) >= bound - 1e-9).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_the_least_that_scipy_finds(name: str) -> None:
    outcomes = outcomes_of(dice_set(name).dice[0])
    mixture, rng = mixture_of(outcomes), np.random.default_rng(3)
    counts = rng.multinomial(600, rng.dirichlet(outcomes.fair * 60)).astype(float)
    kinds, unread = len(counts), 50.0
    found = scipy.optimize.minimize(
        lambda added: float(mixture.slopes((counts + added)[None])[0][0]),
        np.full(kinds, unread / kinds),
        jac=lambda added: mixture.slopes((counts + added)[None])[1][0],
        bounds=[(0, unread)] * kinds,
        constraints={"type": "eq", "fun": lambda added: added.sum() - unread},
        method="SLSQP",
    )
    bound = float(least_log_value(mixture, counts.astype(int)[None], np.array([50]))[0])
    assert found.fun - 0.05 <= bound <= found.fun + 1e-6


def test_a_fair_die_whose_sixes_are_not_read_is_not_called_biased_and_it_is_said_why() -> None:
    outcomes = outcomes_of(dice_set("pips").dice[0])
    rng = np.random.default_rng(5)
    shown = rng.integers(6, size=3000)
    shown[(shown == 5) & (rng.random(3000) < 0.3)] = UNREAD_PLACE
    judged = judge(shown, outcomes)
    assert judged.raw.called is not None
    assert judged.said == "not enough"
    assert judged.unread_explain
    assert not judged.reader_explains
    assert judged.intervals.low[5] <= 1 / 6 <= judged.intervals.high[5]
    hidden = judge(shown[shown != UNREAD_PLACE], outcomes)
    assert hidden.said == "biased", "only who counts the unread throws can know"


def test_a_very_loaded_die_is_found_though_some_throws_were_not_read() -> None:
    outcomes = outcomes_of(dice_set("pips").dice[0])
    rng = np.random.default_rng(6)
    shown = rng.choice(6, p=off_by(outcomes, outcomes.contrasts[5], 0.2), size=1000)
    shown[rng.random(1000) < 0.03] = UNREAD_PLACE
    judged = judge(shown, outcomes)
    assert judged.said == "biased"
    assert judged.evidence.most < judged.raw.most
    assert judged.intervals.low[5] > 1 / 6
