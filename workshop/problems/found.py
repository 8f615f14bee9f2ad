"""A problem that was found, before it has a number, and how often weak players find its answer."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.players.player import Weighed
from companion.players.strengths import STRENGTHS, picked
from companion.players.thinking import player_of
from companion.problems.problem import Kind
from companion.rules.game import Choice, Position

WEAK: Final = ("child", "beginner")
TRIES_OF_EACH: Final = 40
"""Tries of each weak strength by which a problem is graded."""


@dataclass(frozen=True)
class Found:
    """A problem before it has a number; the fields are those of `companion.problems.problem.Problem`."""

    kind: Kind
    start: Position
    right: tuple[tuple[str, ...], ...]
    found: float
    throw: str = ""
    chances: tuple[float, ...] = ()
    shows: tuple[tuple[str, str], ...] = ()

    def to_json(self, origin: str) -> dict[str, Any]:
        """Return the line of the file; of the options only those that are not usual."""
        usual = self.start.game.start(self.start.players).options
        data = self.start.to_json()
        data["options"] = {name: value for name, value in data["options"].items() if usual[name] != value}
        fields: dict[str, Any] = {"kind": self.kind, "game": self.start.game.slug, "position": packed(data)}
        extra = {"throw": self.throw, "shows": dict(self.shows), "chances": [round(one, 3) for one in self.chances]}
        fields |= {name: value for name, value in extra.items() if value}
        return fields | {"right": [list(one) for one in self.right], "found": round(self.found, 3), "origin": origin}


def tries(position: Position, weighed: Sequence[Weighed], right: Sequence[Weighed]) -> float:
    """Return the share of tries in which the weak strengths find a right turn; the lots are always the same."""
    chance, heat = random.Random(1), player_of(position.game).heat(position)  # noqa: S311 - lots, no secrets
    made = [picked(weighed, STRENGTHS[name].temperature, chance, heat) for name in WEAK for _ in range(TRIES_OF_EACH)]
    return sum(one in right for one in made) / len(made)


def line_of(position: Position, choices: Sequence[Choice]) -> tuple[str, ...]:
    """Return choices as they are typed."""
    found = []
    for choice in choices:
        found.append(position.text(choice))
        position = position.applied(choice)
    return tuple(found)


NEEDED: Final = ("virtues", "turns", "throws")
"""What a position must say even where it is nothing."""


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a position's JSON without its game, with its men in short: ``"d2wt9 h16bp61:s49,c12"``, ``"1": "bc5"``."""
    kept = {name: value for name, value in data.items() if name != "game" and (name in NEEDED or value)}
    if any("colour" in man for man in kept.get("men", {}).values()):
        kept["men"] = " ".join(_short(man, site) for site, man in kept["men"].items())
        kept["captured"] = {
            player: " ".join(_short(man) for man in men) for player, men in kept.get("captured", {}).items() if men
        }
    elif "men" in kept:
        kept["men"] = {side: {at: count for at, count in men.items() if count} for side, men in kept["men"].items()}
    if "virtues" in kept:
        kept["virtues"] = " ".join(f"{lot}:{held['player']}:{held['throw']}" for lot, held in kept["virtues"].items())
    return kept


def _short(man: Mapping[str, Any], site: str = "") -> str:
    parts = ",".join(f"{part['shape'][0]}{part['number']}" for part in man.get("parts", ()))
    return f"{site}{man['colour'][0]}{man['shape'][0]}{man['number']}" + (f":{parts}" if parts else "")
