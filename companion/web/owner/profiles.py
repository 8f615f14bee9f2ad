"""The profiles of dice and boards on the disk, listed from their heads only: no picture in them is decoded."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from calibration.board.kept import folder as board_folder
from calibration.learning.kept import folder as dice_folder
from companion.rules.strict_json import read_json, shown_text
from companion.vision.boards.board_profile import ENDING as BOARD_ENDING
from companion.vision.dice.memory.profile import EARLIER_HEAD
from companion.vision.dice.memory.profile import ENDING as DICE_ENDING
from companion.vision.dice.memory.store import HEAD

MOST_BYTES: Final = 4 * 1024 * 1024  # of a profile's head
MOST_LISTED: Final = 100


@dataclass(frozen=True)
class ProfileListed:
    """One profile: its name, its dice set or board, when it was made (ISO 8601), and the content of its head.

    ``whole``: False if the file is torn or no profile.
    """

    name: str
    of: str = ""
    made: str = ""
    whole: bool = True
    head: Mapping[str, Any] = field(default_factory=dict)


def dice_profiles() -> list[ProfileListed]:
    """Return the profiles of learnt dice, by name; ``head`` counts their ``looks``."""
    profiles = []
    for name, head in _heads(dice_folder(), DICE_ENDING, HEAD, EARLIER_HEAD):
        faces = head.get("faces")
        counted = {"looks": len(faces) if isinstance(faces, list) else 0}
        profiles.append(_listed(name, head, "set", counted))
    return profiles


def board_profiles() -> list[ProfileListed]:
    """Return the profiles of calibrated boards, by name; ``head`` has their ``quality`` as judged when calibrating."""
    return [
        _listed(name, head, "board", {"quality": head.get("quality") or {}})
        for name, head in _heads(board_folder(), BOARD_ENDING, "profile.json")
    ]


def _listed(name: str, head: Mapping[str, Any], of: str, kept: Mapping[str, Any]) -> ProfileListed:
    if not head:
        return ProfileListed(name, whole=False)
    return ProfileListed(name, str(head.get(of, "")), str(head.get("made", "")), head=kept)


def _heads(folder: Path, ending: str, *parts: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    paths = sorted(folder.glob(f"*{ending}"))[:MOST_LISTED] if folder.is_dir() else []
    for path in paths:
        try:
            with zipfile.ZipFile(path) as archive:
                part = next(part for part in parts if part in archive.namelist())
                if archive.getinfo(part).file_size > MOST_BYTES:
                    raise ValueError("a head far too large")  # noqa: TRY301  (one way out)
                head = read_json(archive.read(part))
        except (OSError, ValueError, StopIteration, EOFError, RecursionError, zipfile.BadZipFile, NotImplementedError):
            head = {}
        yield shown_text(path.name.removesuffix(ending)), head if isinstance(head, Mapping) else {}
