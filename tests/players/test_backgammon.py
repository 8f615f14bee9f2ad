"""The layout of backgammon that the program's players are measured on has backgammon's turns."""

import numpy as np

from companion.odds.tables.games import RunningGames
from companion.odds.tables.layout import laid_out
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, by_hand
from companion.players.tables.search import TablesSearch


def positions(seed: int) -> tuple[TablesSearch, Boards]:
    layout = laid_out("tables/backgammon", 2, {})
    games = RunningGames(layout, seed, 1000, np.arange(300))
    games.throw()
    return TablesSearch(layout, Evaluation(layout, by_hand())), Boards(
        games.men, games.hit, games.block, games.blots, games.pool, games.side
    )


def test_first_throws_lead_to_as_many_positions_as_a_plain_list_of_points() -> None:
    """Counted by trying both orders of the dice on a plain list of points."""
    search, boards = positions(3)
    leaves = search.leaves(boards, np.zeros(len(boards), bool))
    found = np.bincount(leaves.turn, minlength=len(boards))
    dice = [search.layout.pools.dice[pool] for pool in boards.pool]
    for thrown, number in zip(dice, found.tolist(), strict=True):
        assert number == len(naive(tuple(thrown))), thrown


def naive(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the positions of the own men after a first throw, whole turns only; every first throw can be played."""
    start = [0] * 25
    for place, men in {1: 2, 12: 5, 17: 3, 19: 5}.items():
        start[place] = men
    shut = {25 - place for place, men in {1: 2, 12: 5, 17: 3, 19: 5}.items() if men > 1}
    ends = {tuple(start)}
    orders = {dice, dice[::-1]}
    found: set[tuple[int, ...]] = set()
    for order in orders:
        now = ends
        for die in order:
            now = {
                moved(one, place, die)
                for one in now
                for place in range(1, 25 - die)
                if one[place] and place + die not in shut
            }
        found |= now
    return found


def moved(men: tuple[int, ...], place: int, die: int) -> tuple[int, ...]:
    after = list(men)
    after[place] -= 1
    after[place + die] += 1
    return tuple(after)


def test_a_pair_is_played_four_times() -> None:
    search, boards = positions(4)
    sizes = {tuple(search.layout.pools.dice[pool]) for pool in boards.pool}
    assert {len(one) for one in sizes if one[0] == one[-1]} == {4}
    assert {len(one) for one in sizes if one[0] != one[-1]} == {2}
