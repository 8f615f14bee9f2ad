"""Builds the firmware and the program that emulates a board around it, each once, in a folder of its own."""

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parents[2] / "firmware_bridge" / "firmware"
TOOLS = {
    "gcc-avr": Path("/usr/bin/avr-gcc"),
    "binutils-avr": Path("/usr/bin/avr-size"),
    "avr-libc": Path("/usr/lib/avr/include/avr/io.h"),
    "libsimavr-dev": Path("/usr/include/simavr/sim_avr.h"),
    "libelf-dev": Path("/usr/include/libelf.h"),
    "gcc": Path("/usr/bin/gcc"),
    "libc6-dev": Path("/usr/include/stdio.h"),
    "make": Path("/usr/bin/make"),
}


class BuildError(RuntimeError):
    """Something does not compile; the compiler's words are in the message."""


class Workshop:
    """Builds into ``folder`` what is asked for, and keeps it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @staticmethod
    def missing() -> str | None:
        """Return a sentence that names the Debian packages that building needs and that are not here, or None."""
        missing = [package for package, file in TOOLS.items() if not file.exists()]
        return f"To build and emulate the firmware install {' '.join(missing)}." if missing else None

    def emulator(self) -> Path:
        """Return the program of ``harness/``."""
        return self._made(HERE / "harness", self.folder / "harness") / "ledboard"

    def firmware(
        self, *, baud: int = 115200, leds: int = 128, buttons: int = 1, squares: int = 0, watchdog: bool = True
    ) -> Path:
        """Return the firmware's binary with these flags.

        Raises:
            BuildError: it does not build, or would not leave enough memory for the stack.
        """
        flags = {"BAUD": baud, "LEDS": leds, "BUTTONS": buttons, "SQUARES": squares, "WATCHDOG": int(watchdog)}
        name = "firmware-" + "-".join(map(str, flags.values()))
        return self._made(FIRMWARE, self.folder / name, **flags, STRICT="-Werror") / "ledboard.elf"

    def parser(self, leds: int) -> Path:
        """Return the firmware's own frame.c as a library for this computer."""
        return self._compiled(f"frame-{leds}.so", leds, "-O1", "-shared", "-fPIC")

    def guarded_parser(self, leds: int) -> Path:
        """Return a program that reads bytes with frame.c and stops at the first access to what is not its own."""
        guards = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
        return self._compiled(f"parser-{leds}", leds, *guards, f"-I{FIRMWARE}", str(HERE / "parser_fuzz.c"))

    def _compiled(self, name: str, leds: int, *options: str) -> Path:
        made = self.folder / name
        if not made.exists():
            gcc = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fshort-enums", f"-DLEDS={leds}"]
            _run([*gcc, "-o", str(made), *options, str(FIRMWARE / "frame.c")])
        return made

    def _made(self, source: Path, build: Path, **flags: object) -> Path:
        if not build.exists():
            # the environment of a surrounding make must not reach this one
            _run(
                ["make", "-s", "-C", str(source), f"BUILD={build}", *(f"{key}={value}" for key, value in flags.items())]
            )
        return build


def _run(command: list[str]) -> None:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        shutil.rmtree(next((part[6:] for part in command if part.startswith("BUILD=")), ""), ignore_errors=True)
        raise BuildError(f"{' '.join(command)} ended with {done.returncode}: {done.stdout}{done.stderr}")
