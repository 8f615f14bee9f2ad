"""A game looked over: costs are never negative, luck cancels over all throws, and the best play costs nothing."""

import random
from collections.abc import Callable

import pytest

from companion.odds.playouts import random_move
from companion.players.analysis import AnalysedMove, AnalysisError, analysed_moves, worst
from companion.players.player import Budget
from companion.players.strengths import STRENGTHS
from companion.players.thinking import player_of, think
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.registry import game

FIRST = 14
"""Moves of a game that are looked at: enough to meet every kind, few enough for a test."""


def played(
    slug: str, choose: Callable[[Position, random.Random], Choice], seed: int = 1
) -> tuple[Position, list[Throw | Choice]]:
    chance = random.Random(seed)
    start = position = game(slug).start(2)
    moves: list[Throw | Choice] = []
    while position.outcome is None and len(moves) < FIRST:
        move = choose(position, chance) if position.awaits.kind == "choice" else chance.choice(position.throws())
        moves.append(move)
        position = position.after(move)
    return start, moves


def best(position: Position, chance: random.Random) -> Choice:
    return think(position, STRENGTHS["master"], chance, STRENGTHS["club"].budget).choice


def by_chance(position: Position, chance: random.Random) -> Choice:
    move = random_move(position, chance)
    assert not isinstance(move, Throw)
    return move


@pytest.mark.parametrize("slug", ["tables/todas-tablas", "tables/laquet"])
def test_the_best_play_costs_nothing(slug: str) -> None:
    looked = list(analysed_moves(*played(slug, best)))
    assert [one for one in looked if one.cost] == []
    assert worst(looked) == []


@pytest.mark.parametrize("slug", ["tables/laquet", "rithmomachia/durnil-guardia"])
def test_play_by_chance_costs_much_and_the_dearest_come_first(slug: str) -> None:
    start, moves = played(slug, by_chance)
    looked = list(analysed_moves(start, moves, Budget(depth=0)))
    costs = [one.cost for one in worst(looked)]
    assert costs == sorted((one.cost for one in looked if one.cost), reverse=True)[:3]
    assert len(costs) == 3
    assert all(0 <= one.chance <= 1 for one in looked)
    for one in worst(looked):
        position = start
        for move in moves[: one.number]:
            position = position.after(move)
        for part in one.better.split(", "):
            position = position.after(position.parse(part))


def test_luck_is_the_chance_after_a_throw_less_the_one_before() -> None:
    """In Ludix both are exact, so the mean over all throws is the chance before."""
    start = game("ludix").start(2, target=50)
    player = player_of(start.game)
    throw = start.throws()[-1]
    (looked,) = analysed_moves(start, [throw])
    assert looked.luck == pytest.approx(player.chance(start.after(throw)) - player.chance(start), abs=1e-4)
    assert abs(looked.luck) > 0.01


def test_what_has_no_better_and_worse_is_refused() -> None:
    with pytest.raises(AnalysisError, match="nothing to analyse"):
        list(analysed_moves(game("ludus-regularis").start(2), []))
    with pytest.raises(AnalysisError, match="4 played this one"):
        list(analysed_moves(game("tables/zeno").start(4), []))


def test_a_turn_that_is_not_weighed_has_no_cost() -> None:
    assert worst([AnalysedMove(0, 1, "", 0.5, cost=None), AnalysedMove(1, 1, "", 0.5, cost=0.2)])[0].cost == 0.2
