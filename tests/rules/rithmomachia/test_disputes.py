"""Why a choice is not allowed: one sentence that names the square, the way, the distance or the arithmetic."""

import pytest

from tests.rules.rithmomachia.naive_options import D, I, M
from tests.rules.rithmomachia.setting import holding, played, position, refusal

MET = "white 25t c4, 4c b6, 5c h1; black 25c c8, 36t c11, 28s f6, 9t h16"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("takes f6 by encounter from c6", "c6 cannot reach f6 by one regular move."),
        ("takes d9 by encounter from c6", "Nothing stands on d9."),
        ("takes z99 by encounter from c6", "Nothing stands on z99."),
        ("takes h1 by encounter from c6", "The white circle 5 on h1 is Player 1's own."),
        ("takes c8/4 by encounter from c6", "The black circle 25 on c8 has no part 4."),
        ("takes c8 by encounter from h16", "No man of white stands on h16."),
        ("takes c8 by encounter from c6/9", "The white triangle 25 on c6 has no part 9."),
        ("takes c8 by encounter from b6", "Only the man that moved, the one on c6, may take, alone or with help."),
        ("takes c8 by encounter from b6 and c6", "A capture by encounter is made by one man, but 2 are named."),
        ("takes c8 by ambush from c6", "An ambush is made by two men, but 1 are named."),
        ("takes c8 by ambush from c6 and c6", "Each man helps once: c6, c6."),
        ("takes c8 by ambush from b6 and c6", "b6 and c8 are not in line."),
        ("takes c11 by assault from c6", "The way is blocked at c8."),
        ("takes h16 by assault from c6", "c6 and h16 are not in line."),
        (
            "takes f6 by assault from c6",
            "25 x 2 = 50 and 28 x 2 = 56: neither turns 25 into 28.",
        ),
        (
            "takes c8 by assault from c6",
            "The distance, empty squares between them, is 1; for assault it must be at least 2.",
        ),
        ("takes f6 by power from c6", "25 to the power 2 is 625 and 28 to the power 2 is 784: neither fits."),
        ("takes c8 by siege", "c8 is not surrounded: no man of Player 1 blocks its way to d9."),
    ],
)
def test_a_wrong_claim_is_told_what_is_wrong_with_it(claim: str, text: str) -> None:
    assert refusal(played(position(D, MET), "c4-c6"), claim) == text


def test_a_distance_that_would_do_is_named_beside_the_one_there_is() -> None:
    come = played(position(D, "white 4c b3; black 16t c8"), "b3-c4")
    stated = "4 x 4 = 16 would need 4 empty squares between them, but there are 3."
    assert refusal(come, "takes c8 by assault from c4") == stated


def test_sums_differences_products_and_quotients_of_an_ambush_are_shown() -> None:
    come = played(position(D, "white 9t d6, 4c b6; black 30t d8"), "b6-c7")
    stated = "4 + 9 = 13, 9 - 4 = 5, 4 x 9 = 36; none is 30."
    assert refusal(come, "takes d8 by ambush from c7 and d6") == stated
    assert refusal(come, "takes d8 by progression from c7 and d6") == (
        "4, 9, 30 are not an arithmetic, geometric or harmonic progression."
    )


def test_who_came_by_an_irregular_move_takes_nothing() -> None:
    come = played(position(D, "white 25t b4; black 25c c8"), "b4-c6")
    assert (
        refusal(come, "takes c8 by encounter from c6") == "The man on c6 made an irregular move, so it takes nothing."
    )
    assert refusal(come, "takes c6 by delivery") == ("The man on c6 made an irregular move, so nothing could be taken.")


def test_claims_wait_for_the_move_and_moves_for_the_end_of_claims() -> None:
    start = position(D, MET)
    assert refusal(start, "takes c8 by encounter from c4") == (
        "Player 1 moves first, and says after the move what it takes."
    )
    assert refusal(start, "done") == "Move first; only then can the turn end."
    assert refusal(played(start, "c4-c6"), "h1-g2") == "The move is made: say what is taken, or finish the turn."


def test_what_was_taken_is_not_taken_again() -> None:
    come = played(position(D, MET), "c4-c6", "takes c8")
    assert refusal(come, "takes c8 by encounter from c6") == "c8 has already been taken."


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("c3-c5", "Nothing stands on c3."),
        ("c8-d9", "The black circle 25 on c8 is not Player 1's."),
        ("h1-h2", "The white circle 5 cannot go from h1 to h2: it can only move to g2."),
        ("h1-z2", "The board has the squares a1 to h16; z2 is not one of them."),
        ("g9-f10", "The black circle 25 stands on f10; a man moves to an empty square."),
        ("c4-e4", "The way is blocked at d4."),
        ("return circle 9 to c3", "Player 1 does not hold a circle 9; Player 1 holds nothing."),
        ("takes h1 by delivery", "The last move could not have delivered a man."),
    ],
)
def test_a_wrong_move_is_told_what_is_wrong_with_it(move: str, text: str) -> None:
    placed = "white 25t c4, 36c d4, 5c h1, 4c g9; black 25c f10, 25c c8"
    assert refusal(position(D, placed), move) == text


def test_a_man_comes_back_on_an_empty_square_of_the_own_half() -> None:
    start = holding(D, "white 2c h1; black 3c h16", "9c")
    assert refusal(start, "return circle 9 to c9") == "A man comes back on the player's own half, and c9 is not on it."
    assert "but the white circle 2 stands on h1" in refusal(start, "return circle 9 to h1")
    assert start.why_not(start.parse("return circle 9 to c8")) is None


def test_a_siege_tells_who_could_set_the_man_free() -> None:
    come = played(position(M, "white 2c b15, 64c b16; black 9c a16, 2c* a13"), "b15-a15")
    assert refusal(come, "takes a16 by siege") == "Player 2 could set a16 free by a13-a14."


def test_an_old_siege_is_no_capture_of_this_move() -> None:
    surrounded = position(D, "white 3c b4, 5c b6, 7c h1; black 36c a5")
    assert refusal(played(surrounded, "h1-g2"), "takes a5 by siege") == (
        "a5 was surrounded without the man that moved to g2, so it is not taken now."
    )


def test_a_game_says_which_captures_and_wholes_it_does_not_know() -> None:
    come = played(position(M, "white 25s+16t c6, 2c h1; black 41c* c9"), "h1-h2")
    assert refusal(come, "takes c9 by power from c6") == "This game has no capture by power."
    assert refusal(come, "takes c9 by encounter from c6") == (
        "The pyramid on c6 has lost a part, so it does not take as a whole."
    )


def test_a_king_takes_at_his_own_distance_only() -> None:
    start = position(I, "white 91p c4; black 9c c6, 9c* c8")
    assert refusal(start, "takes c6 by encounter from c4/9") == "c4/9 cannot reach c6 by one regular move."
    assert refusal(start, "takes c6 by assault from c4/9") == "c4/9 does not assault c6 this way."
