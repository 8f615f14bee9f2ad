"""Lympolded, lurched, barata and the tie of Emperador, told a second time, on positions that are laid at random."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from companion.rules.registry import game
from tests.rules.tables import naive
from tests.rules.tables.naive_variants import POINTS, along

Recounted = Callable[[naive.State, int], bool]

ENTRY = {1: along("af"), 2: along("zt")}
LAST = {1: "z", 2: "a"}


def held(state: naive.State, side: int) -> set[str]:
    return {point for point in POINTS if state.men[side].get(point, 0) > 1}


def lympolded(state: naive.State, side: int) -> bool:
    """A man must enter, but each point of the entry table is secured by the enemy or has an own man on it."""
    own = {point for point in POINTS if state.men[side].get(point)}
    return state.men[side]["hand"] > 0 and set(ENTRY[side]) <= own | held(state, 3 - side)


def lurched(state: naive.State, side: int) -> bool:
    """All men are in the start table or on the enemy's start point, six points are held against them, none can move."""
    somewhere = {site for site, count in state.men[side].items() if count}
    looked = state.copy()
    looked.turn = side
    stopped = not any(step for die in range(1, 7) for step in naive.steps(looked, die))
    return stopped and len(held(state, 3 - side)) >= 6 and somewhere <= {*ENTRY[side], LAST[side]}


def barata(state: naive.State, side: int) -> bool:
    """Six points in a row are held, and an enemy still has to pass them."""
    enemy = state.men[3 - side]
    track = along("zn ma") if side == 1 else along("am nz")  # as the enemy travels
    for place in range(len(track) - 5):
        waits = enemy["hand"] or any(enemy.get(point) for point in track[:place])
        if waits and set(track[place : place + 6]) <= held(state, side):
            return True
    return False


def shut_out(state: naive.State, side: int) -> bool:
    """The introduction's barata: a side alone has men to enter and no point to enter them on."""
    return lympolded(state, side) and not lympolded(state, 3 - side)


def laid_at_random(slug: str, dice: random.Random) -> naive.State:
    """Lay six pairs of one side, mostly in a row, and spread the other side over few points or many."""
    state = naive.start(slug)
    side = dice.choice((1, 2))
    far, near = along("ns"), along("gm")
    wall = dice.choice([far if side == 1 else near, dice.sample(POINTS, 6), POINTS[3:9], POINTS[15:21]])
    first = dict.fromkeys(wall, 2)
    rest = [point for point in POINTS if point not in wall]
    second: Counter[str] = Counter()
    home = [point for point in [*ENTRY[3 - side], LAST[3 - side]] if point in rest]
    for _ in range(dice.choice((0, 0, 1, 5))):
        second["hand"] += 1
    for point in home[:-1] if dice.random() < 0.8 else []:
        second[point] += 1
    while second.total() < 15:
        second[dice.choice([home[-1], home[-1], home[-1], dice.choice(rest)])] += 1
    spare = [point for point in rest if not second[point]]
    first |= {"hand": 0}
    for _ in range(3):
        place = dice.choice([*spare, "hand"])
        first[place] = first.get(place, 0) + 1
    state.men = {side: {"off": 0, **first}, 3 - side: {"hand": 0, "off": 0, **second}}
    state.hit = {number: {"": men["hand"]} for number, men in state.men.items()}
    return state


@pytest.mark.parametrize(
    ("slug", "option", "tells"),
    [
        ("tables/ludus-anglicorum", "lympolded", lympolded),
        ("tables/ludus-anglicorum", "lurched", lurched),
        ("tables/emperador", "barata", barata),
        ("tables/emperador", "shut_out", shut_out),
    ],
)
def test_a_configuration_ends_the_game_exactly_where_it_stands(slug: str, option: str, tells: Recounted) -> None:
    dice = random.Random(5)
    seen: Counter[bool] = Counter()
    for _ in range(400):
        state = laid_at_random(slug, dice)
        standing = {str(side): {site: n for site, n in men.items() if n} for side, men in state.men.items()}
        data = {"game": slug, "men": standing, "options": {option: "ends"}}
        found = [tells(state, side) for side in (1, 2)]
        outcome = game(slug).from_json(data).outcome
        assert (outcome is not None) == any(found), data
        if outcome is not None and not all(found):
            winner = 1 + found.index(True) if option == "barata" else 2 - found.index(True)
            assert outcome.winners == (winner,)
        seen[any(found)] += 1
    assert min(seen[True], seen[False]) >= 10


def test_the_tie_of_emperador_is_that_both_are_lympolded() -> None:
    dice = random.Random(6)
    seen: Counter[bool] = Counter()
    for _ in range(400):
        state = naive.start("tables/emperador")
        for side, middle in ((1, "n"), (2, "m")):
            points = [point for point in ENTRY[side] if dice.random() < 0.95]
            waiting = dice.choice((0, 1, 1, 1, 2))
            state.men[side] = dict.fromkeys(points, 1) | {"hand": waiting, middle: 15 - waiting - len(points), "off": 0}
        data = {"game": "tables/emperador", "men": {str(side): men for side, men in state.men.items()}}
        outcome = game("tables/emperador").from_json(data | {"options": {"emperador_tie": "ends"}}).outcome
        tied = lympolded(state, 1) and lympolded(state, 2)
        assert (outcome is not None) == tied
        seen[tied] += 1
    assert min(seen[True], seen[False]) >= 10
