"""The button on the board: it ends a turn that waits for its end, once, and says why where there is nothing to end."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.desk.sight import BoardSight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.turn_end import BUTTON, TurnEnd
from companion.language.sentence import Sentence
from companion.live.board_uplink import PRESS_WAIT, BoardUplink, UplinkBusyError
from companion.live.features import TableFeatures
from companion.live.following import OpenTable
from companion.live.inbox import MOST_WAITING, Inbox
from companion.live.table import LiveTable
from companion.referee.refused import RefusedError
from companion.rules.rithmomachia.choices import Done, Move
from companion.vision.board_readings import Men
from firmware_bridge.protocols.uplink import Button, Squares
from tests.desk.board_office import BoardOffice
from tests.desk.test_board_judge import after, tap
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.simulated.transport import SimulatedTransport

BATTLE = "rithmomachia/mebben"
"""Whoever has moved says what is taken, or is done."""


class Pressing:
    """An office with a button, and a clock that stands still until it is put forward."""

    def __init__(self, office: BoardOffice) -> None:
        self.office = office
        self.now = 0.0
        self.inbox = Inbox()
        self.uplink = BoardUplink(self.inbox, None, lambda: self.now)
        self.uplink.open(
            OpenTable(
                office.desk,
                office.board,
                Autoplay(),
                lambda: replace(office.sight, board=office.board_sight),
                lambda: None,
                lambda name, data, _: office.do(name, **data),
                lambda: None,
            )
        )
        self.seq = 0

    def press(self, board: BoardSight | None = None) -> str:
        self.seq += 1
        self.uplink.hear(Button(self.seq, 0, pressed=True))
        self.uplink.hear(Button(self.seq + 1, 0, pressed=False))
        task, _, _ = self.inbox.take(0)
        assert task is not None
        task[0]()
        return self.settle(board)

    def settle(self, board: BoardSight | None = None) -> str:
        done = self.uplink.settle(board)
        return str(self.uplink.pressed.sentence) if done and self.uplink.pressed else ""


@pytest.fixture
def office(tmp_path: Path) -> BoardOffice:
    return BoardOffice(tmp_path / "journal.db")


@pytest.fixture
def battle(office: BoardOffice) -> Pressing:
    """Rithmomachia before the camera; one side has moved, and may claim a capture or be done."""
    office.begin_board(BATTLE)
    move = next(choice for choice in office.match.position.legal() if isinstance(choice, Move))
    office.stand(office.match.position.after(move))
    assert Done() in office.match.position.legal()
    return Pressing(office)


def test_a_press_says_done_for_whoever_is_to_play_and_is_journalled_as_the_buttons(battle: Pressing) -> None:
    player = battle.office.match.position.awaits.player
    reply = battle.press()
    assert "finishes the turn" in reply
    entry = battle.office.match.entries[-1]
    assert entry.actor == BUTTON
    assert battle.office.match.history[-1].move == Done()
    assert battle.office.match.position.awaits.player == 3 - player
    assert battle.office.replayed().position == battle.office.match.position


def test_a_second_press_ends_nothing_more_and_says_so(battle: Pressing) -> None:
    battle.press()
    entries = battle.office.match.entries
    whose = battle.office.match.position.awaits.player
    assert battle.press().startswith(f"The turn of Player {whose} is not over: ")
    assert battle.office.match.entries == entries
    pressed = battle.uplink.pressed
    assert pressed is not None
    assert (pressed.number, pressed.ok) == (2, False)


def test_letting_go_and_squares_are_no_press(battle: Pressing) -> None:
    battle.uplink.hear(Button(9, 0, pressed=False))
    battle.uplink.hear(Squares(9, 3))
    assert battle.inbox.take(0) == (None, None, None)


def test_a_press_answers_no_question(office: BoardOffice) -> None:
    office.begin_board(BATTLE)
    site, man = next((site, man) for site, man in office.match.position.occupancy().items() if man["number"] == 289)
    office.stand(office.match.position, **{site: Men(man["colour"], 1, man["shape"], 169)})
    question = office.match.board.question
    assert question is not None
    assert Pressing(office).press().startswith("The button cannot answer a question")
    assert office.match.board.question == question


def test_dice_that_are_still_to_be_played_keep_the_turn(office: BoardOffice) -> None:
    office.begin_board("tables/zeno")
    pressing = Pressing(office)
    assert pressing.press() == "There is no turn to end now: Player 1 throws the three dice."
    tap(office, "2 5 6")
    assert pressing.press() == "The turn of Player 1 is not over: Player 1 plays 2, 5, 6."
    office.stand(after(office.match.position, "a-c"))
    assert pressing.press() == "The turn of Player 1 is not over: Player 1 plays 5, 6."
    assert office.match.history[-1].kind == "throw"


def test_a_press_right_after_the_move_waits_until_the_board_was_looked_at(office: BoardOffice) -> None:
    office.begin_board("tables/zeno")
    tap(office, "2 5 6")
    pressing = Pressing(office)
    moving = BoardSight("drawn", "LIVE", Sentence("The camera is live."), phase="moving")
    assert pressing.press(moving) == ""
    assert pressing.uplink.due(0.0) == PRESS_WAIT
    office.stand(after(office.match.position, "a-c", "a-f", "a-g"))
    assert pressing.settle(office.board_sight) == "The turn of Player 1 is over."
    assert pressing.uplink.pressed is not None
    assert pressing.uplink.pressed.ok


def test_a_press_does_not_wait_for_a_board_that_never_stands_still(battle: Pressing) -> None:
    moving = BoardSight("drawn", "LIVE", Sentence("The camera is live."), phase="moving")
    assert battle.press(moving) == ""
    battle.now = PRESS_WAIT
    assert "finishes the turn" in battle.settle(moving)
    assert battle.uplink.due(0.0) is None


@pytest.mark.parametrize("command", ["pause", "finish"])
def test_a_paused_match_is_not_played_on_by_a_button(battle: Pressing, command: str) -> None:
    assert battle.office.do(command, reason="supper").ok
    entries = battle.office.match.entries
    assert battle.press() in ("The match is paused: continue it first.", "The match is over.")
    assert battle.office.match.entries == entries


def test_without_a_match_a_press_says_so(office: BoardOffice) -> None:
    assert Pressing(office).press().startswith("No match is open")


def test_a_press_that_cannot_be_taken_in_is_not_taken_for_arrived(battle: Pressing) -> None:
    for _ in range(MOST_WAITING):
        battle.uplink.hear(Button(1, 0, pressed=True))
    with pytest.raises(UplinkBusyError):
        battle.uplink.hear(Button(2, 0, pressed=True))


def test_ending_is_refused_before_it_writes(battle: Pressing) -> None:
    battle.press()
    with pytest.raises(RefusedError, match="is not over"):
        TurnEnd(battle.office.desk, battle.office.board).press(None)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[LiveTable, SimulatedTransport]]:
    transport = SimulatedTransport()
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=transport))
    table.start()
    yield table, transport
    table.stop()


def test_a_press_on_the_simulated_board_ends_the_turn_once(running: tuple[LiveTable, SimulatedTransport]) -> None:
    table, transport = running

    def until(true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        end = time.monotonic() + 60
        while not true(dict(table.snapshot().data)):
            assert time.monotonic() < end
            time.sleep(0.02)
        return dict(table.snapshot().data)

    assert table.command("new_match", {"game": BATTLE, "players": ["Anna", "Ben"], "dice_by": "tapped"}, "tests").ok
    begins = table.snapshot().data["awaits"]["player"]
    first = table.snapshot().data["choices"][0]["choice"]
    assert table.command("choose", {"choice": first}, "tests").ok
    until(lambda data: data["lights"]["state"] == "LIVE")
    firmware = transport.simulated.firmware
    assert isinstance(firmware, OwnFirmware)
    firmware.press()
    data = until(lambda data: data["lights"]["pressed"])
    assert data["lights"]["pressed"]["ok"]
    assert data["awaits"]["player"] == 3 - begins
    assert [line["actor"] for line in data["log"]][-1] == BUTTON
    time.sleep(1.0)  # in which the board has told its press again, were it not answered
    assert table.snapshot().data["lights"]["pressed"]["number"] == 1
