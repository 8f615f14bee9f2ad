"""Intervals against published figures and against their promise."""

import random

import pytest

from companion.odds.intervals import mean, share


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    """Newcombe (1998), Statistics in Medicine 17:857, Table I, method 3: 81/263, 15/148, 0/20, 1/29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (count, of), ends in published.items():
        found = share(count, of)
        assert (round(found.low or 0, 4), round(found.high or 0, 4)) == ends


def test_a_mean_lies_in_its_interval_95_times_of_100() -> None:
    dice = random.Random(7)
    hits = 0
    for _ in range(400):
        found = mean([dice.randint(1, 6) for _ in range(50)])
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 3.5 <= found.high
    assert 0.91 <= hits / 400 <= 0.98


def test_one_value_has_no_interval_and_none_no_mean() -> None:
    assert mean([4]).to_json() == {"value": 4, "low": None, "high": None}
    with pytest.raises(ValueError, match="at least one value"):
        mean([])
    with pytest.raises(ValueError, match="0 of 0"):
        share(0, 0)
