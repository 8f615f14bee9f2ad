"""What is said of a die: never that it is fair, and nothing that the throws do not bear."""

import numpy as np
import pytest

from companion.fairness.outcomes import outcomes_of
from companion.fairness.planning import detectable, off_by, plan
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.reader_intervals import die_intervals
from companion.fairness.verdict import SIGNIFICANCE_LEVEL, judge, throws_for
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])
FACE, AXIS = CUBE.contrasts[0], next(one for one in CUBE.contrasts if one.kind == "axis")


def throws(chances: list[float] | None, many: int, seed: int = 1) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.random.default_rng(seed).choice(6, p=chances, size=many)


def test_without_throws_nothing_is_said() -> None:
    nothing = judge(throws(None, 0), CUBE)
    assert nothing.said == "not enough"
    assert nothing.evidence.p == 1
    assert nothing.largest > 0.8


def test_a_loaded_die_is_biased_and_it_is_said_when_that_was_known() -> None:
    loaded = judge(throws(off_by(CUBE, FACE, 0.15).tolist(), 500), CUBE)
    assert loaded.said == "biased"
    assert loaded.evidence.called is not None
    assert 10 < loaded.evidence.called < 500
    assert loaded.evidence.p < 0.05
    assert loaded.intervals.low[0] > 1 / 6
    earlier = judge(throws(off_by(CUBE, FACE, 0.15).tolist(), 500)[: loaded.evidence.called], CUBE)
    assert earlier.evidence.called == loaded.evidence.called, "what was said at a throw stands"


def test_a_fair_die_has_no_bias_larger_than_what_its_throws_show() -> None:
    need = throws_for(CUBE, 0.05)
    assert judge(throws(None, 300), CUBE).said == "not enough"
    stated = [judge(throws(None, need, seed), CUBE).said for seed in range(20)]
    assert stated.count("no larger bias") >= 13  # four of five are expected
    assert judge(throws(None, 4 * need), CUBE).largest < 0.05


def test_more_throws_are_needed_to_rule_out_a_smaller_bias() -> None:
    needs = [throws_for(CUBE, smallest) for smallest in (0.1, 0.05, 0.02)]
    assert needs == sorted(needs)
    assert needs[2] > 4 * needs[1]


def test_where_the_reader_could_have_done_it_the_die_is_not_blamed() -> None:
    confusing = np.hstack([np.eye(6), np.zeros((6, 1))])
    confusing[5, :] = [0.2, 0, 0, 0, 0, 0.8, 0]
    shown = throws((np.full(6, 1 / 6) @ confusing)[:6].tolist(), 3000)
    assert judge(shown, CUBE).said == "biased"
    judged = judge(shown, CUBE, reader=ReaderErrors(np.round(confusing * 1000).astype(int)))
    assert judged.said != "biased"
    assert judged.reader_explains
    assert judged.estimate == pytest.approx(np.full(6, 1 / 6), abs=0.03)
    assert (judged.intervals.low <= 1 / 6).all()
    assert (judged.intervals.high >= 1 / 6).all()


def test_a_larger_bias_is_planned_to_be_found_sooner_and_an_axis_sooner_than_a_face() -> None:
    large, small = plan(CUBE, FACE, 0.1), plan(CUBE, FACE, 0.05)
    assert large.half is not None
    assert small.half is not None
    assert small.four_of_five is not None
    assert large.half < small.half < small.four_of_five
    axis = plan(CUBE, AXIS, 0.1)
    assert axis.half is not None
    assert axis.half < small.half


def test_a_plan_holds() -> None:
    planned = plan(CUBE, FACE, 0.1)
    assert planned.four_of_five is not None
    chances = off_by(CUBE, FACE, 0.1).tolist()
    found = sum(judge(throws(chances, planned.four_of_five, seed), CUBE).said == "biased" for seed in range(40))
    assert 32 - 3 * 2.6 <= found <= 32 + 3 * 2.6


def test_no_die_shows_a_face_less_often_than_never() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        plan(CUBE, FACE, -0.2)


@pytest.mark.parametrize("part", [0.8, 0.95])
def test_the_bias_that_so_many_throws_find_is_found_by_them(part: float) -> None:
    bias = detectable(CUBE, "face", 400, part)
    assert bias is not None
    chances = off_by(CUBE, FACE, bias).tolist()
    found = sum(judge(throws(chances, 400, seed), CUBE).said == "biased" for seed in range(150))
    assert found / 150 == pytest.approx(part, abs=3 * np.sqrt(part * (1 - part) / 150) + 0.03)


def test_more_throws_find_a_smaller_bias_and_few_find_none() -> None:
    found = [detectable(CUBE, "axis", many) for many in (100, 1000, 10_000)]
    assert None not in found
    assert found == sorted(found, key=lambda one: -(one or 0))
    assert detectable(CUBE, "face", 3) is None
    assert detectable(outcomes_of(dice_set("d4").dice[0]), "corner", 1000) is None


@pytest.mark.parametrize("name", ["d4", "pips", "d20"])
def test_about_four_of_five_fair_dice_are_cleared_by_as_many_throws_as_are_said(name: str) -> None:
    die, smallest = outcomes_of(dice_set(name).dice[0]), 0.03
    fell = np.random.default_rng(12).multinomial(throws_for(die, smallest), die.fair, size=150)
    cleared = sum(
        die_intervals(counts, die, (), SIGNIFICANCE_LEVEL)[0].farthest(die.fair) <= smallest for counts in fell
    )
    assert 0.7 < cleared / len(fell) < 0.9
