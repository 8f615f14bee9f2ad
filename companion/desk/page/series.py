"""What the laboratory's page shows, as plain JSON values. The page renders nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.desk.page.camera import camera_part, health_part
from companion.desk.series.judging import Judges, die_json
from companion.desk.series.throw_judge import DiceMismatch
from companion.desk.shapes.common import SeriesCameraShape
from companion.desk.shapes.series import (
    ListedShape,
    RowsShape,
    SeriesDieShape,
    SeriesParts,
    SeriesQuestionShape,
    SeriesShape,
    SeriesThrowShape,
    ShownThrowShape,
    Sign,
)
from companion.desk.sight import Sight
from companion.fairness.dependence import Finding
from companion.fairness.series.fold import Series, SeriesQuestion, SeriesThrow
from companion.language.sentence import Sentence
from companion.ledger.codec import sentence_from_json

NEWEST_THROWS = 12
"""Number of last throws that the page shows."""

MOST_DUE = 12
"""Most throws that the page offers for audit, the newest: their pictures still exist."""


def status_sentence(
    series: Series | None,
    sight: Sight,
    mismatch: DiceMismatch | None,
    trouble: Sentence | None,
    rows: Sentence | None = None,
) -> tuple[Sentence, Sign]:
    """Return the one large sentence and its sign.

    ``trouble``: why the file cannot be written. ``rows``: what to say of a die that is counted by likeness.
    """
    if trouble is not None:
        return trouble, "blind"
    if series is None:
        return Sentence("No series is open: begin a new one or open an earlier one."), "none"
    if series.question is not None:
        return sentence_from_json(series.question.asked.sentence), "ask"
    if sight.source is None:
        return Sentence("Throw, and type in what the die shows."), "throw"
    return _before_camera(sight) or _of_still_dice(series, sight, mismatch, rows)


def _before_camera(sight: Sight) -> tuple[Sentence, Sign] | None:
    """Return what to say of camera and table, None where dice at rest are seen."""
    if sight.status != "LIVE":
        return sight.sentence, "blind"
    if sight.trouble is not None:
        return sight.trouble, "blind"
    if sight.hand:
        return Sentence("A hand is over the table."), "hand"
    return (Sentence("The dice are rolling."), "wait") if sight.phase != "still" else None


def _of_still_dice(
    series: Series, sight: Sight, mismatch: DiceMismatch | None, rows: Sentence | None
) -> tuple[Sentence, Sign]:
    if mismatch is not None:
        return mismatch.sentence, "throw" if mismatch.throw else "wait"
    if rows is not None:
        return rows, "throw"
    if series.throws and sight.seen is not None and all(die.status == "ignored" for die in sight.seen.reading.dice):
        return Sentence("No dice in sight: throw. If they are there, type in what they show."), "throw"
    return _counted(series), "throw"


def _counted(series: Series) -> Sentence:
    if not series.throws:
        return Sentence("Throw.")
    last = series.throws[-1]
    if last.due and not last.audited:  # an auditor must not know what the reader saw
        return Sentence("Throw {number} is counted, and was picked for a second look. Throw again.", number=last.number)
    face = None if last.outcome is None else series.dice[last.die].outcomes.labels[last.outcome]
    if face is None:
        return Sentence("Throw {number} was not read. Throw again.", number=last.number)
    return Sentence("Throw {number} shows {face}. Throw again.", number=last.number, face=face)


@dataclass(frozen=True)
class LaboratoryNow:
    """The state of a laboratory now.

    ``sentence`` and ``sign``: from `status_sentence`. ``failure``: what failed last. ``trouble``: what is wrong with
    the file, ``copy_trouble`` with its second copy. ``rows``: those of a die that is counted by likeness. ``time``: of
    the monotonic clock, in seconds.
    """

    sentence: Sentence
    sign: Sign
    sight: Sight
    time: float
    failure: Sentence | None = None
    trouble: Sentence | None = None
    copy_trouble: Sentence | None = None
    rows: RowsShape | None = None


def laboratory_snapshot(series: SeriesShape | None, listed: Sequence[ListedShape], now: LaboratoryNow) -> SeriesParts:
    """Return the whole snapshot; ``series``: the open one as `SeriesPage` writes it; ``listed``: all series."""
    return {
        "sentence": now.sentence.to_json(),
        "sign": now.sign,
        "camera": camera_json(now.sight),
        "series": series,
        "series_list": list(listed),
        "rows": now.rows,
        "hitch": None if now.failure is None else now.failure.to_json(),
        "health": health_part(now.sight, now.time, now.trouble, now.copy_trouble),
    }


class Findings(Protocol):
    """What the tests of a series have found so far."""

    def of(self, series: Series, die: int) -> list[Finding]:
        """Return the findings on a die so far, without waiting for more."""


class SeriesPage:
    """Writes a series as the page shows it, and only what has changed. Only the writer uses it."""

    def __init__(self, questions: Findings, has: Callable[[str], bool]) -> None:
        """``has`` tells whether a picture of this name exists."""
        self._questions = questions
        self._has = has
        self._series: Series | None = None
        self._judges: Judges | None = None
        self._written: dict[int, tuple[Any, SeriesDieShape]] = {}

    def of(self, series: Series | None) -> SeriesShape | None:
        """Return the open series, None if none is open."""
        if series is None:
            self._series = self._judges = None
            return None
        if series is not self._series or self._judges is None:
            self._series, self._judges, self._written = series, Judges(series), {}
        started = series.started
        return {
            "id": series.id,
            "title": started.title,
            "at": series.at,
            "about": {**started.about, **started.known},
            "smallest": started.smallest,
            "fixed": started.fixed,
            "pace": series.pace(),
            "session": series.session,
            "hand": series.hand,
            "throws": len(series.throws),
            "dice": [self._die(series, die, self._judges) for die in range(len(series.dice))],
            "last": [self._throw(series, throw) for throw in reversed(series.throws[-NEWEST_THROWS:])],
            "question": None if series.question is None else question_json(series.question),
            "photographs": [
                {"die": die, "face": face, "picture": picture}
                for (die, face), picture in sorted(series.photographs.items())
            ],
        }

    def _die(self, series: Series, die: int, judges: Judges) -> SeriesDieShape:
        found = self._questions.of(series, die)
        drawn = [throw.number for throw in series.due(die)[-2 * MOST_DUE :] if self._has(throw.picture)]
        count = series.counted[die]
        key = (int(count.counts.sum()), count.unread, series.shifts[die], count.corrected, count.audited, drawn, found)
        known = self._written.get(die)
        if known is None or known[0] != key:
            known = (key, die_json(series, die, judges.judgement(die), found, drawn[-MOST_DUE:]))
            self._written[die] = known
        return known[1]

    def _throw(self, series: Series, throw: SeriesThrow) -> ShownThrowShape:
        return {**throw_json(series, throw), "crop": throw.picture if self._has(throw.picture) else None}


def throw_json(series: Series, throw: SeriesThrow) -> SeriesThrowShape:
    """Return one throw as lists and tables show it."""
    labels = series.dice[throw.die].outcomes.labels
    return {
        "number": throw.number,
        "at": throw.at,
        "die": series.dice[throw.die].name,
        "outcome": None if throw.outcome is None else labels[throw.outcome],
        "suspected": None if throw.outcome is not None or throw.suspected is None else labels[throw.suspected],
        "how": throw.how,
        "asked": throw.asked,
        "corrected": throw.corrected,
        "withdrawn": throw.withdrawn,
        "due": throw.due and not throw.audited and not throw.withdrawn,
        "audited": throw.audited,
        "session": throw.session,
        "hand": throw.hand,
        "digest": throw.picture or None,
        "confidence": throw.confidence,
    }


def question_json(question: SeriesQuestion) -> SeriesQuestionShape:
    """Return the open question; the ``die`` of each die is its key in the answer."""
    return {
        "number": question.number,
        "sentence": sentence_from_json(question.asked.sentence).to_json(),
        "dice": [
            {
                "die": die["key"],
                "name": die["die"],
                "face": die.get("face"),
                "missing": bool(die.get("missing")),
                "candidates": die.get("candidates", []),
                "crop": die.get("picture") or None,
            }
            for die in question.asked.asked
        ],
    }


def camera_json(sight: Sight) -> SeriesCameraShape:
    """Return the state of the camera, as at a table, and what went wrong in reading."""
    return {**camera_part(sight), "trouble": None if sight.trouble is None else sight.trouble.to_json()}


def listed(number: int, started: Any, at: float, last: float, throws: Mapping[int, int]) -> ListedShape:
    """Return one series as a list shows it."""
    return {
        "id": number,
        "title": started.title,
        "throws": throws.get(number, 0),
        "at": at,
        "last": last,
        "dice": [{"name": die["name"], "set": die["set"], "die": die["die"]} for die in started.dice],
    }
