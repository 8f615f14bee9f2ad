"""What holds in every position that play reaches, and what is told of those that it does not."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.errors import GameError, PositionFormatError
from companion.rules.ludix import LudixPosition
from tests.rules.ludix.expressible import expressible
from tests.rules.ludix.planted import JSON, PLANTED
from tests.rules.ludix.plays import ludix, random_move, reached, start


@given(reached())
def test_noted_points_never_fall_and_rise_for_one_player_at_a_time(path: list[LudixPosition]) -> None:
    for before, after in pairwise(path):
        risen = [number for number, points in after.scores().items() if points != before.scores()[number]]
        assert all(after.scores()[number] > before.scores()[number] for number in risen)
        assert risen in ([], [before.turn])


@given(reached())
def test_json_gives_back_an_equal_position(path: list[LudixPosition]) -> None:
    for position in path[-4:]:
        again = ludix().from_json(json.loads(json.dumps(position.to_json())))
        assert again == position
        assert hash(again) == hash(position)


@given(reached())
def test_every_reached_position_is_without_fault(path: list[LudixPosition]) -> None:
    for position in path:
        assert not position.faults()


@given(reached())
def test_moves_survive_text_and_json(path: list[LudixPosition]) -> None:
    for position in path[-4:]:
        for move in [*position.legal(), *position.throws()[::97]]:
            assert position.parse(position.text(move)) == move
            assert position.move_from_json(json.loads(json.dumps(move.to_json()))) == move


@given(reached())
@settings(max_examples=25)
def test_legal_choices_are_those_expressible_that_are_accepted(path: list[LudixPosition]) -> None:
    for position in path[-2:]:
        accepted = set()
        for choice in expressible(position):
            if position.why_not(choice) is None:
                position.after(choice)
                accepted.add(choice)
            else:
                with pytest.raises(GameError):
                    position.after(choice)
        assert set(position.legal()) == accepted
        assert len(position.legal()) == len(accepted)


@given(reached())
def test_a_position_awaits_a_throw_or_a_choice_or_nothing(path: list[LudixPosition]) -> None:
    for position in path:
        waits = position.awaits
        assert (waits.kind == "over") == (position.outcome is not None)
        assert (waits.kind == "choice") == (len(position.legal()) > 0)
        assert (waits.kind == "throw") == (len(position.throws()) == 1296)


@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from(["round", "others", "at-once"]))
@settings(max_examples=20)
def test_a_random_game_comes_to_its_end(seed: int, players: int, ending: str) -> None:
    dice = random.Random(seed)
    position = start(players, ending=ending)
    moves = 0
    while position.outcome is None:
        position = position.after(random_move(position, dice))
        moves += 1
        assert moves < 5000
    assert max(position.points) >= 300
    assert {position.points[winner - 1] for winner in position.outcome.winners} == {max(position.points)}
    if ending == "round":
        assert position.turns % players == 0


@given(reached(), st.sampled_from(PLANTED))
def test_a_planted_fault_is_named(path: list[LudixPosition], planted: tuple[str, Any]) -> None:
    words, plant = planted
    data: JSON = plant(json.loads(json.dumps(path[-1].to_json())))
    sentence = [str(fault) for fault in ludix().from_json(data).faults()]
    assert any(words in fault for fault in sentence), sentence


@pytest.mark.parametrize(
    "broken",
    [
        {"game": "whist"},
        {"players": 7},
        {"players": "2"},
        {"scores": {"1": 0}},
        {"scores": {"2": 0, "1": 0}},
        {"scores": {"1": 0, "2": "many"}},
        {"scores": [0, 0]},
        {"turn": "first"},
        {"turns": True},
        {"formed": "LXVI"},
        {"formed": [66]},
        {"throw": "LXVI"},
        {"throw": {"set": "ludix", "faces": {"1": "M"}}},
        {"options": {"target": 0}},
        {"options": {"nonsense": 1}},
        {"options": []},
    ],
)
def test_json_of_another_form_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(PositionFormatError):
        ludix().from_json(start().to_json() | broken)


def test_turn_and_turns_may_be_left_out() -> None:
    position = ludix().from_json({"game": "ludix", "players": 3, "scores": {"1": 88, "2": 0, "3": 0}})
    assert (position.turn, position.turns) == (2, 1)
    assert not position.faults()
    later = ludix().from_json({"game": "ludix", "players": 3, "scores": {"1": 0, "2": 88, "3": 0}, "turn": 1})
    assert (later.turn, later.turns) == (1, 3)
    assert not later.faults()
    assert ludix().from_json({"game": "ludix", "players": 2, "scores": {"1": 0, "2": 0}}) == start()
