"""Who writes a report's sentences and numbers in a language, and what of a stranger's text may stand in it."""

import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from companion.rules.sentence import Sentence

CLIPPED: Final = 160
"""Letters of a name that are shown at most; the rest of it stands in the JSON."""

_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]+"
)
"""What has no place in a line: control characters, marks that turn the direction of writing, halves of characters."""


class Words(Protocol):
    """The texts of one language, as `companion.kiosk.texts.Texts` has them."""

    @property
    def language(self) -> str:
        """Return the language's tag (``de``)."""

    def say(self, sentence: Mapping[str, Any] | None) -> str:
        """Return a sentence, given as JSON, in this language."""

    def number(self, number: float, digits: int | None = None) -> str:
        """Return a number with so many digits behind the decimal sign, as this language writes it."""


class English:
    """English as the sentences themselves have it, where no catalogue is at hand."""

    language = "en"

    def say(self, sentence: Mapping[str, Any] | None) -> str:
        """Return the sentence's own text."""
        return str(sentence["text"]) if sentence else ""

    def number(self, number: float, digits: int | None = None) -> str:
        """Return a number with so many digits behind the point."""
        return f"{number:g}" if digits is None else f"{number:.{digits}f}"


def plain(text: str, most: int = CLIPPED) -> str:
    """Return a text that somebody wrote, as one line that is harmless anywhere: clipped, without unseen characters."""
    seen = " ".join(_UNSEEN.sub(" ", text).split())
    return seen if len(seen) <= most else seen[: most - 1] + "…"


def said(sentence: Sentence, words: Words) -> str:
    """Return a sentence in a language."""
    return words.say(sentence.to_json())
