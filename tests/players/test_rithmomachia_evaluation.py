"""What a position of Rithmomachia is worth: threats and harmonies counted again by the rules alone, and true bounds."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.players.player import Budget, Clock
from companion.players.rithmomachia.evaluation import WON_LOG_ODDS, measures, weights_of, worth
from companion.players.rithmomachia.harmony import Harmonies, harmonies, placements
from companion.players.rithmomachia.search import RithmoSearch
from companion.players.rithmomachia.threats import Placed, Threats, threats
from companion.players.rithmomachia.turning import taking_turns, turns
from companion.rules.registry import game
from companion.rules.rithmomachia import legal, transitions
from companion.rules.rithmomachia.arrangements import arranged
from companion.rules.rithmomachia.choices import Claim
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.squares import enemy
from tests.players.on_the_way import RITHMOMACHIA, choosing

GAMES = st.sampled_from(RITHMOMACHIA)


def moving(slug: str, seed: int, plies: int) -> RithmoPosition:
    """Return a position in which somebody is to move."""
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert isinstance(position, RithmoPosition)
    assume(position.phase == "move")
    return position


def side_of(position: RithmoPosition, player: int) -> list[tuple[int, Man]]:
    return [(square, man) for square, man in enumerate(position.men) if man is not None and man.owner == player]


def taken_by_one(position: RithmoPosition, player: int) -> set[int]:
    """Return the squares of the men whom a man of this player takes alone after a move of his own."""
    there = position.changed(turn=player, phase="move", last=None, lifted=())
    numbered = position.rules.board.numbered
    return {
        numbered[claim.target.site]
        for move in legal.moves(there)
        for claim in transitions.carried_out(there, move).claims
        if isinstance(claim, Claim) and [taker.site for taker in claim.takers] == [move.end]
    }


@given(slug=GAMES, seed=st.integers(0, 10_000), plies=st.integers(0, 160), player=st.sampled_from([1, 2]))
@settings(max_examples=40, deadline=None)
def test_threats_are_what_one_man_takes_by_the_next_move(slug: str, seed: int, plies: int, player: int) -> None:
    position = moving(slug, seed, plies)
    table = threats(position.rules)
    sides = [side_of(position, number) for number in (player, enemy(player))]
    placed = []
    for side in sides:
        kinds = [table.number(man) for _, man in side]
        placed.append(Placed.of(kinds, [square for square, _ in side]))
    soon, later = table.of(position.men, placed[0], placed[1])
    assert {sides[1][place][0] for place in soon} == taken_by_one(position, player)
    assert not set(soon) & set(later)


@given(slug=GAMES, player=st.sampled_from([1, 2]), data=st.data())
@settings(max_examples=60, deadline=None)
def test_three_men_are_placed_where_the_rules_allow_a_harmony_and_nowhere_else(
    slug: str, player: int, data: st.DataObject
) -> None:
    rules = position_of(slug).rules
    far = sorted(rules.board.half(enemy(player)))
    rows = known_placements(slug, player)
    three = data.draw(st.lists(st.sampled_from(far), min_size=3, max_size=3, unique=True))
    line = list(rows)[data.draw(st.integers(0, len(rows) - 1))]
    for squares in (*permutations(three), *permutations(line)):
        assert (squares in rows) == arranged(rules, [rules.board.places[square] for square in squares])


@pytest.mark.parametrize("slug", RITHMOMACHIA)
def test_threads_that_share_the_tables_find_the_same(slug: str) -> None:
    """The program's seat and a hint think at the same time; the tables grow under both."""
    position = position_of(slug)
    sides = side_of(position, 1), side_of(position, 2)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(3):
            table, own = Threats(position.rules), Harmonies(position.rules, 1)

            def seen(shift: int, table: Threats = table, own: Harmonies = own) -> object:
                placed = []
                for side in sides:
                    turned = side[shift:] + side[:shift]
                    for _, man in turned:
                        table.number(man)
                    placed.append(Placed.of([table.number(man) for _, man in side], [square for square, _ in side]))
                return table.of(position.men, *placed), own.nearness(sides[0])

            with ThreadPoolExecutor(4) as pool:
                found = list(pool.map(seen, range(0, 24, 6)))
            assert all(one == found[0] for one in found)
            numbers = [table.number(man) for side in sides for _, man in side]
            assert sorted(set(numbers)) == list(range(len({man for side in sides for _, man in side})))
    finally:
        sys.setswitchinterval(interval)


@cache
def known_placements(slug: str, player: int) -> dict[tuple[int, ...], None]:
    return dict.fromkeys(tuple(map(int, row)) for row in placements(position_of(slug).rules, player))


def position_of(slug: str) -> RithmoPosition:
    position = game(slug).start(2)
    assert isinstance(position, RithmoPosition)
    return position


def test_a_harmony_that_stands_counts_one_and_one_that_is_a_move_away_one_half() -> None:
    men = {"d11": ("circle", 4), "d12": ("circle", 6), "d13": ("circle", 8)}
    for site, expected in (("d13", 1.0), ("d14", 0.5), ("d16", 0.25)):
        placed = {**{name: men[name] for name in ("d11", "d12")}, site: men["d13"]}
        data = {name: {"colour": "white", "shape": shape, "number": number} for name, (shape, number) in placed.items()}
        data["h1"] = {"colour": "black", "shape": "circle", "number": 3}
        position = game("rithmomachia/mebben").from_json({"men": data, "turn": 2, "study": True})
        assert isinstance(position, RithmoPosition)
        assert harmonies(position.rules, 1).nearness(side_of(position, 1)) == expected, site


@given(
    slug=GAMES,
    seed=st.integers(0, 10_000),
    plies=st.integers(0, 160),
    window=st.tuples(st.floats(-4, 4), st.floats(0, 4)),
)
@settings(max_examples=60, deadline=None)
def test_a_worth_beyond_the_bounds_is_on_the_same_side_and_no_further(
    slug: str, seed: int, plies: int, window: tuple[float, float]
) -> None:
    position = moving(slug, seed, plies)
    weights = weights_of(slug)
    low, high = window[0], window[0] + window[1]
    exact, bounded = worth(position, weights), worth(position, weights, low, high)
    white, black = measures(position)
    counted = sum(weight * (one - other) for weight, one, other in zip(weights, white, black, strict=True))
    assert abs(exact - (counted if position.turn == 1 else -counted)) < 1e-9
    if bounded >= high:
        assert bounded <= exact + 1e-9
    elif bounded <= low:
        assert bounded >= exact - 1e-9
    else:
        assert bounded == exact


@given(slug=GAMES, seed=st.integers(0, 10_000), plies=st.integers(0, 120))
@settings(max_examples=6, deadline=None)
def test_the_search_finds_what_a_look_at_everything_finds(slug: str, seed: int, plies: int) -> None:
    """To the other side's captures: with every worth counted in full, and nothing cut off."""
    position = moving(slug, seed, plies)
    weights = weights_of(slug)

    def plain(after: RithmoPosition) -> float:
        if after.outcome is not None:
            return (
                0.0 if after.outcome.tie else WON_LOG_ODDS if position.turn in after.outcome.winners else -WON_LOG_ODDS
            )
        return worth(after, weights) * (1 if after.turn == position.turn else -1)

    def answered(after: RithmoPosition) -> float:
        if after.outcome is not None or after.turn == position.turn:
            return plain(after)
        return min([plain(after), *(plain(reply) for _, reply in taking_turns(after))])

    expected = sorted((answered(after) for _, after in turns(position)), reverse=True)
    budget = Budget(seconds=1e9)
    found = RithmoSearch(Clock(budget), 10**9, budget.margin, weights).weighed(position, 1)
    assert [round(score, 6) for _, score in found] == [round(score, 6) for score in expected]
    best = RithmoSearch(Clock(budget), 10**9, 0.0, weights).weighed(position, 1)[0][1]
    assert round(best, 6) == round(expected[0], 6)
