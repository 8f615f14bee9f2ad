"""A report's section on the reader: its errors, the shares without them, and what it could not read."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from companion.fairness.account import CountedThrow, DieAccount
from companion.fairness.report.contents import Report
from companion.fairness.report.document import Block, Cell, Number, Paragraph, ReportTable, section
from companion.fairness.report.sections import FACE, FAIR, FROM, TO
from companion.fairness.report.wording import moment_of, plain
from companion.language.sentence import Sentence


@section("reader", Sentence("The reader's errors"))
def reader_section(report: Report) -> Iterator[Block]:
    """Show how often the reader errs, the shares without its errors, and what it could not read."""
    account, tally = report.account, report.tally
    outcomes, reader = account.outcomes, account.reader
    if reader is None:
        yield Paragraph(Sentence("The reader's errors were not measured: the readings count as they are."))
    else:
        count, wrong, unread = reader.named
        yield Paragraph(
            Sentence(
                "It was shown {count} faces named by a person; it misread {wrong} of them and could not read {unread}.",
                count=count,
                wrong=wrong,
                unread=unread,
            )
        )
        if reader.together > 1:
            yield Paragraph(Sentence("In the table each face counts what was seen of all faces together."))
        yield _confusion(outcomes.labels, reader.seen.tolist())
        yield Paragraph(Sentence("The shares as they were read, and as they are with these errors removed:"))
        whole = max(1, tally.read)
        yield ReportTable(
            Sentence("The shares as read and corrected"),
            (FACE, Sentence("As read"), Sentence("Corrected"), FAIR),
            tuple(
                (label, Number(100 * count / whole, 2), Number(100 * share, 2), Number(100 * fair, 2))
                for label, count, share, fair in zip(
                    outcomes.labels,
                    report.judged.counts.tolist(),
                    report.judged.estimate.tolist(),
                    outcomes.fair.tolist(),
                    strict=True,
                )
            ),
        )
    if not tally.unread:
        yield Paragraph(Sentence("No throw was left unread."))
        return
    yield Paragraph(Sentence("{count} throws were not read. What they probably were:", count=tally.unread))
    unknown = tally.unread - sum(tally.suspected)
    yield ReportTable(
        Sentence("Throws that were not read, by what they probably were"),
        (FACE, Sentence("Not read"), Sentence("Of 100 of its throws")),
        (
            *(
                (label, Number(many), Number(100 * many / max(1, many + count), 2))
                for label, many, count in zip(
                    outcomes.labels, tally.suspected, report.judged.counts.tolist(), strict=True
                )
            ),
            *(((Sentence("not known"), Number(unknown), ""),) if unknown else ()),
        ),
    )
    yield from _when_unread(account.throws or ())
    yield from _where_unread(account)
    yield Paragraph(
        Sentence(
            "If one face is left unread more often than the others, it seems rarer than it is: have the reader "
            "measured, and look at those throws."
        ),
        "note",
    )


PARTS: Final = 10
"""Into so many parts the throws are cut to show when throws were not read."""


def _when_unread(throws: Sequence[CountedThrow]) -> Iterator[Block]:
    """Show in which part of the throws, and when, how many were not read: light and place change over time."""
    kept = [one for one in throws if not one.withdrawn]
    if len(kept) < PARTS:
        return
    ends = [len(kept) * part // PARTS for part in range(PARTS + 1)]
    rows: list[tuple[Cell, ...]] = []
    for begin, end in pairwise(ends):
        part = kept[begin:end]
        lost = sum(one.outcome is None for one in part)
        first, last = (moment_of(one.at) if one.at is not None else "" for one in (part[0], part[-1]))
        sessions = ", ".join(dict.fromkeys(one.session for one in part if one.session))
        row = (f"{part[0].number} - {part[-1].number}", first, last, plain(sessions), Number(lost))
        rows.append((*row, Number(100 * lost / len(part), 1)))
    head = (Sentence("Throws"), FROM, TO, Sentence("Session"), Sentence("Not read"), Sentence("Of 100"))
    yield ReportTable(Sentence("When throws were not read"), head, tuple(rows))


FEWEST_PLACED: Final = 30
"""The fewest throws whose place the camera saw for a table of where they were not read."""

PARTS_OF_A_SIDE: Final = 3


def _where_unread(account: DieAccount) -> Iterator[Block]:
    """Show in which ninth of the place where the die fell how many throws were not read: light differs over a table."""
    thrown = zip(account.lay, account.throws or (), strict=False)
    known = [(*at, one.outcome is None) for at, one in thrown if at is not None and not one.withdrawn]
    if len(known) < FEWEST_PLACED:
        return
    at, lost = np.array(known)[:, :2], np.array(known)[:, 2]
    begin, size = at.min(axis=0), np.maximum(np.ptp(at, axis=0), 1)
    column, row = np.minimum((at - begin) * PARTS_OF_A_SIDE // size, PARTS_OF_A_SIDE - 1).astype(np.int64).T
    of = row * PARTS_OF_A_SIDE + column
    missing, whole = (
        np.bincount(of, weight, PARTS_OF_A_SIDE**2).reshape(PARTS_OF_A_SIDE, PARTS_OF_A_SIDE)
        for weight in (lost, np.ones(len(of)))
    )
    names = (Sentence("at the top"), Sentence("in the middle"), Sentence("at the bottom"))
    about = Sentence("How many throws were not read in each part of the picture, of all throws there")
    yield Paragraph(about)
    yield ReportTable(
        about,
        ("", Sentence("on the left"), Sentence("in the middle"), Sentence("on the right")),
        tuple(
            (name, *(f"{few:.0f} / {many:.0f}" for few, many in zip(*both, strict=True)))
            for name, *both in zip(names, missing, whole, strict=True)
        ),
    )


def _confusion(labels: tuple[str, ...], seen: list[list[int]]) -> ReportTable:
    """Return how each face was read: as a matrix, or if that is too wide, as a list of errors."""
    about = Sentence("How the reader read faces named by a person")
    if len(labels) <= _MOST_MATRIX_FACES:
        return ReportTable(
            about,
            (Sentence("True face"), *labels, Sentence("not read"), Sentence("in all")),
            tuple((label, *map(Number, row), Number(sum(row))) for label, row in zip(labels, seen, strict=True)),
        )
    rows: list[tuple[Cell, ...]] = []
    for place, (label, row) in enumerate(zip(labels, seen, strict=True)):
        wrong = [f"{other}: {row[at]}" for at, other in enumerate(labels) if at != place and row[at]]
        rows.append((label, Number(row[place]), ", ".join(wrong) or "0", Number(row[-1]), Number(sum(row))))
    head = (
        Sentence("True face"),
        Sentence("rightly"),
        Sentence("as another"),
        Sentence("not read"),
        Sentence("in all"),
    )
    return ReportTable(about, head, tuple(rows))


_MOST_MATRIX_FACES: Final = 8
