"""Which program this is: its version, and a digest of the sources that compute something."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

PROGRAM: Final = "alea-companion"

RELEASE_TIME: Final = 1_767_225_600
"""2026-01-01, in seconds since 1970: a clock before it is wrong."""


def program_version() -> str:
    """Return the version of this program, or "unknown" if it is not installed."""
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "unknown"


def own_folder() -> Path:
    """Return the folder in which this program keeps what a user has; it need not exist yet."""
    from platformdirs import user_data_path  # noqa: PLC0415  (asked for when a file is, so that commands start quickly)

    return user_data_path(PROGRAM, appauthor=False)


@cache
def sources_digest(*packages: str) -> str:
    """Return the SHA-256 of the sources of these packages: of each file's name and text, in order."""
    whole = sha256()
    for package in packages:
        for name, text in sorted(_texts(files(package), package)):
            whole.update(f"{name}\n{len(text)}\n".encode())
            whole.update(text)
    return whole.hexdigest()


def _texts(place: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for inner in place.iterdir():
        if inner.is_dir():
            yield from _texts(inner, f"{name}/{inner.name}")
        elif inner.name.endswith((".py", ".toml")):
            yield f"{name}/{inner.name}", inner.read_bytes().replace(b"\r\n", b"\n")
