"""How long a game usually takes, in throws: computed if possible, else from ``usual_lengths.toml``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from companion.odds.known.known_odds import known_odds
from companion.rules.registry import game as game_of

How = Literal["exactly", "by_chance", "by_best_play"]


@dataclass(frozen=True)
class UsualLength:
    """The mean number of throws of a game between two players by its preset options, and how it is known.

    ``games``: the number of played games behind the mean, 0 if it is computed.
    """

    throws: float
    how: How
    games: int = 0


def usual_length(slug: str, *, offered: bool = False) -> UsualLength | None:
    """Return how long the game of this slug usually takes, or None if that is not known.

    ``offered``: by the options that a form offers newcomers first, instead of the preset ones.

    Raises:
        UnknownGameError: there is no such game.
    """
    game = game_of(slug)
    if offered and (slug, True) in _measured():
        return _measured()[slug, True]
    if (slug, False) in _measured():
        return _measured()[slug, False]
    throws = known_odds(game).usual_throws(slug)
    return None if throws is None else UsualLength(throws, "exactly")


@cache
def _measured() -> Mapping[tuple[str, bool], UsualLength]:
    data = tomllib.loads((files(__package__) / "usual_lengths.toml").read_text(encoding="utf-8"))
    return {
        (entry["game"], entry.get("offered", False)): UsualLength(entry["throws"], entry["how"], entry["games"])
        for entry in data["length"]
    }
