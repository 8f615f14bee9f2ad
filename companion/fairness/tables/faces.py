"""Which outcome a cell names, under the ways in which people and spreadsheets write a face."""

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable
from typing import Final, TypeVar

from companion.fairness.outcomes import Outcomes

Key = TypeVar("Key", bound=Hashable)

UNREAD: Final = frozenset(("", "?", "-", "\N{EN DASH}", "\N{EM DASH}", "n/a", "na", "none", "null", "unread"))
"""How people write that they do not know what a throw showed."""

_FORMULA: Final = re.compile(r'="([^"]*)"')

_WHOLE: Final = re.compile(r"\+?(\d{1,9})([.,]0{0,9})?", re.ASCII)
"""A number as spreadsheets write whole ones: ``8``, ``08``, ``8.0``, in German ``8,0``."""


class Faces:
    """Finds the place of an outcome by how somebody wrote it.

    The text on the die comes first. Else case does not count, letters may be in any order, and a number may be written
    as spreadsheets do. A way of writing that could mean two outcomes means none. Digits keep their order: 21 is not 12.
    """

    def __init__(self, outcomes: Outcomes) -> None:
        labels = outcomes.labels
        self.labels = labels
        self._exact = {label: place for place, label in enumerate(labels)}
        self._folded = _only(labels, lambda label: label.casefold())
        self._letters = _only(labels, lambda label: _sorted(label) if label.isalpha() else None)
        self._numbers = _only(labels, _number)
        self._known: dict[str, int | None] = {}

    @property
    def all_numbers(self) -> bool:
        """Whether every outcome is a number."""
        return all(map(_is_whole, self.labels))

    def place(self, written: str) -> int | None:
        """Return the place of the outcome that is written so, or None if none is."""
        if written not in self._known:
            self._known[written] = self._found(written.strip())
        return self._known[written]

    def _found(self, written: str) -> int | None:
        # our own table guards cells from spreadsheets by an apostrophe
        for text in (written, written.removeprefix("'"), unicodedata.normalize("NFKC", in_digits(written))):
            if text in self._exact:
                return self._exact[text]
            if text.casefold() in self._folded:
                return self._folded[text.casefold()]
            if text.isalpha() and _sorted(text) in self._letters:
                return self._letters[_sorted(text)]
            if (number := _number(text)) is not None and number in self._numbers:
                return self._numbers[number]
        return None

    def unread(self, written: str) -> bool:
        """Tell whether this is written for a throw that nobody could read."""
        return self.place(written) is None and written.strip().casefold() in UNREAD

    def readable(self, written: str) -> bool:
        """Tell whether this is a face or an unread throw."""
        return self.place(written) is not None or self.unread(written)


def in_digits(text: str) -> str:
    """Return a text with 0 to 9 for the digits of other scripts and ⚀ to ⚅, and without a spreadsheet's ``=""``."""
    found = _FORMULA.fullmatch(text)
    return "".join(map(_digit, text if found is None else found[1]))


def _digit(letter: str) -> str:
    if "\N{DIE FACE-1}" <= letter <= "\N{DIE FACE-6}":
        return str(ord(letter) - ord("\N{DIE FACE-1}") + 1)
    return str(unicodedata.decimal(letter)) if letter.isdecimal() else letter


def _number(text: str) -> int | None:
    found = _WHOLE.fullmatch(text)
    return None if found is None else int(found[1])


def _is_whole(label: str) -> bool:
    return label.isascii() and label.isdigit()


def _sorted(text: str) -> str:
    return "".join(sorted(text.casefold()))


def _only(labels: Iterable[str], key: Callable[[str], Key | None]) -> dict[Key, int]:
    """Return the places of labels by a key, without the keys that several labels share."""
    found: dict[Key, list[int]] = {}
    for place, label in enumerate(labels):
        if (of := key(label)) is not None:
            found.setdefault(of, []).append(place)
    return {of: places[0] for of, places in found.items() if len(places) == 1}
