"""How a language writes what is filled into its texts: plural forms, numbers and lists, by the CLDR (Babel).

The page's script does the same by the browser's own `Intl` (static/js/page/texts.js); both must write alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, localcontext
from functools import cached_property
from typing import Literal

from babel.core import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.numbers import format_decimal

CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})  # the CLDR's plural categories
LARGEST_WRITTEN = 1e15  # beyond it a number is of no table, but typed by somebody who tries the program out
GROUPED_FROM = 10_000  # below, a number is written in one piece in every language: throw 1234, not 1,234
LIST_STYLES: Mapping[str, Literal["standard", "or"]] = {"and": "standard", "or": "or"}

# A text, or one for each plural category that the language tells apart; ``by`` names the part that decides (`count`).
Form = str | Mapping[str, str]


def is_form(value: object) -> bool:
    """Tell whether a table of a catalogue is one text in its plural forms rather than a section of texts."""
    return isinstance(value, Mapping) and "other" in value and set(value) <= CATEGORIES | {"by"}


def templates(form: Form) -> dict[str, str]:
    """Return every wording of a text by its plural category; one that has no forms is `other`."""
    return {"other": form} if isinstance(form, str) else {name: text for name, text in form.items() if name != "by"}


@dataclass(frozen=True)
class Wording:
    """The way of one language, named by its locale, e.g. ``en-GB``; one that the CLDR lacks writes as English does."""

    tag: str

    @cached_property
    def _locale(self) -> Locale:
        try:
            return Locale.parse(self.tag, sep="-")
        except (UnknownLocaleError, ValueError):
            return Locale.parse("en_GB")

    def chosen(self, form: Form, parts: Mapping[str, object]) -> str:
        """Return the wording of a text for the number in its parts; `other` where there is none of its own."""
        if isinstance(form, str):
            return form
        number = parts.get(form.get("by", "count"))
        category = "other"
        if isinstance(number, int | float) and abs(number) < LARGEST_WRITTEN:
            category = self._locale.plural_form(number)
        return form.get(category, form["other"])

    def number(self, number: float, digits: int | None = None) -> str:
        """Return a number as this language writes it, with ``digits`` behind the decimal sign (else up to three)."""
        pattern = "#,##0.###" if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
        if not abs(number) < LARGEST_WRITTEN:  # also what is no number: decimal arithmetic has 28 digits
            return str(number)
        with localcontext(rounding=ROUND_HALF_UP):  # as the browsers round; Babel would round a half to the even
            return format_decimal(number, pattern, self._locale, group_separator=abs(number) >= GROUPED_FROM)

    def listed(self, texts: Iterable[str], joint: str) -> str:
        """Return texts as a list: `and`, `or`, or merely with commas."""
        row = list(texts)
        return format_list(row, LIST_STYLES[joint], self._locale) if joint in LIST_STYLES else ", ".join(row)

    @property
    def name(self) -> str:
        """What the language is called in itself."""
        return self._locale.get_language_name(self._locale.language) or self.tag
