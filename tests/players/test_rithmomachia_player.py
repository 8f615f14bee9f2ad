"""The player of Rithmomachia takes what wins, guards against it, and every reason that it gives is true."""

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.players.player import Budget
from companion.players.rithmomachia.evaluation import completing
from companion.players.rithmomachia.turning import Takings
from companion.players.strengths import STRENGTHS
from companion.players.thinking import reasons, think, weigh
from companion.rules.registry import game
from companion.rules.rithmomachia import legal, numbers, transitions
from companion.rules.rithmomachia.captures import captures
from companion.rules.rithmomachia.position import RithmoPosition
from tests.players.naive_reasons import of_rithmomachia
from tests.players.on_the_way import RITHMOMACHIA, choosing

MASTER = STRENGTHS["master"]


def set_up(men: dict[str, tuple[str, str, int]], turn: int = 1) -> RithmoPosition:
    data = {site: {"colour": colour, "shape": shape, "number": number} for site, (colour, shape, number) in men.items()}
    position = game("rithmomachia/durnil-guardia").from_json({"men": data, "turn": turn, "study": True})
    assert isinstance(position, RithmoPosition)
    return position


def test_it_takes_the_man_that_wins_the_game() -> None:
    """By c4-f4 white's 120 can take black's 120, which is more than the 100 points of the usual victory."""
    position = set_up(
        {
            "c4": ("white", "square", 120),
            "a1": ("white", "circle", 2),
            "f7": ("black", "square", 120),
            "h16": ("black", "circle", 3),
        }
    )
    thought = think(position, MASTER, random.Random(1))
    for choice in thought.choices:
        position = position.after(choice)
    assert position.outcome is not None
    assert position.outcome.winners == (1,)
    assert thought.chance > 0.99


def test_the_numbers_that_complete_a_progression_are_all_found() -> None:
    for low in range(2, 16):
        for high in range(low + 1, 30):
            every = {third for third in range(1, 900) if numbers.progression((low, high, third))}
            assert set(completing(low, high)) == every, (low, high)


@given(slug=st.sampled_from(RITHMOMACHIA), seed=st.integers(0, 10_000), plies=st.integers(0, 120))
@settings(max_examples=25, deadline=None)
def test_every_reason_holds(slug: str, seed: int, plies: int) -> None:
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert isinstance(position, RithmoPosition)
    weighed = weigh(position, Budget(depth=0))
    turn = weighed[seed % len(weighed)]
    after = position
    for choice in turn.choices:
        after = after.after(choice)
    for reason in reasons(position, weighed, turn):
        assert of_rithmomachia(reason, position, after, turn.choices), (reason, position)


def test_a_first_move_that_takes_nothing_says_which_harmony_is_nearer() -> None:
    position = game("rithmomachia/mebben").start(2)
    weighed = weigh(position, Budget())
    (reason,) = reasons(position, weighed, weighed[0])
    assert dict(reason.facts) == {"men": "100 190 361", "moves": 8, "before": 9}
    assert "of 100, 190 and 361, is then 8 moves away instead of 9" in str(reason.sentence)


def test_what_can_be_taken_is_taken() -> None:
    """A turn ends only when nothing more can be claimed: innocent delivery punishes what is overlooked."""
    found = 0
    for seed in range(12):
        position = choosing("rithmomachia/durnil-guardia", seed, 60)
        if position is None:
            continue
        for weighed in weigh(position, Budget(depth=0)):
            after = position
            for choice in weighed.choices[:-1]:
                after = after.after(choice)
            assert isinstance(after, RithmoPosition)
            if str(weighed.choices[-1]) == "done":
                assert not after.claims
                found += 1
    assert found


@given(slug=st.sampled_from(RITHMOMACHIA), seed=st.integers(0, 10_000), plies=st.integers(0, 160))
@settings(max_examples=40, deadline=None)
def test_a_look_along_the_changed_lines_finds_the_moves_that_take(slug: str, seed: int, plies: int) -> None:
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert isinstance(position, RithmoPosition)
    assume(position.phase == "move")
    takings, numbered = Takings(position), position.rules.board.numbered
    standing = bool(captures(position.rules, position.men, position.turn, None)) and not position.rules.by_mover
    assert takings.waiting == standing
    for move in legal.moves(position):
        taken = bool(transitions.carried_out(position, move).claims)
        start, end = numbered[move.start], numbered[move.end]
        if not takings.perhaps(start, end):
            assert not taken, move
        if takings.fresh(start, end) or (position.rules.by_mover and taken):
            assert taken, move
            assert takings.fresh(start, end), move
