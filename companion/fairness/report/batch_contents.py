"""The contents of a page on a batch of dice, thrown at one station or at several, computed once."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from companion.fairness.batches.batch import Batch, InBatch, batch_of
from companion.fairness.batches.batch_plan import LOG_E_TO_GO_ON, BatchPlan, batch_plan
from companion.fairness.batches.fixed_batch import FixedBatch, fixed_batch
from companion.fairness.batches.sentences import to_json
from companion.fairness.dependence import Finding
from companion.fairness.report.contents import State, span_of, state_of
from companion.fairness.tables.stations import Joined


@dataclass(frozen=True, eq=False)
class DieOfBatch:
    """One die: how it was judged with the throws of all its stations, and whether these differ.

    ``differ``: the finding on its stations, None if it could not be asked; ``state``: the answer, or why there is none.
    """

    judged: InBatch
    joined: Joined
    differ: Finding | None
    state: State


@dataclass(frozen=True, eq=False)
class BatchReport:
    """A batch: ``title`` is its owner's name for it, ``stations`` their names, none where they are not distinguished.

    ``made``: the day of the report (ISO 8601). ``fixed``: the one look that was declared beforehand. ``plan``: how many
    throws find a die of this batch that is as far off as matters; None where no die can be, or a look was declared.
    """

    title: str
    stations: tuple[str, ...]
    batch: Batch
    dice: tuple[DieOfBatch, ...]
    made: str
    fixed: FixedBatch | None = None
    plan: BatchPlan | None = None

    @property
    def going_on(self) -> list[InBatch]:
        """The dice that a second round takes: not called, and the bet on them has lost nothing of its stake."""
        return [
            one
            for one in self.batch.dice
            if not one.called and one.alone.said != "serially dependent" and one.log_e >= LOG_E_TO_GO_ON
        ]


def batch_report(
    dice: Sequence[Joined], stations: Sequence[str], *, title: str, made: str, fixed: int | None = None
) -> BatchReport:
    """Judge the dice of a batch together, and ask of each whether its stations differ.

    ``fixed``: after how many throws of each die one look was declared before the first throw.

    Raises:
        companion.fairness.batches.batch.BatchError: there are no dice.
    """
    batch = batch_of([one.account for one in dice])
    found = [_of_die(judged, joined) for judged, joined in zip(batch.dice, dice, strict=True)]
    batch = replace(batch, dice=tuple(one.judged for one in found))
    declared = None if fixed is None else fixed_batch(batch.dice, fixed)
    planned = _planned(batch) if fixed is None else None
    return BatchReport(title, tuple(stations), batch, tuple(found), made, declared, planned)


def _planned(batch: Batch) -> BatchPlan | None:
    """Plan for as many dice that are off as were called, at least one."""
    first, off = batch.dice[0], max(1, sum(one.called for one in batch.dice))
    outcomes, smallest = first.account.outcomes, first.alone.smallest
    face = next(one for one in outcomes.contrasts if one.kind == "face")
    if len(batch.dice) < 2 or smallest >= 1 - outcomes.share(face):  # noqa: PLR2004  one die is no batch
        return None
    return batch_plan(outcomes, face, smallest, len(batch.dice), off)


def _of_die(judged: InBatch, joined: Joined) -> DieOfBatch:
    if len(joined.parts) == 1:
        return DieOfBatch(judged, joined, None, "one group")
    differ = joined.differ()
    state = state_of(differ, sum(bool(part.counts.any()) for part in joined.parts), judged.throws)
    if differ is None:
        return DieOfBatch(judged, joined, None, state)
    # without sessions of their own the stations are the sessions, and one answer is enough
    others = [one for one in judged.findings if one.question != "session" or joined.has_sessions]
    return DieOfBatch(replace(judged, findings=(*others, differ)), joined, differ, state)


def batch_json(report: BatchReport) -> dict[str, Any]:
    """Return everything that was found about a batch; of each die its stations too, where they are distinguished."""
    data = to_json(report.batch)
    if report.fixed is not None:
        names = [one.account.name for one in report.batch.dice]
        data["fixed"] = {
            "throws": report.fixed.throws,
            "due": not report.fixed.early,
            "called": [names[place] for place in report.fixed.called],
        }
    if report.plan is not None:
        data["plan"] = asdict(report.plan) | {"second_round": [one.account.name for one in report.going_on]}
    if report.stations:
        data["stations"] = list(report.stations)
        for found, one in zip(data["dice"], report.dice, strict=True):
            found["stations"] = _stations(one)
    return data


def _stations(one: DieOfBatch) -> dict[str, Any]:
    labels, finding = one.judged.account.outcomes.labels, one.differ
    return {
        "state": one.state,
        "throws": finding and finding.throws,
        "p": finding and finding.p,
        "allowed": finding and finding.allowed,
        "asked_to": finding and finding.asked_to,
        "at": [
            {
                "station": part.name,
                "throws": int(part.counts.sum()),
                "unread": part.unread,
                "first": span[0] if (span := span_of(part)) else None,
                "last": span[1] if span else None,
                "counts": dict(zip(labels, part.counts.tolist(), strict=True)),
            }
            for part in one.joined.parts
        ],
    }
