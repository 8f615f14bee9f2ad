"""A turn: what may be typed, what is legal, what is refused and why."""

from dataclasses import dataclass
from typing import Any

import pytest

from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError, IllegalChoiceError, WrongThrowError
from companion.rules.ludix import Formed
from tests.rules.ludix.plays import played, start


@pytest.mark.parametrize("typed", ["L X V I", "lxvi", "L,X,V,I", "LX vi"])
def test_a_throw_may_be_typed_in_several_ways(typed: str) -> None:
    assert start().parse(typed) == Throw.parse("ludix", "L X V I")


@pytest.mark.parametrize("typed", ["", "L X V", "LXVIX", "A B C D", "LXCI", "roll"])
def test_what_is_no_throw_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(ThrowError, match="like L X V I"):
        start().parse(typed)


def test_a_choice_names_its_numeral_or_means_the_highest() -> None:
    position = played(start(), ["X I I X"])
    assert position.parse("xxii stop") == Formed("XXII", "stop") == position.parse("STOP")
    assert position.parse("again") == Formed("XXII", "again")
    position = played(start(), ["L X V I"])
    assert position.parse("XLIV again") == Formed("XLIV", "again")


def test_a_numeral_alone_is_not_enough() -> None:
    position = played(start(), ["X I I X"])
    with pytest.raises(IllegalChoiceError, match=r"like XXII stop, but got .XXII."):
        position.parse("XXII")


def test_stop_is_refused_where_nothing_was_thrown() -> None:
    with pytest.raises(IllegalChoiceError, match="there is no throw yet"):
        start().parse("stop")


def test_the_choices_of_lxvi_are_its_four_numerals_each_with_stop_and_again() -> None:
    sentence = [str(choice) for choice in played(start(), ["I V X L"]).legal()]
    assert sentence == [
        f"{numeral} {then}" for numeral in ("LXVI", "LXIV", "XLVI", "XLIV") for then in ("stop", "again")
    ]


def test_with_best_only_the_highest_numeral_counts() -> None:
    position = played(start(numeral="best"), ["I V X L"])
    assert [str(choice) for choice in position.legal()] == ["LXVI stop", "LXVI again"]
    assert str(position.why_not(Formed("XLIV", "stop"))) == "Only the highest numeral counts here: LXVI, not XLIV."
    assert "XLIV" not in str(start(numeral="best").account(start().parse("I V X L")).sentence)


def test_a_lesser_numeral_counts_what_it_is_worth() -> None:
    assert played(start(), ["L X V I", "XLIV stop"]).scores()[1] == 44


@pytest.mark.parametrize(
    ("numeral", "words"),
    [
        ("IXVL", "not a Roman numeral"),
        ("LXIX", "does not use each of the four symbols"),
        ("LXV", "does not use each of the four symbols"),
        ("CXVI", "does not use each of the four symbols"),
    ],
)
def test_what_is_no_numeral_of_the_symbols_is_refused(numeral: str, words: str) -> None:
    position = played(start(), ["L X V I"])
    for then in ("stop", "again"):
        choice = position.parse(f"{numeral} {then}")
        assert words in str(position.why_not(choice))
        assert choice not in position.legal()
        with pytest.raises(IllegalChoiceError, match=words):
            position.after(choice)


def test_a_throw_is_refused_while_a_choice_is_awaited() -> None:
    position = played(start(), ["L X V I"])
    with pytest.raises(WrongThrowError, match="must first form a numeral"):
        position.after(position.parse("X X I I"))


@pytest.mark.parametrize(
    ("throw", "words"),
    [
        (Throw.parse("pips", "1 2 3"), "set pips"),
        (Throw.of("ludix", {"1": "L"}), "got 1"),
        (Throw("ludix", (("1", "L"), ("2", "L"), ("3", "L"), ("4", "M"))), "but got M"),
    ],
)
def test_other_dice_are_refused(throw: Throw, words: str) -> None:
    with pytest.raises(WrongThrowError, match=words):
        start().after(throw)


@dataclass(frozen=True)
class Strange:
    def to_json(self) -> dict[str, Any]:
        return {}


def test_a_choice_of_another_game_is_refused() -> None:
    with pytest.raises(IllegalChoiceError, match="has no choice"):
        played(start(), ["L X V I"]).after(Strange())


def test_a_choice_before_the_throw_is_refused() -> None:
    with pytest.raises(IllegalChoiceError, match="throw the four dice first"):
        start().after(Formed("LXVI", "stop"))


def test_points_at_stake_are_lost_with_a_throw_that_makes_no_numeral() -> None:
    position = played(start(), ["L X X X", "again", "L X X X", "again"])
    assert position.stake == 160
    assert position.after(position.parse("L L L L")).scores() == {1: 0, 2: 0}


def test_the_account_lists_all_numerals_and_what_is_at_stake() -> None:
    position = played(start(), ["X I I X", "again"])
    account = position.account(position.parse("X X I X"))
    assert account.details["numerals"] == [{"numeral": "XXXI", "value": 31}, {"numeral": "XXIX", "value": 29}]
    assert account.details["stake"] == 53
    assert str(account.sentence) == (
        "X X X I make XXXI, 31 points. For less, they also make XXIX = 29. "
        "Together with the points at risk that is 53 points."
    )


def test_the_pad_shows_points_stake_and_dice() -> None:
    drawn = played(start(), ["L I I I", "stop", "X I I X", "again", "X X I X"]).drawn().splitlines()
    assert [line.split() for line in drawn] == [
        ["Target", "300"],
        ["Player", "1", "53"],
        [">", "Player", "2", "0", "at", "stake", "XXII", "=", "22"],
        ["On", "the", "table:", "X", "X", "X", "I"],
    ]


def test_a_learner_is_told_the_chance_to_fail_and_what_it_costs() -> None:
    assert "23 times in 81" in str(start().teaching()[0])
    found = played(start(), ["L X X X", "again"]).teaching()
    assert "80 points at risk, the next throw loses 22.7" in str(found[1])


def test_a_turn_that_is_let_go_by_notes_nothing() -> None:
    position = played(start(), ["L X X X", "again"]).passed()
    assert position is not None
    assert (position.turn, position.turns, position.stake, position.points) == (2, 1, 0, (0, 0))
    assert not position.faults()


@pytest.mark.parametrize(
    "data", [{}, {"numeral": "LXVI"}, {"numeral": 5, "then": "stop"}, {"numeral": "X", "then": "no"}]
)
def test_json_of_no_choice_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(GameError, match="Expected"):
        start().move_from_json(data)
