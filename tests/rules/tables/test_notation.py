"""What is typed, what JSON holds, and what is said of either when it cannot be read."""

from typing import Any

import pytest

from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import IllegalChoiceError, PositionFormatError
from companion.rules.registry import game
from companion.rules.tables.choices import Step, TurnDie
from tests.rules.tables.standing import begun, legal, stand, typed

ZENO = "tables/zeno"
TODAS = "tables/todas-tablas"


@pytest.mark.parametrize("text", ["2 5 6", "2,5,6", " 2, 5 6 "])
def test_a_throw_may_be_typed_with_blanks_or_commas(text: str) -> None:
    assert begun(ZENO).parse(text) == Throw.of("pips", {"1": "2", "2": "5", "3": "6"})


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("a-c", Step("a", "c", 2)),
        ("A - C", Step("a", "c", 2)),
        ("a-c/3", Step("a", "c", 3)),
        ("hand-b", Step("hand", "b", 2)),
        ("turn 4", TurnDie(4)),
        ("a-z", Step("a", "z", 0)),
    ],
)
def test_choices_are_typed(text: str, choice: object) -> None:
    assert stand(ZENO, "a15", "z15", 1, 2, 3).parse(text) == choice


def test_two_dice_that_make_one_step_are_told_apart() -> None:
    position = stand(TODAS, "z15", "a15", 4, 5)
    assert legal(position) == ["z-off/4", "z-off/5"]
    with pytest.raises(IllegalChoiceError, match="z-off/4 or z-off/5"):
        position.parse("z-off")
    assert legal(typed(position, "z-off/5")) == ["z-off"]


@pytest.mark.parametrize("text", ["a-v", "k", "turn", "off-a", "hello", "a-b/x", ""])
def test_what_cannot_be_read_is_answered_with_examples(text: str) -> None:
    with pytest.raises(IllegalChoiceError, match="k-q"):
        begun(ZENO).parse(text)


def test_a_throw_of_too_few_dice_or_of_a_seven_is_no_throw() -> None:
    for text in ("1 2", "1 2 7"):
        with pytest.raises(ThrowError):
            begun(ZENO).parse(text)


def test_moves_of_other_forms_are_refused() -> None:
    position = begun(ZENO)
    for data in ({}, {"from": "a"}, {"from": "a", "to": "b", "die": "x"}):
        with pytest.raises(IllegalChoiceError, match="from"):
            position.move_from_json(data)
    with pytest.raises(ThrowError, match="pips"):
        position.move_from_json({"set": "ludix", "faces": {}})


def test_all_but_game_and_men_may_be_left_out_of_a_position() -> None:
    position = game(ZENO).from_json({"game": ZENO, "men": {"1": {"a": 14}, "2": {"z": 15}}})
    data = position.to_json()
    assert (data["turn"], data["dice"], data["players"]) == (1, [], 2)
    assert data["men"]["1"] == {"a": 14, "hand": 0, "off": 1}
    assert data["options"] == begun(ZENO).options


def test_what_is_nothing_is_not_written() -> None:
    assert set(begun(ZENO).to_json()) == {"game", "players", "options", "turn", "men", "dice"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"game": "tables/pyf"}, '"game": "tables/zeno"'),
        ({"men": {"1": {"a": 15}}}, '"men"'),
        ({"men": {"1": {"a": 16}, "2": {}}}, "0 to 15 men at a, but 16"),
        ({"men": {"1": {"j": 1}, "2": {}}}, '"j" belongs'),
        ({"men": {"1": {"a": "x"}, "2": {}}}, "whole number"),
        ({"turn": 3}, "1 to 2"),
        ({"turn": True}, "whole number"),
        ({"players": 5}, "2, 4 or 6 players"),
        ({"options": {"dice": "9"}}, "got '9'"),
        ({"options": {"cheat": 1}}, '"cheat" belongs'),
        ({"dice": "2"}, "list of numbers"),
        ({"dice": [True]}, "list of numbers"),
        ({"turning": 1}, "true or false"),
        ({"battle": [1, 2]}, r"\[\] or \[sum\]"),
        ({"lost": 3}, "0 to 2"),
    ],
)
def test_json_of_another_form_is_refused_with_what_was_expected(change: dict[str, Any], expected: str) -> None:
    data = begun(ZENO).to_json() | change
    with pytest.raises(PositionFormatError, match=expected):
        game(ZENO).from_json(data)


@pytest.mark.parametrize(
    ("slug", "side", "expected"),
    [
        ("tables/pyf", {"hand": 15, "hit": 99}, '"hit" to be 0 to 15'),
        ("tables/seis-dos-y-as", {"a": 14, "hand": 1, "hit_in": {"ab": 1}}, '"hit_in" like'),
        ("tables/doblet", {"a": 2, "down": ["z"]}, '"down" to be a list of points'),
        ("tables/doblet", {"t": 2}, '"t" belongs'),
    ],
)
def test_what_only_some_games_keep_is_read_as_strictly(slug: str, side: dict[str, Any], expected: str) -> None:
    with pytest.raises(PositionFormatError, match=expected):
        game(slug).from_json({"game": slug, "men": {"1": side, "2": {}}})


def test_a_position_does_not_change() -> None:
    position = begun(ZENO)
    with pytest.raises(AttributeError, match="turn cannot be set"):
        position.turn = 2


def test_hit_men_are_told_from_those_who_have_not_entered() -> None:
    slug = "tables/pyf"
    waiting = game(slug).from_json({"game": slug, "men": {"1": {"a": 1, "hand": 14}, "2": {"hand": 15}}, "dice": [3]})
    struck = game(slug).from_json(
        {"game": slug, "men": {"1": {"a": 1, "hand": 14, "hit": 1}, "2": {"hand": 15}}, "dice": [3]}
    )
    assert [str(choice) for choice in waiting.legal()] == ["hand-c", "a-d"]
    assert [str(choice) for choice in struck.legal()] == ["hand-c"]
    assert waiting != struck
