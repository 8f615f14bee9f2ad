"""Which nicknames a class takes, and which of them look alike."""

import unicodedata
from functools import cache
from typing import Final, NamedTuple

from companion.data_file import data_of

LONGEST_NAME: Final = 20
"""Characters of a nickname."""

MOST_MARKS: Final = 2
"""Marks above and below one letter: several scripts need two, and many of them cover the lines around."""


def nickname(text: str) -> str | None:
    """Return a text as a nickname: composed, one blank between words; None if it cannot be one."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    marks = MOST_MARKS  # a mark needs a letter before it
    for sign in name:
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks > MOST_MARKS:
            return None
    fits = name.isprintable() and len(name) <= LONGEST_NAME and not _signs().wide.intersection(name)
    return name if fits and skeleton(name) else None


def skeleton(name: str) -> str:
    """Return what two nicknames share that look alike: without case, marks, and what nobody sees."""
    signs = _signs()
    parts = unicodedata.normalize("NFKD", name).translate(signs.alike).casefold().translate(signs.alike)
    seen = (sign for sign in parts if sign not in signs.unseen and not unicodedata.category(sign).startswith("M"))
    return " ".join("".join(seen).split())


class _Signs(NamedTuple):
    """Letters with the one that they look like, and printable signs that show nothing, or far more than a letter."""

    alike: dict[int, str]
    unseen: frozenset[str]
    wide: frozenset[str]


@cache
def _signs() -> _Signs:
    data = data_of(__package__, "lookalikes.toml")
    alike = {ord(sign): latin for latin, signs in data["alike"].items() for sign in signs}
    return _Signs(alike, frozenset(data["unseen"]), frozenset(data["wide"]))
