"""Building and flashing: what cannot work is refused with a sentence, and flashing is one command."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.firmware_bridge.emulated.workshop import FIRMWARE, BuildError, Workshop


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ({"leds": 342}, "LEDS must be from 1 to 341"),
        ({"leds": 341, "squares": 64, "buttons": 4}, "build for fewer LEDs"),
        ({"baud": 230400}, "BAUD cannot be made from this clock: use 115200"),
        ({"buttons": 5}, "BUTTONS must be from 0 to 4"),
        ({"squares": 12}, "SQUARES must be a multiple of 8"),
    ],
)
def test_what_cannot_work_is_not_built(workshop: Workshop, flags: dict[str, Any], why: str) -> None:
    with pytest.raises(BuildError, match=why):
        workshop.firmware(**flags)


@pytest.mark.parametrize("buttons", [0, 4])
@pytest.mark.parametrize("squares", [0, 8, 64])
def test_two_hundred_leds_go_with_any_inputs(workshop: Workshop, buttons: int, squares: int) -> None:
    assert workshop.firmware(leds=200, buttons=buttons, squares=squares).exists()


def test_flashing_is_one_command(workshop: Workshop) -> None:
    workshop.firmware()
    done = _make("-n", "flash", "PORT=/dev/ttyUSB7", f"BUILD={workshop.folder / 'flashing'}")
    (avrdude,) = [line for line in done.stdout.splitlines() if line.startswith("avrdude")]
    assert {"-P", "/dev/ttyUSB7", "-p", "atmega328p"} <= set(avrdude.split())
    assert f"flash:w:{workshop.folder / 'flashing' / 'ledboard.hex'}:i" in avrdude


def test_flashing_without_a_port_asks_for_it(workshop: Workshop, tmp_path: Path) -> None:
    workshop.firmware()
    done = _make("flash", f"BUILD={tmp_path}")
    assert done.returncode
    assert "make flash PORT=/dev/ttyUSB0" in done.stdout


def _make(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    return subprocess.run(
        ["make", "-C", str(FIRMWARE), *arguments], capture_output=True, text=True, check=False, env=environment
    )
