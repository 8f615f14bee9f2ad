"""What holds in every position that play reaches, and what is told of those that it does not."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError, IllegalChoiceError, PositionFormatError
from companion.rules.ludus_regularis import LudusPosition
from companion.rules.ludus_regularis.choices import TimeUp
from tests.rules.ludus_regularis.plays import SUMS, ludus, random_throw, reached, start


@given(reached())
def test_a_virtue_once_held_is_never_held_by_another(path: list[LudusPosition]) -> None:
    for before, after in pairwise(path):
        assert before.occupancy().items() <= after.occupancy().items()


@given(reached())
def test_counts_are_conserved(path: list[LudusPosition]) -> None:
    for position in path:
        held = [len(position.held(number)) for number in range(1, position.players + 1)]
        assert sum(held) == len(position.occupancy())
        doubled = position.options["karitas"] == "always" and "1.1.1" in position.occupancy()
        assert sum(position.scores().values()) == sum(held) + doubled


@given(reached())
def test_json_gives_back_an_equal_position(path: list[LudusPosition]) -> None:
    for position in path[-3:]:
        again = position.game.from_json(json.loads(json.dumps(position.to_json())))
        assert again == position
        assert hash(again) == hash(position)


@given(reached())
def test_every_reached_position_is_without_fault(path: list[LudusPosition]) -> None:
    assert not path[-1].faults()
    assert not path[len(path) // 2].faults()


@given(st.integers(0, 2**32), st.sampled_from(["ludus-regularis", SUMS]))
def test_the_same_throws_give_the_same_game(seed: int, slug: str) -> None:
    def play() -> list[LudusPosition]:
        dice = random.Random(seed)
        path = [start(3, slug)]
        while path[-1].outcome is None and len(path) < 60:
            path.append(path[-1].after(random_throw(path[-1], dice)))
        return path

    assert play() == play()


@given(reached(), st.data())
def test_why_not_is_silent_exactly_where_after_accepts(path: list[LudusPosition], data: st.DataObject) -> None:
    position = path[-1]
    moves: list[Throw | TimeUp] = [
        TimeUp(),
        Throw.parse("wibold", "A E I STXZ"),
        Throw.parse("pips", "1 2 3"),
        Throw.parse("wibold", "A E I", ["1", "2", "3"]),
        Throw.of("wibold", {"2": "UAE"}),
        Throw("wibold", ()),
        Throw("wibold", (("2", "A"),)),
    ]
    move = data.draw(st.sampled_from(moves))
    refusal = position.why_not(move)
    if refusal is None:
        assert position.account(move).sentence
        assert not position.after(move).faults()
        return
    for refused in (position.after, position.account):
        with pytest.raises(GameError) as found:
            refused(move)
        assert found.value.sentence == refusal
        assert found.value.position == position


@given(reached(most_throws=30), st.randoms(use_true_random=True))
def test_every_text_form_parses_back(path: list[LudusPosition], dice: random.Random) -> None:
    position = path[-1]
    if position.outcome is None:
        throw = random_throw(position, dice)
        assert position.parse(position.text(throw)) == throw
        assert position.move_from_json(throw.to_json()) == throw
    for choice in position.legal():
        assert position.parse(position.text(choice)) == choice
        assert position.move_from_json(choice.to_json()) == choice


@given(reached(most_throws=60), st.randoms(use_true_random=True))
def test_an_account_tells_exactly_what_changes(path: list[LudusPosition], dice: random.Random) -> None:
    position = path[-1]
    if position.outcome is not None:
        return
    throw = random_throw(position, dice)
    account = position.account(throw)
    after = position.after(throw)
    assert set(account.sites) == after.occupancy().keys() - position.occupancy().keys()
    pairs = [[one.lot, other.lot] for one, other in after.pairs(position.turn)]
    assert pairs == [[one.lot, other.lot] for one, other in position.pairs(position.turn)] + account.details["pairs"]
    json.dumps([account.sentence.to_json(), dict(account.details), position.prospects(throw).to_json()])


def test_every_fault_is_listed_at_once() -> None:
    data = start().to_json() | {
        "turn": 2,
        "throws": 4,
        "virtues": {
            "1.1.2": {"player": 5, "throw": 1},
            "1.1.3": {"player": 1, "throw": 9},
            "1.1.5": {"player": 2, "throw": 3},
            "1.2.3": {"player": 1, "throw": 3},
            "1.2.4": {"player": 0, "throw": 3},
        },
        "recast": {"set": "wibold", "faces": {"1": "A", "2": "E", "3": "I", "consonants": "BCDF"}},
        "time_up": True,
    }
    sentence = " ".join(str(fault) for fault in ludus().from_json(data).faults())
    for fault in (
        "it is the turn of Player 1, not of Player 2",
        "Fides is held by Player 5, who does not play",
        "Spes was won by throw 9, which was not made",
        "Prudentia is held by Player 2, but Player 2 did not make throw 3",
        "Castitas was won by throw 3 but by nobody",
        "Throw 3 won more than one virtue: Prudentia, Pax",
        "does not allow a second cast",
        "The time is up, but none was agreed",
        "while a second cast is still due",
    ):
        assert fault in sentence


@pytest.mark.parametrize(
    ("slug", "changes", "sentence"),
    [
        ("ludus-regularis", {"throws": -1, "turn": 1}, "The number of throws cannot be below zero"),
        (
            "ludus-regularis",
            {"recast": {"set": "pips", "faces": {"1": "1", "2": "1", "3": "1"}}},
            "not a throw of all four dice",
        ),
        (SUMS, {"recast": {"set": "pips", "faces": {"1": "1"}}}, "has no second cast"),
        (SUMS, {"throws": 1, "turn": 2, "virtues": {"1.2.3": {"player": 1, "throw": 1}}}, "only some of its sum"),
        (
            SUMS,
            {"throws": 1, "turn": 2, "virtues": {lot: {"player": 1, "throw": 1} for lot in ("1.1.1", "1.1.2")}},
            "different sums",
        ),
        (
            "ludus-regularis",
            {"throws": 3, "turn": 2, "options": {"ending": "throws", "throws": 2}},
            "The game was over after throw 2",
        ),
        (
            "ludus-regularis",
            {
                "throws": 3,
                "turn": 2,
                "options": {"ending": "first-to", "target": 1},
                "virtues": {"1.2.3": {"player": 1, "throw": 1}},
            },
            "The game was over after throw 1",
        ),
        (
            "ludus-regularis",
            {"options": {"iustitia": "vowel"}, "throws": 1, "turn": 2, "virtues": {"1.1.4": {"player": 1, "throw": 1}}},
            "no throw can give it",
        ),
    ],
)
def test_each_fault_has_its_sentence(slug: str, changes: dict[str, Any], sentence: str) -> None:
    faults = ludus(slug).from_json(start(slug=slug).to_json() | changes).faults()
    assert any(sentence in str(fault) for fault in faults), [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "whist"}, "Expected an object"),
        ({"players": "two"}, "Expected an object"),
        ({"players": 9}, "there are 9"),
        ({"virtues": []}, '"virtues" to be an object'),
        ({"virtues": {"7.7.7": {"player": 1, "throw": 1}}}, "7.7.7"),
        ({"virtues": {"1.1.1": 1}}, "for 1.1.1"),
        ({"throws": "many"}, '"throws"'),
        ({"turn": True}, '"turn"'),
        ({"options": {"karitas": "thrice"}}, "thrice"),
        ({"options": 3}, "not a position"),
        ({"recast": {"set": "wibold", "faces": {"1": "B"}}}, "'B'"),
        ({"recast": "A E I"}, "not a position"),
        ({"time_up": "yes"}, '"time_up"'),
    ],
)
def test_json_of_another_form_is_refused_in_words(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PositionFormatError, match=sentence):
        ludus().from_json(start().to_json() | changes)


def test_unknown_moves_in_json_are_refused() -> None:
    with pytest.raises(IllegalChoiceError, match="'pass'"):
        start().move_from_json({"choice": "pass"})
    with pytest.raises(ThrowError):
        start().move_from_json({})
