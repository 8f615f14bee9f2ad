"""The driver at the firmware's own wire: a pseudo-terminal with the compiled firmware behind it."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.brightness import Brightness
from firmware_bridge.driver import Driver
from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.protocols.uplink import Button, Squares
from firmware_bridge.serial_transport import SerialTransport
from tests.firmware_bridge.emulated.board import LiveBoard, frames
from tests.firmware_bridge.emulated.workshop import Workshop
from tests.firmware_bridge.waiting import until

LEDS = 128
AS_SENT = Brightness(most_ma=1e6, gamma=1.0)
PATIENCE = 60.0  # seconds; the machine may be busy, and what is measured in time is measured elsewhere
SwitchOn = Callable[..., LiveBoard]


@pytest.fixture
def live(workshop: Workshop, tmp_path: Path) -> Generator[SwitchOn, None, None]:
    """Return what switches a board on whose port has the same name each time; all are off at the test's end."""
    with ExitStack() as on:

        def switch_on(*, autoreset_ms: int = 0, baud: int = 115200, squares: int = 0) -> LiveBoard:
            firmware = workshop.firmware(leds=LEDS, baud=baud, squares=squares)
            return on.enter_context(
                LiveBoard(workshop.emulator(), firmware, link=tmp_path / "board", autoreset_ms=autoreset_ms)
            )

        yield switch_on


@pytest.fixture
def driver(tmp_path: Path) -> Generator[Driver, None, None]:
    driver = Driver(SerialTransport(str(tmp_path / "board"), lister=list, brightness=AS_SENT))
    yield driver
    driver.stop()


def picture(seed: int) -> LedFrame:
    chance = Random(seed)
    return LedFrame.of(Colour(*chance.randbytes(3)) for _ in range(LEDS))


def shows(board: LiveBoard, frame: LedFrame) -> None:
    board.wait(lambda events: bool(lit := frames(events)) and lit[-1].pixels == frame.pixels(), PATIENCE)


def lit(board: LiveBoard) -> set[bytes]:
    """Return what the LEDs showed but darkness; a reset may cut the first dark picture short."""
    return {frame.pixels for frame in frames(board.events) if any(frame.pixels)}


@pytest.mark.parametrize("baud", [115200, 500000])
def test_the_leds_show_what_the_driver_was_told(live: SwitchOn, driver: Driver, baud: int) -> None:
    board = live(autoreset_ms=300, baud=baud)
    driver.start()
    for seed in range(3):
        driver.show(picture(seed))
        shows(board, picture(seed))
    assert driver.board is not None
    assert (driver.board.protocol, driver.board.leds) == ("own", LEDS)
    assert sum(frame.data["out_of_spec"] for frame in frames(board.events)) == 0
    assert lit(board) <= {picture(seed).pixels() for seed in range(3)}
    driver.stop()
    shows(board, LedFrame.of([Colour(0, 0, 0)] * LEDS))


def test_each_press_reaches_the_listener_once(live: SwitchOn, driver: Driver) -> None:
    board = live(squares=64)
    heard: list[Button | Squares] = []
    driver.listen(heard.append)
    driver.start()
    driver.show(picture(1))
    shows(board, picture(1))
    for down in (1, 0):
        board.command(f"button 0 {down}")
        until(lambda: [it.pressed for it in heard if isinstance(it, Button)][-1:] == [bool(down)], PATIENCE)  # noqa: B023  (called at once)
    board.command("squares 8000000000000001")
    until(lambda: any(it.occupied == 1 << 63 | 1 for it in heard if isinstance(it, Squares)), PATIENCE)
    assert [it for it in heard if isinstance(it, Button)] == [Button(0, 0, pressed=True), Button(1, 0, pressed=False)]


def test_a_board_that_was_unplugged_is_right_again_when_it_is_back(live: SwitchOn, driver: Driver) -> None:
    board = live()
    driver.start()
    driver.show(picture(1))
    shows(board, picture(1))
    board.close()
    driver.show(picture(2))
    back = live(autoreset_ms=300)
    shows(back, picture(2))


def test_a_disturbed_wire_shows_nothing_wrong_and_in_the_end_the_right_picture(live: SwitchOn, driver: Driver) -> None:
    board = live()
    driver.start()
    driver.show(picture(0))
    shows(board, picture(0))
    board.command("faults 2003 1501")  # primes: the damage wanders over the frame
    for seed in range(1, 12):
        driver.show(picture(seed))
        shows(board, picture(seed))
    assert lit(board) <= {picture(seed).pixels() for seed in range(12)}
