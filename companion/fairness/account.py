"""All that is known about one die's throws, from whatever origin. A report is built from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from companion.fairness.dependence import Finding, asked, doubt
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Outcomes
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.sentences import blamed_outcomes
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.stakes import CURRENT_STAKES
from companion.fairness.verdict import Judgement, judge, judge_counts
from companion.language.sentence import Sentence
from companion.rules.die import Die

How = Literal["camera", "typed", "file", "program"]
"""Who saw a throw: the camera, a person who typed it in, or a file; or the program, which threw a die of its own."""


class CountedThrow(NamedTuple):
    """One throw as it counts now; ``number`` is that of the series or the file, where it has numbers.

    ``outcome``: its place in `Outcomes.labels`, None if the throw was not read. ``suspected``: the likely outcome in
    that case. ``asked``: a person was asked what it shows. ``corrected``: a person changed what had been counted.
    ``digest``: SHA-256 of the picture that it was read from, in hexadecimal digits. ``at``: seconds since 1970.
    ``session`` and ``hand`` name the groups it belongs to. ``first``: what was counted at first, if a person changed
    it. ``withdrawn``: a person said that it was no throw; its outcome is None then. ``audited``: a person examined it
    a second time, because the draw chose it. ``by`` and ``reason``: who changed it, and why. ``together``: how many
    dice that nobody can distinguish were thrown as this one.
    """

    number: int
    outcome: int | None
    how: How
    at: float | None = None
    suspected: int | None = None
    asked: bool = False
    corrected: bool = False
    digest: str | None = None
    session: str = ""
    hand: str = ""
    first: int | None = None
    withdrawn: bool = False
    audited: bool = False
    by: str = ""
    reason: str = ""
    together: int = 1


def counts_of(throws: Sequence[CountedThrow], outcomes: Outcomes) -> Counts:
    """Return how often each outcome was read (k)."""
    read = np.array([one.outcome for one in throws if one.outcome is not None], np.int64)
    return np.bincount(read, minlength=len(outcomes.labels))


@dataclass(frozen=True)
class Chain:
    """The series that a report is of: its number, how many events it had, and the hash of the newest of them.

    The hash covers every event before it: anybody who has the hash knows whether an event was changed later.
    """

    series: int
    events: int
    head: str


@dataclass(frozen=True, eq=False)
class DieAccount:
    """One die and its throws.

    ``name``: what its owner calls it. ``set_name``: its dice set. ``throws``: in their order, None if only ``counts``
    (k whole numbers, by outcome) are known. ``about``: what the owner wrote down (`who`, `surface`, `method`) and what
    the program knows (`camera`, `profile`, `software`), each by its name. ``photographs``: a JPEG of the face by label.
    ``smallest``: the bias that matters, as a difference of chances. ``fixed``: the number of throws if it was fixed
    before the first one, else None. ``reader``: how the reader read faces that a person named. ``chain``: the series
    that the throws are from. ``understood``: how a file of throws was read, in words. ``made``: the day of the report
    (ISO 8601). ``crop``: a JPEG of the die as it lay at a throw. ``stakes``: the number of the stakes that were agreed
    before the first throw. ``unread_counted``: how many throws were not read, where only counts are known. ``faults``:
    what shows that the file of throws is not whole; every form of a report says it first. ``lay``: where in the
    picture each throw lay (x and y in pixels), None where that is not known; empty if it is known of none.
    """

    name: str
    set_name: str
    die: Die
    outcomes: Outcomes
    counts: Counts
    throws: Sequence[CountedThrow] | None
    about: Mapping[str, str] = field(default_factory=dict)
    photographs: Mapping[str, bytes] = field(default_factory=dict)
    smallest: float | None = None
    fixed: int | None = None
    reader: ReaderErrors | None = None
    chain: Chain | None = None
    understood: Sequence[Sentence] = ()
    made: str = ""
    crop: bytes | None = None
    stakes: int = CURRENT_STAKES
    unread_counted: int = 0
    faults: Sequence[Sentence] = ()
    lay: Sequence[tuple[float, float] | None] = ()

    @property
    def together(self) -> int:
        """How many dice that nobody can distinguish were thrown at a time and are judged as one."""
        return max((one.together for one in self.throws or ()), default=1)

    @property
    def unread(self) -> int:
        """How many throws were not read."""
        if self.throws is None:
            return self.unread_counted
        return sum(one.outcome is None and not one.withdrawn for one in self.throws)

    @property
    def shown(self) -> Counts | None:
        """The places of the outcomes that were read, in their order (n); None if only counts are known."""
        if self.throws is None:
            return None
        return np.array([one.outcome for one in self.throws if one.outcome is not None], np.int64)

    @property
    def seen(self) -> Counts | None:
        """The same with `serial_dependence.UNREAD_PLACE` for each throw that was not read; None likewise."""
        if self.throws is None:
            return None
        return np.array(
            [UNREAD_PLACE if one.outcome is None else one.outcome for one in self.throws if not one.withdrawn], np.int64
        )

    @property
    def stations(self) -> Counts | None:
        """For each of `seen` the number of its session, where sessions come by turns; None where they do not.

        Such sessions were thrown at the same time, at several stations: a throw follows those of its own station.
        """
        sessions = [one.session for one in self.throws or () if not one.withdrawn]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(sessions))}
        if len(numbers) < 2:  # noqa: PLR2004  one session comes by no turns
            return None
        of = np.array([numbers[name] for name in sessions], np.int64)
        return of if np.count_nonzero(np.diff(of)) >= len(numbers) else None

    def asked_of_the_thrower(self) -> dict[str, Finding | None]:
        """Return by question what was found: None where throws or groups are too few; empty if the order is unknown.

        This is the one look at the end.
        """
        if self.seen is None:
            return {}
        thrown = [one for one in self.throws or () if not one.withdrawn]
        groups = {"session": [one.session for one in thrown], "hand": [one.hand for one in thrown]}
        kinds = len(self.outcomes.labels)
        return asked(self.seen, kinds, groups, together=self.together, stations=self.stations, at_end=True)

    def judged_after(self, findings: Sequence[Finding]) -> Judgement:
        """Judge the die after findings on its thrower; a bias that groups of throws share unequally is doubted."""
        judged = self.judged_alone().with_findings(findings)
        if judged.said != "biased" or self.throws is None:
            return judged
        read = [one for one in self.throws if one.outcome is not None]
        blamed = blamed_outcomes(judged, self.outcomes)
        groups = {
            "session": [one.session for one in read],
            "hand": [one.hand for one in read],
            "drift": [str(2 * place // len(read) + 1) for place in range(len(read))],
        }
        found = {one.question for one in findings if one.found}
        shown = np.array([one.outcome for one in read], np.int64)
        doubts = [doubt(shown, names, blamed, question) for question, names in groups.items() if question not in found]
        return replace(judged, doubts=tuple(one for one in doubts if one is not None))

    def judged_alone(self) -> Judgement:
        """Judge the die by itself, throw by throw if their order is known."""
        smallest, reader, stakes = self.smallest, self.reader, self.stakes
        if self.seen is None:
            return judge_counts(
                self.counts, self.outcomes, smallest=smallest, reader=reader, stakes=stakes, unread=self.unread
            )
        return judge(
            self.seen,
            self.outcomes,
            smallest=smallest,
            reader=reader,
            stakes=stakes,
            together=self.together,
            stations=self.stations,
        )
