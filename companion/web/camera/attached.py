"""The cameras that are plugged into this computer, for a person to choose one."""

from dataclasses import dataclass
from pathlib import Path

DEVICES = Path("/sys/class/video4linux")


@dataclass(frozen=True, order=True)
class Attached:
    """A camera by its number, as ``--camera`` takes it, and the name that it gives itself."""

    number: int
    name: str


def attached_cameras(devices: Path = DEVICES) -> list[Attached]:
    """Return the cameras that Linux lists, by number; an empty list where the system lists none.

    A camera has several devices; only the one with index 0 sends pictures.
    """
    found = []
    for device in devices.glob("video*"):
        number = device.name.removeprefix("video")
        try:
            if number.isdecimal() and (device / "index").read_text().strip() == "0":
                found.append(Attached(int(number), (device / "name").read_text(errors="replace").strip()))
        except OSError:
            continue  # unplugged a moment ago
    return sorted(found)
