"""Throws that repeat earlier ones are noticed at every throw, and the die is then not blamed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import outcomes_of
from companion.fairness.planning import off_by
from companion.fairness.sentences import die_sentences
from companion.fairness.serial_dependence import LAGS, UNREAD_PLACE, Recent
from companion.fairness.verdict import judge
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])


def repeating(kinds: int, many: int, lag: int, part: float, seed: int) -> Counts:
    rng = np.random.default_rng(seed)
    shown = rng.integers(kinds, size=many)
    for place in range(lag, many):
        if rng.random() < part:
            shown[place] = shown[place - lag]
    return np.asarray(shown, np.int64)


@given(seed=st.integers(0, 10_000), many=st.integers(0, 80), together=st.integers(1, 4), cut=st.integers(0, 80))
@settings(max_examples=60)
def test_in_pieces_the_same_repeats_are_counted_as_one_by_one(seed: int, many: int, together: int, cut: int) -> None:
    places = np.random.default_rng(seed).integers(UNREAD_PLACE, 4, size=many)
    whole = Recent(together).take(places)
    recent = Recent(together)
    parts = [recent.take(part) for part in (places[:cut], places[cut:])]
    assert np.concatenate([part.same for part in parts]).tolist() == whole.same.tolist()
    assert np.concatenate([part.pairs for part in parts]).tolist() == whole.pairs.tolist()
    throws = places[: many // together * together].reshape(-1, together)
    for column, lag in enumerate(LAGS):
        pairs = [
            (int(one), int(other))
            for later, earlier in zip(throws[lag:], throws, strict=False)
            for one in later
            for other in earlier
            if UNREAD_PLACE not in {int(one), int(other)}
        ]
        if many:
            assert whole.pairs[-1, column] == len(pairs)
            assert whole.same[-1, column] == sum(one == other for one, other in pairs)


@pytest.mark.parametrize("lag", LAGS)
@pytest.mark.parametrize("name", ["pips", "d20"])
def test_a_fair_die_that_lies_where_it_lay_is_not_called_biased(name: str, lag: int) -> None:
    outcomes = outcomes_of(dice_set(name).dice[0])
    judged = judge(repeating(len(outcomes.labels), 1500, lag, 0.5, 1), outcomes)
    assert judged.said == "serially dependent"
    assert str(next(iter(die_sentences(judged, outcomes, [])))) == (
        "The throws depend on each other (serial dependence): the die cannot be judged from them."
    )


def test_before_any_question_is_asked_a_repeating_die_is_not_blamed_either() -> None:
    outcomes = outcomes_of(dice_set("d20").dice[0])
    early = [judge(repeating(20, 60, 1, 0.6, seed), outcomes) for seed in range(40)]
    assert sum(one.raw.reached is not None for one in early) > 10, "its counts do look biased"
    assert sum(one.said == "biased" for one in early) <= 1


def test_a_loaded_die_that_is_thrown_well_is_still_found() -> None:
    rng = np.random.default_rng(2)
    chances = off_by(CUBE, CUBE.contrasts[2], 0.15)
    weights = [judge(rng.choice(6, p=chances, size=400), CUBE).said for _ in range(40)]
    assert weights.count("biased") >= 38
    very = judge(rng.choice(6, p=[0.04, 0.04, 0.04, 0.04, 0.04, 0.8], size=400), CUBE)
    assert very.said == "biased", "what falls often repeats often"
