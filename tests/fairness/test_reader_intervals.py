"""Intervals hold the share of all throws, also of those that a reader took for others or did not read."""

import pytest

from bench.fairness.reader_shares import CASES, MOMENTS, missed


@pytest.mark.parametrize("case", [name for name in CASES if "never errs" not in name])
def test_the_shares_of_all_throws_lie_within_the_intervals_through_a_reader_that_errs(case: str) -> None:
    chances, true = CASES[case]
    for known in (True, False):
        came = missed(chances, true, 1_000, 10, known=known, seed=[7, int(known)])
        assert came["at any"]["value"] == came["a group's at any"]["value"] == 0
        assert len(came["widest, points"]) == len(MOMENTS)
