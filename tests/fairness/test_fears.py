"""What somebody fears before the first throw: stakes of their own, said in every form, and kept with the series."""

import json

import numpy as np
import pytest

from companion.fairness.batches.batch import batch_of
from companion.fairness.batches.sentences import batch_sentences
from companion.fairness.library import report_on
from companion.fairness.mixture import tilted
from companion.fairness.outcomes import outcomes_of
from companion.fairness.planning import Effort, off_along_pips, plan_of
from companion.fairness.report.as_json import report_json
from companion.fairness.report.html import to_html
from companion.fairness.stakes import CURRENT_STAKES, FEARS, StakesError, fears_of, stakes_for, stakes_of, stakes_on
from companion.fairness.verdict import judge
from companion.language.texts import load
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])
D20 = outcomes_of(dice_set("d20").dice[0])
SAID = "Declared before the first throw: drilled pips is feared."


def test_each_fear_has_stakes_of_which_more_than_half_are_on_it() -> None:
    for fear, kinds in FEARS.items():
        laid = stakes_of(stakes_for(fear, CUBE))
        assert laid.fear == fear
        assert sum(one.stake for one in laid.kinds if one.kind in kinds) > 0.5
        for outcomes in (CUBE, D20):
            own = stakes_on(outcomes, laid.number)
            assert sum(one.stake for one in own.kinds) + sum(own.spread.values()) == pytest.approx(1, abs=1e-12)
    assert stakes_for("", CUBE) == CURRENT_STAKES
    assert stakes_of(CURRENT_STAKES).fear == ""


def test_a_die_is_not_feared_for_what_it_cannot_have() -> None:
    assert fears_of(CUBE) == ("face", "axis", "pips", "corner")
    assert fears_of(D20) == ("face", "axis", "corner"), "its corners are those where five faces meet"
    with pytest.raises(StakesError, match="Expected one of face, axis, corner as what you fear of this die, but got p"):
        stakes_for("pips", D20)
    with pytest.raises(StakesError, match="but got a thief"):
        stakes_for("a thief", CUBE)


def test_what_is_feared_rightly_is_found_sooner_and_what_is_feared_wrongly_not_much_later() -> None:
    drilled, effort = off_along_pips(CUBE, 0.03), Effort(dice=200, seed=53)
    usual, right, wrong = (
        plan_of(CUBE, drilled, effort, stakes=stakes_for(fear, CUBE)) for fear in ("", "pips", "axis")
    )
    assert usual.half is not None
    assert right.half is not None
    assert wrong.half is not None
    assert right.half < 0.9 * usual.half
    assert usual.half < wrong.half < 1.3 * usual.half


def test_drilled_pips_are_planned_by_their_farthest_face() -> None:
    chances = off_along_pips(CUBE, 0.02)
    assert np.abs(chances - CUBE.fair).max() == pytest.approx(0.02)
    assert np.diff(chances) == pytest.approx(np.diff(chances)[0])
    assert off_along_pips(CUBE, -0.02)[0] == pytest.approx(CUBE.fair[0] + 0.02)
    with pytest.raises(ValueError, match="along the pips, and not 0"):
        off_along_pips(CUBE, 0.2)
    with pytest.raises(ValueError, match="a die with pips"):
        off_along_pips(D20, 0.01)


def test_every_form_of_a_report_says_what_was_feared() -> None:
    throws = np.random.default_rng(53).choice(6, p=tilted(CUBE.fair, CUBE.pips, 0.1), size=300) + 1
    report = report_on(throws.tolist(), fear="pips")
    assert any(str(one).startswith(SAID) for one in report.sentences)
    assert SAID in to_html(report, load("en"))
    stated = report_json(report)
    assert stated["stakes"]["fear"] == "pips"
    assert SAID in json.dumps(stated["sentences"])
    assert "--stakes 5" in report.provenance.command
    assert any(str(one).startswith(SAID) for one in batch_sentences(batch_of([report.account])))
    assert not any("Declared" in str(one) for one in report_on(throws.tolist()).sentences)


def test_a_judgement_by_a_fear_is_that_of_its_stakes_from_the_first_throw_on() -> None:
    shown = np.random.default_rng(7).choice(6, p=[0.15, 0.15, 0.15, 0.15, 0.15, 0.25], size=900)
    usual, feared = judge(shown, CUBE), judge(shown, CUBE, stakes=stakes_for("face", CUBE))
    assert usual.said == feared.said == "biased"
    assert usual.evidence.called is not None
    assert feared.evidence.called is not None
    assert feared.evidence.called < usual.evidence.called
    assert feared.intervals.low.tolist() == usual.intervals.low.tolist(), "a fear is a matter of the bet alone"
