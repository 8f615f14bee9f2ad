"""How the program plays: always by the rules, better than by chance, and Ludix as its exact policy has it."""

import random
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.odds.playouts import random_move
from companion.players.thinking import die_to_cast
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game, games
from workshop.players.plain_ways import choose

CHOOSING = [slug for slug in games() if games()[slug].program_plays and slug != "ludix"]


def on(position: Position, chance: random.Random, plies: int) -> Position:
    """Play on at random."""
    for _ in range(plies):
        if position.outcome is not None:
            break
        position = position.after(random_move(position, chance))
    return position


@given(slug=st.sampled_from(CHOOSING), seed=st.integers(0, 10_000), plies=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_what_it_chooses_is_allowed(slug: str, seed: int, plies: int) -> None:
    chance = random.Random(seed)
    position = on(game(slug).start(2), chance, plies)
    if position.awaits.kind == "choice":
        assert choose(position, chance) in position.legal()
    if position.awaits.kind == "recast":
        assert die_to_cast(position, chance) in position.awaits.dice


def test_it_beats_play_by_chance() -> None:
    won = 0
    for slug, seed in product(("tables/zeno", "tables/pyf", "tables/todas-tablas"), range(4)):
        chance = random.Random(seed)
        position, seat = game(slug).start(2), seed % 2 + 1
        while position.outcome is None:
            waits = position.awaits
            thinks = waits.kind == "choice" and waits.player == seat
            position = position.after(choose(position, chance) if thinks else random_move(position, chance))
        won += position.outcome.winners == (seat,)
    assert won >= 11, "of 12: of chance, not one time in 300"


def test_it_takes_the_highest_number_it_can() -> None:
    """White's square 25 may take the black 25 by encounter; nothing else on this board may be taken."""
    men = {
        "c4": {"colour": "white", "shape": "square", "number": 25},
        "a1": {"colour": "white", "shape": "circle", "number": 2},
        "f7": {"colour": "black", "shape": "square", "number": 25},
    }
    position = game("rithmomachia/durnil-guardia").from_json({"men": men, "turn": 1})
    chance = random.Random(1)
    while position.awaits.player == 1 and position.outcome is None:
        position = position.after(choose(position, chance))
    assert "f7" not in position.occupancy() or position.occupancy()["f7"]["colour"] == "white"


def test_ludix_of_three_is_played_by_the_simple_rule() -> None:
    position = game("ludix").start(3)
    thrown = position.after(Throw.of("ludix", {"1": "L", "2": "X", "3": "X", "4": "X"}))
    assert str(choose(thrown, random.Random(1))) == "LXXX again"
    again = thrown.after(choose(thrown, random.Random(1))).after(
        Throw.of("ludix", {"1": "L", "2": "X", "3": "X", "4": "X"})
    )
    assert str(choose(again, random.Random(1))) == "LXXX stop"


def test_the_die_of_the_second_cast_is_one_that_can_win() -> None:
    position = game("ludus-regularis").start(2)
    first = position.after(Throw.of("wibold", {"1": "A", "2": "E", "3": "I", "consonants": "MNPR"}))
    assert first.awaits.kind == "recast"
    wins = {throw.shown[0][0] for throw in first.throws() if first.after(throw).scores()[1]}
    assert die_to_cast(first, random.Random(1)) in wins
