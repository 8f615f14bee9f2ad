"""What a learner is told, what everybody may see, and how the board is drawn."""

import pytest

from companion.rules.registry import game
from companion.rules.rithmomachia.choices import Claim, Delivery
from companion.rules.rithmomachia.prospects import prospects
from companion.rules.rithmomachia.squares import squares
from tests.rules.rithmomachia.naive_men import array
from tests.rules.rithmomachia.naive_options import SLUGS, D, I, M
from tests.rules.rithmomachia.naive_positions import men
from tests.rules.rithmomachia.setting import holding, played, position


@pytest.mark.parametrize(
    ("placed", "sentence"),
    [
        ("white 25t c4; black 25c c8", "Player 1 by c4-c6 takes c8 by encounter from c6: 25 = 25."),
        ("white 25t c4; black 5c d8", "Player 2 by d8-c7 takes c4 by power from c7: 5 x 5 = 25."),
        ("white 9t d6, 4c b6; black 36t d8", "Player 1 by b6-c7 takes d8 by ambush from c7 and d6: 4 x 9 = 36."),
        ("white 36c a5, 2c h1; black 3c b4, 9c c7", "Player 2 by c7-b6 takes a5 by siege: no way out."),
    ],
)
def test_a_learner_is_told_what_each_side_could_take_by_its_next_move(placed: str, sentence: str) -> None:
    assert [str(sentence) for sentence in position(D, placed).teaching()] == [sentence]


def test_prospects_are_the_captures_that_stand_after_each_move() -> None:
    start = position(D, "white 9t d6, 4c b6, 25t c4; black 36t d8, 25c c8, 5c a9")
    found = {(prospect.player, prospect.move, prospect.claim) for prospect in prospects(start)}
    tried = {(1, move, claim) for move in start.open_choices() for claim in played(start, str(move)).claims}
    assert tried == {entry for entry in found if entry[0] == 1}
    assert len(tried) == 2


def test_captures_at_hand_come_first() -> None:
    come = played(position(D, "white 25t c4; black 25c c8"), "c4-c6")
    first = prospects(come)[0]
    assert (first.player, first.move, str(first.claim)) == (1, None, "takes c8 by encounter from c6")
    next_one = prospects(played(come, "done"))[0]
    assert (next_one.player, str(next_one.claim), next_one.proof) == (2, "takes c6 by delivery", "25 = 25")


@pytest.mark.parametrize("slug", SLUGS)
def test_open_choices_tell_nothing_of_captures(slug: str) -> None:
    start = position(slug, "white 25t c4, 64c d4; black 25c c8, 64t e5")
    for at in (start, played(start, "d4-d5" if slug != D else "c4-c6")):
        shown = list(at.open_choices())
        hidden = [choice for choice in at.legal() if choice not in shown]
        assert shown
        assert all(isinstance(choice, Claim | Delivery) for choice in hidden)
        assert not any(isinstance(choice, Claim | Delivery) for choice in shown)


@pytest.mark.parametrize("slug", [M, I])
def test_the_turn_asks_for_claims_after_every_move_be_there_any_or_not(slug: str) -> None:
    start = game(slug).start(2)
    for move in list(start.legal())[::7]:
        assert str(start.after(move).awaits.sentence) == "Player 2 captures a man or finishes the turn."


def test_the_drawn_board_keeps_its_columns_and_shows_every_man_once() -> None:
    drawn = game(D).start(2).drawn().splitlines()
    rows = drawn[1:9]
    assert [row[0] for row in rows] == list("abcdefgh")
    for rank in range(16):
        left = 3 + 7 * rank
        assert drawn[0][left : left + 6].strip() == str(rank + 1)
        for row in rows:
            cell = row[left : left + 6].strip()
            site = f"{row[0]}{rank + 1}"
            man = array(16).get(site)
            assert cell == ("." if man is None else _marked(man))
    assert drawn[9] == "w{91} is 36 + 25 + 16 + 9 + 4 + 1"


def _marked(man: dict[str, object]) -> str:
    marks = {"circle": "()", "triangle": "<>", "square": "[]", "pyramid": "{}"}[str(man["shape"])]
    return f"{str(man['colour'])[0]}{marks[0]}{man['number']}{marks[1]}"


def test_men_held_are_drawn_below_the_board() -> None:
    assert holding(D, "white 2c h1; black 3c h16", "9c 25t*").drawn().endswith("White holds b(9) b<25>")


def test_the_camera_sees_file_a_on_top_and_rank_1_at_the_left() -> None:
    for slug, ranks in ((D, 16), (M, 16), (I, 14)):
        board = game(slug).board
        places = {site.name: (site.x, site.y) for site in board.sites}
        assert len(places) == 8 * ranks
        assert places["a1"] == min(places.values())
        assert places[f"h{ranks}"] == max(places.values())
        assert places["a2"][1] == places["a1"][1]
        assert places["b1"][0] == places["a1"][0]


def test_the_practice_board_of_nine_ranks_is_there_to_be_drawn() -> None:
    assert {board.name for board in game(D).boards} == {"8x16", "8x14", "8x9"}


def test_halves_do_not_meet_and_cover_the_board() -> None:
    for ranks in (14, 16):
        board = squares(ranks)
        assert not board.half(1) & board.half(2)
        assert len(board.half(1) | board.half(2)) == board.count


def test_occupancy_is_what_lies_there_and_nothing_that_a_camera_cannot_see() -> None:
    seen = position(M, "white 9c* c4, 25s+16t d4; black 3c h16").occupancy()
    assert seen["c4"] == {"colour": "white", "shape": "circle", "number": 9}
    assert seen["d4"] == {key: value for key, value in men("white 25s+16t d4")["d4"].items() if key != "began"}
