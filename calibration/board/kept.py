"""Where profiles of boards and lenses are kept: one folder beside the matches, for the command and the page alike."""

from pathlib import Path

from companion.vision.boards.board_profile import ENDING


def folder() -> Path:
    """Return the folder of profiles and lenses; it need not be there yet."""
    from platformdirs import user_data_path  # noqa: PLC0415  (asked for when a file is, so that commands start quickly)

    return user_data_path("alea-companion", appauthor=False) / "boards"


def profile_path(name: str) -> Path:
    """Return where a profile of this name is kept; the name is checked by who saves it."""
    return folder() / f"{name}{ENDING}"


def lens_path(name: str) -> Path:
    """Return where a lens of this name is kept."""
    return folder() / f"{name}.lens"


def profile_names() -> list[str]:
    """Return the names of the profiles that are kept, in their order."""
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
