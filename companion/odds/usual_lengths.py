"""How long a game lasts, and how to say it: computed if possible, else from ``usual_lengths.toml``.

The form, the rule cards and ``companion games`` all say it from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.data_file import data_of
from companion.language.sentence import Sentence
from companion.odds.known.known_odds import known_odds
from companion.rules.game import Game
from companion.rules.options import Option, OptionValue
from companion.rules.registry import game as game_of

TURNS_A_MINUTE = 2.5
"""The pace of a game: throws, or without dice moves. In the middle of the paper's 2 to 3 throws (Pulskamp & Otero); of
the moves of Rithmomachia it makes the half hour that Durnil & Guardia give beginners."""

HOURS_FROM_MINUTES = 120
"""From this number of minutes on, a length is given in hours."""


@dataclass(frozen=True)
class UsualLength:
    """How many turns a game between two players lasts.

    ``turns``: throws, or moves if ``moves``; the mean if it is computed, else as the file has it. ``games``: the number
    of games played to find it, 0 if it is computed. ``longer``: most of them were stopped there, unfinished.
    """

    turns: float
    moves: bool = False
    games: int = 0
    longer: bool = False

    @property
    def minutes(self) -> float:
        """The minutes that it takes at the usual pace."""
        return self.turns / TURNS_A_MINUTE

    def sentence(self) -> Sentence:
        """Say turns and time, as precisely as a player needs them."""
        step = 10 if self.turns > 100 else 5  # noqa: PLR2004  (precise enough for a visitor)
        turns = round(self.turns / step) * step
        if self.minutes < HOURS_FROM_MINUTES:
            count = max(5, round(self.minutes / 5) * 5)
            if self.moves:
                return Sentence("about {turns} moves, {count} minutes", turns=turns, count=count)
            return Sentence("about {turns} throws, {count} minutes", turns=turns, count=count)
        count = round(self.minutes / 60)
        if self.longer:
            return Sentence("more than {turns} moves, {count} hours", turns=turns, count=count)
        if self.moves:
            return Sentence("about {turns} moves, {count} hours", turns=turns, count=count)
        return Sentence("about {turns} throws, {count} hours", turns=turns, count=count)


def usual_length(slug: str, options: Mapping[str, OptionValue] | None = None) -> UsualLength | None:
    """Return how long the game of this slug usually lasts with these options, or None if that is not known.

    Raises:
        UnknownGameError: there is no such game.
    """
    game = game_of(slug)
    preset = {option.name: option.default for option in game.options}
    other = frozenset((name, value) for name, value in (options or {}).items() if preset.get(name) != value)
    if (slug, other) in _played():
        entry = _played()[slug, other]
        moves, longer = not game.start(game.least_players).awaits.dice, 2 * entry.get("unfinished", 0) > entry["games"]
        return UsualLength(entry["turns"], moves, entry["games"], longer)
    computed = None if other else known_odds(game).usual_throws(slug)
    return None if computed is None else UsualLength(computed)


def offered_length(game: Game) -> UsualLength | None:
    """Return how long a game lasts with the options that a form offers newcomers first."""
    return usual_length(game.slug, {one.name: one.offered for one in game.options if one.offered is not None})


def lengths_by(game: Game, option: Option) -> Mapping[OptionValue, UsualLength]:
    """Return how long a game lasts with each value of an option, if the length depends on it and is known."""
    found = {
        value: length
        for value in option.values or ()
        if (length := usual_length(game.slug, {option.name: value})) is not None
    }
    return found if set(found) - {option.default} else {}


@cache
def _played() -> Mapping[tuple[str, frozenset[tuple[str, OptionValue]]], Mapping[str, Any]]:
    data = data_of(__package__, "usual_lengths.toml")
    return {(one["game"], frozenset(one.get("options", {}).items())): one for one in data["length"]}
