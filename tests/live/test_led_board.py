"""The board of lights of a running table: what its LEDs show, over a real terminal device and in what was recorded."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.desk.lights.marks import DARKNESS
from companion.desk.lights.theme import theme
from companion.desk.shapes.common import State
from companion.live import led_board
from companion.live.features import TableFeatures
from companion.live.following import MatchNow
from companion.live.led_board import AS_USUAL, LedBoard, Lights
from companion.live.table import LiveTable
from companion.referee.match import Match
from firmware_bridge.frame import DARK, LEAST_BRIGHTNESS, Colour, LedFrame
from firmware_bridge.transport import Transport
from firmware_bridge.wiring import Wiring, strips
from tests.desk.test_commands import Office
from tests.firmware_bridge.recorder import Recorder
from tests.firmware_bridge.simulated.transport import SimulatedTransport

PATIENCE = 60.0
ZENO = {"game": "tables/zeno", "players": ["Anna", "Ben"], "dice_by": "tapped", "options": {}}
THROWN = {"faces": {"1": "2", "2": "5", "3": "6"}, "dice_set": "pips"}


def wait(true: Callable[[], Any]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)


def lit(colours: tuple[Colour, ...]) -> set[int]:
    return {led for led, colour in enumerate(colours) if colour != DARK}


def test_what_may_be_played_comes_through_the_wire_to_the_simulated_board(tmp_path: Path) -> None:
    transport = SimulatedTransport()
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=transport))
    table.start()
    try:
        assert table.command("new_match", ZENO, "tests").ok
        assert table.command("throw", THROWN, "tests").ok
        wait(lambda: lit(transport.simulated.shown()) == {0, 2, 5, 6})  # from a to c, f and g
        wait(lambda: table.snapshot().data["lights"]["state"] == "LIVE")
        assert set(table.snapshot().data["lights"]["places"]) == set("abcdefghiklmnopqrstuwxyz")
    finally:
        table.stop()


def match_of(path: Path, game: str) -> Match:
    office = Office(path)
    assert office.do("new_match", **(ZENO | {"game": game})).ok
    return office.match


@pytest.fixture
def zeno(tmp_path: Path) -> Match:
    return match_of(tmp_path / "zeno.db", "tables/zeno")


def match_now(match: Match | None, state: State = "SYNCED") -> MatchNow:
    return MatchNow(match, state, None, 0.0, suspended=False)


class Lamp:
    """A board of lights and what it was sent."""

    def __init__(self, lights: Lights = AS_USUAL, transport: Transport | None = None) -> None:
        self.sent = Recorder()
        self.changes = 0
        self.board = LedBoard(transport or self.sent, lights, self._changed)
        self.board.start()

    def _changed(self) -> None:
        self.changes += 1

    def tell(self, match: Match | None) -> Any:
        return self.board.publish(match_now(match))["lights"]

    def shows(self, leds: set[int], length: int) -> bool:
        newest = self.sent.frames[-1] if self.sent.frames else LedFrame(())
        return lit(newest.colours) == leds and len(newest.colours) == length


def test_a_map_of_ones_own_is_followed(zeno: Match) -> None:
    lamp = Lamp(Lights(strips("mine", "tables", [["z", "a"], ["player-2", "player-1"]], each=2), theme("dim")))
    assert set(lamp.tell(zeno)["lit"]) == {"a", "player-1"}
    wait(lambda: lamp.shows({2, 3, 6, 7}, 8))
    lamp.board.stop()
    assert lamp.shows(set(), 8)
    assert lamp.sent.closed


def test_a_smaller_board_leaves_no_light_of_the_larger_one_on(tmp_path: Path, zeno: Match) -> None:
    lamp = Lamp()
    battle = match_of(tmp_path / "battle.db", "rithmomachia/italian")
    lamp.tell(battle)
    wait(lambda: lamp.sent.frames and len(lit(lamp.sent.frames[-1].colours)) > 20)
    lamp.tell(zeno)
    wait(lambda: lamp.shows({0}, 112))
    lamp.tell(None)
    wait(lambda: lamp.shows(set(), 112))
    lamp.board.stop()


def test_before_the_first_match_a_board_is_told_to_be_dark() -> None:
    lamp = Lamp()
    wait(lambda: lamp.shows(set(), 1))
    lamp.board.stop()


def test_a_map_of_another_board_is_said(zeno: Match) -> None:
    lamp = Lamp(Lights(Wiring("rim", "rim", 56, {"1.1.1": (0,)})))
    sentence = lamp.tell(zeno)["sentence"]["text"]
    lamp.board.stop()
    assert sentence.startswith("The map of lights rim belongs to another board, rim:")


def test_a_lost_board_is_told_of_once_and_shown_anew_when_it_is_back(zeno: Match) -> None:
    class Torn(Recorder):
        away = False

        def send(self, frame: LedFrame) -> None:
            if self.away:
                raise OSError("The cable was pulled.")
            super().send(frame)

        def open(self, bell: object) -> None:
            del bell
            if self.away:
                raise OSError("The cable was pulled.")

    board = Torn()
    lamp = Lamp(transport=board)
    lamp.tell(zeno)
    wait(lambda: board.frames and lit(board.frames[-1].colours) == {0})
    board.away = True
    lamp.tell(None)
    wait(lambda: lamp.tell(None)["trouble"])
    assert "The cable was pulled." in lamp.tell(None)["sentence"]["text"]
    changes = lamp.changes
    time.sleep(1.2)
    assert lamp.changes == changes
    lamp.tell(zeno)
    board.away, board.frames[:] = False, []
    wait(lambda: lamp.tell(zeno)["state"] == "LIVE")
    wait(lambda: board.frames and lit(board.frames[-1].colours) == {0})
    lamp.board.stop()


def test_without_a_board_of_lights_no_thread_begins_and_nothing_is_told(zeno: Match) -> None:
    board = LedBoard(None, AS_USUAL, lambda: None)
    board.start()
    assert board.publish(match_now(zeno)) == {}
    board.stop()
    assert DARKNESS.sites == {}


def test_lights_are_dimmed_but_never_out_and_a_trial_shows_every_part_of_every_light(
    zeno: Match,
) -> None:
    shown = Recorder()
    now = [0.0]  # a busy machine may sleep through a step of a real clock
    lights = LedBoard(shown, AS_USUAL, lambda: None, clock=lambda: now[0])
    lights.start()
    try:
        lights.publish(match_now(zeno, "MANUAL"))
        wait(lambda: shown.frames and lit(shown.frames[-1].colours))
        bright = shown.frames[-1]
        lights.dim(0.0)
        wait(lambda: shown.frames[-1] != bright)
        dim = shown.frames[-1]
        for before, after in zip(bright.colours, dim.colours, strict=True):
            assert after == before.dimmed(LEAST_BRIGHTNESS)
        lights.dim(1)
        wait(lambda: shown.frames[-1] == bright)
        assert lights.try_out()
        for colour in led_board.TRIAL:
            wait(lambda: set(shown.frames[-1].colours) == {colour})  # noqa: B023 (waited for before the next colour)
            assert len(shown.frames[-1].colours) == len(bright.colours)
            now[0] += led_board.TRIAL_STEP
        wait(lambda: shown.frames[-1] == bright)
    finally:
        lights.stop()
    assert not LedBoard(None, AS_USUAL, lambda: None).try_out()
