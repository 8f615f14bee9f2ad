"""``companion doctor``: what this computer lacks for the table, and how to fix it."""

import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

LEAST_FREE = 500 * 1024 * 1024  # bytes; a long match with the pictures of its throws has about 100 MB
DAY_SECONDS = 86_400  # seconds
CONTAINER = Path("/.dockerenv")
CAMERA_RIGHTS = {
    "darwin": "Allow the camera for your terminal: System Settings, Privacy & Security, Camera.",
    "win32": "Allow the camera for desktop apps: Settings, Privacy & security, Camera.",
}


@dataclass(frozen=True)
class Diagnosis:
    """One thing that was examined: what was found, how to fix it if it is not well, and whether it is well."""

    message: str
    fix: str = ""
    well: bool = True


@click.command(name="doctor")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The page's port.")
@click.option("--camera", metavar="SOURCE", help="Also take a picture with this camera, named as for serve.")
@click.option("--delete-reports", is_flag=True, help="Delete what ONNX Runtime kept to report to its maker.")
def command(port: int, camera: str | None, *, delete_reports: bool) -> None:
    """Say what is missing on this computer, and how to fix it."""
    from companion.program import own_folder

    folder = own_folder()
    findings = [
        python(),
        opencv(),
        nets(),
        *reports(delete=delete_reports),
        samples(),
        *cameras(Path("/dev"), _may_use),
        *([] if camera is None else [picture(camera)]),
        *serial_ports(Path("/dev"), _may_use),
        free_port(port),
        room(folder),
        clock(time.time(), folder / "journal.db"),
    ]
    for finding in findings:
        click.echo(f"{'ok     ' if finding.well else 'MISSING'}  {finding.message}")
        if not finding.well:
            click.echo(f"         {finding.fix}")
    faults = sum(not finding.well for finding in findings)
    click.echo("Everything is fine." if not faults else f"{faults} to fix.")
    if faults:
        raise click.exceptions.Exit(1)


def python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Diagnosis:
    """Tell whether Python is new enough."""
    message = f"Python {'.'.join(map(str, version))}"
    return Diagnosis(message, "Install Python 3.11 or newer.", well=version >= (3, 11))


def opencv() -> Diagnosis:
    """Tell whether OpenCV and the libraries that it wants can be loaded."""
    try:
        import cv2
    except ImportError as error:
        return Diagnosis(f"OpenCV: {error}", "On Debian: sudo apt install libgl1 libglib2.0-0", well=False)
    return Diagnosis(f"OpenCV {cv2.__version__}")


def nets() -> Diagnosis:
    """Tell whether ONNX Runtime, which runs the reader's nets, can be loaded."""
    try:
        from companion.vision.dice.runtime import onnxruntime
    except ImportError as error:
        fix = "On Windows install Microsoft's Visual C++ runtime; elsewhere: pip install --force-reinstall onnxruntime"
        return Diagnosis(f"ONNX Runtime: {error}", fix, well=False)
    return Diagnosis(f"ONNX Runtime {onnxruntime.__version__}")


def reports(*, delete: bool = False) -> Iterator[Diagnosis]:
    """Tell what an earlier version let ONNX Runtime keep to report to its maker, and ``delete`` it."""
    from platformdirs import user_cache_path, user_data_path

    homes = {user_cache_path("Microsoft", appauthor=False), user_data_path("Microsoft", appauthor=False)}
    places = [home / "DeveloperTools" / ".onnxruntime" for home in sorted(homes)]
    for place in [*places, Path(tempfile.gettempdir()) / ".ses"]:
        if not place.exists():
            continue
        try:
            if delete:
                shutil.rmtree(place) if place.is_dir() else place.unlink()
        except OSError as error:
            yield Diagnosis(f"{place} cannot be deleted: {error.strerror}", "Delete it yourself.", well=False)
            continue
        offer = "deleted" if delete else "delete it with: companion doctor --delete-reports"
        yield Diagnosis(f"ONNX Runtime kept reports for its maker in {place}, before Alea switched that off: {offer}")


def samples() -> Diagnosis:
    """Tell which demonstrations there are."""
    from companion.vision.sources.scripted import SAMPLES, samples

    found = samples()
    if not found:
        return Diagnosis(f"There are no demonstrations in {SAMPLES}", "Install the program again.", well=False)
    return Diagnosis(f"Demonstrations: {', '.join(found)}")


def picture(camera: str) -> Diagnosis:
    """Tell whether a camera sends a picture."""
    from companion.commands.advise import picture_from
    from companion.vision.sources.address import shown_address

    shown = shown_address(camera)
    try:
        height, width = picture_from(camera).shape[:2]
    except click.ClickException as error:
        rights = CAMERA_RIGHTS.get(sys.platform, "See the lines about cameras above.")
        return Diagnosis(f"Camera {shown} sends no picture. {error.message}", rights, well=False)
    return Diagnosis(f"Camera {shown} sends pictures of {width}x{height}")


def cameras(devices: Path, may_use: Callable[[Path], bool]) -> Iterator[Diagnosis]:
    """Yield which cameras Linux has in the folder ``devices``, and whether this user may use them."""
    if not sys.platform.startswith("linux"):
        yield Diagnosis("Cameras: try them with companion advise --camera 0")
        return
    found = sorted(devices.glob("video[0-9]*"))
    if not found:
        hint = " Pass one into this container: docker run --device /dev/video0" if CONTAINER.exists() else ""
        yield Diagnosis(f"No camera is plugged in; a phone can be one, and no game needs one.{hint}")
    for device in found:
        fix = "Run: sudo usermod -aG video $USER   and log in again."
        yield Diagnosis(f"Camera {device}", fix, well=may_use(device))


def serial_ports(devices: Path, may_use: Callable[[Path], bool]) -> Iterator[Diagnosis]:
    """Yield the serial ports of the folder ``devices`` to which a board of LEDs may be connected."""
    for device in sorted([*devices.glob("ttyUSB*"), *devices.glob("ttyACM*")]):
        fix = "Run: sudo usermod -aG dialout $USER   and log in again."
        yield Diagnosis(f"Serial port {device}, for a board of LEDs", fix, well=may_use(device))


def free_port(port: int) -> Diagnosis:
    """Tell whether the page can listen on a port of this computer."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        fix = "Another table may be running. End it, or choose another port: companion serve --port 8001"
        return Diagnosis(f"Port {port} cannot be used: {error.strerror}", fix, well=False)
    return Diagnosis(f"Port {port} is free")


def room(folder: Path) -> Diagnosis:
    """Tell whether there is room for matches in a folder that may not exist yet, and whether it can be written."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(there, os.W_OK):
        return Diagnosis(f"{there} cannot be written", f"Make it yours: sudo chown -R $USER {there}", well=False)
    free = shutil.disk_usage(there).free
    message = f"{free // (1024 * 1024)} MB are free for matches in {folder}"
    return Diagnosis(
        message, f"Delete something: {LEAST_FREE // (1024 * 1024)} MB are wanted.", well=free >= LEAST_FREE
    )


def clock(now: float, journal: Path) -> Diagnosis:
    """Tell whether the clock is right enough; ``now`` is in seconds since 1970, ``journal`` may not exist yet."""
    from companion.program import RELEASE_TIME

    message = f"The clock says {time.strftime('%Y-%m-%d %H:%M', time.localtime(now))}"
    fix = "Set it: sudo timedatectl set-ntp true"
    if journal.exists() and now < journal.stat().st_mtime - DAY_SECONDS:
        return Diagnosis(f"{message}, but the last match was played after that", fix, well=False)
    return Diagnosis(message, fix, well=now >= RELEASE_TIME)


def _may_use(device: Path) -> bool:
    return os.access(device, os.R_OK | os.W_OK)
