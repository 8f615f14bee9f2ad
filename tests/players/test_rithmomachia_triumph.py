"""The player of the Italian game ends it: it takes the king, by siege too, and sets up four men in harmony."""

import random
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.players.rithmomachia.evaluation import measures
from companion.players.rithmomachia.fours import corners, fours
from companion.players.rithmomachia.routes import MOST_MOVES, moves_to
from companion.players.strengths import STRENGTHS, Strength
from companion.players.thinking import think
from companion.rules.registry import game
from companion.rules.rithmomachia import harmonies, siege
from companion.rules.rithmomachia.arrangements import arranged
from companion.rules.rithmomachia.choices import Return
from companion.rules.rithmomachia.numbers import army_numbers
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.squares import enemy
from tests.players.on_the_way import RITHMOMACHIA, choosing

ITALIAN = "rithmomachia/italian"
CLUB = STRENGTHS["club"]
EVERY_STRENGTH = pytest.mark.parametrize("strength", list(STRENGTHS.values()), ids=list(STRENGTHS))


def set_up(white: str, black: str, turn: int = 1, held: str = "", **options: str) -> RithmoPosition:
    """Return an Italian position of a few men: ``c9:C2`` is a circle 2 on c9; ``held`` are enemies whom ``turn`` holds.

    ``K`` is a whole king.
    """
    shapes = {"C": "circle", "T": "triangle", "S": "square"}
    kings = {"white": "S36 S25 T16 T9 C4 C1", "black": "S64 S49 T36 T25 C16"}
    men = {}
    for colour, placed in (("white", white), ("black", black)):
        for word in placed.split():
            site, _, man = word.partition(":")
            if man == "K":
                parts = [{"shape": shapes[part[0]], "number": int(part[1:])} for part in kings[colour].split()]
                whole = sum(int(part[1:]) for part in kings[colour].split())
                men[site] = {"colour": colour, "shape": "pyramid", "number": whole, "parts": parts}
            else:
                men[site] = {"colour": colour, "shape": shapes[man[0]], "number": int(man[1:])}
    other = "black" if turn == 1 else "white"
    hand = [{"colour": other, "shape": shapes[word[0]], "number": int(word[1:])} for word in held.split()]
    data = {"men": men, "turn": turn, "study": True, "captured": {str(turn): hand}, "options": options}
    position = game(ITALIAN).from_json(data)
    assert isinstance(position, RithmoPosition)
    assert not position.faults()
    return position


def to_and_fro(position: RithmoPosition, chance: random.Random) -> RithmoPosition:
    """Return the position after the other side moves any man and takes nothing."""
    moves = [choice for choice in position.open_choices() if not isinstance(choice, Return)]
    position = position.applied(chance.choice(moves))
    return position.applied(next(iter(position.open_choices()))) if position.phase == "claims" else position


def turns_to_the_end(position: RithmoPosition, strength: Strength, most: int, seed: int) -> int | None:
    """Return how many turns a strength needs against `to_and_fro`, or None if it needs more than ``most``."""
    chance, player = random.Random(seed), position.turn
    for turn in range(1, most + 1):
        for choice in think(position, strength, chance).choices:
            position = position.after(choice)
        if position.outcome is not None:
            assert position.outcome.winners == (player,)
            return turn
        position = to_and_fro(position, chance)
    return None


@EVERY_STRENGTH
@pytest.mark.parametrize("seed", range(3))
def test_a_triumph_three_moves_away_is_completed(strength: Strength, seed: int) -> None:
    """2, 9, 16 and 72 on the corners of c9 to e11 end the game: the 2 has one move to go, the 72 has two."""
    position = set_up("c8:C2 c11:C16 e9:T9 g7:T72 a1:S289 h1:C8", "a14:C3 h14:C5")
    assert turns_to_the_end(position, strength, 5, seed) is not None


@pytest.mark.parametrize("ends", ["excellent", "great"])
def test_a_man_whom_only_the_other_army_has_is_brought_back_for_a_triumph(ends: str) -> None:
    """Black alone has no four numbers of all kinds: to 3, 5 and 9 he brings back white's 15."""
    position = set_up("h1:C8 g1:C6", "c5:C3 c3:C5 e3:C9 a14:S361", turn=2, held="S15", ends=ends)
    turn = think(position, CLUB, random.Random(1)).choices
    assert isinstance(turn[0], Return)
    assert (turn[0].shape, turn[0].number) == ("square", 15)
    assert turns_to_the_end(position, CLUB, 8, 1) is not None


def test_a_king_in_a_corner_is_besieged() -> None:
    """Three ways lead out of h14; a man on each takes the king whole, whatever his number."""
    position = set_up("f5:S289 h8:S45 e8:S153 a1:C2", "h14:K a14:C3", ends="mediocre")
    chance = random.Random(2)
    for _ in range(8):
        for choice in think(position, CLUB, chance).choices:
            position = position.after(choice)
        if any(taken.is_pyramid for taken in position.removed[0]):
            return
        position = position.next_turn()
    raise AssertionError("the king stands")


def test_the_way_to_four_men_becomes_shorter_by_each_turn() -> None:
    """The measure ``nearest`` of white never falls while black only passes, and nearly always grows, to the triumph."""
    position = set_up("a2:C2 b3:C16 d2:T9 f2:T72 a1:S289 h1:C8", "a14:C3 h14:C5")
    near = [measures(position)[0][12]]
    while position.outcome is None:
        for choice in think(position, CLUB, random.Random(1)).choices:
            position = position.after(choice)
        if position.outcome is None:
            near.append(measures(position)[0][12])
            position = position.next_turn()
    assert near == sorted(near)
    assert len(near) <= 24 - near[0] + 2, "two turns at most make way for another man"


def test_the_sets_of_four_are_those_of_the_tables() -> None:
    """28 sets of four hold all three kinds, as 004's tables have it; white alone has one of them, and black none."""
    position = game(ITALIAN).start(2)
    assert isinstance(position, RithmoPosition)
    found = fours(position.rules, 2)
    assert len(found) == 28
    assert all(harmonies.grade(position.rules, four) == 2 for four in found)
    assert [four for four in found if army_numbers(1).issuperset(four)] == [(2, 9, 16, 72)]
    assert not [four for four in found if army_numbers(2).issuperset(four)]


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("side", ["3", "4"])
def test_the_corners_are_all_that_the_rules_allow(player: int, side: str) -> None:
    position = game(ITALIAN).start(2, side=int(side))
    assert isinstance(position, RithmoPosition)
    board = position.rules.board
    allowed = {
        frozenset(squares)
        for squares in combinations(sorted(board.half(enemy(player))), 4)
        if arranged(position.rules, [board.places[square] for square in squares])
    }
    rows = corners(position.rules, player).T.tolist()
    assert {frozenset(row) for row in rows} == allowed
    assert len(rows) == 24 * len(allowed)


@given(
    slug=st.sampled_from(RITHMOMACHIA),
    seed=st.integers(0, 10_000),
    plies=st.integers(0, 160),
    data=st.data(),
)
@settings(max_examples=40, deadline=None)
def test_routes_are_as_long_as_a_search_by_the_rules_finds(
    slug: str, seed: int, plies: int, data: st.DataObject
) -> None:
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert isinstance(position, RithmoPosition)
    rules, men = position.rules, position.men
    walkers = [square for square, man in enumerate(men) if man is not None and not man.is_pyramid]
    start = data.draw(st.sampled_from(walkers))
    place = data.draw(st.integers(0, rules.board.count - 1))
    man = men[start]
    assert man is not None
    occupied = sum(1 << square for square, other in enumerate(men) if other is not None)
    found = moves_to(rules, man.shape, {0: 1 << place}, occupied, 1 << start)
    # by the rules: whoever stands on the place is lifted, and nobody comes back across his own first square
    board = list(siege.lifted(men, place)) if place != start else list(men)
    reached, fresh, expected = {start}, {start}, None
    for moves in range(MOST_MOVES + 1):
        if place in fresh:
            expected = moves
            break
        ends = set()
        for square in fresh:
            there = tuple(man if at == square else (other if at != start else man) for at, other in enumerate(board))
            ends |= {way.end for way in siege.free_ways(rules, there, square)}
        fresh = ends - reached
        reached |= fresh
    assert found.get(start) == expected
