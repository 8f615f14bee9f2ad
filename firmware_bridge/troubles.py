"""Why a port cannot be used, in a sentence that says what to do."""

import errno
from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.ports import Port
from firmware_bridge.transport import BoardAwayError, BoardError

_PROC = Path("/proc")
_BRAILLE = "brltty"
_MODEMS = "ModemManager"
BRAILLE_VENDORS = frozenset({0x1A86, 0x10C4, 0x0403})
"""Makers whose chips brltty takes for braille displays."""


def explain(why: OSError, port: Port, running: frozenset[str] | None = None) -> BoardError:
    """Return the error to raise instead of one that the system gave when ``port`` was opened.

    ``running`` are the names of the programs that run; by default they are looked up.
    """
    if isinstance(why, BoardError):
        return why
    names = running_programs() if running is None else running
    match why.errno:
        case errno.EACCES | errno.EPERM:
            return BoardError(_not_allowed(port))
        case errno.EAGAIN | errno.EBUSY:
            return BoardError(_in_use(port, names))
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return BoardAwayError(away(port.device, names))
        case _:
            return BoardError(f"The port {port} cannot be opened: {why.strerror or why}.")


def away(wanted: str | None, running: frozenset[str] | None = None, *, same_socket: bool = False) -> str:
    """Say that the port that was named is not there, or with None that none is that may be a board's.

    ``same_socket``: its chip has no number, so it is known only where it was.
    """
    if wanted is None:
        said = (
            "No serial port is there that an LED board may be behind: is it plugged in, by a cable that carries data?"
        )
    else:
        said = f"The LED board at {wanted} is not plugged in; it is waited for."
        said += " Its chip has no number of its own: plug it into the same socket." if same_socket else ""
    if _BRAILLE in (running_programs() if running is None else running):
        said += (
            " The program brltty runs and takes many such ports for braille displays: if nobody needs it,"
            " run `sudo systemctl mask --now brltty-udev.service brltty.service`, then plug the board in again."
        )
    return said


def silent(port: Port, speeds: list[int]) -> str:
    """Say that nothing answers at a port."""
    tried = ", ".join(map(str, speeds))
    return f"Nothing answers at {port} (speeds {tried}): does the board have power, and is its program on it?"


def none_answers(ports: Sequence[Port]) -> str:
    """Say that none of the ports that may be asked is a board's."""
    names = ", ".join(map(str, ports))
    return f"No LED board answers; asked in vain: {names}. Plug it out and in to have it asked again, or name its port."


def other_speed(port: Port, wanted: int, found: int) -> str:
    """Say that a board answers at another speed than the one that was asked for."""
    return f"The LED board at {port} speaks at {found} baud, not at {wanted}: use it with that speed."


def running_programs(proc: Path = _PROC) -> frozenset[str]:
    """Return the names of the programs that run, as far as they can be seen."""
    names = set()
    for entry in proc.glob("[0-9]*/comm"):
        try:
            names.add(entry.read_text("utf-8", "replace").strip())
        except OSError:  # it has ended meanwhile
            continue
    return frozenset(names)


def _not_allowed(port: Port) -> str:
    group = _group(port.device)
    if group in (None, "root"):
        return f"The port {port} may not be opened: see `ls -l {port.device}` for whom it belongs to."
    return (
        f"The port {port} may not be opened: it is for the group {group}."
        f" Run `sudo usermod -aG {group} $USER`, then log out and in again."
    )


def _group(device: str) -> str | None:
    import grp  # noqa: PLC0415  (there is none on Windows)

    try:
        return grp.getgrgid(Path(device).stat().st_gid).gr_name
    except (OSError, KeyError):
        return None


def _in_use(port: Port, running: frozenset[str]) -> str:
    said = f"The port {port} is used by another program: close that, or the other companion."
    if _MODEMS in running:
        said += (
            " The program ModemManager runs and asks new ports for a few seconds whether they are modems:"
            f" if it stays so, give the port the udev property ID_MM_DEVICE_IGNORE=1{_of_device(port)}."
        )
    return said


def _of_device(port: Port) -> str:
    return "" if port.vid is None or port.pid is None else f" (device {port.vid:04x}:{port.pid:04x})"
