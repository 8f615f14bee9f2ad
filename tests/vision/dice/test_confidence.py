"""Thresholds are proved, not only counted, and temperatures are found again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.training.choosing.confidence import (
    TooFewDiceError,
    dice_to_prove,
    threshold,
    upper_bound,
)

judgements = st.lists(st.tuples(st.sampled_from([0.5, 0.7, 0.9, 0.97, 0.99, 0.999]), st.booleans()), max_size=80)


@pytest.mark.parametrize(
    ("wrong", "dice", "bound"),
    # the rule of three, and values of the beta distribution: the upper bound is its quantile (wrong + 1, dice - wrong)
    [(0, 100, 1 - 0.05**0.01), (0, 3000, 1 - 0.05 ** (1 / 3000)), (1, 2, 1 - (1 - 0.95**0.5)), (5, 5, 1.0)],
)
def test_bounds_are_those_of_clopper_and_pearson(wrong: int, dice: int, bound: float) -> None:
    assert upper_bound(wrong, dice) == pytest.approx(bound, abs=1e-9)


@given(st.integers(1, 400), st.data())
def test_a_bound_lies_above_the_share_and_grows_with_the_errors(dice: int, data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, dice - 1))
    assert wrong / dice < upper_bound(wrong, dice) < upper_bound(wrong + 1, dice) <= 1


@pytest.mark.parametrize(("share", "dice"), [(0.001, 2995), (0.002, 1497), (0.01, 299)])
def test_so_many_dice_without_an_error_prove_a_share_and_one_less_does_not(share: float, dice: int) -> None:
    assert dice_to_prove(share) == dice
    assert upper_bound(0, dice) <= share < upper_bound(0, dice - 1)


@given(judgements, st.floats(0.02, 0.5), st.integers(150, 600))
@settings(deadline=None, max_examples=50)
def test_what_is_read_keeps_to_the_share_and_one_die_less_strict_would_not(
    judged: list[tuple[float, bool]], most: float, dice: int
) -> None:
    chosen = threshold(judged, most, dice=dice)
    wrong = sum(not right for confidence, right in judged if confidence >= chosen.value)
    assert wrong == chosen.wrong
    assert upper_bound(wrong, dice) == pytest.approx(chosen.bound)
    assert chosen.bound <= most
    lower = [confidence for confidence, _ in judged if confidence < chosen.value]
    if lower:
        looser = sum(not right for confidence, right in judged if confidence >= max(lower))
        assert upper_bound(looser, dice) > most


def test_a_share_that_so_few_dice_cannot_prove_is_refused() -> None:
    with pytest.raises(TooFewDiceError, match=r"at least 2995 dice .* 0\.100%, but there are 500"):
        threshold([(0.99, True)] * 500, 0.001)
    with pytest.raises(ValueError, match="at least the 3 dice"):
        threshold([(0.99, True)] * 3, 0.1, dice=2)


def test_the_chosen_threshold_keeps_its_promise_on_fresh_dice() -> None:
    rng = np.random.default_rng(8)
    broken = 0
    for _ in range(60):
        chosen = threshold(drawn(rng, 1500), 0.02)
        fresh = drawn(rng, 8000)
        broken += sum(not right for confidence, right in fresh if confidence >= chosen.value) > 0.02 * len(fresh)
    assert broken <= 10  # 3 are expected at most, and more than 10 would be seen once in a thousand times


def drawn(rng: np.random.Generator, number: int) -> list[tuple[float, bool]]:
    confidence = 1 - 0.5 * rng.random(number) ** 3
    right = rng.random(number) < confidence - 0.1 * (1 - confidence)
    return list(zip(confidence.tolist(), right.tolist(), strict=True))
