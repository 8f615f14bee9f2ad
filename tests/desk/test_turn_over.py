"""A turn that may be over, as its rest may have been played unseen: the next throw tells, or a person does."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from companion.desk.table.turn_end import BUTTON, TurnEnd
from companion.rules.dice import Throw
from companion.rules.game import Position
from tests.desk.board_office import BoardOffice
from tests.desk.test_board_judge import by_hand, turn_of
from tests.referee.build import reading, seen

GAME = "tables/ludus-anglicorum"
WAITS = "The turn may be over: the next throw ends it."


class Dice:
    """Three dice before the camera, which never lie twice at the same place."""

    def __init__(self, office: BoardOffice) -> None:
        self._office = office
        self._thrown = 0

    def throw(self, faces: str, *, read: bool = True) -> None:
        """Throw; ``read``: whether the reader is sure of every die."""
        self._thrown += 1
        lying = [(str(k), face, (k * self._spread(), 700.0 * self._thrown)) for k, face in enumerate(faces, 1)]
        dice = [seen(*one, set_name="pips") for one in lying]
        self._office.see(reading(dice if read else [seen(*lying[0], status="ask", set_name="pips"), *dice[1:]]))
        self._office.sight = replace(self._office.sight, board=self._office.board_sight)
        self._office.board.see(self._office.board_sight)
        self._office.dice_judge.see(self._office.sight)

    def _spread(self) -> float:
        """Return how far apart the dice lie, another distance at each throw: no push of the table moves them so."""
        return 300.0 + 97.0 * (self._thrown % 5)


def begun(path: Path, seed: int) -> tuple[BoardOffice, Dice, Position]:
    """Play until a turn lies there of which the board alone does not tell that it is over; return where it led."""
    office = BoardOffice(path / "journal.db")
    office.begin_board(GAME, dice_by="camera")
    dice, chance = Dice(office), random.Random(seed)
    for _ in range(60):
        while office.match.position.awaits.kind == "throw":
            dice.throw("".join(chance.choices("123456", k=3)))
        truth = turn_of(office.match.position, chance)
        office.stand(truth)
        if office.state()[1] == WAITS:
            return office, dice, truth
        if office.match.position != truth:
            by_hand(office, truth)  # a turn of which nothing is seen
    pytest.fail("Every turn was seen.")


@pytest.mark.parametrize("seed", [2, 3])
def test_nobody_is_asked_and_the_next_throw_ends_the_turn(tmp_path: Path, seed: int) -> None:
    office, dice, truth = begun(tmp_path, seed)
    before = office.match.position
    assert office.match.board.question is None
    assert before != truth
    dice.throw("345")
    thrown = Throw.of("pips", {"1": "3", "2": "4", "3": "5"})
    assert office.match.last_throw == thrown
    assert office.match.position == truth.after(thrown)
    assert office.replayed().position == office.match.position
    assert not any(entry.event.kind == "board asked" for entry in office.match.entries[-4:])


def test_a_next_throw_that_is_not_surely_read_leaves_the_question(tmp_path: Path) -> None:
    office, dice, truth = begun(tmp_path, 2)
    dice.throw("345", read=False)
    assert office.state()[1].startswith("Is the turn over?")
    question = office.match.board.question
    assert question is not None
    assert office.do("answer_board", ask=question.number, candidate=0).ok
    assert office.match.position == truth


def test_without_a_camera_that_sees_the_dice_it_is_asked(tmp_path: Path) -> None:
    office, _, _ = begun(tmp_path, 2)
    office.sight = replace(office.sight, status="LOST", seen=None)
    office.dice_judge.see(office.sight)
    office.board.see(office.board_sight)
    assert office.match.board.question is not None


def test_the_boards_button_ends_the_turn(tmp_path: Path) -> None:
    office, _, truth = begun(tmp_path, 2)
    button = TurnEnd(office.desk, office.board)
    button.press(button.whose)
    assert office.match.position == truth
    assert office.match.entries[-1].actor == BUTTON
