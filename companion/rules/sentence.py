"""A sentence for a player: an English template and its parts, so that it can be shown in any language."""

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
