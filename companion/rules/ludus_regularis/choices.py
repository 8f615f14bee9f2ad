"""The one choice that is no throw: calling the end of an agreed time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.rules.game import Choice, Choices

TIME_UP = "time up"


@dataclass(frozen=True)
class TimeUp:
    """Ends a game that is played for a time; made by whoever keeps the clock."""

    def __str__(self) -> str:
        return TIME_UP

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"choice": TIME_UP}


@dataclass(frozen=True)
class LudusChoices(Choices):
    """The choices of a position: the end of the agreed time, or none; throws are no choices."""

    allowed: tuple[TimeUp, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.allowed)

    def __contains__(self, choice: object) -> bool:
        return choice in self.allowed
