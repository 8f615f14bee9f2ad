"""The throws of a match that a camera saw: their dice as they were read, taken from the match's events."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.referee.events import Committed, Observed, Proposed
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.rules.dice import Throw, ThrowError

SAME_PLACE_PIXELS: Final = 1.0
"""Pixels between two places that are the same: the journal rounds them."""

Die = Mapping[str, Any]
"""A die as `ReadDie.to_json` writes it."""

Event = tuple[int, int]
"""A match and the number of an event in it."""


@dataclass(frozen=True)
class CameraThrow:
    """A throw that a camera saw. ``observation``: the event behind it; ``dice``: those that are the throw's.

    ``asked``: whether a person was asked, or else it was read without a question.
    """

    event: int
    observation: int
    throw: Throw
    dice: tuple[Die, ...]
    asked: bool


class NewEntries:
    """Follows the open match: hands out each of its entries once."""

    def __init__(self) -> None:
        self._match: int | None = None
        self._followed = 0

    def begin(self, match: Match | None) -> None:
        """Follow this match from here on, and leave out what it has so far."""
        self._match = None if match is None else match.id
        self._followed = 0 if match is None else len(match.entries)

    def of(self, match: Match) -> Sequence[Entry]:
        """Return the entries that are new."""
        if match.id != self._match:
            self._match, self._followed = match.id, 0
        new, self._followed = match.entries[self._followed :], len(match.entries)
        return new


def camera_throw(entries: Sequence[Entry], number: int) -> CameraThrow | None:
    """Return the throw that event ``number`` of a match committed; None if it is none, or no camera saw it."""
    commit = entries[number - 1].event
    if not isinstance(commit, Committed) or commit.by != "camera" or not commit.seen:
        return None
    throw = thrown(commit.move)
    if throw is None:
        return None
    dice = _asked(entries, commit) if commit.proposed else _read(entries, commit, throw)
    return CameraThrow(number, commit.seen, throw, dice, bool(commit.proposed))


def thrown(move: Mapping[str, Any]) -> Throw | None:
    """Return the throw that a journal writes so; None for a choice."""
    try:
        return Throw.from_json(dict(move))
    except ThrowError:
        return None


def middle(die: Die) -> tuple[float, float]:
    """Return where a die lies, in pixels of the picture."""
    corners = die["polygon"]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def near(one: Sequence[float], other: Sequence[float]) -> bool:
    """Tell whether two places are the same."""
    return math.dist(one, other) < SAME_PLACE_PIXELS


def _asked(entries: Sequence[Entry], commit: Committed) -> tuple[Die, ...]:
    """Return the dice of the question that a throw answers."""
    asked = entries[commit.proposed - 1].event
    return asked.dice if isinstance(asked, Proposed) else ()


def _read(entries: Sequence[Entry], commit: Committed, throw: Throw) -> tuple[Die, ...]:
    """Return the dice of an observation that are the throw's; alike dice got their names only where they lie."""
    observed = entries[(commit.seen or 0) - 1].event
    if not isinstance(observed, Observed):
        return ()
    faces = dict(throw.shown)
    lying = [place for place in commit.arrangement if place["die"] in faces]
    return tuple(
        {**die, "die": place["die"], "face": faces[place["die"]]}
        for die in observed.dice
        if die["status"] == "read"
        for place in lying
        if near(middle(die), place["at"])
    )
