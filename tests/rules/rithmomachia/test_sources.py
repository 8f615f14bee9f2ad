"""The positions of the sources.

The pictures of Durnil & Guardia (their figures 1 and 5 to 11) are not in the text that we have. The positions below are
built here so that their captions, and the examples in the running text, come true; the array is that of our rulings.
"""

from typing import Any

import pytest

from companion.rules.errors import IllegalChoiceError
from companion.rules.game import Position
from companion.rules.registry import game
from tests.rules.rithmomachia.naive_men import array
from tests.rules.rithmomachia.naive_options import SLUGS, D, I, M
from tests.rules.rithmomachia.naive_positions import men, state


def position(slug: str, placed: str, turn: int = 1, **options: Any) -> Position:
    """Set up a match in which no number of points ends it."""
    without_end = {"minor": "none"} if slug == D else {}
    return game(slug).from_json(state(slug, placed, turn, **without_end, **options))


def played(start: Position, *texts: str) -> Position:
    for text in texts:
        start = start.after(start.parse(text))
    return start


def takes(at: Position) -> set[str]:
    """Return the captures that stand, without the word "takes"."""
    return {text.removeprefix("takes ") for text in map(at.text, at.legal()) if text.startswith("takes ")}


def arithmetic(at: Position, text: str) -> str:
    return str(at.account(at.parse(text)).sentence)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_game_starts_from_the_array(slug: str) -> None:
    start = game(slug).start(2)
    assert start.to_json()["men"] == array(14 if slug == I else 16)
    assert len(start.occupancy()) == 48
    assert start.awaits.player == (1 if slug == D else 2)
    assert not start.faults()


@pytest.mark.parametrize("slug", SLUGS)
def test_in_the_array_of_fulke_all_stand_two_ranks_further_on(slug: str) -> None:
    assert game(slug).start(2, array="forward").to_json()["men"] == array(14 if slug == I else 16, 2)


def test_figure_5_the_white_triangle_25_takes_the_black_circle_25_by_encounter() -> None:
    come = played(position(D, "white 25t c4; black 25c c8"), "c4-c6")
    assert takes(come) == {"c8 by encounter from c6"}
    after = played(come, "takes c8", "done")
    assert after.to_json()["men"] == men("white 25t c6")
    assert after.to_json()["captured"] == {"1": [{"colour": "black", "shape": "circle", "number": 25}], "2": []}


def test_figure_6_the_white_9_and_4_take_the_black_36_by_ambush() -> None:
    come = played(position(D, "white 9t d6, 4c b6; black 36t d8"), "b6-c7")
    assert takes(come) == {"d8 by ambush from c7 and d6"}
    assert "4 x 9 = 36" in arithmetic(come, "takes d8 by ambush from c7 and d6")


def test_figure_7_the_white_36_takes_the_black_12_at_three_empty_squares_by_assault() -> None:
    come = played(position(D, "white 36c b3; black 12t c8"), "b3-c4")
    assert takes(come) == {"c8 by assault from c4"}
    assert "36 / 3 = 12" in arithmetic(come, "takes c8 by assault from c4")


def test_figure_8_the_white_4_takes_the_black_64_at_three_empty_squares_by_power() -> None:
    come = played(position(D, "white 4c b3; black 64t g8"), "b3-c4")
    assert takes(come) == {"g8 by power from c4"}
    assert "4 x 4 x 4 = 64" in arithmetic(come, "takes g8 by power from c4")


def test_figure_9_the_white_4_and_20_take_the_black_100_by_progression() -> None:
    come = played(position(D, "white 4c b6, 20t d6; black 100t d8"), "b6-c7")
    assert takes(come) == {"d8 by progression from c7 and d6"}
    assert "20 x 20 = 4 x 100" in arithmetic(come, "takes d8 by progression")


def test_figure_10_the_black_men_surround_the_white_circle_36() -> None:
    come = played(position(D, "white 36c d5; black 3c c4, 5c e4, 7c c6, 9c f7", turn=2), "f7-e6")
    assert takes(come) == {"d5 by siege"}
    assert "d5" not in played(come, "takes d5").occupancy()


def test_figure_10_at_the_edge_fewer_men_surround() -> None:
    come = played(position(D, "white 36c a5; black 3c b4, 9c c7", turn=2), "c7-b6")
    assert takes(come) == {"a5 by siege"}


def test_a_siege_is_claimed_only_with_the_move_that_closed_it() -> None:
    """The 20 in the corner is surrounded by the men on a3, b3, c1 and c2; the 9 that comes to a2 adds nothing."""
    surrounded = "white 20t a1, 2c h9; black 3c a3, 7c b3, 5c c1, 25c {}"
    assert takes(played(position(D, surrounded.format("d3"), turn=2), "d3-c2")) == {"a1 by siege"}
    assert takes(played(position(D, surrounded.format("c2, 9c b1"), turn=2), "b1-a2")) == set()


def test_figure_11_what_was_overlooked_is_delivered_instead_of_a_move() -> None:
    overlooked = played(position(D, "white 25t c4, 2c h1; black 25c c8"), "c4-c6", "done")
    assert takes(overlooked) == {"c6 by delivery"}
    after = played(overlooked, "takes c6 by delivery")
    assert after.awaits.player == 1
    assert after.to_json()["men"] == men("white 2c h1; black 25c c8")
    assert takes(after) == set()


def test_either_helper_of_an_overlooked_ambush_may_be_delivered() -> None:
    overlooked = played(position(D, "white 9t d6, 4c b6; black 36t d8"), "b6-c7", "done")
    assert takes(overlooked) == {"c7 by delivery", "d6 by delivery"}


def test_what_was_claimed_is_not_delivered() -> None:
    claimed = played(position(D, "white 25t c4; black 25c c8, 3c h16"), "c4-c6", "takes c8", "done")
    assert takes(claimed) == set()


def test_a_delivery_waits_for_one_turn_only() -> None:
    later = played(position(D, "white 25t c4, 2c h1; black 25c c8, 3c h16"), "c4-c6", "done", "h16-g15", "done")
    assert takes(played(later, "h1-g2", "done")) == set()


@pytest.mark.parametrize(
    ("taker", "taken"), [("4c", "16t"), ("16c", "4c*")], ids=["four-times-four", "sixteen-by-four"]
)
def test_at_four_empty_squares_4_takes_16_and_16_takes_4(taker: str, taken: str) -> None:
    """Durnil & Guardia 5.3, in their words directly above each other."""
    come = played(position(D, f"white {taker} b3; black {taken} c9"), "b3-c4")
    assert takes(come) == {"c9 by assault from c4"}


@pytest.mark.parametrize(("taker", "start", "taken"), [("5c*", "b3", "25c"), ("25t", "c2", "5c")])
def test_at_two_empty_squares_5_takes_25_and_25_takes_5(taker: str, start: str, taken: str) -> None:
    """Durnil & Guardia 5.4: power and root; 5 is not 25 / 2, so no assault is near."""
    come = played(position(D, f"white {taker} {start}; black {taken} c7"), f"{start}-c4")
    assert takes(come) == {"c7 by power from c4"}


@pytest.mark.parametrize(("start", "over"), [("b4", True), ("c4", False)])
def test_only_a_regular_move_captures(start: str, over: bool) -> None:  # noqa: FBT001 - a case of the table
    """Durnil & Guardia 4 and 5: the 25 that leaps to c6 takes nothing, and nothing of it is delivered."""
    come = played(position(D, f"white 25t {start}; black 25c c8"), f"{start}-c6")
    assert (come.awaits.player == 2) is over
    assert takes(come) == (set() if over else {"c8 by encounter from c6"})


def test_an_irregular_move_jumps_and_a_regular_one_does_not() -> None:
    start = position(D, "white 25t c4, 2c c5, 4c d5; black 3c h16")
    moves = {text for text in map(start.text, start.legal()) if text.startswith("c4-")}
    assert moves == {"c4-c2", "c4-a4", "c4-e4", "c4-b6", "c4-d6", "c4-b2", "c4-d2", "c4-a5", "c4-a3", "c4-e5", "c4-e3"}


def test_the_man_that_moved_takes_part_the_helper_only_stands_there() -> None:
    """Durnil & Guardia 5.2: another man's move brings no capture to two who stood in reach before."""
    start = position(D, "white 9t d6, 4c c7, 2c h1; black 36t d8")
    assert takes(played(start, "h1-g2")) == set()


def test_several_men_are_taken_at_once() -> None:
    """Durnil & Guardia 5.8; the order does not matter, and what is lifted first opens no way."""
    come = played(position(D, "white 25t c4; black 25c c8, 5c f6, 25t h6"), "c4-c6")
    assert takes(come) == {"c8 by encounter from c6", "f6 by power from c6"}
    assert played(come, "takes c8", "takes f6") == played(come, "takes f6", "takes c8")
    assert takes(played(come, "takes f6")) == {"c8 by encounter from c6"}


def test_a_man_returned_captures_nothing() -> None:
    """Durnil & Guardia 5.9: put on the own half beside an enemy of his number he only counts from the next move on."""
    data = state(D, "white 2c h1; black 25t c8", minor="none")
    data["captured"]["1"] = [{"colour": "black", "shape": "circle", "number": 25}]
    start = game(D).from_json(data)
    back = played(start, "return circle 25 to b7")
    assert back.awaits.player == 2
    assert takes(back) == set()
    assert back.to_json()["men"] == men("white 2c h1, 25c* b7; black 25t c8")
    with pytest.raises(IllegalChoiceError):
        played(start, "return circle 25 to b9")


def test_each_part_of_a_pyramid_takes_with_its_own_number_and_reach() -> None:
    """Durnil & Guardia 4.4: the triangle 16 of White's pyramid reaches two squares, the square 36 three."""
    come = played(position(D, "white 91p c2; black 16t c7, 36t f5"), "c2-c5")
    assert takes(come) == {"c7 by encounter from c5/16", "f5 by encounter from c5/36"}


def test_parts_of_a_pyramid_are_taken_one_by_one() -> None:
    come = played(position(D, "white 25t c4; black 190p c8, 3c h16"), "c4-c6")
    assert takes(come) == {"c8/25 by encounter from c6"}
    assert played(come, "takes c8/25").occupancy()["c8"]["number"] == 165


def test_a_pyramid_that_has_lost_a_part_in_this_turn_is_not_taken_whole_as_well() -> None:
    come = played(position(D, "white 25t c4, 16t a8; black 25t+16c c8"), "c4-c6")
    assert takes(come) == {"c8/25 by encounter from c6", "c8 by ambush from a8 and c6"}
    assert takes(played(come, "takes c8/25")) == set()
    assert "c8" not in played(come, "takes c8 by ambush").occupancy()


def test_of_two_alike_in_hand_the_one_of_the_own_first_army_comes_back_first() -> None:
    """A 25 of White's that was taken twice, and the 25 of Black's pyramid."""
    data = state(D, "white 2c h1; black 3c h16", minor="none")
    alike = {"colour": "black", "shape": "triangle", "number": 25}
    data["captured"]["1"] = [alike, {**alike, "began": "white"}]
    back = played(game(D).from_json(data), "return triangle 25 to b7")
    assert back.to_json()["men"] == men("white 2c h1, 25t b7; black 3c h16")
    assert back.to_json()["captured"]["1"] == [alike]


@pytest.mark.parametrize(
    ("held", "minor", "over"),
    [
        ([90, 66], "de-lite", True),  # the example of Durnil & Guardia 6: 156 in four digits
        ([100, 56], "de-lite", False),  # 156 in five digits
        ([120, 30, 3], "de-lite", False),
        ([81, 64, 5], "de-honore", False),  # 150 with three men
        ([90, 64, 5], "de-honore", True),
        ([90, 66], "de-honore-litique", True),
        ([121, 49], "de-honore-litique", False),
        ([66, 64, 28], "de-honore-litique", False),
    ],
)
def test_the_limits_of_digits_and_men_are_kept(held: list[int], minor: str, over: bool) -> None:  # noqa: FBT001 - a case
    data = state(D, "white 2c h1; black 3c h16", minor=minor, points=150)
    data["captured"]["1"] = [{"colour": "black", "shape": "square", "number": number} for number in held]
    outcome = game(D).from_json(data).outcome
    assert (outcome is not None and outcome.winners == (1,)) is over


def test_mebben_ambushes_by_one_less_all_the_others() -> None:
    come = played(position(M, "white 2c b8, 6t b10, 20t f10; black 12t d8"), "b8-c8")
    assert takes(come) == {"d8 by ambush from b10 and c8 and f10"}
    assert "20 - 6 - 2 = 12" in arithmetic(come, "takes d8")
    assert takes(played(position(M, "white 2c b8, 6t b10, 20t f10; black 12t d8", ambushers="two"), "b8-c8")) == set()


def test_mebben_counts_both_squares_of_an_assault() -> None:
    """Mebben, D: neighbours are two apart, so 8 takes the 16 beside it, but only along its own ways."""
    come = played(position(M, "white 8c c4; black 16t d5, 16c d4"), "c4-c5")
    assert takes(come) == {"d5 by assault from c5"}


def test_mebben_ambushes_with_three() -> None:
    come = played(position(M, "white 4c b8, 6t b10, 20t f10; black 30t d8"), "b8-c8")
    assert takes(come) == {"d8 by ambush from b10 and c8 and f10"}
    assert "6 + 4 + 20 = 30" in arithmetic(come, "takes d8")


def test_mebben_knows_no_products() -> None:
    placed = "white 9t f10, 4c b8; black 36t d8"
    assert takes(played(position(M, placed), "b8-c8")) == set()
    assert takes(played(position(M, placed, operations="all-four"), "b8-c8")) == {"d8 by ambush from c8 and f10"}


def test_a_broken_pyramid_is_taken_by_its_sum_but_takes_by_its_parts_only() -> None:
    """Mebben, D: 25 and 16 together are 41 when they are taken and never when they take."""
    broken = "white 25s+16t c6; black 36t* h16, 25c e4, 3c h1"
    assert takes(played(position(M, broken, turn=2), "h1-h2")) == set()
    mine = position(M, "white 25s+16t c6, 2c h1; black 16t e8, 25t c9", turn=1)
    assert takes(played(mine, "h1-h2")) == {"e8 by encounter from c6/16", "c9 by encounter from c6/25"}
    theirs = position(M, "white 25s+16t c6; black 36c b6, 5c d6, 3c h1", turn=2)
    assert "c6 by ambush from b6 and d6" in takes(played(theirs, "h1-h2"))


def test_a_besieged_man_whom_his_own_can_free_is_safe() -> None:
    """Mebben, D: White's 2 on a15 is in reach of Black's 2 that has changed sides, so the siege does not stand."""
    besieged = "white 2c b15, 64c b16; black 9c a16, 2c* a13"
    assert takes(played(position(M, besieged), "b15-a15")) == set()
    assert takes(played(position(M, besieged, relief=False), "b15-a15")) == {"a16 by siege"}
    assert takes(played(position(M, besieged.replace(", 2c* a13", "")), "b15-a15")) == {"a16 by siege"}


def test_the_italian_king_loses_his_base_and_goes_shorter_ways() -> None:
    """As long as he has a square three, then two, then one; all captures of and by him at that distance."""
    for parts, length in (("64s+36t+16c", 3), ("36t+25t+16c", 2), ("16c", 1)):
        start = position(I, f"white 289s a1; black {parts} d7", turn=2)
        ends = {text.removeprefix("d7-") for text in map(start.text, start.legal()) if text.startswith("d7-")}
        assert ends == {
            f"{'abcdefgh'[3 + dx * length]}{7 + dy * length}"
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx, dy) != (0, 0)
        }


def test_the_italian_king_is_reached_at_his_own_distance() -> None:
    """White's circle 64 takes a 64 at one step, but the square 64 of a king who goes three at three."""
    placed = "white 64c d4; black 64s+16c d7, 64t e5"
    assert takes(position(I, placed)) == {"d7/64 by encounter from d4", "e5 by encounter from d4"}
    assert takes(position(I, placed, king_taken_at="taker")) == {"e5 by encounter from d4"}


def test_in_the_italian_game_a_capture_may_stand_instead_of_the_move() -> None:
    start = position(I, "white 64c d4, 2c a1; black 64t e5, 3c h12")
    after = played(start, "takes e5", "done")
    assert after.awaits.player == 2
    assert after.to_json()["men"] == men("white 64c d4, 2c a1; black 3c h12")


@pytest.mark.parametrize(("stuck", "winners"), [("counts", (2,)), ("loses", (1,))])
def test_who_can_do_nothing_ends_the_game(stuck: str, winners: tuple[int, ...]) -> None:
    """Black's 9 in the corner has no move once White's 2 stands beside it; Black holds the greater value."""
    data = state(M, "white 2c b15, 64c b16; black 9c a16", stuck=stuck, returns="none")
    data["captured"] = {
        "1": [{"colour": "black", "shape": "circle", "number": 5}],
        "2": [{"colour": "white", "shape": "circle", "number": 8}],
    }
    after = played(game(M).from_json(data), "b15-a15", "done")
    assert after.outcome is not None
    assert after.outcome.winners == winners


def test_triumphs_wait_for_the_end_of_the_enemy_king() -> None:
    placed = "white 8c c10, 12t* d12, 4c e13; black 3c h1"
    assert played(position(I, placed), "c10-c11").to_json()["triumphs"]["1"] == [
        {"grade": "mediocre", "numbers": [4, 8, 12]}
    ]
    assert played(position(I, placed + ", 16c+25t h2"), "c10-c11").to_json()["triumphs"]["1"] == []
