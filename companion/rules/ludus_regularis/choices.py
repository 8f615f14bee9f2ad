"""The only choice besides throws: to call the end of an agreed time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.rules.game import Choice, Choices

TIME_UP = "time up"


@dataclass(frozen=True)
class TimeUp:
    """Ends a game that is played for an agreed time; the person who keeps the clock makes this choice."""

    def __str__(self) -> str:
        return TIME_UP

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"choice": TIME_UP}


@dataclass(frozen=True)
class LudusChoices(Choices):
    """The choices of a position: the end of the agreed time, or none; a throw is not a choice."""

    allowed: tuple[TimeUp, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.allowed)

    def __contains__(self, choice: object) -> bool:
        return choice in self.allowed
