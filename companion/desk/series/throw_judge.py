"""What happens in the laboratory when the dice lie still: each throw is counted once, asked about, or left."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from companion.desk.pictures import PictureStore
from companion.desk.series.asking import asked_of, labelled, throws_of
from companion.desk.series.series_desk import SeriesDesk
from companion.desk.sight import DiceSeen, Sight
from companion.desk.table.match_desk import PROGRAM, UnwrittenError
from companion.fairness.series.events import Answered, SeriesEvent, Thrown
from companion.fairness.series.fold import Question, Series
from companion.language.sentence import Sentence
from companion.referee.arrangement import Arrangement, Change, Lying, arranged, compare
from companion.vision.readings import ReadDie


@dataclass(frozen=True)
class Mismatch:
    """Why nothing is counted of what lies there. ``throw``: the dice are to be thrown all the same, as they lie."""

    sentence: Sentence
    throw: bool = False


UNWATCHED = Mismatch(
    Sentence("What lies there was thrown before anybody watched, and does not count: throw."), throw=True
)
NEARLY = Sentence(
    "It lies nearly where it lay: was it thrown? If so, say what it shows; if it was only touched, it was no throw."
)

UNTOUCHED_WIDTHS = 0.1
"""A die that nobody touched lies within so many of its widths of where it lay (still ones jitter by 0.03)."""

NEAR_TURN = math.radians(7)
"""And is turned by less than this (a still die jitters by 3 degrees)."""

PUSHED = 2.0
"""Widths of a die that a table is pushed at most, dice and all."""

MORE_LATER = Sentence("There were not all dice there yet.")


class ThrowJudge:
    """Keeps what was seen last; writes through the desk only. Used by one thread."""

    def __init__(self, desk: SeriesDesk, pictures: PictureStore) -> None:
        self._desk = desk
        self._pictures = pictures
        self._lying: Arrangement = ()  # the dice whose throw is counted, or was never to be
        self._ignored: Arrangement = ()  # those that were not to be, while others were asked about
        self._known = False  # whether it was seen, since nobody watched, what lay there then
        self._trusted_after = 0  # count of motions at which the table was last known to us
        self._judged: tuple[int, int] | None = None  # the still interval judged last, and for which series
        self._series: int | None = None
        self.mismatch: Mismatch | None = None

    def forget(self, sight: Sight) -> None:
        """Count nothing that lies there now: a series was begun or taken up, or a throw was typed in."""
        self._trusted_after = sight.motion
        self._judged = None
        self.mismatch = None
        self._known = sight.seen is not None
        if sight.seen is not None:
            self._lying = _arranged(sight.seen)

    def see(self, sight: Sight) -> None:
        """Take in a still interval once; one that was judged already changes nothing.

        Raises:
            UnwrittenError: the file could not be written; the still interval is judged again when it can.
        """
        series, seen = self._desk.series, sight.seen
        if sight.status != "LIVE":
            self._known = False
        if series is None or seen is None:
            return
        if self._series != series.id:
            self._series, self._lying = series.id, _kept(series)
        if self._judged == (seen.interval, series.id):
            return
        self._judged = (seen.interval, series.id)
        try:
            self.mismatch = self._judge(series, seen)
        except UnwrittenError:
            self._judged = None
            raise

    def _judge(self, series: Series, seen: DiceSeen) -> Mismatch | None:
        now = _arranged(seen)
        known, self._known = self._known, True
        if not now:
            return None
        if not (known and seen.watched and seen.motion > self._trusted_after):
            if series.question is None:
                self._lying = now
            else:
                self._ignored = now
            return UNWATCHED if series.question is None and not compare(_kept(series), now).same else None
        question = series.question
        if question is not None:
            change = compare(_lying_of(question), now)
            if (change.pushed and _a_little(_lying_of(question), now)) or not change.moved:
                return None  # the dice that are asked about, or some of them were taken up
            if change.gone or not _lacks(question):
                self._close(question)  # they were thrown again before anybody answered
                question = None
        return self._thrown(series, seen, now, question)

    def _thrown(self, series: Series, seen: DiceSeen, now: Arrangement, question: Question | None) -> Mismatch | None:
        before, dice = self._lying, _seen_dice(seen)
        change = compare(before, now)
        if change.moved and change.pushed and _a_little(before, now):
            self._lying = now
            return None
        sure, doubted = self._moved(before, now, change)
        thrown = sorted(sure | doubted)
        if not thrown:
            return None
        if len(now) > series.together:
            return Mismatch(
                Sentence(
                    "There are {seen} dice, but this series is of {expected}: take the others away, then throw again.",
                    seen=len(now),
                    expected=series.together,
                )
            )
        moved = [dice[place] for place in thrown]
        stayed = [die for place, die in enumerate(dice) if place not in thrown]
        explained = any(die.status != "read" for die in dice) or len(now) < series.together
        named = labelled(series, moved, stayed, whole=explained or seen.reading.status == "read")
        named = [
            replace(die, face=None) if place < len(thrown) and thrown[place] in doubted else die
            for place, die in enumerate(named)
        ]
        events: list[SeriesEvent] = []
        if question is not None:
            events.append(Answered(question.number, "replaced", {}, str(MORE_LATER)))
        read = all(die.sure for die in named)
        pictures = self._hold(seen, moved, asked=not read)
        arrangement = tuple(die.to_json() for die in now)
        events += (
            throws_of(named, pictures, arrangement)
            if read
            else [asked_of(named, pictures, arrangement, series.together, NEARLY if doubted else None)]
        )
        self._desk.record(events, PROGRAM)
        self._lying, self._ignored = (now if read else before), ()
        return None

    def _moved(self, before: Arrangement, now: Arrangement, change: Change) -> tuple[set[int], set[int]]:
        """Return which dice were thrown, and which of the others may have been."""
        old = set(compare(self._ignored, now).kept)
        # a die that lies where another one lay was thrown there
        other = {place for place, then in change.was.items() if _another(before[then], now[place])}
        sure = (set(change.moved) | other) - old
        pushed = _shift([(before[then], now[place]) for place, then in change.was.items()])
        return sure, {
            place
            for place, then in change.was.items()
            if place not in sure | old and _touched(before[then], now[place], pushed)
        }

    def _hold(self, seen: DiceSeen, moved: Sequence[ReadDie], *, asked: bool) -> list[str]:
        """Keep the crops of the dice that were thrown, and last the whole picture where a die is missing."""
        crops = [seen.crops[seen.reading.dice.index(die)] for die in moved]
        return [self._pictures.hold(crop, asked=asked) for crop in [*crops, seen.picture][: len(crops) + asked]]

    def _close(self, question: Question) -> None:
        """Count what was asked about as far as it was read, for the next throw has come."""
        self._desk.record(passed(question), PROGRAM)
        self._lying = _lying_of(question)

    def settled(self, question: Question) -> None:
        """Take note that a person has answered: those dice are not counted again."""
        self._lying = _lying_of(question)


def passed(question: Question) -> list[SeriesEvent]:
    """Return what comes of a question that nobody answered: what was read counts, a doubtful die is unread.

    A die that was not seen may not have been thrown: nothing is written of it.
    """
    events: list[SeriesEvent] = [Answered(question.number, "passed", {})]
    return events + answers(question, {})


def answers(question: Question, faces: Mapping[str, str | None]) -> list[SeriesEvent]:
    """Return the throws that come of a question, by what a person said, a label or None, under each die's key."""
    events: list[SeriesEvent] = []
    for die in question.asked.asked:
        key, candidates = die["key"], die.get("candidates", [])
        if die.get("missing") and key not in faces:
            continue
        outcome = faces[key] if key in faces else die.get("face")
        suspected = candidates[0][0] if outcome is None and candidates else None
        asked = not die.get("face") or key in faces
        events.append(
            Thrown(
                die["die"],
                outcome,
                "camera",
                suspected,
                die.get("picture", ""),
                candidates[0][1] if candidates else None,
                tuple(candidates),
                question.number if asked else 0,
                () if events else question.asked.arrangement,
            )
        )
    return events


def _seen_dice(seen: DiceSeen) -> list[ReadDie]:
    """Return the dice of a still interval that `arranged` gives a place to, in the same order."""
    return [die for die in seen.reading.dice if die.status != "ignored" and len(die.polygon) > 2]  # noqa: PLR2004  (an outline)


def _arranged(seen: DiceSeen) -> Arrangement:
    """Return where dice lie, each with its face only if that was read for certain."""
    return arranged(die if die.status == "read" else replace(die, face=None) for die in _seen_dice(seen))


def _kept(series: Series) -> Arrangement:
    return tuple(Lying.from_json(dict(die)) for die in series.lying)


def _lying_of(question: Question) -> Arrangement:
    return tuple(Lying.from_json(die) for die in question.asked.arrangement)


def _lacks(question: Question) -> bool:
    return any(die.get("missing") for die in question.asked.asked)


def _a_little(before: Arrangement, now: Arrangement) -> bool:
    """Tell whether a push of the table took the dice so far: three that show the same may fall in one pattern twice."""
    was = {die.die: die for die in before}
    return all(math.hypot(die.x - was[die.die].x, die.y - was[die.die].y) < PUSHED * die.width for die in now)


def _another(before: Lying, now: Lying) -> bool:
    return bool(before.die and now.die and before.die != now.die)


def _shift(pairs: Sequence[tuple[Lying, Lying]]) -> tuple[float, float]:
    """Return how far the table was pushed with all dice on it, in pixels; of fewer than three dice that is not told."""
    if len(pairs) < 3:  # noqa: PLR2004  (of two the one that was touched is not told from the other)
        return 0.0, 0.0
    return median(now.x - was.x for was, now in pairs), median(now.y - was.y for was, now in pairs)


def _touched(before: Lying, now: Lying, pushed: tuple[float, float]) -> bool:
    """Tell whether a die about where it lay may have been thrown: it lies a bit off, or shows another face."""
    step = math.tau / now.corners
    turned = abs(before.angle - now.angle) % step
    away = math.hypot(now.x - before.x - pushed[0], now.y - before.y - pushed[1])
    off = away > UNTOUCHED_WIDTHS * now.width or min(turned, step - turned) > NEAR_TURN
    return off or bool(before.face and now.face and before.face != now.face)
