"""Where profiles of learnt dice are stored: one folder beside the matches, for both the commands and the page."""

from pathlib import Path

from companion.program import own_folder
from companion.vision.dice.memory.profile import ENDING


def folder() -> Path:
    """Return the folder of the profiles; it need not exist yet."""
    return own_folder() / "dice"


def profile_path(name: str) -> Path:
    """Return the path of the profile with this name; the saving code checks the name."""
    return folder() / f"{name}{ENDING}"
