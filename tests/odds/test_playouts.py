"""Random games through the rules core."""

import pytest

from companion.odds.lengths import LengthDistribution
from companion.odds.ludus_regularis import length
from companion.odds.playouts import GameRecord, Played, chance_of, play, playout, summary
from companion.rules.registry import game

WHEEL = "ludus-regularis/wheel"


def test_lengths_are_those_of_the_exact_distribution() -> None:
    exact: LengthDistribution = length(WHEEL)
    found = summary(play(game(WHEEL), 60, seed=3))["length"]
    assert found["low"] < exact.mean < found["high"]


def test_a_part_of_a_run_gives_the_same_games() -> None:
    whole = play(game(WHEEL), 6, seed=5, players=3).records
    assert list(whole) == [*play(game(WHEEL), 2, 5, 3).records, *play(game(WHEEL), 4, 5, 3, first=2).records]


def test_a_game_that_is_not_over_at_the_cap_is_capped() -> None:
    start = game(WHEEL).start(2)
    assert playout(start, chance_of(1, 0), cap=55) == GameRecord(55, 0, None)
    state = summary(play(game(WHEEL), 3, seed=1, cap=55))
    assert state["capped"]["value"] == 1
    assert state["length"]["value"] == state["longest"] == 55
    assert state["finished_length"] is None


def test_wins_shared_and_lost_games_are_told_apart() -> None:
    records = [GameRecord(1, 1, (1,)), GameRecord(1, 3, (1, 2)), GameRecord(2, 2, None), GameRecord(1, 2, ())]
    state = summary(Played("x", 2, 4, records, 2.0))
    assert {side: won["value"] for side, won in state["wins"].items()} == {"1": 0.25, "2": 0}
    assert (state["shared"]["value"], state["capped"]["value"], state["nobody"]["value"]) == (0.25, 0.25, 0.25)
    assert state["decisions_a_second"] == pytest.approx(13 / 2)
    assert state["finished_length"]["value"] == pytest.approx(3)


def test_groups_that_win_are_told_apart_from_ties_of_all() -> None:
    records = [
        GameRecord(1, 1, (1, 2)),
        GameRecord(2, 3, (1, 2)),
        GameRecord(1, 3, (3, 4)),
        GameRecord(5, 5, (1, 2, 3, 4)),
    ]
    found = summary(Played("x", 4, 20, records, 1.0))
    assert {group: won["value"] for group, won in found["together"].items()} == {"1, 2": 0.5, "3, 4": 0.25}
    assert found["percentiles"]["50%"] == 4
    assert found["percentiles"]["95%"] == 10
