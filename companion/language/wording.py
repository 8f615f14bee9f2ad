"""How a language writes what fills its texts: plural forms, numbers and lists, by the CLDR (Babel).

The page's script does the same with the browser's own `Intl` (static/js/page/texts.js); both must write the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, localcontext
from functools import cached_property
from typing import Literal

from babel.core import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.numbers import format_decimal

CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})  # the CLDR's plural categories
LARGEST_WRITTEN = 1e15  # larger numbers come from no table but from people who test the program
GROUPED_FROM = 10_000  # smaller numbers have no separator in any language: throw 1234, not 1,234
LIST_STYLES: Mapping[str, Literal["standard", "or"]] = {"and": "standard", "or": "or"}

# A text, or one for each of the language's plural categories; ``by`` names the part that decides (`count`).
Form = str | Mapping[str, str]


def is_form(value: object) -> bool:
    """Tell whether a table of a catalogue is one text in its plural forms rather than a section of texts."""
    return isinstance(value, Mapping) and "other" in value and set(value) <= CATEGORIES | {"by"}


def templates(form: Form) -> dict[str, str]:
    """Return every wording of a text by its plural category; a text without forms is `other`."""
    return {"other": form} if isinstance(form, str) else {name: text for name, text in form.items() if name != "by"}


@dataclass(frozen=True)
class Wording:
    """The wording of one language, named by its locale, e.g. ``en-GB``; if the CLDR lacks it, as in English.

    ``like``: another locale, by which numbers and plural forms are written where browsers have no rules for this one.
    ``joints``: the language's words for `and` and `or` in a list, for the same reason.
    """

    tag: str
    like: str = ""
    joints: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _locale(self) -> Locale:
        try:
            return Locale.parse(self.like or self.tag, sep="-")
        except (UnknownLocaleError, ValueError):
            return Locale.parse("en_GB")

    def chosen(self, form: Form, parts: Mapping[str, object]) -> str:
        """Return the wording of a text for the number in its parts; `other` if that number has none of its own."""
        if isinstance(form, str):
            return form
        number = parts.get(form.get("by", "count"))
        category = "other"
        if isinstance(number, int | float) and abs(number) < LARGEST_WRITTEN:
            category = self._locale.plural_form(number)
        return form.get(category, form["other"])

    def number(self, number: float, digits: int | None = None) -> str:
        """Return a number as this language writes it, with ``digits`` decimal places (by default up to three)."""
        pattern = "#,##0.###" if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
        if not abs(number) < LARGEST_WRITTEN:  # also not-a-number: decimal arithmetic has 28 digits
            return str(number)
        with localcontext(rounding=ROUND_HALF_UP):  # as browsers round; Babel would round half to even
            return format_decimal(number, pattern, self._locale, group_separator=abs(number) >= GROUPED_FROM)

    def listed(self, texts: Iterable[str], joint: str) -> str:
        """Return texts as a list: `and`, `or`, or only commas."""
        row = list(texts)
        if joint in self.joints and len(row) > 1:
            return f"{', '.join(row[:-1])} {self.joints[joint]} {row[-1]}"
        return format_list(row, LIST_STYLES[joint], self._locale) if joint in LIST_STYLES else ", ".join(row)

    @property
    def name(self) -> str:
        """The language's own name."""
        return self._locale.get_language_name(self._locale.language) or self.tag
