"""The bridge's messages to a person: English that keeps its template and parts, so that others may translate it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self


class Phrase(str):
    """A sentence as text. ``template`` is English with ``{named}`` parts; ``parts`` fill it and may be phrases too."""

    __slots__ = ("parts", "template")

    template: str
    parts: Mapping[str, object]

    def __new__(cls, template: str, /, **parts: object) -> Self:
        """Fill a template."""
        phrase = super().__new__(cls, template.format(**parts))
        phrase.template = template
        phrase.parts = MappingProxyType(parts)
        return phrase


def phrase_of(error: BaseException) -> str:
    """Return an error's message; if it was raised with a phrase, that phrase."""
    argument = error.args[0] if len(error.args) == 1 else None
    return argument if isinstance(argument, Phrase) else str(error)
