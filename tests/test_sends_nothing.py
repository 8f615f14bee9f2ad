"""The program sends nothing and leaves nothing outside its own folders: nor does any library that it uses.

Without ``CI`` in the environment, because a library that reports to its maker is silent where that is set.
"""

import re
import sys
from pathlib import Path

from tests.quiet_room import ROOT, Program, quiet

OURS = (".local/share/alea-companion/", ".config/alea-companion/")  # folders of the program in a home
ASKED_FOR = {"kiosk": r"hall/[a-z.]+\.toml", "hall": r"museum/[a-z]+/[a-z.-]+"}  # files that a person wanted
COMPANION = [sys.executable, "-m", "companion"]
PICTURE = ROOT / "sample_images/ludus-regularis/004_throw01_still.jpg"
HALL = """
from companion.cli import main
main(["hall", "init", "museum", "north", "--host", "127.0.0.1"], standalone_mode=False)
main(["hall", "serve", "museum/book/hall.toml", "--port", "8002"])
"""
PROGRAMS = {
    "serve": Program(
        [*COMPANION, "serve", "--sample", "ludus-regularis", "--pace", "4"],
        expected=r'"throws":\s*[1-9]',
        address="http://127.0.0.1:8000/api/state",
    ),
    "doctor": Program([*COMPANION, "doctor", "--port", "8001"]),
    "read": Program([*COMPANION, "read", "--dice", "wibold", str(PICTURE)]),
    "watch": Program([*COMPANION, "fairness", "watch", "--sample", "pips", "--no-page"], expected=r'"outcome"'),
    "kiosk": Program([*COMPANION, "kiosk", "init", "hall"]),
    "hall": Program([sys.executable, "-c", HALL], expected="The desk of museum is at"),
    "libraries": Program([sys.executable, "-c", "import bench, calibration, companion.vision.dice.nets"]),
}


def test_no_program_asks_for_a_name_or_leaves_a_file(tmp_path: Path) -> None:
    room = quiet(tmp_path, list(PROGRAMS.values()))
    for name, seen in zip(PROGRAMS, room.seen, strict=True):
        assert seen.printed, f"{name}: {seen.output}"
        wanted = re.compile(ASKED_FOR.get(name, "$"))
        left = [file for file in seen.files if not file.startswith(OURS) and not wanted.fullmatch(file)]
        assert left == [], f"{name} leaves files outside the program's own folders"
    assert room.asked == [], "names were asked for"
    assert room.addressed == [], "something was sent"
    assert room.files == [], "files stay behind where any program may write"


TELLTALE = """
import pathlib, socket
pathlib.Path.home().joinpath(".number").touch()
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("198.51.100.7", 9))
try: socket.getaddrinfo("telltale.invalid", 443)
except OSError: pass
"""


def test_the_room_notices_whoever_sends_or_leaves_something(tmp_path: Path) -> None:
    room = quiet(tmp_path, [Program([sys.executable, "-c", TELLTALE])])
    assert set(room.asked) == {"telltale.invalid"}
    assert set(room.addressed) == {"198.51.100.7"}
    assert room.seen[0].files == [".number"]
