"""The choices on the free board, and their notation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.board import HAND
from companion.rules.dice import Throw
from companion.rules.errors import IllegalChoiceError
from companion.rules.game import Choice

_MOVE = re.compile(r"(?:([12])\s+)?(hand|[a-c]\d+)\s*-\s*(hand|[a-c]\d+)", re.IGNORECASE)
_END = re.compile(r"end(?:\s+([12]))?", re.IGNORECASE)


@dataclass(frozen=True)
class Move:
    """Moves a man of a side from one place to another."""

    side: int
    origin: str
    to: str

    def __str__(self) -> str:
        return f"{self.side} {self.origin}-{self.to}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"side": 1, "from": "A3", "to": "B4"}``."""
        return {"side": self.side, "from": self.origin, "to": self.to}


@dataclass(frozen=True)
class Done:
    """Ends the turn."""

    def __str__(self) -> str:
        return "done"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"choice": "done"}


@dataclass(frozen=True)
class Agreed:
    """Ends the game by agreement; ``winner`` is the side that has won, or 0 if nobody has."""

    winner: int

    def __str__(self) -> str:
        return f"end {self.winner}" if self.winner else "end"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"choice": "end", "winner": self.winner}


def parse(text: str, side: int) -> Choice:
    """Read a choice as a player of this side types it.

    Raises:
        IllegalChoiceError: the sentence says what was expected and what came.
    """
    words = " ".join(text.split())
    if words.lower() == "done":
        return Done()
    if end := _END.fullmatch(words):
        return Agreed(int(end[1] or 0))
    if move := _MOVE.fullmatch(words):
        named, *places = move.groups()
        origin, to = (place.lower() if place.lower() == HAND else place.upper() for place in places)
        return Move(int(named or side), origin, to)
    raise IllegalChoiceError(
        Sentence("Expected a move like A3-B4 or 2 hand-C12, done, end or end 1, but got '{text}'.", text=text)
    )


def from_json(data: Mapping[str, Any]) -> Throw | Choice:
    """Read the JSON form of a choice, or of a throw, which this board refuses.

    Raises:
        ThrowError, IllegalChoiceError: the data is neither.
    """
    match data:
        case {"side": int(side), "from": str(origin), "to": str(to)}:
            return Move(side, origin, to)
        case {"choice": "done"}:
            return Done()
        case {"choice": "end", "winner": int(winner)}:
            return Agreed(winner)
        case {"set": _}:
            return Throw.from_json(dict(data))
    raise IllegalChoiceError(f'Expected {{"side": 1, "from": "A3", "to": "B4"}}, but got {dict(data)!r}.')
