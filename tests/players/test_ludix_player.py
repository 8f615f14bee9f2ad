"""The player of Ludix: the exact policy where it is known, sensible play elsewhere, and true reasons."""

import random
from dataclasses import replace

import numpy as np
import pytest

from companion.odds.ludix.race import FIRST, SECOND, Race
from companion.odds.ludix.shipped import CHANCE_STEPS, HIGHEST_TARGET, shipped_race
from companion.odds.playouts import random_move
from companion.players.player import Budget
from companion.players.strengths import STRENGTHS
from companion.players.thinking import player_of, reasons, think, weigh
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.ludix import LudixPosition
from companion.rules.registry import game
from tests.players.naive_reasons import of_ludix
from workshop.players.plain_ways import best_choice

TARGET = 50

AS_SHIPPED = 1e-4
"""How far a chance may be off that is computed from the shipped steps of 1/65535."""


def positions(count: int, players: int = 2, **options: str) -> list[LudixPosition]:
    found: list[LudixPosition] = []
    for seed in range(10_000):
        chance = random.Random(seed)
        position: Position = game("ludix").start(players, target=TARGET, **options)
        for _ in range(chance.randrange(40)):
            if position.outcome is None:
                position = position.after(random_move(position, chance))
        if position.awaits.kind == "choice":
            assert isinstance(position, LudixPosition)
            found.append(position)
        if len(found) == count:
            return found
    raise AssertionError("too few positions")


@pytest.mark.parametrize("ending", ["round", "at-once"])
def test_between_two_it_is_the_exact_policy(ending: str) -> None:
    for position in positions(60, ending=ending):
        weighed = weigh(position, Budget())
        known = {str(one.choices[0]): one.chance for one in weighed}
        assert known[str(best_choice(position))] == pytest.approx(weighed[0].chance, abs=AS_SHIPPED)
        assert player_of(position.game).exact(position)


def test_chances_of_both_players_add_up_from_throw_to_throw() -> None:
    """The chance before a throw is the mean of the best chances after it."""
    player = player_of(game("ludix"))
    start = game("ludix").start(2, target=TARGET)
    after = [player.chance(start.after(throw)) for throw in start.throws()]
    assert sum(after) / len(after) == pytest.approx(player.chance(start), abs=AS_SHIPPED)


@pytest.mark.parametrize(
    ("players", "options"), [(3, {}), (2, {"ending": "others"}), (2, {"going_on": "until-target"})]
)
def test_elsewhere_it_says_that_it_is_not_exact(players: int, options: dict[str, str]) -> None:
    for position in positions(10, players, **options):
        thought = think(position, STRENGTHS["master"], random.Random(1))
        assert thought.choice in position.legal()
        assert not player_of(position.game).exact(position)


def test_its_reasons_hold() -> None:
    for position in positions(30):
        for turn in weigh(position, Budget()):
            after = position.after(turn.choices[0])
            assert isinstance(after, LudixPosition)
            assert all(of_ludix(reason, position, after) for reason in reasons(position, [turn], turn))


@pytest.mark.parametrize("ending", ["round", "at-once"])
def test_the_shipped_matches_are_the_solved_ones(ending: str) -> None:
    """Every state near the end, for both seats, beside a match that is solved here."""
    solved, shipped = Race(TARGET, ending), shipped_race(TARGET, ending)
    for seat in (FIRST, SECOND):
        assert np.abs(solved.ended[seat] - shipped.ended[seat]).max() <= 0.5 / CHANCE_STEPS + 1e-12


def test_a_higher_target_is_exact_as_soon_as_both_players_are_near_it() -> None:
    player, aim = player_of(game("ludix")), HIGHEST_TARGET + 200
    far = game("ludix").start(2, target=aim)
    assert isinstance(far, LudixPosition)
    near = replace(far, points=(250, 210))
    assert not player.exact(far)
    assert player.exact(near)
    assert player.chance(far) == pytest.approx(player.chance(game("ludix").start(2)))
    start = game("ludix").start(2)
    assert isinstance(start, LudixPosition)
    there = replace(start, points=(50, 10))
    assert player.chance(near) == player.chance(there)


def test_a_lead_far_from_a_high_target_is_played_on() -> None:
    position = game("ludix").start(2, target=10_000)
    thrown = position.after(Throw.of("ludix", {"1": "L", "2": "X", "3": "X", "4": "X"}))
    assert think(thrown, STRENGTHS["master"], random.Random(1)).choice in thrown.legal()
