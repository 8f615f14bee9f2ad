"""Where profiles of learnt dice are kept: one folder beside the matches, for the commands and the page alike."""

from pathlib import Path

from companion.vision.dice.profile import ENDING


def folder() -> Path:
    """Return the folder of the profiles; it need not be there yet."""
    from platformdirs import user_data_path  # noqa: PLC0415  (asked for when a file is, so that commands start quickly)

    return user_data_path("alea-companion", appauthor=False) / "dice"


def profile_path(name: str) -> Path:
    """Return where a profile of this name is kept; the name is checked by who saves it."""
    return folder() / f"{name}{ENDING}"
