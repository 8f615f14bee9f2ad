"""The verdict on each die during a series: the running judgement, and tests of whether throws depend on each other."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from companion.desk.shapes.series import SeriesDieShape
from companion.fairness.account import DieAccount
from companion.fairness.course import Courses
from companion.fairness.dependence import Finding, asked
from companion.fairness.mixture import Counts
from companion.fairness.sentences import die_sentences
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.series.fold import Series, SeriesThrow
from companion.fairness.verdict import Against, Judgement, throws_for

MOST_POINTS: Final = 200
"""Most points of the evidence that a page shows."""


@dataclass
class _State:
    """The bets against one die, and their course through the first ``taken`` throws of the series.

    ``key``: how often throws were changed, and what was known of the reader; if it changes, the sum starts again.
    """

    key: tuple[int, bytes]
    taken: int
    against: Against
    courses: Courses


class Judges:
    """Judges the dice of one series as it goes on. Only the writer uses it."""

    def __init__(self, series: Series) -> None:
        self._series = series
        self._states: dict[int, _State] = {}

    def judgement(self, die: int) -> Judgement:
        """Return the judgement on a die now; sums only the throws since the last call."""
        series = self._series
        state, reader = self._states.get(die), series.reader(die)
        key = (series.shifts[die], b"" if reader is None else reader.seen.tobytes())
        if state is None or state.key != key:
            against = Against(series.dice[die].outcomes, series.started.smallest, reader, series.stakes)
            state = _State(key, 0, against, against.courses(series.dice[die].together))
            self._states[die] = state
        state.courses.take(
            _seen([throw for throw in series.throws[state.taken :] if throw.die == die and not throw.withdrawn])
        )
        state.taken = len(series.throws)
        return state.against.concluded(state.courses)


def _seen(throws: Sequence[SeriesThrow]) -> Counts:
    """Return the places of the outcomes of throws, `UNREAD_PLACE` where one was not read (n)."""
    return np.array([UNREAD_PLACE if throw.outcome is None else throw.outcome for throw in throws], np.int64)


def findings(thrown: Sequence[SeriesThrow], kinds: int, together: int = 1) -> list[Finding]:
    """Ask the questions about the thrower that are due at the moments so far.

    ``thrown``: those that count, also those that were not read. ``together``: how many dice a throw has.
    """
    groups = {"session": [throw.session for throw in thrown], "hand": [throw.hand for throw in thrown]}
    return [one for one in asked(_seen(thrown), kinds, groups, together=together).values() if one is not None]


def die_json(
    series: Series, die: int, judged: Judgement, found: Sequence[Finding], due: Sequence[int]
) -> SeriesDieShape:
    """Return a die of the state as pages show it; ``due``: the throws that a person should audit and still can."""
    of, count, outcomes = series.dice[die], series.counted[die], series.dice[die].outcomes
    judged = judged.with_findings(found)
    evidence = judged.evidence
    points = _thinned(len(evidence.throws))
    sentences = [sentence.to_json() for sentence in die_sentences(judged, outcomes, found, together=of.together)]
    return {
        "name": of.name,
        "set": of.dice.name,
        "die": of.die.name,
        "together": of.together,
        "labels": list(outcomes.labels),
        "fair": outcomes.fair.tolist(),
        "counts": judged.counts.tolist(),
        "throws": int(judged.counts.sum()),
        "unread": count.unread,
        "corrected": count.corrected,
        "audit": {"done": count.audited, "wrong": count.wrong, "due": list(due)},
        "verdict": {
            "said": judged.said,
            "sentences": sentences,
            "p": evidence.p,
            "called": evidence.called,
            "largest": judged.largest,
            "smallest": judged.smallest,
            "needed": throws_for(outcomes, judged.smallest) if judged.said == "not enough" else None,
            "reader_explains": judged.reader_explains,
        },
        "low": judged.intervals.low.tolist(),
        "high": judged.intervals.high.tolist(),
        "estimate": judged.estimate.tolist(),
        "evidence": {
            "throws": evidence.throws[points].tolist(),
            "log_value": [value if math.isfinite(value) else -1e9 for value in evidence.log_value[points].tolist()],
            "needed": evidence.needed,
        },
        "findings": [{"question": one.question, "found": one.found, "p": one.p, "throws": one.throws} for one in found],
    }


def _thinned(count: int) -> Counts:
    """Return the indexes of at most `MOST_POINTS` points, with the first and the last among them."""
    if count <= MOST_POINTS:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, MOST_POINTS).astype(np.int64))


def accounts_of(
    series: Series, photograph: Callable[[str], bytes | None], crop: Callable[[str], bytes | None] = lambda _: None
) -> list[DieAccount]:
    """Return an account of each die of a series; ``photograph`` and ``crop`` give pictures by their hash."""
    accounts_shown = []
    for place, die in enumerate(series.dice):
        pictures: Mapping[str, bytes] = {
            face: picture
            for (name, face), digest in series.photographs.items()
            if name == die.name and (picture := photograph(digest)) is not None
        }
        account = series.account(place, pictures)
        lay = (crop(throw.digest) for throw in reversed(account.throws or ()) if throw.digest and not throw.asked)
        newest = next((picture for picture in islice(lay, _NEWEST) if picture is not None), None)
        accounts_shown.append(replace(account, crop=newest))
    return accounts_shown


_NEWEST: Final = 20
"""How many of the newest throws may give the picture of the die; older pictures are hardly kept."""
