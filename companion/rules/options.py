"""The options of a game: the values that each takes, and how to read them from the game's data file."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template
from companion.rules.errors import OptionError

OptionValue = bool | int | str

LONGEST_NUMBER = 10
"""Digits of a number in a text; no option takes one that long."""


@dataclass(frozen=True)
class Option:
    """One ruling where the source allows another interpretation.

    ``values`` lists the allowed values, default first. For a whole number it is None, and ``least`` and ``most`` are
    its bounds. ``meaning`` says what each value does and names the source. ``offered``: the value that a form offers
    newcomers first, where the default makes a match too long or too hard to begin with; None for the default.
    ``later``: the option came after the first matches, whose rules its default keeps.
    """

    name: str
    default: OptionValue
    meaning: Sentence
    values: tuple[OptionValue, ...] | None = None
    least: int = 0
    most: int = 0
    offered: OptionValue | None = None
    later: bool = False

    def check(self, value: OptionValue) -> OptionValue:
        """Return the option's own value that equals the given one; a typed number also matches its text: 3 is "3".

        Raises:
            OptionError: the option does not take the value.
        """
        if self.values is not None:
            for known in self.values:
                if isinstance(value, bool) is isinstance(known, bool) and str(value) == str(known):
                    return known
            expected = ", ".join(str(known) for known in self.values)
            raise OptionError(
                Sentence(
                    "Option {name} takes {expected}, but got {value}.",
                    name=self.name,
                    expected=expected,
                    value=repr(value),
                )
            )
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        raise OptionError(
            Sentence(
                "Option {name} takes {least} to {most}, but got {value}.",
                name=self.name,
                least=self.least,
                most=self.most,
                value=repr(value),
            )
        )

    def read(self, text: str) -> OptionValue:
        """Return the value that a text names, as an address or a form writes it: ``throws``, ``12``, ``True``.

        Raises:
            OptionError: it names none.
        """
        if self.values is None:
            return self.check(int(text) if text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER else text)
        named = [known for known in self.values if str(known) == text]
        return named[0] if named else self.check(text)


@cache
def read_options(package: str, kind: str | None = None) -> tuple[Option, ...]:
    """Return the options in ``options.toml`` of a package that apply to one kind of game.

    An entry applies to all kinds unless its ``games`` limits it. It has ``name``, ``meaning`` (with its source) and
    either ``values``, the default first, or for a whole number ``default``, ``least`` and ``most``. ``offered`` names
    a value for some kinds of game, ``later`` marks an option that does not count in `Game.rules_hash`.
    """
    entries = data_of(package, "options.toml")["option"]
    return tuple(_option(entry, kind) for entry in entries if kind in entry.get("games", [kind]))


def _option(entry: Mapping[str, Any], kind: str | None) -> Option:
    meaning = Sentence.of(Template(entry["meaning"]))
    if "values" in entry:
        return Option(
            entry["name"],
            entry["values"][0],
            meaning,
            tuple(entry["values"]),
            offered=entry.get("offered", {}).get(kind),
            later=entry.get("later", False),
        )
    offered = entry.get("offered", {}).get(kind)
    return Option(entry["name"], entry["default"], meaning, None, entry["least"], entry["most"], offered)
