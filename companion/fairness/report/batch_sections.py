"""A page on a batch of dice: all dice in one table, what each station threw, and each die with its stations."""

import math
from collections.abc import Iterator
from typing import Final

from companion.fairness.account import DieAccount
from companion.fairness.batches.sentences import batch_sentences
from companion.fairness.dependence import QUESTION_LEVEL as EACH_QUESTION
from companion.fairness.report.batch_contents import BatchReport, DieOfBatch
from companion.fairness.report.contents import span_of
from companion.fairness.report.document import Block, Cell, Document, Number, Paragraph, ReportTable, Section, section
from companion.fairness.report.sections import FACE, FAIR, FROM, SHARE, STATES, TO, chance
from companion.fairness.report.wording import moment_of, plain
from companion.fairness.sentences import die_sentences, in_points, two_digits
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.language.sentence import Listing, Sentence

DIE: Final = Sentence("Die")
READ: Final = Sentence("Throws read")

BY_ITSELF: Final = {
    "biased": Sentence("biased"),
    "no larger bias": Sentence("no larger bias"),
    "not enough": Sentence("not enough throws"),
    "serially dependent": Sentence("serial dependence"),
}


def batch_document(report: BatchReport) -> Document:
    """Return a batch as a document: the answer first, then all dice, the stations, and die by die."""
    lead, *others = batch_sentences(report.batch)
    stations = (stations_section(report),) if report.stations else ()
    return Document(
        plain(report.title) or report.batch.dice[0].account.set_name,
        Sentence("Are these dice biased? A report on a batch"),
        (
            Paragraph(lead, "lead"),
            *(
                Paragraph(one)
                for one in (*others, *_about_plan(report), *_about_fixed(report), *_about_stations(report))
            ),
        ),
        (dice_section(report), *stations, *_each(report)),
    )


def _about_fixed(report: BatchReport) -> Iterator[Sentence]:
    """Yield what the one look says that was declared before the first throw."""
    fixed = report.fixed
    if fixed is None:
        return
    names = [plain(one.account.name) for one in report.batch.dice]
    if fixed.early:
        yield Sentence(
            "One look was declared, after {count} throws of each die. It is not due: {names} have another number of "
            "throws, or throws that were not read for sure. Until then only the verdict at any time counts.",
            count=fixed.throws,
            names=Listing([names[place] for place in fixed.early]),
        )
    elif fixed.called:
        yield Sentence(
            "The one look that was declared, after {count} throws of each die, calls biased: {names}. Of dice that it "
            "calls at most 5 of 100 are fair, on average; it holds for this one look only.",
            count=fixed.throws,
            names=Listing([names[place] for place in fixed.called]),
        )
    else:
        yield Sentence(
            "The one look that was declared, after {count} throws of each die, calls none biased.", count=fixed.throws
        )


def _about_plan(report: BatchReport) -> Iterator[Sentence]:
    """Yield how many throws find a die of this batch, what that costs more than one die, and whom to throw on."""
    plan, dice = report.plan, report.batch.dice
    if plan is None or plan.any_time is None or plan.alone is None:
        return
    yield Sentence(
        "In a batch of {dice} dice, one that is {points} points off is found in 4 of 5 cases after about {count} "
        "throws of each die; a die alone after about {alone}.",
        dice=len(dice),
        points=in_points(dice[0].alone.smallest),
        count=two_digits(plan.any_time),
        alone=two_digits(plan.alone),
    )
    rounds = plan.rounds
    if rounds is None:
        return
    if any(one.throws < rounds.first for one in dice):
        yield Sentence(
            "A second round pays after about {count} throws of each die: then throw on only the dice whose bet has "
            "lost nothing, up to about {second} throws. That is about {whole} throws in all instead of {without}.",
            count=two_digits(rounds.first),
            second=two_digits(rounds.second),
            whole=two_digits(rounds.throws),
            without=two_digits(plan.any_time * len(dice)),
        )
    elif names := [plain(one.account.name) for one in report.going_on if one.throws < rounds.second]:
        yield Sentence(
            "A second round pays now: throw on {names}, up to about {count} throws of each. Nothing speaks for "
            "throwing on the others.",
            names=Listing(names),
            count=two_digits(rounds.second),
        )


def _about_stations(report: BatchReport) -> Iterator[Sentence]:
    if len(report.stations) > 1:
        yield Sentence(
            "Stations: {names}. The throws of each die are merged by the clock and judged together.",
            names=Listing([plain(name) for name in report.stations]),
        )
    states = {one.state for one in report.dice}
    if "not found" in states and "found" not in states:
        yield Sentence("No difference between the stations was found for any die.")


@section("dice", Sentence("All dice"))
def dice_section(report: BatchReport) -> Iterator[Block]:
    """Show the verdict on each die, by itself and in the batch."""
    yield ReportTable(
        Sentence("All dice"),
        (
            DIE,
            READ,
            Sentence("By itself"),
            Sentence("In the batch"),
            "p",
            Sentence("Farthest face"),
            SHARE,
            FAIR,
        ),
        tuple(_judged(one) for one in report.dice),
    )
    yield Paragraph(
        Sentence(
            "By itself, a fair die is ever called biased in at most {level} of 100 cases, and p holds at every look. "
            "Only the verdict in the batch takes account of how many dice there are.",
            level=round(100 * SIGNIFICANCE_LEVEL),
        ),
        "note",
    )
    if report.made:
        yield ReportTable(Sentence("All dice"), (), ((Sentence("Date of this report"), report.made),), pairs=True)


def _judged(one: DieOfBatch) -> tuple[Cell, ...]:
    judged, outcomes = one.judged, one.judged.account.outcomes
    return (
        plain(judged.account.name),
        Number(judged.throws),
        BY_ITSELF[judged.alone.said],
        BY_ITSELF["biased"] if judged.called else "\N{EN DASH}",
        chance(judged.p),
        outcomes.labels[judged.farthest],
        Number(100 * float(judged.alone.estimate[judged.farthest]), 1),
        Number(100 * float(outcomes.fair[judged.farthest]), 1),
    )


@section("stations", Sentence("The stations"))
def stations_section(report: BatchReport) -> Iterator[Block]:
    """Show how often each die was thrown at each station, and whether its stations differ."""
    names = report.stations
    read = [{part.name: int(part.counts.sum()) for part in one.joined.parts} for one in report.dice]
    rows = [
        (
            plain(one.judged.account.name),
            *(Number(at[name]) if name in at else "" for name in names),
            STATES[one.state],
            "" if one.differ is None else chance(one.differ.p),
        )
        for one, at in zip(report.dice, read, strict=True)
    ]
    together = [Number(sum(at.get(name, 0) for at in read)) for name in names]
    yield ReportTable(
        Sentence("Throws that were read, by die and station"),
        (DIE, *map(plain, names), Sentence("Do the stations differ?"), "p"),
        (*rows, (Sentence("All dice"), *together, "", "")),
    )
    yield Paragraph(
        Sentence(
            "For each die the question is whether its throws differ between the stations. It is asked up to "
            "the last throw; a wrong yes has a chance of {level} in 100 for each die. Stations may differ in the hand, "
            "the surface or the reading; the test does not say which of them is off. Where no difference is found "
            "there may still be one.",
            level=100 * EACH_QUESTION,
        ),
        "note",
    )
    if any(one.state == "found" for one in report.dice):
        yield Paragraph(
            Sentence(
                "Where they differ, the verdict is about all throws together: a station may be the cause, not the "
                "die. Judge the table of each station by itself."
            )
        )


def _each(report: BatchReport) -> Iterator[Section]:
    for number, one in enumerate(report.dice, 1):
        name = plain(one.judged.account.name)
        yield Section(f"die-{number}", Sentence("{name}", name=name), tuple(_die(one, report.stations)))


def _die(one: DieOfBatch, stations: tuple[str, ...]) -> Iterator[Block]:
    judged = one.judged
    account, alone = judged.account, judged.alone
    said = die_sentences(alone, account.outcomes, judged.findings, together=account.together)
    for sentence in (*account.faults, *said):
        yield Paragraph(sentence)
    if stations:
        yield ReportTable(
            Sentence("The stations of this die"),
            (Sentence("Station"), READ, Sentence("Not read"), Sentence("First throw"), Sentence("Last throw")),
            tuple(_at(part) for part in one.joined.parts),
        )
    parts = one.joined.parts if len(one.joined.parts) > 1 else ()
    yield ReportTable(
        Sentence("How often each face came up, of a hundred throws"),
        (FACE, FAIR, SHARE, FROM, TO, *(plain(part.name) for part in parts)),
        tuple(
            (
                label,
                *(
                    Number(100 * float(share), 1)
                    for share in (
                        account.outcomes.fair[place],
                        alone.counts[place] / max(1, judged.throws),
                        judged.intervals.low[place],
                        judged.intervals.high[place],
                        *(part.counts[place] / max(1, part.counts.sum()) for part in parts),
                    )
                ),
            )
            for place, label in enumerate(account.outcomes.labels)
        ),
    )
    yield Paragraph(
        Sentence("From and to hold for all faces of all dice of the batch together, and at every look."), "note"
    )


def _at(part: DieAccount) -> tuple[Cell, ...]:
    first, last = map(moment_of, span_of(part) or (math.nan, math.nan))
    return (plain(part.name), Number(int(part.counts.sum())), Number(part.unread), first, last)
