"""The choices of a tables game: move one man with one die, turn one die to a six, or leave dice."""

from dataclasses import dataclass
from typing import Any, NamedTuple


class Step(NamedTuple):
    """Moves one man with one die: from a point or ``"hand"`` to a point or ``"off"``."""

    origin: str
    to: str
    die: int

    def __str__(self) -> str:
        return f"{self.origin}-{self.to}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"from": "k", "to": "q", "die": 6}``."""
        return {"from": self.origin, "to": self.to, "die": self.die}


@dataclass(frozen=True)
class TurnDie:
    """Turns the die that shows this number to a six."""

    die: int

    def __str__(self) -> str:
        return f"turn {self.die}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"turn_die": 1}``."""
        return {"turn_die": self.die}


@dataclass(frozen=True)
class Leave:
    """Leaves the remaining dice that the other side could not use."""

    def __str__(self) -> str:
        return "leave"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"choice": "leave"}``."""
        return {"choice": "leave"}
