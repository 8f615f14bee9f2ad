"""XII scripta: a board and men, and nothing that is refereed."""

import pytest

from companion.rules.dice import Throw
from companion.rules.errors import GameOverError, IllegalChoiceError, PositionFormatError, WrongThrowError
from companion.rules.registry import game
from companion.rules.tables.free.board import FreePosition
from companion.rules.tables.free.choices import Move

SLUG = "tables/xii-scripta"


def played(*texts: str, players: int = 2) -> FreePosition:
    position = game(SLUG).start(players)
    for text in texts:
        position = position.after(position.parse(text))
    assert isinstance(position, FreePosition)
    return position


def test_men_go_anywhere_and_back_to_the_hand() -> None:
    position = played("hand-A3", "2 hand-A3", "a3-c12", "done", "1 C12-hand")
    assert position.occupancy() == {"A3": {"2": 1}, "hand": {"1": 15, "2": 14}}
    assert position.turn == 2


def test_the_own_side_need_not_be_named() -> None:
    position = played("done")
    assert position.parse("hand-B1") == Move(2, "hand", "B1")
    assert position.text(Move(2, "hand", "B1")) == "hand-B1"
    assert position.text(Move(1, "hand", "B1")) == "1 hand-B1"


@pytest.mark.parametrize(("typed", "winners"), [("end", (1, 2, 3, 4)), ("end 1", (1, 2)), ("end 2", (3, 4))])
def test_the_players_end_the_game_as_they_agree(typed: str, winners: tuple[int, ...]) -> None:
    position = played(typed, players=4)
    assert position.outcome is not None
    assert position.outcome.winners == winners
    assert [number for number, score in position.scores().items() if score] == list(winners if " " in typed else ())
    with pytest.raises(GameOverError):
        position.after(position.parse("done"))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("A1-A2", "no man on A1"),
        ("hand-A13", "A1 to C12"),
        ("hand-hand", "a place other than"),
        ("2 B1-hand", "Side 2"),
    ],
)
def test_only_what_is_not_there_is_refused(typed: str, why: str) -> None:
    position = played()
    with pytest.raises(IllegalChoiceError, match=why):
        position.after(position.parse(typed))


def test_dice_are_thrown_beside_the_board() -> None:
    with pytest.raises(WrongThrowError, match="asks for none"):
        played().after(Throw.of("pips", {"1": "1"}))


def test_the_board_has_three_rows_of_twelve() -> None:
    rows = played("hand-A1", "2 hand-C12").drawn().splitlines()
    assert [len(row.split()) for row in rows[:3]] == [13, 13, 13]
    assert rows[0].split()[:2] == ["A", "1x"]
    assert rows[2].split()[-1] == "1o"
    assert rows[3] == "in hand: 14x 14o"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"men": {"1": {}}}, '"men"'),
        ({"men": {"1": {"D1": 1}, "2": {}}}, "got 'D1'"),
        ({"men": {"1": {"A1": -1}, "2": {}}}, "number of men on A1"),
        ({"ended": 3}, "null, 0, 1 or 2"),
        ({"turn": "x"}, "whole number"),
        ({"players": 3}, "2, 4 or 6 players"),
    ],
)
def test_json_of_another_form_is_refused(change: dict[str, object], expected: str) -> None:
    with pytest.raises(PositionFormatError, match=expected):
        game(SLUG).from_json(played().to_json() | change)
