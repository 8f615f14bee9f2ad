"""How a game is won: numbers agreed on, harmonies and how they must stand, triumphs, and a player who is stuck."""

from typing import Any

import pytest

from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.arrangements import (
    is_long_angle,
    is_parallelogram,
    is_right_angle,
    is_row,
    is_square,
)
from companion.rules.rithmomachia.ending import best_sum
from companion.rules.rithmomachia.men import BLACK, Man
from tests.rules.rithmomachia.naive_options import D, I, M
from tests.rules.rithmomachia.setting import holding, played, position

Spots = list[tuple[int, int]]


def winner(at: RithmoPosition) -> tuple[int, ...]:
    return at.outcome.winners if at.outcome is not None else ()


def victory(at: RithmoPosition) -> object:
    return at.outcome.details["victory"] if at.outcome is not None else None


@pytest.mark.parametrize(
    ("held", "options", "wins"),
    [
        ("64t 36t", {}, True),  # 100, the usual score
        ("64t 30t", {}, False),
        ("64t 30t", {"points": 94}, True),
        ("3c 5c 7c", {"minor": "de-corpore", "men_to_take": 3}, True),
        ("190p 5c", {"minor": "de-corpore", "men_to_take": 3}, False),  # a pyramid taken whole is one man
        ("90t 66s", {"minor": "de-lite", "points": 150, "most_digits": 4}, True),  # their example
        ("90t 5c 9c 49c 3c", {"minor": "de-lite", "points": 150, "most_digits": 4}, False),
        ("100t 3c 50c", {"minor": "de-lite", "points": 150, "most_digits": 4}, False),  # 150 needs five digits
        ("64t 36t", {"minor": "de-honore", "points": 100, "most_men": 2}, True),
        ("49c 36t 16t 12t", {"minor": "de-honore", "points": 100, "most_men": 2}, False),
        ("90t 66s", {"minor": "de-honore-litique", "points": 150, "most_men": 2, "most_digits": 4}, True),
        ("100t 56t", {"minor": "de-honore-litique", "points": 150, "most_men": 2, "most_digits": 4}, False),
        ("361s 225s", {"minor": "none"}, False),
    ],
)
def test_minor_victories_ask_for_points_men_and_digits(held: str, options: dict[str, Any], wins: bool) -> None:  # noqa: FBT001 - a case of the table
    start = holding(D, "white 2c h1; black 3c h16", held, **options)
    assert winner(start) == ((1,) if wins else ())


@pytest.mark.parametrize(
    ("options", "wins"),
    [
        ({"minor": "points", "points": 100}, True),
        ({"minor": "men", "men_to_take": 3}, False),
        ({"minor": "digits", "digits_to_take": 4}, True),
        ({"minor": "digits", "digits_to_take": 5}, False),
        ({}, False),
    ],
)
def test_mebbens_simpler_goals(options: dict[str, Any], wins: bool) -> None:  # noqa: FBT001 - a case of the table
    assert winner(holding(M, "white 2c h1; black 3c h16", "64t 36t", **options)) == ((1,) if wins else ())


def test_of_many_men_the_best_within_the_limits_are_counted() -> None:
    men = [Man(BLACK, "circle", number, BLACK) for number in (9, 8, 90, 100, 7, 99)]
    assert best_sum(men, 2, None) == 199
    assert best_sum(men, None, 4) == 189
    assert best_sum(men, None, 3) == 108
    assert best_sum(men, 2, 5) == 199


def test_who_brings_a_man_back_gives_up_his_points_unless_they_count() -> None:
    for agreed, points in (("given-up", 9), ("counted", 59)):
        start = holding(D, "white 2c h1; black 3c h16", "9c 25c 25t*", returned_points=agreed)
        back = played(start, "return circle 25 to a1", "h16-g15", "done", "return triangle 25 to a2")
        assert back.scores()[1] == points


MAGNA: dict[str, Any] = {"major": "magna"}


@pytest.mark.parametrize(
    ("placed", "options", "wins"),
    [
        ("2c c8, 4c d10, 6t d16", MAGNA, True),  # a row of ranks 9, 10 and 16
        ("2c c8, 4c d10, 6t d16", MAGNA | {"spacing": "equal"}, False),
        ("2c c8, 4c d10, 6t d12", MAGNA | {"spacing": "equal"}, False),
        ("2c c8, 4c b10, 6t b12", MAGNA | {"spacing": "equal"}, False),
        ("2c c8, 4c d10, 6t g9", MAGNA, True),  # right angle on d9, legs 1 and 3
        ("2c c8, 4c d10, 6t g9", MAGNA | {"spacing": "equal"}, False),
        ("2c c8, 4c e10, 6t g9", MAGNA, False),
        ("2c c8, 4c f10, 6t e12", MAGNA, False),  # a right angle across the lines
        ("2c c8, 4c f10, 6t e12", MAGNA | {"right_angle": "any"}, True),
        ("2c c8, 4c f10, 6t e12", MAGNA | {"right_angle": "any", "spacing": "equal"}, True),
        ("2c c8, 4c f10, 6t d14", MAGNA | {"right_angle": "any"}, True),
        ("2c c8, 4c f10, 6t d14", MAGNA | {"right_angle": "any", "spacing": "equal"}, False),
        ("2c c8, 5c* d10, 6t g9", MAGNA, False),  # no progression
        ("2c c8, 4c d8, 6t g9", MAGNA, False),  # not all in the other half
        ("3c* c8, 4c d10, 6t g9, 9t g10", {"major": "superior"}, True),  # a rectangle
        ("3c* c8, 4c d11, 6t g10, 9t g12", {"major": "superior"}, True),  # a parallelogram
        ("3c* c8, 4c d11, 6t g10, 9t g12", {"major": "superior", "spacing": "equal"}, False),
        ("3c* c8, 4c d10, 6t g9, 9t g11", {"major": "superior"}, False),
        ("3c* c8, 4c d10, 6t g9, 9t g10", {"major": "excellentissima"}, True),
        ("2c c8, 4c d10, 6t g9, 8c g10", {"major": "superior"}, True),  # 2 4 8 and 2 4 6
        ("3c* c8, 4c d10, 5c* g9, 6t g10", {"major": "superior"}, True),  # 3 4 5 and 3 4 6
        ("4c c8, 6t d10, 8c g9, 3c* g10", {"major": "excellentissima", "great": "four-term"}, True),
        ("4c c8, 6t d10, 8c g9, 3c* g10", {"major": "excellentissima"}, False),
        ("5c* c8, 6t d10, 7c* g9, 8c g10", {"major": "superior"}, False),  # 5 6 7 and 6 7 8 are of one kind
        ("5c* c8, 6t d10, 7c* g9, 8c g10", {"major": "superior", "superior": "two-triples"}, True),
    ],
)
def test_major_victories_are_harmonies_in_the_other_half(placed: str, options: dict[str, Any], wins: bool) -> None:  # noqa: FBT001 - a case of the table
    start = position(D, f"white {placed}; black 361s a1", **options)
    mover = "c8-d9" if placed.startswith(("2c", "3c", "4c", "5c")) else ""
    assert winner(played(start, mover)) == ((1,) if wins else ())


def test_a_harmony_that_stood_before_the_move_does_not_win() -> None:
    start = position(D, "white 2c b9, 4c b11, 6t b13, 8c h1; black 361s a16", **MAGNA)
    assert winner(played(start, "h1-g2")) == ()
    assert winner(played(start, "b13-b15")) == (1,)


def test_an_irregular_move_completes_a_harmony_too() -> None:
    start = position(D, "white 2c b9, 4c b11, 6t c11; black 361s a16", **MAGNA)
    won = played(start, "c11-b13")
    assert (winner(won), victory(won)) == ((1,), "magna")
    assert won.awaits.kind == "over"


@pytest.mark.parametrize(
    ("placed", "options", "wins"),
    [
        ("2c b8, 4c b10, 6t b11", {}, True),
        ("2c b8, 6t b10, 4c b11", {}, False),  # not in rising order
        ("2c b8, 6t b10, 4c b11", {"order": "any"}, True),
        ("2c b8, 4c b10, 6t b12", {}, False),  # not equally spaced
        ("2c b8, 4c b10, 6t b12", {"spacing": "any"}, True),
        ("2c b8, 4c b10, 6t a9", {}, True),  # a right angle
        ("2c b8, 4c b10, 6t a9", {"goal": "big"}, False),
        ("2c* b8, 4c b10, 6t b11", {}, False),  # who changed sides may not come last
        ("2c b8, 3c* b10, 4c b11", {}, True),  # but may serve
        ("4c b8, 6t b10, 12t* a10, 8c a9", {"goal": "great"}, True),  # 4 : 6 = 8 : 12
        ("4c b8, 6t b10, 12t* a10, 8c a9", {"goal": "great", "great": "three-term"}, False),
    ],
)
def test_mebbens_harmonies(placed: str, options: dict[str, Any], wins: bool) -> None:  # noqa: FBT001 - a case of the table
    start = position(M, f"white {placed}; black 361s h16", **options)
    assert winner(played(start, "b8-b9")) == ((1,) if wins else ())


def test_a_great_victory_counts_where_a_small_one_was_agreed() -> None:
    start = position(M, "white 2c c9, 3c* c10, 4c b8, 6t b10; black 361s h16")
    won = played(start, "b8-b9")
    assert victory(won) == "great"


@pytest.mark.parametrize(
    ("spots", "shapes"),
    [
        ([(0, 0), (0, 1), (0, 2)], "row"),
        ([(0, 0), (1, 1), (2, 2)], "row"),
        ([(0, 0), (1, 2), (2, 4)], ""),  # no line of the board
        ([(0, 0), (0, 2), (2, 0)], "angle"),
        ([(0, 0), (1, 1), (1, -1)], "angle"),  # along both diagonals
        ([(0, 0), (1, 2), (2, -1)], ""),  # a right angle across the lines
        ([(0, 0), (0, 1), (0, 2), (1, 0)], "long angle"),
        ([(0, 0), (0, 1), (0, 2), (1, 1)], ""),  # the fourth beside the middle
        ([(0, 0), (1, 1), (2, 2), (1, -1)], "long angle"),
        ([(0, 0), (0, 2), (2, 0), (2, 2)], "square parallelogram"),
        ([(1, 0), (0, 1), (1, 2), (2, 1)], "square parallelogram"),
        ([(0, 0), (1, 2), (3, 1), (2, -1)], "parallelogram"),  # a square across the lines
        ([(0, 0), (0, 1), (0, 2), (0, 3)], "row"),
    ],
)
def test_shapes_are_told_apart(spots: Spots, shapes: str) -> None:
    found = "row" if is_row(spots, "equal") else ""
    if len(spots) == 3 and is_right_angle(spots, equal=True):
        found = "angle"
    if len(spots) == 4:
        found = "long angle" if is_long_angle(spots, equal=True) else found
        found = "parallelogram" if is_parallelogram(spots, equal=True) else found
        found = f"square {found}" if is_square(spots) else found
    assert found == shapes


@pytest.mark.parametrize(
    ("options", "others", "noted", "over"),
    [
        ({}, "4c d12, 6t e13", ["mediocre"], False),
        ({"ends": "mediocre"}, "4c d12, 6t e13", ["mediocre"], True),
        ({}, "4c d12, 6t f11", [], False),
        ({}, "4c c13, 8c e11, 6t e13", ["great"], False),
        ({"ends": "great"}, "4c c13, 8c e11, 6t e13", ["great"], True),
        ({}, "4c c13, 12t* e11, 6t e13", ["excellent"], True),
        ({"great": "three-term"}, "4c c13, 12t* e11, 6t e13", ["great"], False),
        ({"side": 4}, "4c c14, 12t* f11, 6t f14", ["excellent"], True),
    ],
)
def test_triumphs_of_the_italian_game(options: dict[str, Any], others: str, noted: list[str], over: bool) -> None:  # noqa: FBT001 - a case of the table
    start = position(I, f"white 2c c10, {others}; black 361s a1", **options)
    come = played(start, "c10-c11")
    assert [triumph.grade for triumph in come.triumphs] == noted
    assert winner(come) == ((1,) if over else ())
    assert come.standing().winners == ((1,) if noted else (1, 2))


def test_a_proportion_is_a_triumph_once_the_king_was_gone() -> None:
    placed = "white 4c c6, 20t d8; black 100t d6"
    taken = played(position(I, placed), "takes d6 by progression")
    assert [(triumph.player, triumph.grade, triumph.numbers) for triumph in taken.triumphs] == [
        (1, "mediocre", (4, 20, 100))
    ]
    assert not played(position(I, placed, proportion_triumph=False), "takes d6 by progression").triumphs
    assert not played(position(I, placed + ", 16c+25t h14"), "takes d6 by progression").triumphs


def test_who_can_do_nothing_ends_the_game() -> None:
    for agreed, winners in (("counts", (1, 2)), ("loses", (2,))):
        alone = position(D, "white 2c a1; black 9c b2", stuck=agreed)
        assert winner(alone) == winners
    assert victory(position(D, "white 2c a1; black 9c b2")) == "stuck"
    assert holding(D, "white 2c a1; black 9c b2", "3c").outcome is None  # the 3 can come back
    assert winner(position(D, "white 2c a1; black 3c h16", turn=2)) == ()


def test_agreeing_to_stop_the_greater_value_of_men_taken_decides() -> None:
    start = holding(D, "white 2c h1; black 3c h16", "9c 25c")
    assert start.standing().winners == (1,)
    assert str(start.standing().why) == "Player 1 has taken men worth 34, the other 0."
    assert position(D, "white 2c h1; black 3c h16").standing().tie
