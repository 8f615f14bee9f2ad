"""What the table learns from a match: which throws showed what, as people said it or the camera read it alone.

Only throws that a camera saw teach, and only while the watching thread still holds what it saw. A die that was read
thanks to memory teaches nothing: otherwise one wrong exemplar would confirm itself.
"""

import logging
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, TypeVar

from companion.desk.sight import DiceSeen
from companion.live.learning import HELD, Learning, Lesson
from companion.live.remembered import source_of
from companion.referee.events import Committed, Corrected, Observed, Proposed
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.rules.dice import Throw, ThrowError
from companion.vision.dice.decode import bag_of
from companion.vision.dice.memory.glimpses import Told

log = logging.getLogger(__name__)

UNLISTED: Final = 0.0005
"""The chance of a face that a die's candidates do not list."""

CLEAR: Final = 0.9
"""The least chance that a face belongs to a die, where people named several dice at once."""

MOST_UNNAMED: Final = 6
"""Where more dice than this were unclear at once, which of them shows which face is not worked out."""

NEAR: Final = 1.0
"""Pixels between two places that are the same: the journal rounds them."""

Die = Mapping[str, Any]
"""A die as `ReadDie.to_json` writes it."""

Event = tuple[int, int]
"""A match and the number of an event in it."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class _Seen:
    """The dice that belong to a throw as they were read, and the reading that the watching thread holds."""

    interval: int
    dice: tuple[Die, ...]


class Lessons:
    """Follows the open match and tells the watching thread what it may learn. For the writer's thread alone."""

    def __init__(self, learning: Learning | None) -> None:
        """``learning``: None where nothing is learnt."""
        self._learning = learning
        self._match: int | None = None
        self._followed = 0
        self._looks: OrderedDict[Event, int] = OrderedDict()
        self._thrown: OrderedDict[Event, _Seen] = OrderedDict()

    def begin(self, match: Match | None) -> None:
        """Follow this match from here on: what it has so far was learnt before, or was not seen."""
        self._match = None if match is None else match.id
        self._followed = 0 if match is None else len(match.entries)

    def follow(self, match: Match | None, seen: DiceSeen | None) -> None:
        """Pass on what is new in the match; ``seen``: the dice that were seen last. No error ends this."""
        if self._learning is None or match is None:
            return
        try:
            self._follow(self._learning, match, seen)
        except Exception:
            log.exception("nothing was learnt from the newest throws")

    def _follow(self, learning: Learning, match: Match, seen: DiceSeen | None) -> None:
        if match.id != self._match:
            self.begin(None)
            self._match = match.id
        new, self._followed = match.entries[self._followed :], len(match.entries)
        for entry in new:
            match entry.event:
                case Observed() as look if seen is not None and look.picture == seen.digest:
                    _put(self._looks, (match.id, entry.number), seen.interval)
                case Committed() as commit:
                    self._committed(learning, match, entry.number, commit)
                case Corrected() as corrected:
                    self._corrected(learning, match.id, corrected)
                case _:
                    pass

    def _committed(self, learning: Learning, match: Match, number: int, commit: Committed) -> None:
        interval = self._looks.get((match.id, commit.seen or 0))
        throw = _throw(commit.move)
        if interval is None or throw is None or commit.by != "camera":
            return
        dice = _asked(match.entries, commit) if commit.proposed else _read(match.entries, commit, throw)
        _put(self._thrown, (match.id, number), _Seen(interval, dice))
        told = told_of(dice, throw, said=False)
        if told:
            learning.tell(Lesson(source_of(match.id, number), interval, told))

    def _corrected(self, learning: Learning, match: int, corrected: Corrected) -> None:
        source = source_of(match, corrected.event)
        seen = self._thrown.get((match, corrected.event))
        throw = None if corrected.move is None else _throw(corrected.move)
        if seen is None or throw is None:
            learning.forget(source)
        else:
            learning.tell(Lesson(source, seen.interval, told_of(seen.dice, throw, said=True)))


def told_of(dice: Sequence[Die], throw: Throw, *, said: bool) -> tuple[Told, ...]:
    """Return what each die shows, as far as that is known, given the throw that counts.

    People name the faces of dice, and may name a die otherwise than it was read. So only a die that was read as the
    throw has it is surely that die; which of the others shows which face is judged by how they looked. ``said``: a
    person named the whole throw; otherwise only the dice that were asked about, or read wrongly.
    """
    faces = dict(throw.shown)
    told, unclear = [], []
    for die in dice:
        name = die.get("die")
        if die["status"] == "read" and name in faces and bag_of(faces[name]) == bag_of(die["face"]):
            del faces[name]
            if said or not die.get("remembered"):
                told.append(Told(_middle(die), die["face"], said))
        elif die["status"] != "ignored":
            unclear.append(die)
    return (*told, *_handed_out(unclear, list(faces.values())))


def _handed_out(dice: Sequence[Die], faces: Sequence[str]) -> list[Told]:
    """Return which die shows which of the faces, where that is clear."""
    if not faces or not len(faces) <= len(dice) <= MOST_UNNAMED:
        return []
    chances = [{bag_of(text): float(chance) for text, chance in die["candidates"]} for die in dice]
    shares: list[dict[str, float]] = [{} for _ in dice]
    whole = 0.0
    for places in permutations(range(len(dice)), len(faces)):
        likely = math.prod(
            max(UNLISTED, chances[i].get(bag_of(face), 0.0)) for i, face in zip(places, faces, strict=True)
        )
        whole += likely
        for i, face in zip(places, faces, strict=True):
            shares[i][face] = shares[i].get(face, 0.0) + likely
    return [
        Told(_middle(die), face, said=True)
        for die, share in zip(dice, shares, strict=True)
        for face, likely in share.items()
        if likely >= CLEAR * whole
    ]


def _asked(entries: Sequence[Entry], commit: Committed) -> tuple[Die, ...]:
    """Return the dice of the question that a throw answers."""
    asked = entries[commit.proposed - 1].event
    return asked.dice if isinstance(asked, Proposed) else ()


def _read(entries: Sequence[Entry], commit: Committed, throw: Throw) -> tuple[Die, ...]:
    """Return the dice of a look that are the throw's; alike dice got their names only where they lie."""
    look = entries[(commit.seen or 0) - 1].event
    if not isinstance(look, Observed):
        return ()
    thrown = dict(throw.shown)
    lying = [place for place in commit.arrangement if place["die"] in thrown]
    return tuple(
        {**die, "die": place["die"], "face": thrown[place["die"]]}
        for die in look.dice
        if die["status"] == "read"
        for place in lying
        if math.dist(_middle(die), place["at"]) < NEAR
    )


def _throw(move: Mapping[str, Any]) -> Throw | None:
    """Return the throw that a journal writes so; None for a choice."""
    try:
        return Throw.from_json(dict(move))
    except ThrowError:
        return None


def _middle(die: Die) -> tuple[float, float]:
    corners = die["polygon"]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _put(held: OrderedDict[Event, Value], event: Event, value: Value) -> None:
    held[event] = value
    while len(held) > HELD:
        held.popitem(last=False)
