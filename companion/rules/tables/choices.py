"""What a hand does in a tables game: one man with one die, one die turned to a six, or dice left."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.rules.game import Choice, Choices

if TYPE_CHECKING:
    from companion.rules.tables.position import TablesPosition

HAND = "hand"
OFF = "off"


@dataclass(frozen=True)
class Step:
    """One man with one die: from a point or ``"hand"`` to a point or ``"off"``."""

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
    """The die that shows this number is turned to a six."""

    die: int

    def __str__(self) -> str:
        return f"turn {self.die}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"turn_die": 1}``."""
        return {"turn_die": self.die}


@dataclass(frozen=True)
class Leave:
    """The dice that the other side could not use are left, those of them that still lie there."""

    def __str__(self) -> str:
        return "leave"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"choice": "leave"}``."""
        return {"choice": "leave"}


class TablesChoices(Choices):
    """The legal choices of a position: by origin, the hand first and then along the way, then by die, lowest first.

    Where dice may be left, that comes last.
    """

    __slots__ = ("_position",)

    def __init__(self, position: "TablesPosition") -> None:
        self._position = position

    def __iter__(self) -> Iterator[Choice]:
        return self._position.each_legal()

    def __contains__(self, choice: object) -> bool:
        return self._position.allows(choice)

    def __len__(self) -> int:
        return len(self._position.all_legal())
