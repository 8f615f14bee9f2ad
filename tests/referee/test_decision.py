"""What a reading means for the position: commit, ask, or let it be."""

import math
from dataclasses import replace

import pytest

from companion.referee.arrangement import arranged
from companion.referee.decision import (
    PUSHED,
    SAME,
    SOME_MOVED,
    TAKEN_UP,
    UNSURE,
    UNWATCHED,
    WHICH_CUBE,
    Ask,
    Before,
    Commit,
    Decision,
    Ignore,
    decide,
)
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.readings import DiceReading
from tests.referee.build import CUBES, KARITAS, MISERICORDIA, NOTHING, PLACES, lying, reading, seen, thrown


@pytest.fixture
def start() -> Position:
    return game("ludus-regularis").start(2)


@pytest.fixture
def recast(start: Position) -> Position:
    return start.after(start.parse(KARITAS))


def decided(position: Position, dice: DiceReading, before: Before | None = None) -> Decision:
    return decide(position, dice, before or Before())


def after(text: str) -> Before:
    return Before(lying(text), Throw.parse("wibold", text))


def test_a_throw_that_is_read_whole_is_committed(start: Position) -> None:
    decision = decided(start, thrown(MISERICORDIA))
    assert isinstance(decision, Commit)
    assert decision.throw == Throw.parse("wibold", MISERICORDIA)


def test_one_unsure_die_asks_for_the_throw(start: Position) -> None:
    dice = thrown(MISERICORDIA).dice
    doubtful = reading([*dice[:3], seen("consonants", "MNPR", status="ask")])
    decision = decided(start, doubtful)
    assert isinstance(decision, Ask)
    assert decision.sentence == UNSURE
    assert decision.suggestion == dict(Throw.parse("wibold", MISERICORDIA).shown)


def test_the_dice_of_the_last_throw_are_not_read_again(start: Position) -> None:
    assert decided(start, thrown(MISERICORDIA), after(MISERICORDIA)) == Ignore(SAME)


def test_the_same_dice_misread_at_the_same_places_are_not_read_again_either(start: Position) -> None:
    assert decided(start, thrown(NOTHING), after(MISERICORDIA)) == Ignore(SAME)


def test_a_missing_tetrahedron_is_named(start: Position) -> None:
    decision = decided(start, reading(thrown(MISERICORDIA).dice[:3]))
    assert isinstance(decision, Ignore)
    assert decision.mismatch
    assert str(decision.sentence) == "There are 3 of 4 dice on the table: the tetrahedron is missing."


def test_a_die_too_many_is_a_mismatch(start: Position) -> None:
    dice = thrown(MISERICORDIA).dice
    decision = decided(start, reading([*dice, replace(dice[0], polygon=seen("1", "A", (500.0, 400.0)).polygon)]))
    assert isinstance(decision, Ignore)
    assert decision.mismatch
    assert "5 dice" in str(decision.sentence)


def test_the_same_die_twice_is_asked_about(start: Position) -> None:
    dice = thrown(MISERICORDIA).dice
    twice = reading([dice[0], replace(dice[1], die="1", face="A"), *dice[2:]])
    assert isinstance(decided(start, twice), Ask)


def test_an_empty_table_is_nothing(start: Position) -> None:
    decision = decided(start, reading([]))
    assert isinstance(decision, Ignore)
    assert not decision.mismatch


def test_dice_being_taken_up_are_no_mismatch(start: Position) -> None:
    assert decided(start, reading(thrown(MISERICORDIA).dice[:2]), after(MISERICORDIA)) == Ignore(TAKEN_UP)


def test_dice_that_lay_there_before_anybody_watched_are_asked_about(start: Position) -> None:
    decision = decided(start, thrown(MISERICORDIA), Before(watched=False))
    assert isinstance(decision, Ask)
    assert decision.sentence == UNWATCHED


def test_two_dice_that_stayed_make_a_throw_doubtful(start: Position) -> None:
    moved = thrown("EI EIOUA OU BCDF", 90.0).dice
    dice = reading([*thrown(MISERICORDIA).dice[:2], *moved[2:]])
    decision = decided(start, dice, after(MISERICORDIA))
    assert isinstance(decision, Ask)
    assert decision.sentence == SOME_MOVED


def test_one_die_may_come_to_lie_where_one_lay(start: Position) -> None:
    dice = reading([*thrown(MISERICORDIA).dice[:1], *thrown("EI E OU BCDF", 90.0).dice[1:]])
    assert isinstance(decided(start, dice, after(MISERICORDIA)), Commit)


def test_dice_pushed_aside_with_the_same_faces_are_asked_about(start: Position) -> None:
    dice = reading(
        seen(die.die or "", die.face or "", (PLACES[die.die or ""][0] + 80 * place, 60.0 + 30 * place))
        for place, die in enumerate(thrown(MISERICORDIA).dice)
    )
    decision = decided(start, dice, after(MISERICORDIA))
    assert isinstance(decision, Ask)
    assert decision.sentence == PUSHED


def test_pips_among_letters_are_a_mismatch_in_the_sum_game() -> None:
    position = game("ludus-regularis/sum").start(2)
    dice = [*thrown("A E I", names=CUBES).dice[:2], seen("3", "4", set_name="pips")]
    decision = decided(position, reading(dice))
    assert isinstance(decision, Ignore)
    assert decision.mismatch


def test_the_sum_game_leaves_a_tetrahedron_out_of_account() -> None:
    position = game("ludus-regularis/sum").start(2)
    decision = decided(position, thrown(MISERICORDIA))
    assert isinstance(decision, Commit)
    assert [name for name, _ in decision.throw.shown] == list(CUBES)


def test_nothing_is_awaited_once_the_game_is_over() -> None:
    position = game("ludus-regularis").start(2, ending="throws", throws=1)
    position = position.after(position.parse(NOTHING))
    assert isinstance(decided(position, thrown(MISERICORDIA)), Ignore)


def cube_moved(name: str, face: str, *, status: str = "read", as_die: str | None = None) -> DiceReading:
    """Return the table of the second cast: this cube lies elsewhere, the others as they lay."""
    dice = [die for die in thrown(KARITAS).dice if die.die != name]
    moved = seen(name, face, (500.0, 400.0), status="ask" if status == "ask" else "read", angle=0.3)
    return reading([*dice, replace(moved, die=as_die or name)])


def test_the_second_cast_is_the_cube_that_moved(recast: Position) -> None:
    decision = decided(recast, cube_moved("2", "UAE"), after(KARITAS))
    assert isinstance(decision, Commit)
    assert decision.throw.shown == (("2", "UAE"),)
    assert {die.die: die.face for die in decision.arrangement} == {
        "1": "A",
        "2": "UAE",
        "3": "I",
        "consonants": "GHKL",
    }


def test_the_second_cast_is_named_by_what_stayed_though_the_reader_took_it_for_another(recast: Position) -> None:
    decision = decided(recast, cube_moved("2", "EIOUA", as_die="1"), after(KARITAS))
    assert isinstance(decision, Commit)
    assert decision.throw.shown == (("2", "EIOUA"),)


def test_an_unsure_second_cast_asks_about_that_cube_alone(recast: Position) -> None:
    decision = decided(recast, cube_moved("2", "UAE", status="ask"), after(KARITAS))
    assert isinstance(decision, Ask)
    assert [die.die for die in decision.dice] == ["2"]


def test_two_cubes_that_moved_are_asked_about(recast: Position) -> None:
    dice = [*thrown(KARITAS, 150.0).dice[:2], *thrown(KARITAS).dice[2:]]
    decision = decided(recast, reading(dice), after(KARITAS))
    assert isinstance(decision, Ask)
    assert decision.sentence == WHICH_CUBE


def test_no_cube_that_moved_is_no_second_cast(recast: Position) -> None:
    assert decided(recast, thrown(KARITAS), after(KARITAS)) == Ignore(SAME)


def test_the_tetrahedron_may_be_pushed_during_the_second_cast(recast: Position) -> None:
    dice = [*thrown(KARITAS).dice[:3], seen("consonants", "GHKL", (500.0, 300.0))]
    assert isinstance(decided(recast, reading(dice), after(KARITAS)), Ignore)


def test_one_cube_alone_on_the_table_is_the_second_cast(recast: Position) -> None:
    dice = reading([seen("3", "AEI", (300.0, 400.0), angle=math.radians(20))])
    decision = decided(recast, dice, after(KARITAS))
    assert isinstance(decision, Commit)
    assert decision.throw.shown == (("3", "AEI"),)


def test_a_cube_in_the_hand_is_waited_for(recast: Position) -> None:
    dice = [die for die in thrown(KARITAS).dice if die.die != "1"]
    assert decided(recast, reading(dice), after(KARITAS)) == Ignore(TAKEN_UP)


def test_a_second_cast_that_nobody_watched_is_asked_about(recast: Position) -> None:
    before = replace(after(KARITAS), watched=False)
    assert isinstance(decided(recast, cube_moved("2", "UAE"), before), Ask)


def test_what_is_committed_names_every_die_it_knows() -> None:
    assert [die.die for die in arranged(thrown(KARITAS).dice)] == ["1", "2", "3", "consonants"]
