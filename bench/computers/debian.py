"""Debian 12 for ARM64 in a folder: every program in it runs by qemu-user, which emulates a Raspberry Pi 4's processor.

The folder keeps what it took minutes to make: the system, the wheels, and the environment that they were installed
into. A step that is done is not done again; one that was broken off is begun again.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
SUITE: Final = "bookworm"
LOCK: Final = ROOT / "requirements.lock"
PYTHON: Final = "3.11"
GLIBC: Final = 36  # of Debian 12, 2.36: it takes wheels for this version and older ones
TOOLS: Final = {
    "debootstrap": "debootstrap",
    "qemu-aarch64-static": "qemu-user-static",
    "unshare": "util-linux",
    "chroot": "coreutils",
}
"""Commands that are needed, and the Debian packages that bring them."""

PROCESSOR: Final = "cortex-a72"
"""That of a Raspberry Pi 4. With qemu's own, which can do more than that, NumPy warns of sums that are right."""

FORMATS: Final = Path("/proc/sys/fs/binfmt_misc")
NAME: Final = "alea-aarch64"
MAGIC: Final = "7f454c460201010000000000000000000200b700"
MASK: Final = "ffffffffffffff00fffffffffffffffffeffffff"
"""How a program for ARM64 begins, and which bits of that count."""


class NotHereError(RuntimeError):
    """This computer cannot run programs for ARM64; the message says what it lacks."""


def check_tools() -> None:
    """See whether everything is here.

    Raises:
        NotHereError: a tool is missing, or the rights to use it.
    """
    missing = {package for tool, package in TOOLS.items() if shutil.which(tool, path=_path()) is None}
    if missing:
        names = " ".join(sorted(missing))
        raise NotHereError(f"Expected the Debian packages {names}, but they are not here: sudo apt install {names}")
    if os.geteuid():
        raise NotHereError("Expected to run as root, to make another system in a folder: put sudo before the command.")


def _path() -> str:
    return f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"  # an account's path may lack the last two


@contextmanager
def emulated() -> Iterator[None]:
    """Have the kernel run programs for ARM64 by qemu until the block ends; one that does so already goes on.

    The kernel opens qemu when it is registered (flag F), so the other system needs no copy of it.

    Raises:
        NotHereError: the kernel has no way to run programs by another.
    """
    if not (FORMATS / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", FORMATS], check=False, capture_output=True)
    if not (FORMATS / "register").exists():
        raise NotHereError(
            f"Expected to mount binfmt_misc at {FORMATS}, but the kernel refuses: try a virtual machine."
        )
    if any(MAGIC in entry.read_text() for entry in FORMATS.iterdir() if entry.name not in ("register", "status")):
        yield
        return
    magic, mask = ("".join(f"\\x{text[at : at + 2]}" for at in range(0, len(text), 2)) for text in (MAGIC, MASK))
    qemu = shutil.which("qemu-aarch64-static", path=_path())
    (FORMATS / "register").write_text(f":{NAME}:M::{magic}:{mask}:{qemu}:OCF")
    try:
        yield
    finally:
        (FORMATS / NAME).write_text("-1")


class Debian:
    """The other system, with the program's locked wheels in an environment of its own."""

    def __init__(self, folder: Path) -> None:
        """``folder``: where it is kept from one run to the next."""
        self._folder = folder
        self._lock = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
        self._wheels = folder / f"wheels-{self._lock}"
        self._system = folder / SUITE
        self.python = f"/opt/alea-{self._lock}/bin/python"
        """The Python of the environment, by its name in there."""

    def make(self) -> None:
        """Make what is missing: the system, the wheels for it, and the environment with them."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if not self._system.exists():
            part = _emptied(self._folder / f"{SUITE}.part")
            _done(
                "debootstrap",
                "--arch=arm64",
                "--foreign",
                "--variant=minbase",
                "--include=python3,python3-venv",
                SUITE,
                part,
            )
            _done("chroot", part, "/debootstrap/debootstrap", "--second-stage")
            part.rename(self._system)
        if not self._wheels.exists():
            self._fetch()
        environment = Path(self.python).parents[1]
        if not self.inside(environment / "whole").exists():
            shutil.rmtree(self.inside(environment), ignore_errors=True)
            self.done("python3", "-m", "venv", str(environment))
            shutil.copy(LOCK, self.inside(Path("/opt/requirements.lock")))
            self.pip("--require-hashes", "-r", "/opt/requirements.lock")
            self.inside(environment / "whole").touch()

    def _fetch(self) -> None:
        """Fetch the locked wheels as this Debian's pip would choose them; a hash that the lock lacks is refused."""
        part = _emptied(self._folder / "wheels.part")
        platforms = [f"--platform=manylinux_2_{version}_aarch64" for version in range(17, GLIBC + 1)]
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:")
        _done(
            *pip,
            "--require-hashes",
            f"--python-version={PYTHON}",
            "--implementation=cp",
            *platforms,
            "--platform=manylinux2014_aarch64",
            "-r",
            LOCK,
            "-d",
            part,
        )
        part.rename(self._wheels)

    def install(self, wheel: Path) -> None:
        """Install the program's wheel, and nothing that it may ask for."""
        there = self.inside(Path("/opt") / wheel.name)
        shutil.copy(wheel, there)
        self.pip("--no-deps", "--force-reinstall", f"/opt/{wheel.name}")
        there.unlink()

    def pip(self, *what: str) -> None:
        """Have the pip in there install something, without a network."""
        self.done(self.python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links=/mnt", *what)

    def inside(self, path: Path) -> Path:
        """Return a path in there by its name out here."""
        return self._system / path.relative_to("/")

    def command(self, *command: str) -> list[str]:
        """Return how to run a command in there from out here: it sees its own files, the wheels, and a bare /sys.

        The process that is started becomes that command, so a signal to it reaches the command.
        """
        mounts = (
            'mount --bind "$2" "$1/mnt" && mount -t proc proc "$1/proc" && root=$1 && shift 2 && exec chroot "$root"'
        )
        clean = [
            "env",
            "-i",
            "PATH=/usr/bin:/bin",
            "HOME=/root",
            "LANG=C.UTF-8",
            f"QEMU_CPU={PROCESSOR}",
            "PIP_CONFIG_FILE=/dev/null",
        ]
        quoted = f'{mounts} {" ".join(clean)} "$@"'
        return ["unshare", "--mount", "sh", "-c", quoted, "sh", str(self._system), str(self._wheels), *command]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in there and return what it printed."""
        return subprocess.run(self.command(*command), capture_output=True, text=True, check=False, env=_environment())

    def done(self, *command: str) -> str:
        """Run a command in there that must work, and return what it printed.

        Raises:
            NotHereError: it did not work.
        """
        return _done(*self.command(*command))


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": _path()}


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def _done(*command: Any) -> str:
    words: Sequence[str] = [str(word) for word in command]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, env=_environment())
    if ran.returncode:
        raise NotHereError(f"{' '.join(words)[:300]} ended with {ran.returncode}:\n{(ran.stdout + ran.stderr)[-2000:]}")
    return ran.stdout
