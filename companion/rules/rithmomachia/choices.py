"""The choices of a player: move, claim a capture, take by innocent delivery, bring a man back, be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DONE = "done"
DELIVERY = "delivery"
ENCOUNTER, AMBUSH, ASSAULT, POWER, PROGRESSION, SIEGE = (
    "encounter",
    "ambush",
    "assault",
    "power",
    "progression",
    "siege",
)
OTHER_NAMES: Mapping[str, str] = {
    "meeting": ENCOUNTER,
    "onslaught": ASSAULT,
    "root": POWER,
    "proportion": PROGRESSION,
    "surrounding": SIEGE,
    "innocent delivery": DELIVERY,
}
"""Other names of the captures in the sources."""

CAPTURES = (ENCOUNTER, AMBUSH, ASSAULT, POWER, PROGRESSION, SIEGE)


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A man by his square, or a part of a pyramid by its number: ``c9``, ``h15/36``; ``part`` 0 is the whole man."""

    site: str
    part: int = 0

    def __str__(self) -> str:
        return f"{self.site}/{self.part}" if self.part else self.site


@dataclass(frozen=True, slots=True)
class Move:
    """Moves one man, or a whole pyramid, from square to square."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"from": "c4", "to": "d5"}``."""
        return {"from": self.start, "to": self.end}


@dataclass(frozen=True, slots=True)
class Claim:
    """One capture: its target, its kind, and the men that take, in the order of their squares."""

    target: Place
    kind: str
    takers: tuple[Place, ...] = ()

    def __str__(self) -> str:
        by = f"takes {self.target} by {self.kind}"
        return f"{by} from {' and '.join(map(str, self.takers))}" if self.takers else by

    def to_json(self) -> dict[str, Any]:
        """Return ``{"takes": "d7", "by": "ambush", "from": ["b5/9", "c9"]}``."""
        return {"takes": str(self.target), "by": self.kind, "from": [str(taker) for taker in self.takers]}


@dataclass(frozen=True, slots=True)
class Delivery:
    """Takes, instead of moving, a man (or part) that could have captured in the turn before and did not."""

    target: Place

    def __str__(self) -> str:
        return f"takes {self.target} by {DELIVERY}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"takes": "b5", "by": "delivery", "from": []}``."""
        return {"takes": str(self.target), "by": DELIVERY, "from": []}


@dataclass(frozen=True, slots=True)
class Return:
    """Brings a man that the player took before back onto the board as the player's own."""

    shape: str
    number: int
    site: str

    def __str__(self) -> str:
        return f"return {self.shape} {self.number} to {self.site}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"return": {"shape": "circle", "number": 9}, "to": "c3"}``."""
        return {"return": {"shape": self.shape, "number": self.number}, "to": self.site}


@dataclass(frozen=True, slots=True)
class Done:
    """Says that nothing more is claimed."""

    def __str__(self) -> str:
        return DONE

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"choice": DONE}
