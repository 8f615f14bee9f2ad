"""Why a port cannot be used, in a sentence that says what to do."""

import errno
from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.phrase import Phrase
from firmware_bridge.ports import Port
from firmware_bridge.transport import BoardAwayError, BoardError

_PROC = Path("/proc")
_BRAILLE = "brltty"
_MODEMS = "ModemManager"


def explain(why: OSError, port: Port, running: frozenset[str] | None = None) -> BoardError:
    """Return the error to raise for one that the system reported when ``port`` was opened.

    ``running``: the names of the running programs; by default they are looked up.
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
            return BoardError(
                Phrase("The port {port} cannot be opened: {why}.", port=str(port), why=str(why.strerror or why))
            )


def away(wanted: str | None, running: frozenset[str] | None = None, *, same_socket: bool = False) -> Phrase:
    """Say that the named port is not there, or with None that there is no port that may be a board's.

    ``same_socket``: its chip has no number, so only its socket identifies it.
    """
    if wanted is None:
        phrase = Phrase("There is no serial port for an LED board: is it plugged in, with a cable that carries data?")
    elif same_socket:
        phrase = Phrase(
            "The LED board at {port} is not plugged in; the program waits for it. Its chip has no serial number: "
            "plug it into the same socket.",
            port=wanted,
        )
    else:
        phrase = Phrase("The LED board at {port} is not plugged in; the program waits for it.", port=wanted)
    if _BRAILLE in (running_programs() if running is None else running):
        return Phrase(
            "{said} The program brltty is running and takes many such ports for braille displays: if nobody needs "
            "it, run `sudo systemctl mask --now brltty-udev.service brltty.service`, then plug the board in again.",
            said=phrase,
        )
    return phrase


def silent(port: Port, speeds: list[int]) -> Phrase:
    """Say that nothing answers at a port."""
    tried = ", ".join(map(str, speeds))
    return Phrase(
        "Nothing answers at {port} (speeds {tried}): does the board have power, and is its firmware installed?",
        port=str(port),
        tried=tried,
    )


def none_answers(ports: Sequence[Port]) -> Phrase:
    """Say that no LED board answers at any of the ports that may be asked."""
    names = ", ".join(map(str, ports))
    return Phrase(
        "No LED board answers; tried: {names}. Unplug it and plug it in again to retry, or name its port.",
        names=names,
    )


def running_programs(proc: Path = _PROC) -> frozenset[str]:
    """Return the names of the running programs, as far as they are visible."""
    names = set()
    for entry in proc.glob("[0-9]*/comm"):
        try:
            names.add(entry.read_text("utf-8", "replace").strip())
        except OSError:  # it has ended meanwhile
            continue
    return frozenset(names)


def _not_allowed(port: Port) -> Phrase:
    group = _group(port.device)
    if group in (None, "root"):
        return Phrase(
            "You may not open the port {port}: `ls -l {device}` shows who owns it.",
            port=str(port),
            device=port.device,
        )
    return Phrase(
        "You may not open the port {port}: it belongs to the group {group}. Run `sudo usermod -aG {group} $USER`, "
        "then log out and in again.",
        port=str(port),
        group=group,
    )


def _group(device: str) -> str | None:
    import grp  # noqa: PLC0415  (there is none on Windows)

    try:
        return grp.getgrgid(Path(device).stat().st_gid).gr_name
    except (OSError, KeyError):
        return None


def _in_use(port: Port, running: frozenset[str]) -> Phrase:
    if _MODEMS not in running:
        return Phrase("Another program is using the port {port}: close it, or the other companion.", port=str(port))
    return Phrase(
        "Another program is using the port {port}: close it, or the other companion."
        " ModemManager is running; it probes new ports for a few seconds to see whether they are modems."
        " If the port stays busy, give it the udev property {property}.",
        port=str(port),
        property=f"ID_MM_DEVICE_IGNORE=1{_of_device(port)}",
    )


def _of_device(port: Port) -> str:
    return "" if port.vid is None or port.pid is None else f" (device {port.vid:04x}:{port.pid:04x})"
