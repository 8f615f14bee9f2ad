"""Outcomes of a die: chances by how many faces bear them, and the contrasts that can be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.outcomes import Outcomes, OutcomesError, outcomes_of
from companion.fairness.record import read_record
from companion.fairness.series.dice import WantedDie, named_dice
from companion.rules.dice import dice_set, dice_sets
from companion.rules.die import Die, Face


def groups(outcomes: Outcomes, kind: str) -> set[str]:
    return {outcomes.name(contrast) for contrast in outcomes.contrasts if contrast.kind == kind}


def test_a_cube_with_pips_has_six_faces_three_axes_and_eight_corners() -> None:
    cube = outcomes_of(dice_set("pips").dice[0])
    assert cube.fair.tolist() == pytest.approx([1 / 6] * 6)
    assert groups(cube, "axis") == {"1+6", "2+5", "3+4"}
    assert len(groups(cube, "corner")) == 8
    assert "1+2+3" in groups(cube, "corner")
    assert not any({"1", "6"} <= set(corner.split("+")) for corner in groups(cube, "corner"))


def test_twins_of_a_ludix_die_are_one_outcome_of_double_chance() -> None:
    die = outcomes_of(dice_set("ludix").dice[0])
    assert dict(zip(die.labels, die.fair.tolist(), strict=True)) == pytest.approx(
        {"L": 1 / 6, "X": 1 / 3, "I": 1 / 3, "V": 1 / 6}
    )
    assert groups(die, "axis") == {"L+V"}, "the axes X-X and I-I are the outcomes X and I"
    assert not groups(die, "corner")


def test_twins_that_are_told_apart_are_outcomes_of_their_own() -> None:
    die = outcomes_of(dice_set("ludix").dice[0], twins_apart=True)
    assert die.labels == ("L", "X/1", "I/1", "I/2", "X/2", "V")
    assert groups(die, "axis") == {"L+V", "X/1+X/2", "I/1+I/2"}
    assert len(groups(die, "corner")) == 8


def test_a_die_that_always_shows_the_same_cannot_be_judged() -> None:
    face = Face("A", 1, ("A",))
    with pytest.raises(OutcomesError, match="all 6 of this one bear 'A'"):
        outcomes_of(Die("1", "cube", "up", (face,) * 6))


@given(name=st.sampled_from(sorted(set(dice_sets()) - {"tiles", "wheel"})), twins_apart=st.booleans())
def test_chances_are_whole_and_every_contrast_lies_between_none_and_all(name: str, *, twins_apart: bool) -> None:
    for die in dice_set(name).dice:
        outcomes = outcomes_of(die, twins_apart=twins_apart)
        assert outcomes.fair.sum() == pytest.approx(1)
        assert sum(outcomes.faces) == len(die.faces)
        for contrast in outcomes.contrasts:
            assert 0 < outcomes.share(contrast) < 1
        assert len({tuple(sorted(one.outcomes)) for one in outcomes.contrasts}) == len(outcomes.contrasts)


@pytest.mark.parametrize("faces", [24, 30, 60, 100])
def test_dice_of_many_faces_are_judged_by_typed_throws(faces: int) -> None:
    (typed,) = named_dice([WantedDie(f"d{faces}")])
    assert typed.outcomes.labels == tuple(str(face) for face in range(1, faces + 1))
    throws = ["12", "21", str(faces)]
    counts = read_record("\n".join(throws), typed.outcomes, typed.die).counts
    assert [int(counts[typed.place(face)]) for face in throws] == [1, 1, 1]
