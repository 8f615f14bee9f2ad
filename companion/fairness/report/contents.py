"""The contents of a report on one die, computed once from its account."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np

from companion.fairness import dependence
from companion.fairness.account import CountedThrow, DieAccount, How
from companion.fairness.confidence import Intervals, intervals
from companion.fairness.dependence import FIRST_MOMENT, Finding
from companion.fairness.fixed_sample import FixedTest, fixed_test
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats
from companion.fairness.planning import detectable
from companion.fairness.report.provenance import Provenance, provenance_of
from companion.fairness.sentences import die_sentences
from companion.fairness.verdict import SIGNIFICANCE_LEVEL, Judgement, throws_for
from companion.language.sentence import Sentence

SEEDS: Final = {**dependence.SEEDS, "fixed": 1}
"""The seeds of everything random: other orders of the throws, and throws of a fair die."""

RUNNING_MOMENTS: Final = 120
"""The number of evenly spread moments at which the report gives the running shares."""

PAUSE_SECONDS: Final = 120.0
"""Seconds: a longer gap between two throws is a pause."""

FEWEST_TIMED: Final = 20
"""The fewest intervals between throws that make a pace."""

HOW: Final[tuple[How, ...]] = ("camera", "typed", "file", "program")

State = Literal["found", "not found", "too few", "one group", "order unknown"]


@dataclass(frozen=True)
class ThrowerQuestion:
    """A question about the thrower, and its state: answered, or why it was not asked."""

    name: str
    state: State
    finding: Finding | None


@dataclass(frozen=True)
class Changed:
    """Throws that a person changed in the same way: what they were and are (places, None: not read), by whom and why.

    ``withdrawn``: they were no throws. ``audited``: the draw chose them for a second pass. ``numbers``: of the throws.
    """

    was: int | None
    now: int | None
    withdrawn: bool
    audited: bool
    by: str
    reason: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Tally:
    """How many throws there were: ``thrown`` in all, ``read`` of them; ``asked`` about and ``corrected`` by a person.

    ``withdrawn`` throws are in none of these: a person said that they were none. ``audited``: examined a second time.
    ``suspected``: of the throws that were not read, how many were likely each outcome (k). ``how``: throws by who saw
    them. ``changed``: what people changed, withdrawn throws too.
    """

    thrown: int
    read: int
    asked: int
    corrected: int
    withdrawn: int
    audited: int
    suspected: tuple[int, ...]
    how: tuple[tuple[How, int], ...]
    changed: tuple[Changed, ...]

    @property
    def unread(self) -> int:
        """How many throws were not read."""
        return self.thrown - self.read


@dataclass(frozen=True)
class Detectable:
    """For a ``kind`` of contrast (`face`, `axis`, `corner`): the bias found in 80 and in 95 of 100 cases.

    A bias is a difference of chances; None if this many throws find no bias that a die can have.
    """

    kind: str
    four_of_five: float | None
    nineteen_of_twenty: float | None


DETECTED_PARTS: Final = (0.80, 0.95)


@dataclass(frozen=True)
class LargestEffect:
    """How far the farthest outcome is from fair: ``place`` by the estimates, ``off`` as a difference of chances.

    The greatest absolute difference of any outcome lies between ``low`` and ``high`` at any time.
    """

    place: int
    off: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class RunningShares:
    """The shares of the outcomes after ``throws`` throws (m), with their confidence sequences (each m x k)."""

    throws: Counts
    shares: Floats
    ends: Intervals


@dataclass(frozen=True, eq=False)
class Report:
    """The contents of a report; the ``sentences`` come first.

    ``fixed``: the test for a number of throws that was fixed in advance, only if that many were read. ``transitions``:
    how often each outcome followed each (k x k).
    """

    account: DieAccount
    judged: Judgement
    sentences: tuple[Sentence, ...]
    tally: Tally
    effect: LargestEffect
    questions: tuple[ThrowerQuestion, ...]
    fixed: FixedTest | None
    transitions: Counts | None
    running: RunningShares | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the questions about the thrower that the report could ask."""
        return tuple(one.finding for one in self.questions if one.finding is not None)

    @property
    def twins_apart(self) -> bool:
        """Whether faces with the same text count separately."""
        return len(self.account.outcomes.labels) == len(self.account.die.faces)

    @property
    def needed(self) -> int:
        """About how many throws in all will rule out the bias that matters, if the die is fair."""
        return throws_for(self.account.outcomes, self.judged.smallest)

    @property
    def detectable(self) -> tuple[Detectable, ...]:
        """The smallest bias that so many throws would have found, for each kind of contrast."""
        outcomes, throws = self.account.outcomes, int(self.judged.counts.sum())
        return tuple(
            Detectable(
                kind,
                *(detectable(outcomes, kind, throws, part, stakes=self.account.stakes) for part in DETECTED_PARTS)
                if throws
                else (None, None),
            )
            for kind in dict.fromkeys(contrast.kind for contrast in outcomes.contrasts)
        )

    @cached_property
    def provenance(self) -> Provenance:
        """Which program makes the report, and how to make it again; a short answer does without."""
        return provenance_of(self.account)

    @cached_property
    def span(self) -> tuple[float, float] | None:
        """The times of the first throw and the last, in seconds since 1970; None if no times are known."""
        return span_of(self.account)

    @cached_property
    def pace(self) -> float | None:
        """Throws a minute, without pauses; None if too few times are known."""
        throws = [one for one in self.account.throws or () if not one.withdrawn]
        moments = [one.at for one in throws if one.at is not None and math.isfinite(one.at)]
        between = np.diff(np.array(moments, np.float64))
        thrown = between[(between > 0) & (between < PAUSE_SECONDS)]
        return 60 / float(thrown.mean()) if len(thrown) >= FEWEST_TIMED else None


def span_of(account: DieAccount) -> tuple[float, float] | None:
    """Return the times of the first throw and the last, in seconds since 1970; None if no times are known."""
    moments = [one.at for one in account.throws or () if one.at is not None and math.isfinite(one.at)]
    return (min(moments), max(moments)) if moments else None


def report_of(account: DieAccount) -> Report:
    """Compute a report; everything random uses `SEEDS`, so that another run gives the same report."""
    outcomes, shown = account.outcomes, account.shown
    questions = tuple(_questions(account))
    findings = [one.finding for one in questions if one.finding is not None]
    judged = account.judged_after(findings)
    read = int(judged.counts.sum())
    fixed = None
    if account.fixed is not None and account.fixed == read and read:
        fixed = fixed_test(judged.counts, outcomes.fair, seed=SEEDS["fixed"])
    return Report(
        account,
        judged,
        (*account.faults, *die_sentences(judged, outcomes, findings, together=account.together)),
        _tally(account),
        _effect(judged, outcomes.fair),
        questions,
        fixed,
        None if shown is None else _transitions(shown, len(outcomes.labels)),
        None if shown is None or not len(shown) else _running(shown, account),
    )


def _questions(account: DieAccount) -> Sequence[ThrowerQuestion]:
    asked = account.asked_of_the_thrower()
    if not asked:
        return [ThrowerQuestion(name, "order unknown", None) for name in dependence.SEEDS]
    read = [one for one in account.throws or () if one.outcome is not None]
    groups = {
        "session": len({one.session for one in read}),
        "hand": len({one.hand for one in read}),
        "cycle": 2 if account.together == 1 else 1,
    }
    return [
        ThrowerQuestion(name, state_of(finding, groups.get(name, 2), len(read)), finding)
        for name, finding in asked.items()
    ]


def state_of(finding: Finding | None, groups: int, read: int) -> State:
    """Return the state of a question about so many groups of throws that were read."""
    if finding is not None:
        return "found" if finding.found else "not found"
    return "too few" if groups > 1 or read < FIRST_MOMENT else "one group"


def _tally(account: DieAccount) -> Tally:
    kinds = len(account.outcomes.labels)
    if account.throws is None:
        read = int(account.counts.sum())
        return Tally(read + account.unread, read, 0, 0, 0, 0, (0,) * kinds, (("file", read + account.unread),), ())
    throws = [one for one in account.throws if not one.withdrawn]
    suspected = [one.suspected for one in throws if one.outcome is None]
    return Tally(
        len(throws),
        sum(one.outcome is not None for one in throws),
        sum(one.asked for one in throws),
        sum(one.corrected for one in throws),
        len(account.throws) - len(throws),
        sum(one.audited for one in throws),
        tuple(suspected.count(place) for place in range(kinds)),
        tuple((how, many) for how in HOW if (many := sum(one.how == how for one in throws))),
        tuple(_changed(account.throws)),
    )


def _changed(throws: Sequence[CountedThrow]) -> Iterator[Changed]:
    alike: dict[tuple[int | None, int | None, bool, bool, str, str], list[int]] = {}
    for one in throws:
        if one.corrected or one.withdrawn:
            key = (one.first, one.outcome, one.withdrawn, one.audited, one.by, one.reason)
            alike.setdefault(key, []).append(one.number)
    for (was, now, withdrawn, audited, by, reason), numbers in alike.items():
        yield Changed(was, now, withdrawn, audited, by, reason, tuple(numbers))


def _effect(judged: Judgement, fair: Floats) -> LargestEffect:
    off = judged.estimate - fair if judged.counts.sum() else np.zeros(len(fair))
    place = int(np.argmax(np.abs(off)))
    least = np.maximum(np.maximum(judged.intervals.low - fair, fair - judged.intervals.high), 0)
    return LargestEffect(place, float(off[place]), float(least.max()), judged.largest)


def _transitions(shown: Counts, kinds: int) -> Counts:
    pairs = shown[:-1] * kinds + shown[1:]
    return np.bincount(pairs, minlength=kinds * kinds).reshape(kinds, kinds)


def _running(shown: Counts, account: DieAccount) -> RunningShares:
    kinds = len(account.outcomes.labels)
    after = np.unique(np.linspace(1, len(shown), min(RUNNING_MOMENTS, len(shown))).astype(np.int64))
    counts = np.stack([np.bincount(shown[:many], minlength=kinds) for many in after])
    return RunningShares(after, counts / after[:, None], intervals(counts, account.outcomes, SIGNIFICANCE_LEVEL))
