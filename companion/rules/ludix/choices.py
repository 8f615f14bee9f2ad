"""The choice of Ludix: form one numeral of the thrown symbols, then stop or throw again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from companion.rules.game import Choice, Choices

Then = Literal["stop", "again"]

STOP: Then = "stop"
AGAIN: Then = "again"
THENS: tuple[Then, ...] = (STOP, AGAIN)


@dataclass(frozen=True)
class Formed:
    """A formed numeral and what follows; its text is ``LXVI stop`` or ``LXVI again``."""

    numeral: str
    then: Then

    def __str__(self) -> str:
        return f"{self.numeral} {self.then}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"numeral": "LXVI", "then": "stop"}``."""
        return {"numeral": self.numeral, "then": self.then}


@dataclass(frozen=True)
class LudixChoices(Choices):
    """The choices of a position: those with the highest numeral first, stop before again."""

    allowed: tuple[Formed, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.allowed)

    def __contains__(self, choice: object) -> bool:
        return choice in self.allowed
