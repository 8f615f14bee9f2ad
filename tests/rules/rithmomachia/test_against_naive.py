"""The engine against the naive rules: the same choices, the same positions after them, the same end.

Positions come from random play from the array, from men of both armies thrown together, and from crowds of made-up men
among whom much can be taken; each with rulings of its own.
"""

import json
import random
import re
from fractions import Fraction
from typing import Any

import pytest

from companion.rules.game import Position
from companion.rules.registry import game
from tests.rules.rithmomachia import naive
from tests.rules.rithmomachia.naive import State
from tests.rules.rithmomachia.naive_options import SLUGS, D, I, M
from tests.rules.rithmomachia.naive_positions import crowded, harmonious, hemmed_in, scattered

ENDLESS = {"minor": "none"}
"""Durnil & Guardia's game without points, so that men in hand do not end it."""

FROM_THE_ARRAY: list[tuple[str, dict[str, Any]]] = [
    *((slug, {}) for slug in SLUGS),
    *((slug, {"array": "forward"}) for slug in SLUGS),
]

RULINGS: list[tuple[str, dict[str, Any]]] = [
    (D, ENDLESS),
    (D, {"minor": "de-lite", "points": 120, "returned_points": "counted"}),
    (D, {"minor": "de-honore-litique", "points": 150}),
    (D, {"major": "magna", "spacing": "equal", "distances": "steps", **ENDLESS}),
    (D, {"major": "superior", "superior": "two-triples", "several": "as-it-lies", **ENDLESS}),
    (D, {"surrounding": "all-men", "least_factor": 1, "distances": "inclusive", **ENDLESS}),
    (D, {"claims": "automatic", "innocent_delivery": False, **ENDLESS}),
    *(
        (D, {"captures": kinds, **ENDLESS})
        for kinds in ("assault", "two-kinds", "three-kinds", "four-kinds", "five-kinds")
    ),
    (M, {"captures": "assault"}),
    (M, {"captures": "three-kinds"}),
    (I, {"captures": "two-kinds"}),
    (I, {"captures": "four-kinds"}),
    (M, {}),
    (M, {"goal": "big", "order": "any", "spacing": "any", "relief": False}),
    (M, {"operations": "all-four", "ambushers": "two", "capturing": "mover", "minor": "digits"}),
    (M, {"before": "instead", "returns": "anywhere", "ranks": 14, "stuck": "loses", "minor": "men"}),
    (M, {"several": "as-it-lies", "distances": "between", "least_factor": 1}),
    (I, {}),
    (I, {"ends": "mediocre", "king_taken_at": "taker", "side": 4}),
    (I, {"assault_at": "own", "distances": "between", "great": "three-term"}),
    (I, {"ambushers": "many", "operations": "sum-difference", "proportion_triumph": False, "returns": "none"}),
    (I, {"capturing": "mover", "before": "no", "surrounding": "all-men", "ranks": 16}),
]

VICTORIES: list[tuple[str, dict[str, Any]]] = [
    (D, {"major": "magna", **ENDLESS}),
    (D, {"major": "magna", "right_angle": "any", **ENDLESS}),
    (D, {"major": "superior", "spacing": "equal", **ENDLESS}),
    (D, {"major": "superior", "superior": "two-triples", **ENDLESS}),
    (D, {"major": "excellentissima", "great": "four-term", **ENDLESS}),
    (M, {}),
    (M, {"goal": "big", "order": "any", "spacing": "any"}),
    (M, {"goal": "great"}),
    (I, {"ends": "mediocre"}),
    (I, {"ends": "great", "side": 4}),
    (I, {"great": "three-term"}),
]


def compared(state: State, seed: int, turns: int) -> None:
    """Follow both from a position for some choices, captures before others."""
    chance = random.Random(seed)
    position: Position = game(state["game"]).from_json(state)
    for _ in range(turns):
        texts = sorted(naive.choices(state))
        assert sorted(map(position.text, position.legal())) == texts
        assert (position.outcome.winners if position.outcome else ()) == naive.winners(state)
        assert listed(position.to_json()) == listed(state)
        if not texts:
            break
        takes = [text for text in texts if text.startswith("takes")]
        moves = [text for text in texts if not text.startswith("return")] or texts
        text = chance.choice(takes if takes and chance.random() < 0.5 else chance.choice([moves, moves, moves, texts]))
        position, state = position.after(position.parse(text)), naive.after(state, text)


def listed(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a position's JSON holds with its piles in one order, whichever it was written in."""
    piles = {
        f"{name} {player}": sorted(json.dumps(entry, sort_keys=True) for entry in data.get(name, {}).get(player, []))
        for name in ("captured", "removed", "returned", "triumphs")
        for player in ("1", "2")
    }
    return {name: data[name] for name in ("turn", "phase", "men", "last", "lifted")} | piles


@pytest.mark.parametrize(("slug", "options"), FROM_THE_ARRAY)
def test_play_from_the_array_goes_the_same_way(slug: str, options: dict[str, Any]) -> None:
    start = naive.start(slug, **options)
    assert listed(game(slug).start(2, **options).to_json()) == listed(start)
    compared(start, 7, 10)


@pytest.mark.parametrize(("slug", "options"), RULINGS)
def test_men_of_both_armies_thrown_together_take_the_same(slug: str, options: dict[str, Any]) -> None:
    state = scattered(slug, 5, **options)
    assert not game(slug).from_json(state).faults()
    compared(state, 5, 8)


@pytest.mark.parametrize(("slug", "options"), RULINGS)
def test_in_a_crowd_each_move_gives_the_same_captures(slug: str, options: dict[str, Any]) -> None:
    state = crowded(slug, 1, **options)
    moves = [text for text in sorted(naive.choices(state)) if "-" in text]
    for move in moves[:: len(moves) // 4]:
        compared(naive.after(state, move), 1, 1)
    compared(state, 1, 6)


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        (D, {"surrounding": "all-men", **ENDLESS}),
        (M, {"surrounding": "all-men", "capturing": "mover", "relief": False}),
        (I, {"surrounding": "all-men", "capturing": "mover", "before": "no"}),
    ],
)
def test_among_his_own_men_a_man_is_besieged_alike(slug: str, options: dict[str, Any]) -> None:
    """Also where the only enemy stops a way behind an own man, and so is the last stop of all."""
    sieges = 0
    for seed in range(16):
        state = hemmed_in(slug, seed, **options)
        for move in (text for text in naive.choices(state) if "-" in text):
            compared(moved := naive.after(state, move), 1, 1)
            sieges += any("siege" in text for text in naive.choices(moved))
    assert sieges >= 2


@pytest.mark.parametrize(("slug", "options"), VICTORIES)
def test_harmonies_on_the_board_win_alike(slug: str, options: dict[str, Any]) -> None:
    won = 0
    for seed in range(16):
        state, move = harmonious(slug, seed, **options)
        position = game(slug).from_json(state)
        position, state = position.after(position.parse(move)), naive.after(state, move)
        assert (position.outcome.winners if position.outcome else ()) == naive.winners(state)
        assert listed(position.to_json()) == listed(state)
        won += bool(naive.winners(state) or any(state["triumphs"].values()))
    assert 0 < won < 16


@pytest.mark.parametrize("slug", SLUGS)
def test_the_arithmetic_written_out_is_true_and_names_the_men(slug: str) -> None:
    written = 0
    for seed in range(3):
        start: Position = game(slug).from_json(crowded(slug, seed, **(ENDLESS if slug == D else {})))
        for move in [choice for choice in start.legal() if "-" in start.text(choice)]:
            after = start.after(move)
            for claim in after.legal() if after.outcome is None else ():
                text = after.text(claim)
                if text.startswith("takes") and "siege" not in text and "delivery" not in text:
                    _check_arithmetic(after, text)
                    written += 1
    assert written


def _check_arithmetic(position: Position, text: str) -> None:
    """Both sides of the equation are worth the same, and every number that takes or is taken is in the proof."""
    sentence = str(position.account(position.parse(text)).sentence)
    proof = re.search(r" by \w+: ([^.]+)\.", sentence)
    assert proof is not None, sentence
    values = [arithmetic_value(side) for side in proof[1].split(": ")[-1].split(" = ")]
    assert len(values) == 2
    assert values[0] == values[1], sentence
    words = text.split()
    men = position.to_json()["men"]
    named = {naive.number_of(men, name) for name in (words[1], *words[5::2])}
    assert named <= {int(number) for number in re.findall(r"\d+", proof[1])}, sentence


def arithmetic_value(side: str) -> Fraction:
    """Work out ``"27 - 3 - 20"``, ``"2 x 3 x 6"``, ``"3 x (2 + 6)"`` or ``"36 / 3"``."""
    worth: Fraction = eval(re.sub(r"(\d+)", r"Fraction(\1)", side.replace("x", "*")), {"Fraction": Fraction})
    return worth
