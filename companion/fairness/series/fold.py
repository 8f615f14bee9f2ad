"""A series of throws: the fold of its events, and which throws count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from companion.fairness import account
from companion.fairness.audits.draw import chosen
from companion.fairness.mixture import Counts
from companion.fairness.reader_errors import ReaderErrors, all_together
from companion.fairness.reader_file import seen_of
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.series.dice import SeriesDie
from companion.fairness.series.events import (
    Answered,
    Asked,
    Audited,
    Corrected,
    Ended,
    Learnt,
    Photographed,
    Resumed,
    SeriesEvent,
    SeriesStarted,
    SessionBegan,
    Thrown,
)
from companion.fairness.stakes import FIRST_STAKES
from companion.language.sentence import Sentence, SentenceError, why_of
from companion.ledger.entries import Entry

PAUSE_SECONDS: Final = 120.0
"""Seconds between two throws from which on they are a pause and do not count for the pace."""

SAMPLE: Final = "sample"
"""By this name a series knows that a sample's pictures were thrown: nobody can look at such throws a second time."""

PACE_OF: Final = 20
"""The pace is that of this many last throws."""


class NoSeriesError(SentenceError, ValueError):
    """These events are not a series; the sentence says which one does not fit."""


@dataclass(frozen=True)
class SeriesThrow:
    """One throw as it counts now: ``number`` counts in the series from 1, ``die`` is a place in `Series.dice`.

    ``read`` is the place of the outcome that was recorded first, ``outcome`` the one that counts now; both are None if
    unread. ``withdrawn``: it was no throw. ``due``: the draw chose it for an audit. ``audited``: somebody audited it,
    and ``truth`` is what the person saw, None if it was impossible to tell. ``by`` and ``reason``: who changed it and
    why, of several changes all. ``lay``: where in the picture it lay (x and y in pixels), where only one die did.
    """

    number: int
    die: int
    read: int | None
    outcome: int | None
    suspected: int | None
    how: account.How
    at: float
    asked: bool
    picture: str
    session: str
    hand: str
    confidence: float | None = None
    candidates: tuple[list[Any], ...] = ()
    corrected: bool = False
    withdrawn: bool = False
    due: bool = False
    audited: bool = False
    truth: int | None = None
    by: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    lay: tuple[float, float] | None = None


@dataclass(frozen=True)
class SeriesQuestion:
    """The open question: the number of its event, and what was asked."""

    number: int
    asked: Asked


@dataclass
class DieCount:
    """What counts of one die: ``counts`` by outcome (k); ``audits`` as in `ReaderErrors.seen` (k x (k + 1))."""

    counts: Counts
    audits: Counts
    unread: int = 0
    asked: int = 0
    """Throws before a camera that the program did not read alone; ``lost``: those that are unread in the end."""
    lost: int = 0
    corrected: int = 0
    audited: int = 0
    wrong: int = 0
    seen: int = 0
    """Throws that a camera read without asking."""
    due: dict[int, None] = field(default_factory=dict)
    """The numbers of the throws that the draw chose and nobody has audited yet, in order."""


class Series:
    """A series as its events describe it; `take` folds one more in. Used by one thread."""

    def __init__(self, entries: Iterable[Entry[SeriesEvent]]) -> None:
        """Fold events in their order; the first of them begins the series.

        Raises:
            NoSeriesError: they are not a series.
        """
        rest = iter(entries)
        first = next(rest, None)
        if first is None or not isinstance(first.event, SeriesStarted):
            raise NoSeriesError(Sentence("Expected a series to begin with its first event, but it is missing."))
        self.id, self.at, self.started = first.chain, first.at, first.event
        self.head: str = first.hash
        try:
            self.dice = tuple(SeriesDie.from_json(die) for die in self.started.dice)
        except ValueError as why:
            raise NoSeriesError(why_of(why)) from why
        self.by_name: Mapping[str, int] = {die.name: place for place, die in enumerate(self.dice)}
        self.throws: list[SeriesThrow] = []
        self.counted = [_nothing(die) for die in self.dice]
        self.readers: dict[str, Mapping[str, Any]] = dict(self.started.reader)
        """By a die's name, how the reader reads known faces of it."""
        self.by_likeness: set[str] = set()  # dice whose reader was learnt from rows of throws
        self.photographs: dict[tuple[str, str], str] = {}
        self.question: SeriesQuestion | None = None
        self.session, self.hand = "", ""
        self.last: float = first.at
        self.events = 1
        self.ended = False
        self.lying: tuple[Mapping[str, Any], ...] = ()
        """Where the dice that were counted or asked about last lay."""
        self.shifts = [0] * len(self.dice)
        """How often a count of each die changed afterwards: a running sum must then start again."""
        for entry in rest:
            self.take(entry)

    def take(self, entry: Entry[SeriesEvent]) -> None:
        """Fold the next event in.

        Raises:
            NoSeriesError: it does not fit.
        """
        try:
            self._take(entry)
        except (KeyError, IndexError, ValueError) as why:
            raise NoSeriesError(
                Sentence(
                    "Event {number} of series {series} does not fit: {why}",
                    number=entry.number,
                    series=self.id,
                    why=why_of(why),
                )
            ) from why
        self.events, self.last, self.head = entry.number, entry.at, entry.hash

    def _take(self, entry: Entry[SeriesEvent]) -> None:
        match entry.event:
            case Thrown() as thrown:
                self._thrown(thrown, entry.at)
            case Asked() as asked:
                for die in asked.asked:
                    self.by_name[die["die"]]  # a question about a die of another series does not fit
                self.question = SeriesQuestion(entry.number, asked)
            case Answered() as answered:
                self._answered(answered)
            case Corrected() as corrected:
                self._corrected(corrected, entry.actor)
            case Learnt() as learnt:
                self._learnt(learnt)
            case Audited() as audited:
                self._audited(audited, entry.actor)
            case SeriesStarted():
                raise ValueError("a series begins once.")
            case other:
                self._noted(other)

    def _noted(self, event: SessionBegan | Photographed | Ended | Resumed) -> None:
        match event:
            case SessionBegan(name=name, hand=hand):
                self.session, self.hand = name, hand
            case Photographed(die=die, face=face, picture=picture):
                self.photographs[die, face] = picture
            case Ended() | Resumed():
                self.ended = isinstance(event, Ended)

    def _answered(self, answered: Answered) -> None:
        if self.question is None or self.question.number != answered.question:
            raise ValueError(f"question {answered.question} was not open.")
        if answered.way != "replaced":
            self.lying = self.question.asked.arrangement
        self.question = None

    def _thrown(self, thrown: Thrown, at: float) -> None:
        place = self.by_name[thrown.die]
        die, count = self.dice[place], self.counted[place]
        outcome = None if thrown.outcome is None else die.place(thrown.outcome)
        number = len(self.throws) + 1
        alone = thrown.how == "camera" and not thrown.question and outcome is not None
        throw = SeriesThrow(
            number,
            place,
            outcome,
            outcome,
            None if thrown.suspected is None else die.place(thrown.suspected),
            thrown.how,
            at,
            bool(thrown.question),
            thrown.picture,
            self.session,
            self.hand,
            thrown.confidence,
            thrown.candidates,
            due=alone and SAMPLE not in self.started.known and chosen(self.started.seed, number, count.seen),
            lay=tuple(thrown.arrangement[0]["at"]) if len(thrown.arrangement) == 1 else None,
        )
        count.seen += alone
        if throw.due:
            count.due[number] = None
        if thrown.arrangement:
            self.lying = thrown.arrangement
        self.throws.append(throw)
        _add(count, throw, 1)

    def _corrected(self, corrected: Corrected, actor: str) -> None:
        throw = self.throw(corrected.throw)
        outcome = None if corrected.outcome is None else self.dice[throw.die].place(corrected.outcome)
        suspected = throw.suspected
        if outcome is None and suspected is None:
            suspected = throw.outcome
        self._change(
            replace(
                throw,
                outcome=outcome,
                suspected=suspected,
                corrected=True,
                withdrawn=corrected.withdrawn,
                by=_more(throw.by, actor),
                reason=_more(throw.reason, corrected.reason),
            )
        )

    def _learnt(self, learnt: Learnt) -> None:
        place = self.by_name[learnt.die]
        die, count = self.dice[place], self.counted[place]
        if learnt.reader:
            seen_of(learnt.reader, die.outcomes)
            self.readers[learnt.die] = learnt.reader
            self.by_likeness.add(learnt.die)
        for one in learnt.throws:
            throw = self.throw(one["throw"])
            if throw.die != place or throw.read is not None or throw.corrected:
                raise ValueError(f"throw {throw.number} was not kept to be read later.")
            outcome, suspected = (
                None if one.get(name) is None else die.place(one[name]) for name in ("outcome", "suspected")
            )
            due = outcome is not None and chosen(self.started.seed, throw.number, count.seen)
            count.seen += outcome is not None
            if due:
                count.due[throw.number] = None
            self._change(replace(throw, read=outcome, outcome=outcome, suspected=suspected, due=due))
        self.shifts[place] += 1  # the known errors of the reader have changed

    def _audited(self, audited: Audited, actor: str) -> None:
        throw = self.throw(audited.throw)
        truth = None if audited.outcome is None else self.dice[throw.die].place(audited.outcome)
        if not throw.due or throw.read is None:
            raise ValueError(f"throw {throw.number} was not drawn.")
        count = self.counted[throw.die]
        if throw.audited and throw.truth is not None:  # somebody checked it again
            count.audits[throw.truth, throw.read] -= 1
            count.wrong -= throw.truth != throw.read
        count.audited += not throw.audited
        count.due.pop(throw.number, None)
        seen = replace(throw, audited=True, truth=truth)
        if truth is not None:
            count.audits[truth, throw.read] += 1
            count.wrong += truth != throw.read
            if truth != throw.outcome:
                seen = replace(seen, outcome=truth, corrected=True, by=_more(throw.by, actor))
        self._change(seen)
        self.shifts[throw.die] += 1  # the known errors of the reader have changed

    def _change(self, throw: SeriesThrow) -> None:
        before = self.throws[throw.number - 1]
        count = self.counted[throw.die]
        _add(count, before, -1)
        _add(count, throw, 1)
        self.throws[throw.number - 1] = throw
        if (before.outcome, before.withdrawn) != (throw.outcome, throw.withdrawn):
            self.shifts[throw.die] += 1

    def throw(self, number: int) -> SeriesThrow:
        """Return a throw by its number in the series.

        Raises:
            IndexError: there is no such throw.
        """
        if not 0 < number <= len(self.throws):
            raise IndexError(f"there is no throw {number}.")
        return self.throws[number - 1]

    @property
    def together(self) -> int:
        """How many dice a throw has."""
        return sum(die.together for die in self.dice)

    def of(self, die: int) -> list[SeriesThrow]:
        """Return the throws of a die that count, in order, also those that were not read."""
        return [throw for throw in self.throws if throw.die == die and not throw.withdrawn]

    def shown(self, die: int) -> Counts:
        """Return the places of the outcomes of a die that were read, in order (n)."""
        return np.array([throw.outcome for throw in self.of(die) if throw.outcome is not None], np.int64)

    def seen(self, die: int) -> Counts:
        """Return the same with `UNREAD_PLACE` for each throw that was not read."""
        return np.array([UNREAD_PLACE if throw.outcome is None else throw.outcome for throw in self.of(die)], np.int64)

    @property
    def stakes(self) -> int:
        """The number of the stakes that were agreed when the series began."""
        return int(self.started.known.get("stakes", FIRST_STAKES))

    def due(self, die: int) -> list[SeriesThrow]:
        """Return the throws of a die that the draw chose and nobody has audited yet."""
        drawn = [self.throw(number) for number in self.counted[die].due]
        return [throw for throw in drawn if not throw.withdrawn]

    def measured(self, die: int) -> Counts | None:
        """Return how the reader read known faces of a die in its measurement (k x (k + 1)); None without a measurement.

        A face that it did not read then is unread here only if nobody answers. So of the unread faces only the share
        that people here leave unread when asked counts as unread; the rest counts as read correctly.
        """
        known = self.readers.get(self.dice[die].name)
        if known is None:
            return None
        seen, count = seen_of(known, self.dice[die].outcomes), self.counted[die]
        kinds = len(seen)
        unread = seen[:, kinds].copy()
        lost = count.lost / count.asked if count.asked else 0.0
        seen[:, kinds] = np.ceil(unread * min(1.0, lost))
        seen[np.arange(kinds), np.arange(kinds)] += unread - seen[:, kinds]
        return seen

    def reader(self, die: int) -> ReaderErrors | None:
        """Return the known errors of the reader: its measurement and the audits of this series together.

        Without a measurement the audits alone count, from the first error that they find: those of all outcomes
        together until each outcome has been audited. Until then the readings count as they are, and the number of
        audits says how well founded that is. None too if a camera read no throw.
        """
        count = self.counted[die]
        measured = self.measured(die)
        if not count.seen:
            return None
        if measured is not None:
            beforehand = seen_of(self.readers[self.dice[die].name], self.dice[die].outcomes)
            together = len(beforehand) if self.dice[die].name in self.by_likeness else 1
            return ReaderErrors(measured + count.audits, beforehand=beforehand, together=together)
        if not count.wrong:
            return None
        nothing = np.zeros_like(count.audits)
        if count.audits.sum(axis=1).all():
            return ReaderErrors(count.audits.copy(), beforehand=nothing)
        return ReaderErrors(all_together(count.audits), beforehand=nothing, together=len(nothing))

    def pace(self) -> float | None:
        """Return throws a minute over the last ones, without long pauses; dice thrown together are one throw."""
        times: list[float] = []
        for throw in reversed(self.throws):
            if not times or throw.at != times[-1]:
                times.append(throw.at)
            if len(times) > PACE_OF:
                break
        gaps = [later - earlier for later, earlier in pairwise(times) if 0 <= later - earlier <= PAUSE_SECONDS]
        whole = sum(gaps)
        return 60 * len(gaps) / whole if len(gaps) > 1 and whole > 0 else None

    def account(self, die: int, photographs: Mapping[str, bytes] | None = None) -> account.DieAccount:
        """Return all that is known of a die, with corrections applied; ``photographs``: a JPEG by label."""
        known = {name: value for name, value in self.started.known.items() if name != "stakes"}
        about = {**self.started.about, **known}
        of = self.dice[die]
        of_die = [throw for throw in self.throws if throw.die == die]
        return account.DieAccount(
            of.name,
            of.dice.name,
            of.die,
            of.outcomes,
            self.counted[die].counts.copy(),
            [_accounted(throw, of.together) for throw in of_die],
            {str(name): str(value) for name, value in about.items() if value not in (None, "")},
            photographs or {},
            self.started.smallest,
            self.started.fixed,
            self.reader(die),
            account.Chain(self.id, self.events, self.head),
            stakes=self.stakes,
            lay=[throw.lay for throw in of_die],
        )


def _nothing(die: SeriesDie) -> DieCount:
    kinds = len(die.outcomes.labels)
    return DieCount(np.zeros(kinds, np.int64), np.zeros((kinds, kinds + 1), np.int64))


def _add(count: DieCount, throw: SeriesThrow, times: int) -> None:
    """Count a throw, or take it out again (-1)."""
    count.corrected += times * throw.corrected
    if throw.withdrawn:
        return
    if throw.how == "camera":
        # a throw that was not read when it fell is asked about later, in a row of likes
        count.asked += times * (throw.asked or throw.read is None)
        count.lost += times * (throw.outcome is None)
    if throw.outcome is None:
        count.unread += times
    else:
        count.counts[throw.outcome] += times


def _accounted(throw: SeriesThrow, together: int) -> account.CountedThrow:
    return account.CountedThrow(
        throw.number,
        throw.outcome,
        throw.how,
        throw.at,
        throw.suspected if throw.outcome is None and not throw.withdrawn else None,
        throw.asked,
        throw.corrected,
        throw.picture or None,
        throw.session,
        throw.hand,
        throw.read if throw.corrected else None,
        throw.withdrawn,
        throw.audited,
        ", ".join(throw.by),
        "; ".join(throw.reason),
        together,
    )


def _more(known: tuple[str, ...], one: str) -> tuple[str, ...]:
    """Return texts with one more, unless it is empty or the last of them."""
    return known if not one or known[-1:] == (one,) else (*known, one)
