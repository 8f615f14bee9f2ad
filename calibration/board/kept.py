"""Where profiles of boards and lenses are stored: one folder beside the matches, for both the command and the page."""

import json
from pathlib import Path
from typing import Final

from companion.program import own_folder
from companion.rules.strict_json import read_json
from companion.vision.boards.board_profile import ENDING
from companion.vision.boards.lens import Lens, LensError
from companion.whole_file import write_whole

LENS_KIND: Final = "Alea lens"
LENS_VERSION: Final = 1
LENS_BYTES: Final = 1 << 16
"""A larger file is not a lens."""


def folder() -> Path:
    """Return the folder of profiles and lenses; it need not exist yet."""
    return own_folder() / "boards"


def profile_path(name: str) -> Path:
    """Return the path of the profile with this name; the saving code checks the name."""
    return folder() / f"{name}{ENDING}"


def lens_path(name: str) -> Path:
    """Return the path of the lens with this name."""
    return folder() / f"{name}.lens"


def save_lens(name: str, lens: Lens) -> Path:
    """Write a lens under this name, atomically; return its path. Raises `OSError`."""
    path = lens_path(name)
    data = {"kind": LENS_KIND, "version": LENS_VERSION, "name": name, "lens": lens.to_json()}
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode(), folders=True)
    return path


def load_lens(path: Path) -> Lens:
    """Read a saved lens.

    Raises:
        LensError: there is none, or it is damaged.
    """
    if not path.is_file():
        raise LensError(f"Expected a lens at {path}, but there is none: run 'companion calibrate lens'.")
    try:
        data = read_json(path.read_bytes()[:LENS_BYTES])
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict) or data.get("kind") != LENS_KIND or data.get("version") != LENS_VERSION:
        raise LensError(f"{path} is not a lens that this program can read: measure it with 'companion calibrate lens'.")
    return Lens.from_json(data.get("lens"))


def profile_names() -> list[str]:
    """Return the names of the saved profiles, sorted."""
    kept = folder()
    return sorted(path.name.removesuffix(ENDING) for path in kept.glob(f"*{ENDING}")) if kept.is_dir() else []


def free_name(stem: str) -> str:
    """Return a name that no profile has yet: the stem, or the stem with the next number."""
    taken = set(profile_names())
    number = 2
    name = stem
    while name in taken:
        name, number = f"{stem}-{number}", number + 1
    return name
