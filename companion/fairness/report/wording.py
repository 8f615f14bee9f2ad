"""How a report's sentences and numbers are written in a language, and how a stranger's text becomes harmless."""

import math
import re
from datetime import UTC, datetime
from typing import Final

from companion.language.sentence import Sentence
from companion.language.texts import Texts

NAME_CHARACTERS: Final = 160
"""The most characters of a name to show; the JSON has the rest."""

_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]+"
)
"""What has no place in a line: control characters, marks that change the writing direction, halves of characters."""


def plain(text: str, most: int = NAME_CHARACTERS) -> str:
    """Return somebody's text as one line that is harmless anywhere: clipped, without invisible characters."""
    seen = " ".join(_UNSEEN.sub(" ", text).split())
    return seen if len(seen) <= most else seen[: most - 1] + "…"


def translated(sentence: Sentence, words: Texts) -> str:
    """Return a sentence in a language."""
    return words.translate(sentence.to_json())


def scientific(log: float) -> str:
    """Write a number, given by its logarithm, in scientific notation: ``3·10⁻¹¹``, in every language alike."""
    power = math.floor(log / math.log(10))
    digit = round(math.exp(log - power * math.log(10)))
    power, digit = (power + 1, 1) if digit == 10 else (power, digit)  # noqa: PLR2004  (9.6 is written as 1 of the next)
    return f"{digit}·{ten_to(power)}" if digit > 1 else ten_to(power)


def ten_to(power: int) -> str:
    """Write a power of ten: ``10⁻¹¹``."""
    return f"10{str(power).translate(RAISED)}"


RAISED: Final = {ord(low): high for low, high in zip("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True)}
"""Digits and the minus sign, with their superscript forms."""


def moment_of(at: float) -> str:
    """Write a time to the minute, in UTC and in a form that is the same in every language."""
    try:
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):
        return ""
