"""The program on another kind of computer: Debian 12 for ARM64 on an emulated Raspberry Pi 4's processor, as root.

In there the locked wheels and the program's own wheel are installed with the hashes of the lock; `companion doctor` is
asked; pictures are read and compared with what this computer reads; the sample table reads its first throw; a match
is played over the page's interface. Times say nothing, as an emulated processor is some twenty times slower.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from bench.computers.debian import PROCESSOR, ROOT, Debian, NotHereError, check_tools, emulated
from bench.computers.slow import events
from bench.page.served import COMPANION, address_in, ask, soon

PATIENCE: Final = 900.0  # seconds for what takes one or two here
PLACES: Final = 4  # of a confidence, as `companion read` writes it
LOUD: Final = 9  # lines of a run's errors that are shown
DRAWN: Final = sorted((ROOT / "sample_images/ludus-regularis").glob("*_still.jpg"))
PHOTOS: Final = sorted((ROOT.parent / "shared/photos/pips-phone").glob("*.jpg"))
THROWS: Final = 12
MATCH: Final = {
    "game": "ludus-regularis",
    "players": ["Anna", "Berno"],
    "dice_by": "program",
    "options": {"ending": "throws", "throws": THROWS},
}

Dice = dict[str, list[tuple[str, float]]]
"""For each picture, the face and the confidence of each die, from top to bottom."""


def wheel(folder: Path) -> Path:
    """Build the program's wheel: it holds no compiled code, so it is the same for every computer."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w"]
    subprocess.run([*pip, folder, ROOT], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def dice_in(output: str) -> Dice:
    """Return the dice that `companion read --json` printed."""
    pictures = [json.loads(line) for line in output.splitlines()]
    return {
        picture["image"]: [
            (die["face"], round(die["confidence"], PLACES))
            for die in sorted(picture["objects"], key=lambda die: die["polygon"][0][1])
        ]
        for picture in pictures
    }


def compared(here: Dice, there: Dice) -> dict[str, Any]:
    """Return how many dice were read, how many faces differ, and how the confidences do."""
    pairs = [(one, other) for name, dice in here.items() for one, other in zip(dice, there.get(name, []), strict=False)]
    apart = [abs(one[1] - other[1]) for one, other in pairs]
    return {
        "pictures": len(here),
        "dice": sum(map(len, here.values())),
        "dice_there": sum(map(len, there.values())),
        "faces_differ": sum(one[0] != other[0] for one, other in pairs),
        "confidences_differ": sum(difference > 0 for difference in apart),
        "most_apart": round(max(apart, default=0.0), PLACES),
    }


def read_there(debian: Debian, dice: str, pictures: list[Path], home: str) -> tuple[Dice, str]:
    """Return the dice that are read in there, and what was printed as errors."""
    for picture in pictures:
        shutil.copy(picture, debian.inside(Path(home)))
    names = [f"{home}/{picture.name}" for picture in pictures]
    ran = debian.run(debian.python, "-m", "companion", "read", "--json", "--dice", dice, *names)
    return dice_in(ran.stdout), ran.stderr


def read_here(dice: str, pictures: list[Path]) -> Dice:
    """Return the dice that are read here."""
    command = [COMPANION, "read", "--json", "--dice", dice, *map(str, pictures)]
    return dice_in(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@contextmanager
def served(debian: Debian, home: str, errors: IO[str]) -> Iterator[str]:
    """Serve the sample table in there, and yield its address; it ends with the block. ``errors``: where it warns."""
    options = ["--sample", "ludus-regularis", "--port", "0", "--journal", f"{home}/match.db"]
    command = debian.command(debian.python, "-m", "companion", "serve", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server:
        assert server.stdout
        try:
            yield address_in(server.stdout)
        finally:
            server.terminate()


def play(address: str) -> dict[str, Any]:
    """Wait for the first throw of the sample; then play a match of the program's dice to its end."""
    first = soon(lambda: ask(address, "/api/state", patience=PATIENCE)["throw"])
    ask(address, "/api/command/new_match", MATCH, PATIENCE)
    while (state := ask(address, "/api/state", patience=PATIENCE))["outcome"] is None:
        ask(address, "/api/command/roll", {}, PATIENCE)
    return {"first_throw": dict(first["faces"]), "match_throws": state["match"]["throws"], "match_ended": True}


def measure(folder: Path, pictures: int) -> dict[str, Any]:
    """Do all of it and return the figures."""
    debian = Debian(folder)
    debian.make()
    with tempfile.TemporaryDirectory() as built:
        debian.install(wheel(Path(built)))
    home = debian.done("mktemp", "--directory").strip()
    system = debian.done(
        debian.python, "-c", "import platform as p; print(p.machine(), p.python_version(), *p.libc_ver())"
    )
    doctor = debian.run(debian.python, "-m", "companion", "doctor")
    readings, loud = {}, doctor.stderr.splitlines()
    for dice, some in (("wibold", DRAWN[:pictures]), ("pips", PHOTOS[:pictures])):
        there, errors = read_there(debian, dice, some, home) if some else ({}, "")
        readings[dice] = compared(read_here(dice, some) if some else {}, there)
        loud += errors.splitlines()
    with tempfile.TemporaryFile("w+") as warned, served(debian, home, warned) as address:
        played = play(address)
        warned.seek(0)
        # not what follows: an emulated reading takes half a minute, and is broken off at the end
        loud += warned.read().splitlines()
    _, _, broken = events(debian.inside(Path(home)) / "match.db")
    shutil.rmtree(debian.inside(Path(home)))
    return {
        "system": [PROCESSOR, *system.split()],
        "doctor": doctor.stdout.splitlines()[-1],
        "readings": readings,
        "lines_of_errors": len(loud),
        "errors": loud[:LOUD],
        **played,
        "broken_matches": broken,
    }


def right(figures: dict[str, Any]) -> bool:
    """Return whether the other computer does the same as this one."""
    same = all(
        one["dice"] == one["dice_there"] and not one["faces_differ"] and one["most_apart"] <= 10**-PLACES
        for one in figures["readings"].values()
    )
    script = json.loads((ROOT / "sample_images/ludus-regularis/script.json").read_text(encoding="utf-8"))
    first = figures["first_throw"] == script["casts"][0]["faces"]
    well = figures["doctor"] == "Everything is fine." and not figures["lines_of_errors"] + figures["broken_matches"]
    return same and first and well and figures["match_throws"] == THROWS


def main() -> int:
    """Print the figures; fail if the other computer does anything else than this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where the other system is kept, 1.5 GB")
    parser.add_argument("-n", type=int, default=10, help="drawn pictures, and as many photographs")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    try:
        check_tools()
        with emulated():
            figures = measure(given.folder.resolve(), given.n)
    except NotHereError as why:
        sys.exit(str(why))
    print(json.dumps(figures))
    return int(not right(figures))


if __name__ == "__main__":
    sys.exit(main())
