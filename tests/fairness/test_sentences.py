"""The sentences say how much, how sure and of what, and no rounding makes them contradict themselves."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.library import report_on
from companion.fairness.outcomes import Outcomes, outcomes_of
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.reader_file import seen_of
from companion.fairness.report.as_json import report_json
from companion.fairness.report.sections import chance
from companion.fairness.sentences import (
    LEAST_TOLD,
    die_sentences,
    in_points,
    points_above,
    points_below,
    strayed,
    two_digits,
)
from companion.fairness.verdict import Judgement, judge, judge_counts
from companion.rules.dice import dice_set
from companion.vision.dice.groups.named import pooled

CUBE = outcomes_of(dice_set("pips").dice[0])
D20 = outcomes_of(dice_set("d20").dice[0])
RANGE = re.compile(
    r"([\d+]+)(?: together)? comes? up in ([\d.]+) of 100 throws \(([\d.]+) to ([\d.]+)\) instead of ([\d.]*\d)"
)


def sentences_of(judged: Judgement, outcomes: Outcomes) -> str:
    return " ".join(map(str, die_sentences(judged, outcomes, [])))


def test_a_biased_die_is_told_with_face_size_range_and_what_would_be_fair() -> None:
    rng = np.random.default_rng(24)
    shown = rng.choice(20, p=[0.0475] * 19 + [0.0975], size=1500)
    found = sentences_of(judge(shown, D20), D20)
    assert found.startswith(
        "Biased (you may look as often as you like: a fair die gets this far at most once in 20). 20 comes up in "
    )
    assert "instead of 5." in found
    assert "in at least 95 of 100 such cases" in found


def test_it_is_told_how_many_throws_may_count_for_another_face_as_far_as_that_was_measured() -> None:
    shown = np.random.default_rng(3).integers(0, 20, 400)
    assert judge(shown, D20).misread is None
    assert "may count for another" not in sentences_of(judge(shown, D20), D20)
    bounds = []
    for rows in ({"1": {"1": 100}}, {"1": {"1": 97, "2": 3}}, {"1": {"1": 997, "2": 3}}):
        judged = judge(shown, D20, reader=ReaderErrors(seen_of(pooled(rows, D20.labels), D20)))
        assert judged.misread is not None
        assert f"up to {points_above(judged.misread)} may count for another" in sentences_of(judged, D20)
        bounds.append(judged.misread)
    none, three, more = bounds
    assert 0.03 < none < three
    assert 0.003 < more < three


def test_at_the_call_the_estimate_is_told_even_where_no_face_is_sure() -> None:
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(40):
        shown = rng.choice(6, p=[0.15, 0.15, 0.15, 0.15, 0.15, 0.25], size=1200)
        called = judge(shown, CUBE).evidence.called
        if called is None:
            continue
        at = judge(shown[:called], CUBE)
        found = sentences_of(at, CUBE)
        assert RANGE.search(found), found
        if not strayed(at, CUBE):
            seen += 1
            assert "too early to be certain" in found or " together come up" in found
    assert seen > 10


@settings(max_examples=300)
@given(st.lists(st.integers(0, 900), min_size=6, max_size=6))
def test_no_range_contradicts_itself_by_rounding(counts: list[int]) -> None:
    judged = judge_counts(np.array(counts), CUBE)
    found = sentences_of(judged, CUBE)
    sure = "too early to be certain" not in found
    for _, share, low, high, fair in RANGE.findall(found):
        assert float(low) <= float(share) <= float(high), found
        assert sure == (not float(low) <= float(fair) <= float(high)), found
        assert low != fair != high or not sure


def test_no_larger_bias_is_told_per_face_and_with_how_sure_it_is() -> None:
    judged = judge_counts(np.array([1000] * 6), CUBE)
    assert judged.said == "no larger bias"
    found = sentences_of(judged, CUBE)
    assert f"No face is off by more than {points_above(judged.largest)} points" in found
    assert points_above(judged.largest) >= 100 * judged.largest
    assert "at least 95 of 100 such cases" in found
    assert "faces together may be off by up to" in found
    assert "does not mean that the die is fair" in found


def test_a_chance_is_never_told_as_zero() -> None:
    report = report_on([1] * 3000)
    judged, stated = report.judged, report_json(report)
    assert judged.evidence.p < 1e-300
    assert stated["evidence"]["p"] == LEAST_TOLD > 0
    assert json.loads(json.dumps(stated["evidence"]))["p"] > 0
    assert str(chance(judged.evidence.p)).startswith("less than 10")
    assert [str(chance(p)) for p in (0.5, 0.04321, 0.001234, 1e-7)] == ["0.5", "0.043", "0.0012", "10⁻⁷"]


def test_a_new_series_says_how_soon_a_bad_die_shows() -> None:
    found = sentences_of(judge(np.zeros(0, np.int64), D20), D20)
    few, many = (int(number) for number in re.findall(r"about (\d+) throws", found))
    assert 100 < few < 1500 < many


def test_bounds_are_rounded_outwards_and_plans_to_two_digits() -> None:
    assert (points_above(0.03841), points_below(0.03841), points_above(0.038)) == (3.9, 3.8, 3.8)
    assert [two_digits(many) for many in (7, 64, 105, 6440, 8704, 13_512)] == [7, 64, 100, 6400, 8700, 14_000]
    assert in_points(0.05) == 5
    assert str(in_points(0.1)) == "10"


@pytest.mark.parametrize("outcomes", [CUBE, D20])
def test_few_throws_leave_room_and_say_so(outcomes: Outcomes) -> None:
    ones = np.ones(len(outcomes.labels), np.int64)
    found = sentences_of(judge_counts(ones, outcomes), outcomes)
    assert found == f"Too early to say anything: {len(outcomes.labels)} throws so far."
    found = sentences_of(judge_counts(5 * ones, outcomes), outcomes)
    assert found.startswith(f"Not enough throws yet: {5 * len(outcomes.labels)} so far")
    assert "fair" not in found


def test_a_bias_that_a_few_throws_show_is_said_and_so_is_how_many_lost_ones_would_leave_it_open() -> None:
    counts = np.array([0, 0, 0, 0, 0, 24])
    assert sentences_of(judge_counts(counts, CUBE), CUBE).startswith("Biased")
    found = sentences_of(judge_counts(counts * 4, CUBE, unread=9), CUBE)
    assert "9 throws were not read; whatever they showed, the die is called biased" in found
