"""A sentence for a player: an English template and its parts, so that it can be shown in any language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, init=False)
class Sentence:
    """What the referee says.

    ``template`` is English with ``{named}`` parts and is the key under which a translation is found;
    ``parts`` fills it. ``str()`` gives the English. A part may itself be a `Sentence`.
    """

    template: str
    parts: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, /, **parts: Any) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "parts", tuple(sorted(parts.items())))

    def __str__(self) -> str:
        return self.template.format(**dict(self.parts))

    def to_json(self) -> dict[str, Any]:
        """Return ``{"text": English, "template": ..., "parts": {...}}``; nested sentences likewise."""
        parts = {name: part.to_json() if isinstance(part, Sentence) else part for name, part in self.parts}
        return {"text": str(self), "template": self.template, "parts": parts}

    def named(self, names: Mapping[int, str]) -> "Sentence":
        """Return the sentence with each `player` called by name, where the names are known."""
        if self.template == PLAYER:
            number = dict(self.parts)["number"]
            return Sentence("{name}", name=names[number]) if number in names else self
        parts = {name: part.named(names) if isinstance(part, Sentence) else part for name, part in self.parts}
        return Sentence(self.template, **parts)


PLAYER = "Player {number}"


def player(number: int) -> Sentence:
    """Return how a game, which knows no names, calls a player inside a sentence."""
    return Sentence(PLAYER, number=number)
