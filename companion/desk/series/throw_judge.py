"""What happens in the laboratory when the dice are at rest: each throw counts once, leads to a question, or is left."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from companion.desk.kept import UnwrittenError
from companion.desk.pictures import PictureStore
from companion.desk.series.asking import asked_of, labelled, throws_of
from companion.desk.series.series_desk import SeriesDesk
from companion.desk.sight import DiceSeen, Sight
from companion.desk.table.match_desk import PROGRAM
from companion.fairness.series.events import Answered, SeriesEvent, Thrown
from companion.fairness.series.fold import Series, SeriesQuestion
from companion.language.sentence import Sentence
from companion.referee.arrangement import Arrangement, ArrangementChange, LyingDie, SeenSizes, arranged, compare
from companion.vision.readings import ReadDie


@dataclass(frozen=True)
class DiceMismatch:
    """Why the dice on the table do not count. ``throw``: a person should throw them as they are."""

    sentence: Sentence
    throw: bool = False


UNWATCHED = DiceMismatch(
    Sentence("These dice were thrown before anybody watched, and do not count: throw."), throw=True
)
NEARLY = Sentence(
    "It is nearly where it was: was it thrown? If so, say what it shows; if it was only touched, it was not a throw."
)

UNTOUCHED_WIDTHS = 0.1
"""An untouched die lies within this many of its widths of its old place (at rest it jitters by 0.03)."""

NEAR_TURN = math.radians(7)
"""And it has turned by less than this, in radians (at rest it jitters by 3 degrees)."""

MOST_PUSH_WIDTHS = 2.0
"""Most widths of a die by which people push a table, dice and all."""

MORE_LATER = Sentence("Not all of the dice were there yet.")
STILL_ROLLING = Sentence("The dice had not come to rest yet.")


class ThrowJudge:
    """Keeps what was last seen; writes only through the desk. One thread uses it."""

    def __init__(
        self,
        desk: SeriesDesk,
        pictures: PictureStore,
        unasked: Callable[[Series], PictureStore | None] = lambda _: None,
    ) -> None:
        """``unasked``: where the pictures go of a series whose doubtful throws stay unread until rows are named.

        None for a series whose doubtful throws are asked about at once.
        """
        self._desk = desk
        self._pictures = pictures
        self._unasked = unasked
        self._lying: Arrangement = ()  # dice whose throw has counted, or never will
        self._ignored: Arrangement = ()  # dice that never will, seen while others were asked about
        self._sizes = SeenSizes()
        self._known = False  # whether the dice were seen since the camera was last away
        self._trusted_after = 0  # count of motions when the table was last known
        self._judged: tuple[int, int] | None = None  # the last still interval judged, and its series
        self._series: int | None = None
        self.mismatch: DiceMismatch | None = None

    def forget(self, sight: Sight) -> None:
        """Count nothing that lies there now: a series was begun or taken up, or somebody typed in a throw."""
        self._trusted_after = sight.motion
        self._judged = None
        self.mismatch = None
        self._known = sight.seen is not None
        if sight.seen is not None:
            self._lying = _arranged(sight.seen)

    def see(self, sight: Sight) -> None:
        """Judge a still interval once; one that was judged already changes nothing.

        Raises:
            UnwrittenError: the file could not be written; this still interval is judged again once it can be.
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
        asked = () if series.question is None else _lying_of(series.question)
        self._sizes.see(seen.width, self._lying, self._ignored, asked, _kept(series))
        self._lying, self._ignored = self._sizes.now(self._lying), self._sizes.now(self._ignored)
        try:
            self.mismatch = self._judge(series, seen)
        except UnwrittenError:
            self._judged = None
            raise

    def _judge(self, series: Series, seen: DiceSeen) -> DiceMismatch | None:
        now = _arranged(seen)
        known, self._known = self._known, True
        if not now:
            return None
        if not (known and seen.watched and seen.motion > self._trusted_after):
            if series.question is None:
                self._lying = now
            else:
                self._ignored = now
            return (
                UNWATCHED if series.question is None and not compare(self._sizes.now(_kept(series)), now).same else None
            )
        question = series.question
        if question is not None:
            asked = self._sizes.now(_lying_of(question))
            change = compare(asked, now)
            if (change.pushed and _a_little(asked, now)) or not change.moved:
                return None  # the dice in question, or somebody took some of them up
            if seen.rolled_on and len(now) == len(asked):
                return self._thrown(series, seen, now, question)  # they were still rolling: it was no throw of its own
            if change.gone or not any(die.get("missing") for die in question.asked.asked):
                self._desk.record(passed(question), PROGRAM)  # somebody threw them again before anybody answered
                self.settled(question)
                question = None
        return self._thrown(series, seen, now, question)

    def _thrown(
        self, series: Series, seen: DiceSeen, now: Arrangement, question: SeriesQuestion | None
    ) -> DiceMismatch | None:
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
            return DiceMismatch(
                Sentence(
                    "There are {seen} dice, but this series has {expected}: take the others away, then throw again.",
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
            reason = STILL_ROLLING if seen.rolled_on else MORE_LATER
            events.append(Answered(question.number, "replaced", {}, str(reason)))
        rows = self._unasked(series)
        counts = all(die.sure for die in named) or (rows is not None and not doubted)
        pictures = self._hold(rows or self._pictures, seen, moved, asked=not counts)
        arrangement = tuple(die.to_json() for die in now)
        events += (
            throws_of(named, pictures, arrangement)
            if counts
            else [asked_of(named, pictures, arrangement, series.together, NEARLY if doubted else None)]
        )
        self._desk.record(events, PROGRAM)
        self._lying, self._ignored = (now if counts else before), ()
        return None

    def _moved(self, before: Arrangement, now: Arrangement, change: ArrangementChange) -> tuple[set[int], set[int]]:
        """Return the dice that were thrown, and those of the others that may have been."""
        old = set(compare(self._ignored, now).kept)
        # a die in the place of another one was thrown there
        other = {place for place, then in change.was.items() if _another(before[then], now[place])}
        sure = (set(change.moved) | other) - old
        pushed = _shift([(before[then], now[place]) for place, then in change.was.items()])
        return sure, {
            place
            for place, then in change.was.items()
            if place not in sure | old and _touched(before[then], now[place], pushed)
        }

    @staticmethod
    def _hold(store: PictureStore, seen: DiceSeen, moved: Sequence[ReadDie], *, asked: bool) -> list[str]:
        """Keep the crops of the thrown dice, and after them the whole picture if the throw is ``asked`` about."""
        crops = [seen.crops[seen.reading.dice.index(die)] for die in moved]
        return [store.hold(crop, asked=asked) for crop in [*crops, seen.picture][: len(crops) + asked]]

    def settled(self, question: SeriesQuestion) -> None:
        """Note that a question has ended: its dice do not count again."""
        self._lying = self._sizes.now(_lying_of(question))


def passed(question: SeriesQuestion) -> list[SeriesEvent]:
    """Return the events of a question that nobody answered: what was read counts, a doubtful die is unread.

    A die that was not seen may not have been thrown, so nothing is written about it.
    """
    events: list[SeriesEvent] = [Answered(question.number, "passed", {})]
    return events + answers(question, {})


def answers(question: SeriesQuestion, faces: Mapping[str, str | None]) -> list[SeriesEvent]:
    """Return the throws from a question and a person's answers: a label or None under each die's key."""
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
    """Return the dice of a still interval that `arranged` places, in the same order."""
    return [die for die in seen.reading.dice if die.status != "ignored" and len(die.polygon) > 2]  # noqa: PLR2004  (an outline)


def _arranged(seen: DiceSeen) -> Arrangement:
    """Return where the dice lie, each with its face only if that was read for certain."""
    return arranged(die if die.status == "read" else replace(die, face=None) for die in _seen_dice(seen))


def _kept(series: Series) -> Arrangement:
    return tuple(LyingDie.from_json(dict(die)) for die in series.lying)


def _lying_of(question: SeriesQuestion) -> Arrangement:
    return tuple(LyingDie.from_json(die) for die in question.asked.arrangement)


def _a_little(before: Arrangement, now: Arrangement) -> bool:
    """Tell whether a push of the table can move dice so far; by chance, a new throw can repeat a pattern of three."""
    was = {die.die: die for die in before}
    return all(math.hypot(die.x - was[die.die].x, die.y - was[die.die].y) < MOST_PUSH_WIDTHS * die.width for die in now)


def _another(before: LyingDie, now: LyingDie) -> bool:
    return bool(before.die and now.die and before.die != now.die)


def _shift(pairs: Sequence[tuple[LyingDie, LyingDie]]) -> tuple[float, float]:
    """Return how far the table was pushed with all its dice, in pixels; 0 for fewer than three, which cannot tell."""
    if len(pairs) < 3:  # noqa: PLR2004  (of two, either may be the one that was touched)
        return 0.0, 0.0
    return median(now.x - was.x for was, now in pairs), median(now.y - was.y for was, now in pairs)


def _touched(before: LyingDie, now: LyingDie, pushed: tuple[float, float]) -> bool:
    """Tell whether a die near its old place may have been thrown: it lies a bit off, or shows another face."""
    step = math.tau / now.corners
    turned = abs(before.angle - now.angle) % step
    away = math.hypot(now.x - before.x - pushed[0], now.y - before.y - pushed[1])
    off = away > UNTOUCHED_WIDTHS * now.width or min(turned, step - turned) > NEAR_TURN
    return off or bool(before.face and now.face and before.face != now.face)
