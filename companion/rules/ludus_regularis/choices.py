"""The only choice besides throws: to call the end of an agreed time."""

from dataclasses import dataclass
from typing import Any

TIME_UP = "time up"


@dataclass(frozen=True)
class TimeUp:
    """Ends a game that is played for an agreed time; the person who keeps the clock makes this choice."""

    def __str__(self) -> str:
        return TIME_UP

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"choice": TIME_UP}
