"""What a system without POSIX's own modules can do, as Windows: all of it, but boards of LEDs on a cable.

Nobody has run the program on Windows; here the modules that Windows lacks are hidden from another process.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ON_A_CABLE = {"firmware_bridge.identify", "firmware_bridge.serial_transport", "firmware_bridge.serial_wire"}
HIDE = """
import importlib, pkgutil, sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in {"termios", "fcntl", "grp", "pwd", "resource", "pty", "tty", "curses", "readline", "syslog"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
"""
IMPORT_ALL = """
import companion, calibration, firmware_bridge
failed = []
for package in (companion, calibration, firmware_bridge):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            try: importlib.import_module(module.name)
            except ImportError: failed.append(module.name)
print(*failed)
"""
COMPANION = """
from companion.cli import main
main({words!r}, prog_name="companion")
"""


def without_posix(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in another process that has none of these modules."""
    return subprocess.run(
        [sys.executable, "-c", HIDE + code], capture_output=True, text=True, check=False, cwd=ROOT, timeout=300
    )


def test_all_can_be_imported_but_what_drives_a_board_on_a_cable() -> None:
    ran = without_posix(IMPORT_ALL)
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) == ON_A_CABLE


def test_a_board_on_a_cable_is_refused_with_one_sentence() -> None:
    ran = without_posix(COMPANION.format(words=["leds", "test", "--leds", "auto"]))
    assert ran.returncode == 1
    assert ran.stderr == (
        "Error: So far LED boards on a cable work only on Linux and macOS: choose one on the network, such as "
        "wled://HOST.\n"
    )


def test_a_board_on_the_network_and_a_simulated_one_can_be_chosen() -> None:
    ran = without_posix(
        "from firmware_bridge.chosen import chosen\nprint(chosen('wled://leds.local').name, chosen('simulated').name)"
    )
    assert (ran.returncode, ran.stdout) == (0, "LED board at leds.local simulated LED board\n"), ran.stderr


def test_the_doctor_is_well() -> None:
    ran = without_posix(COMPANION.format(words=["doctor", "--port", "1"]))
    assert "OpenCV" in ran.stdout
    assert not ran.stderr
