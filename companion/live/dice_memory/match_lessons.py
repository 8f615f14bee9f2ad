"""What the table learns from a match: which throws showed what, as people named it or the camera read it alone.

Only throws that a camera saw teach, and only while the watching thread still holds what it saw. A die that was read
thanks to memory teaches nothing: otherwise one wrong exemplar would confirm itself.
"""

import logging
import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from companion.desk.sight import DiceSeen
from companion.live.camera_throws import Die, Event, NewEntries, camera_throw, middle, near, thrown
from companion.live.dice_memory.known import source_of
from companion.live.dice_memory.learning import READINGS_HELD, DiceLesson, Learning
from companion.live.following import Follower
from companion.referee.events import Committed, Corrected, Observed
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.rules.dice import Throw, dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.memory.glimpses import FaceLesson

log = logging.getLogger(__name__)

UNLISTED_CHANCE: Final = 0.0005
"""The chance of a face that a die's candidates do not list."""

CLEAR_CHANCE: Final = 0.9
"""The least chance that a face belongs to a die, where people named several dice at once."""

MOST_UNNAMED: Final = 6
"""Where more dice than this were unclear at once, which of them shows which face is not worked out."""


@dataclass(frozen=True)
class Taught:
    """What an event teaches of a throw, by the events of its commit and its observation; ``lessons``: () to forget it.

    Whatever the throw taught before is forgotten first.
    """

    event: int
    observation: int
    lessons: tuple[FaceLesson, ...]


class MatchLessons(Follower):
    """Follows the open match and tells the watching thread what it may learn."""

    def __init__(self, learning: Learning) -> None:
        self._learning = learning
        self._new = NewEntries()
        self._observations: OrderedDict[Event, int] = OrderedDict()

    def watch(self, camera: str | None) -> None:
        """Teach nothing more of what was seen so far: it came through another camera."""
        del camera
        self._observations.clear()

    def begin(self, match: Match | None) -> None:
        """Follow this match from here on: what it has so far was learnt before, or was not seen."""
        self._new.begin(match)

    def go_on(self, now: float) -> None:
        """Pass on what is new in the match. No error ends this."""
        del now
        match, seen = self._table.desk.match, self._table.sight().seen
        if match is None:
            return
        try:
            for entry in self._new.of(match):
                self._follow(match, entry, seen)
        except Exception:
            log.exception("nothing was learnt from the newest throws")

    def _follow(self, match: Match, entry: Entry, seen: DiceSeen | None) -> None:
        if isinstance(entry.event, Observed) and seen is not None and entry.event.picture == seen.digest:
            self._observations[match.id, entry.number] = seen.interval
            while len(self._observations) > READINGS_HELD:
                self._observations.popitem(last=False)
        taught = taught_by(match.entries, entry.number)
        if taught is None:
            return
        source, interval = source_of(match.id, taught.event), self._observations.get((match.id, taught.observation))
        if interval is not None and taught.lessons:
            self._learning.tell(DiceLesson(source, interval, taught.lessons))
        elif isinstance(entry.event, Corrected):
            self._learning.forget(source)


def taught_by(entries: Sequence[Entry], number: int) -> Taught | None:
    """Return what event ``number`` of a match teaches; None if nothing.

    It follows from the match's events alone, so that what a table learnt can be repeated from its journal.
    """
    match entries[number - 1].event:
        case Committed():
            seen = camera_throw(entries, number)
            lessons = () if seen is None else lessons_of(seen.dice, seen.throw, named=False)
            return Taught(number, seen.observation, lessons) if seen is not None and lessons else None
        case Corrected(event=event, move=move):
            seen = camera_throw(entries, event)
            throw = None if move is None else thrown(move)
            if seen is None or throw is None:
                return Taught(event, 0, ())
            return Taught(event, seen.observation, lessons_of(seen.dice, throw, named=True))
    return None


def lessons_after_audit(lessons: Sequence[FaceLesson], at: Sequence[float], text: str | None) -> tuple[FaceLesson, ...]:
    """Return what a throw teaches once a person named what the die at a place shows; ``text``: None if it is no die."""
    others = (one for one in lessons if not near(one.place, at))
    return (*others, FaceLesson((at[0], at[1]), text, named=True))


def lessons_of(dice: Sequence[Die], throw: Throw, *, named: bool) -> tuple[FaceLesson, ...]:
    """Return what each die shows, as far as that is known, given the throw that counts.

    People name the faces of dice, and may name a die otherwise than it was read. So only a die that was read as the
    throw has it is surely that die; which of the others shows which face is judged by how they looked. ``named``: a
    person named the whole throw; otherwise only the dice that were asked about, or read wrongly.
    """
    faces = dict(throw.shown)
    lessons, unclear = [], []
    for die in dice:
        name = die.get("die")
        if die["status"] == "read" and name in faces and bag_of(faces[name]) == bag_of(die["face"]):
            del faces[name]
            if named or not die.get("remembered"):
                lessons.append(FaceLesson(middle(die), die["face"], named))
        elif die["status"] != "ignored":
            unclear.append(die)
    return (*lessons, *_handed_out(unclear, list(faces.values()), whole=_is_whole(throw)))


def _is_whole(throw: Throw) -> bool:
    """Return whether all dice of the set were thrown, so that what else lies there is none of them."""
    known = dice_set(throw.set_name)
    return not known.alike and {name for name, _ in throw.shown} == {die.name for die in known.dice}


def _handed_out(dice: Sequence[Die], faces: Sequence[str], *, whole: bool) -> list[FaceLesson]:
    """Return which find shows which of the faces, where that is clear.

    ``whole``: all dice of the set were thrown; then a find that was asked about and shows none of the faces is no die.
    """
    if not len(faces) <= len(dice) <= MOST_UNNAMED:
        return []
    chances = [{bag_of(text): float(chance) for text, chance in die["candidates"]} for die in dice]
    shares: list[dict[str, float]] = [{} for _ in dice]
    every = 0.0
    for places in permutations(range(len(dice)), len(faces)):
        likely = math.prod(
            max(UNLISTED_CHANCE, chances[i].get(bag_of(face), 0.0)) for i, face in zip(places, faces, strict=True)
        )
        every += likely
        for i, face in zip(places, faces, strict=True):
            shares[i][face] = shares[i].get(face, 0.0) + likely
    shown: list[FaceLesson] = []
    for die, share in zip(dice, shares, strict=True):
        face, likely = max(share.items(), key=lambda one: one[1], default=("", 0.0))
        if likely >= CLEAR_CHANCE * every:
            shown.append(FaceLesson(middle(die), face, named=True))
        elif whole and die["status"] == "ask" and sum(share.values()) <= (1 - CLEAR_CHANCE) * every:
            shown.append(FaceLesson(middle(die), None, named=True))
    return shown
