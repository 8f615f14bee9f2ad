"""``companion leds`` as it is typed, and ``companion serve --leds``."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.features import TableFeatures
from companion.live.table import LiveTable
from firmware_bridge.chosen import chosen
from firmware_bridge.frame import DARK
from firmware_bridge.serial_wire import SerialWire
from firmware_bridge.transport import SimulatedBoard as DrawnBoard
from tests.commands.running import json_of, run
from tests.firmware_bridge.simulated.board import SimulatedBoard
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.test_ddp import http
from tests.firmware_bridge.waiting import until
from tests.firmware_bridge.wled_board import WledBoard
from tests.referee.build import MISERICORDIA


@pytest.fixture
def board() -> Iterator[SimulatedBoard]:
    made = SimulatedBoard(OwnFirmware(leds=12, buttons=1, squares=8), leds=12)
    made.start()
    yield made
    made.stop()


def test_a_port_that_is_named_is_asked_what_is_behind_it(board: SimulatedBoard) -> None:
    assert board.device is not None
    (line,) = [line for line in json_of("leds", "list", board.device) if line["port"] == board.device]
    assert line["asked"]
    assert line["board"]["protocol"] == "own"
    assert line["board"]["hello"]["squares"] == 8
    assert f"{board.device}: alea 1, 12 LEDs" in run("leds", "list", board.device).stdout


def test_wled_is_told_by_its_name() -> None:
    made = SimulatedBoard(WledBoard(30, name="Oak"), leds=30)
    made.start()
    assert made.device is not None
    output = run("leds", "list", made.device).stdout
    made.stop()
    assert ": Oak (WLED 0.15.1), 30 LEDs, 115200 baud" in output


def test_a_port_that_is_not_there_is_told_and_the_list_goes_on() -> None:
    (line,) = [line for line in json_of("leds", "list", "/dev/ttyNONE") if line["port"] == "/dev/ttyNONE"]
    assert "is not plugged in" in line["trouble"]


def test_no_port_is_asked_where_that_was_not_wanted(board: SimulatedBoard) -> None:
    assert board.device is not None
    (line,) = [line for line in json_of("leds", "list", board.device, "--no-ask") if line["port"] == board.device]
    assert not line["asked"]
    assert board.boots == 0


def test_the_test_lights_all_leds_and_leaves_the_board_dark(
    board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert board.device is not None
    # what a board has not taken when its port is closed is dropped: on a busy machine the simulated one takes it late
    drop = SerialWire.drop_unsent

    def drop_when_heard(wire: SerialWire) -> None:
        until(board.heard_all)
        drop(wire)

    monkeypatch.setattr(SerialWire, "drop_unsent", drop_when_heard)
    result = run("leds", "test", "--leds", board.device, "--pace", "0.05")
    assert result.exit_code == 0, result.stderr
    assert "Testing 12 LEDs" in result.stdout
    assert result.stdout.index("All are red") < result.stdout.index("Every tenth is lit, 1 in all")
    until(lambda: set(board.shown()) == {DARK})
    firmware = board.firmware
    assert isinstance(firmware, OwnFirmware)
    # five of all LEDs and one of each; on a busy machine a later frame may replace one that was not sent yet
    assert firmware.frames > (5 + 12) / 2


def test_more_leds_than_the_board_has_are_told_by_the_test(board: SimulatedBoard) -> None:
    assert board.device is not None
    result = run("leds", "test", "--leds", board.device, "--pace", "0.05", "--count", "13")
    stated = "The LED board says that it has 12 LEDs, but 13 are needed: the rest stays dark.\n"
    assert result.stderr.startswith(stated)  # a simulated board that is starved may be given up later


def test_watching_prints_presses_and_squares(board: SimulatedBoard) -> None:
    firmware = board.firmware
    assert isinstance(firmware, OwnFirmware)
    assert board.device is not None
    firmware.occupied = 0b101
    firmware.press()
    result = run("leds", "watch", "--leds", board.device, "--seconds", "1.3")
    assert result.exit_code == 0, result.stderr
    assert "squares occupied: 0, 2" in result.stdout
    assert "frame 1 shown" in result.stdout
    output = run("leds", "watch", "--leds", board.device, "--seconds", "1.3", "--json").stdout
    assert {json.loads(line).get("kind") for line in output.splitlines()} >= {None, "squares", "shown"}


@pytest.mark.parametrize("command", ["test", "watch"])
def test_a_board_that_is_not_there_is_told_in_one_sentence(command: str) -> None:
    result = run("leds", command, "--leds", "/dev/ttyNONE")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: The LED board at /dev/ttyNONE is not plugged in")


def test_words_that_choose_no_board_are_refused() -> None:
    result = run("leds", "test", "--leds", "tty")
    assert result.exit_code == 1
    assert "Expected auto, none, simulated, a serial port such as /dev/ttyUSB0, or wled://HOST" in result.stderr


@pytest.fixture
def swallowed() -> Iterator[int]:
    """The port of a host that takes every packet and answers nothing, as one that is switched off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        yield int(silent.getsockname()[1])


def test_a_silent_host_is_not_found_and_nothing_is_said_of_its_board(swallowed: int) -> None:
    address = f"ddp://127.0.0.1:{swallowed}"
    result = run("leds", "test", "--leds", address, "--count", "1", "--pace", "0.05")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("Nothing at 127.0.0.1 says that it is an LED board: if no light comes on, check ")
    assert result.stdout.endswith("\nDone.\n")
    watched = run("leds", "watch", "--leds", address)
    assert watched.stderr.startswith("LED board at 127.0.0.1: only a board with our own firmware reports presses")
    assert not watched.stdout


def test_watching_wled_says_that_it_reports_nothing_and_ends() -> None:
    with http() as web:
        result = run("leds", "watch", "--leds", f"wled://127.0.0.1:{web}")
    assert result.exit_code == 0
    assert result.stderr.startswith("Wall (WLED 0.15.1), 600 LEDs: only a board with our own firmware reports presses")


def test_what_is_accepted_is_listed_by_each_command() -> None:
    for command in ("test", "watch", "map"):
        output = " ".join(run("leds", command, "--help").stdout.split())
        assert "auto, simulated, a serial port such as /dev/ttyUSB0, wled://HOST or ddp://HOST[:PORT]" in output


def test_a_strip_with_fewer_leds_than_the_board_has_sites_is_told_at_the_table(tmp_path: Path) -> None:
    with http(count=20) as web:
        lights = chosen(f"wled://127.0.0.1:{web}")
        table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=lights, program_pause=0.0))
        table.start()
        assert table.command("new_match", {"game": "tables/zeno", "players": ["Anna", "Ben"]}, "tests").ok

        def lights_sentence() -> str:
            part = table.snapshot().data["lights"]
            return "" if part is None else str(part["sentence"]["text"])

        until(
            lambda: (
                lights_sentence() == "The LED board says that it has 20 LEDs, but 24 are needed: the rest stays dark."
            )
        )
        table.stop()


def test_a_table_with_a_simulated_board_lights_it_and_leaves_it_dark(tmp_path: Path) -> None:
    lights = chosen("simulated")
    assert isinstance(lights, DrawnBoard)
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=lights, program_pause=0.0))
    table.start()
    game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "tapped"}
    assert table.command("new_match", game, "tests").ok
    faces = dict(zip(("1", "2", "3", "consonants"), MISERICORDIA.split(), strict=True))
    assert table.command("throw", {"faces": faces}, "tests").ok
    until(lambda: set(lights.shown()) != {DARK})
    table.stop()
    assert set(lights.shown()) == {DARK}
