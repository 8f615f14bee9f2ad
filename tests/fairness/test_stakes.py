"""Stakes sum to 1 for every die and under every number, and what was agreed before stays as it was."""

import numpy as np
import pytest

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.stakes import CURRENT_STAKES, FIRST_STAKES, StakesError, stakes_of, stakes_on, watched
from companion.rules.dice import dice_set

NUMBERS = (FIRST_STAKES, CURRENT_STAKES, 3, 4, 5, 6)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("name", ["d4", "pips", "d8", "ludix", "d20", "wibold"])
def test_all_stakes_on_a_die_are_one_and_they_are_those_of_the_bet(name: str, number: int) -> None:
    outcomes = outcomes_of(dice_set(name).dice[0])
    laid, mixture = stakes_on(outcomes, number), mixture_of(outcomes, number)
    assert sum(one.stake for one in laid.kinds) + sum(laid.spread.values()) == pytest.approx(1, abs=1e-12)
    assert mixture.on_shifts.sum() == pytest.approx(sum(one.stake for one in laid.kinds), abs=1e-12)
    assert np.exp(mixture.shifts) @ mixture.fair == pytest.approx(np.ones(len(mixture.shifts)), abs=1e-12)


def test_the_first_stakes_are_what_they_were() -> None:
    """Sums that the program made before stakes had a number."""
    cube = mixture_of(outcomes_of(dice_set("pips").dice[0]), FIRST_STAKES)
    assert float(cube.log_value(np.array([20, 10, 15, 15, 10, 30]))) == pytest.approx(2.0011001099, abs=1e-9)
    d20 = mixture_of(outcomes_of(dice_set("d20").dice[0]), FIRST_STAKES)
    assert float(d20.log_value(np.arange(20))) == pytest.approx(13.5256920453, abs=1e-9)
    assert {one.kind for one in watched(outcomes_of(dice_set("d20").dice[0]), FIRST_STAKES)} == {"axis"}


def test_unknown_stakes_are_refused() -> None:
    with pytest.raises(StakesError, match="1 to 6, but got 99"):
        stakes_of(99)


def test_a_d20_has_twelve_corners_of_five_faces_and_six_pairs_of_them() -> None:
    outcomes = outcomes_of(dice_set("d20").dice[0])
    caps = [one.outcomes for one in outcomes.contrasts if one.kind == "cap"]
    assert len(caps) == 12
    assert all(sum(place in cap for cap in caps) == 3 for place in range(20)), "a triangle has three corners"
    assert [len(one.outcomes) for one in outcomes.contrasts if one.kind == "caps"] == [10] * 6
