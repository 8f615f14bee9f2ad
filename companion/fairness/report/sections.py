"""A report's answer in sections: counts, evidence, the bias it could have found, groups of faces, the thrower."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Final

from companion.fairness.reader_errors import BOUNDS_LEVEL
from companion.fairness.report import figures
from companion.fairness.report.contents import Report, ThrowerQuestion
from companion.fairness.report.document import Block, Cell, Figure, Number, Paragraph, ReportTable, section
from companion.fairness.report.wording import scientific
from companion.fairness.sentences import LEAST_TOLD, in_points, points_above, points_below, two_digits
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.language.sentence import Sentence

FACE: Final = Sentence("Face")
SHARE: Final = Sentence("Of 100 throws")
FAIR: Final = Sentence("Fair")
FROM: Final = Sentence("From")
TO: Final = Sentence("To")


@section("counts", Sentence("How often each face came up"))
def counts_section(report: Report) -> Iterator[Block]:
    """Show how often each outcome fell, and how far the farthest is from fair."""
    outcomes, judged, effect = report.account.outcomes, report.judged, report.effect
    whole = max(1, report.tally.read)
    yield ReportTable(
        Sentence("How often each face came up, of a hundred throws"),
        (FACE, Sentence("Thrown"), SHARE, FAIR, FROM, TO),
        tuple(
            (label, Number(count), *(Number(100 * share, 2) for share in (count / whole, fair, low, high)))
            for label, count, fair, low, high in zip(
                outcomes.labels,
                judged.counts.tolist(),
                outcomes.fair.tolist(),
                judged.intervals.low.tolist(),
                judged.intervals.high.tolist(),
                strict=True,
            )
        ),
    )
    yield Paragraph(
        Sentence(
            "From and to hold for all faces together, and at every look: in at least {level} of 100 such cases none "
            "of them is ever wrong.",
            level=round(100 * (1 - SIGNIFICANCE_LEVEL)),
        ),
        "note",
    )
    if not report.tally.read:
        return
    face, points = outcomes.labels[effect.place], abs(in_points(effect.off))
    if effect.off >= 0:
        yield Paragraph(
            Sentence(
                "The face farthest from fair is {face}: {points} points of a hundred too often.",
                face=face,
                points=points,
            )
        )
    else:
        yield Paragraph(
            Sentence(
                "The face farthest from fair is {face}: {points} points of a hundred too rare.",
                face=face,
                points=points,
            )
        )
    yield Paragraph(
        Sentence(
            "How far off the farthest face really is: between {low} and {high} points of a hundred, with the "
            "certainty of the intervals.",
            low=points_below(effect.low),
            high=points_above(effect.high),
        )
    )


@section("evidence", Sentence("How strong the evidence is"))
def evidence_section(report: Report) -> Iterator[Block]:
    """Show how the bet against a fair die went, p, and the test for a number of throws that was fixed in advance."""
    evidence, raw = report.judged.evidence, report.judged.raw
    yield Paragraph(
        Sentence(
            "We bet 1 coin against the die, throw after throw. Against a fair die at most one such bet in {needed} "
            "ever grows to {needed} coins, however often you look. Here the highest value was {most}.",
            needed=round(math.exp(evidence.needed)),
            most=fortune(evidence.most),
        )
    )
    yield Figure("evidence", partial(figures.evidence_plot, report))
    if evidence.reached is not None:
        yield Paragraph(Sentence("The line was first reached at throw {number}.", number=evidence.reached))
    yield Paragraph(Sentence("p, which holds at every look: {p}.", p=chance(evidence.p)))
    yield Paragraph(
        Sentence(
            "In technical words: a mixture martingale against the hypothesis that all faces are equally likely and the "
            "throws independent, with stakes {stakes} of the program (Ville 1939; Robbins 1970).",
            stakes=report.account.stakes,
        ),
        "note",
    )
    if report.judged.measured:
        yield Paragraph(
            Sentence(
                "What the reader's errors can explain is left out of it. That holds if they are within the measured "
                "bounds, which fail in at most {bounds} of 100 cases. With a reader that never made a mistake, the "
                "highest value would have been {most}, and p {p}.",
                bounds=round(100 * SIGNIFICANCE_LEVEL * BOUNDS_LEVEL, 1),
                most=fortune(raw.most),
                p=chance(raw.p),
            ),
            "note",
        )
    elif evidence is not raw:
        yield Paragraph(
            Sentence(
                "Throws that were not read may have shown anything: they count as whatever speaks least against the "
                "die. Without them the highest value would have been {most}, and p {p}.",
                most=fortune(raw.most),
                p=chance(raw.p),
            ),
            "note",
        )
    if report.tally.read and report.running is None:
        yield Paragraph(Sentence("The order of the throws is not known: they were judged once, at the end."), "note")
    yield Paragraph(fixed_sentence(report), "note")


def fixed_sentence(report: Report) -> Sentence:
    """Return the sentence about the test for a number of throws fixed in advance, or why there is none."""
    fixed, test = report.account.fixed, report.fixed
    if fixed is None:
        return Sentence("No number of throws was fixed beforehand, so no test is shown that would need one.")
    if test is None:
        return Sentence(
            "{fixed} throws were fixed beforehand, {count} were read: the usual test is shown only where both agree.",
            fixed=fixed,
            count=report.tally.read,
        )
    if test.exact:
        return Sentence(
            "{count} throws were fixed beforehand and made, so the usual test may be used, once: p {p}, exact "
            "(multinomial test by the likelihood ratio).",
            count=fixed,
            p=chance(test.p),
        )
    return Sentence(
        "{count} throws were fixed beforehand and made, so the usual test may be used, once: p {p}, simulated "
        "(multinomial test by the likelihood ratio; standard error {error}).",
        count=fixed,
        p=chance(test.p),
        error=chance(test.error),
    )


KINDS: Final = {
    "face": Sentence("One face"),
    "axis": Sentence("Two opposite faces together"),
    "corner": Sentence("Three faces that meet"),
    "cap": Sentence("Five faces that meet"),
    "caps": Sentence("The faces about two opposite corners"),
}


@section("planning", Sentence("What these throws could have found"))
def planning_section(report: Report) -> Iterator[Block]:
    """Show which bias these throws would have found, and how many throws are still needed."""
    if report.detectable and report.tally.read:
        yield Paragraph(
            Sentence(
                "A die that is off by this many points of a hundred would have been called biased within {count} "
                "throws in 80 and in 95 of 100 cases:",
                count=report.tally.read,
            )
        )
        yield ReportTable(
            Sentence("The smallest bias that these throws would have found"),
            (Sentence("Off"), Sentence("In 80 of 100"), Sentence("In 95 of 100")),
            tuple(
                (KINDS[one.kind], *(_off(bias) for bias in (one.four_of_five, one.nineteen_of_twenty)))
                for one in report.detectable
            ),
        )
    points = in_points(report.judged.smallest)
    yield Paragraph(Sentence("The bias that matters was set at {points} points of a hundred.", points=points))
    missing = report.needed - report.tally.read
    if report.judged.largest <= report.judged.smallest:
        yield Paragraph(
            Sentence("These throws rule out a larger one of any single face, in at least 95 of 100 such cases.")
        )
    elif report.judged.said == "biased":
        yield Paragraph(Sentence("The die is called biased, so no throws are missing for a verdict."))
    elif missing > 0:
        yield Paragraph(
            Sentence(
                "To rule out a larger one for any face usually takes about {needed} throws in all: {count} more than "
                "now.",
                needed=two_digits(report.needed),
                count=two_digits(missing),
            )
        )
        if report.pace is not None:
            yield Paragraph(_lasting(missing, report.pace))
    else:
        yield Paragraph(
            Sentence(
                "To rule out a larger one for any face usually takes about {count} throws; there have been more, and "
                "the question is still open: keep throwing.",
                count=two_digits(report.needed),
            )
        )


def _lasting(throws: int, pace: float) -> Sentence:
    """Return how long this many throws take at a pace (throws a minute)."""
    minutes = throws / pace
    if minutes < _TWO_HOURS:
        return Sentence(
            "At the pace of these throws, {pace} a minute, that takes about {count} minutes.",
            pace=round(pace, 1),
            count=max(1, round(minutes)),
        )
    return Sentence(
        "At the pace of these throws, {pace} a minute, that takes about {count} hours.",
        pace=round(pace, 1),
        count=round(minutes / 60),
    )


_TWO_HOURS: Final = 120


def _off(bias: float | None) -> Cell:
    return Sentence("none that a die can have") if bias is None else Number(100 * bias, 1)


@section("groups", Sentence("Groups of faces chosen in advance"))
def groups_section(report: Report) -> Iterator[Block]:
    """Show the shares of groups of faces that were chosen before the first throw."""
    outcomes, judged = report.account.outcomes, report.judged
    if not judged.contrasts:
        yield Paragraph(
            Sentence(
                "It is not known which faces of this die are opposite each other, so no groups of them are watched."
            )
        )
        return
    yield Paragraph(
        Sentence(
            "Two opposite faces come up too often if the die is thin between them, three that meet if the corner "
            "across is heavy. All such groups were chosen before the first throw."
        )
    )
    whole = max(1, report.tally.read)
    yield ReportTable(
        Sentence("How often each group came up, of a hundred throws"),
        (Sentence("Faces"), SHARE, FAIR, FROM, TO),
        tuple(
            (
                outcomes.name(contrast),
                Number(100 * int(judged.counts[list(contrast.outcomes)].sum()) / whole, 2),
                Number(100 * outcomes.share(contrast), 2),
                Number(100 * low, 2),
                Number(100 * high, 2),
            )
            for contrast, (low, high) in judged.contrasts
        ),
    )
    yield Paragraph(Sentence("From and to hold for all groups together, and at every look."), "note")


QUESTIONS: Final = {
    "lag": Sentence("Does a throw depend on one of the twelve before it?"),
    "drift": Sentence("Do the throws change at some moment?"),
    "period": Sentence("Does a face come and go regularly?"),
    "cycle": Sentence("Do several dice come in turn?"),
    "session": Sentence("Do the sessions differ?"),
    "hand": Sentence("Do the hands that throw differ?"),
}

STATES: Final = {
    "found": Sentence("found"),
    "not found": Sentence("not found"),
    "too few": Sentence("not asked: fewer than 100 throws"),
    "one group": Sentence("not asked: there is only one"),
    "order unknown": Sentence("not asked: only counts are known"),
}


@section("thrower", Sentence("The die or the thrower?"))
def thrower_section(report: Report) -> Iterator[Block]:
    """Show whether it is the die or the thrower."""
    yield Paragraph(
        Sentence(
            "A die that is merely biased behaves the same way every time. If this one does not, look at how it is "
            "thrown or read."
        )
    )
    yield ReportTable(
        Sentence("Questions about the thrower, and what was found"),
        (
            Sentence("Question"),
            Sentence("Answer"),
            Sentence("Asked up to throw"),
            Sentence("At throw"),
            "p",
            Sentence("Allowed"),
        ),
        tuple(_answered(one) for one in report.questions),
    )
    yield Paragraph(
        Sentence(
            "Each question has its own budget: 0.5 of 100 for looks after 100, 141, 200 throws and so on, however "
            "often you look, and 1 of 100 for this one look at the end. A yes needs a p no larger than allowed; the "
            "most extreme moment is shown. A report made again after more throws is another look at the end."
        ),
        "note",
    )
    if report.running is not None:
        yield Figure("shares", partial(figures.shares_plot, report))
    if report.transitions is not None and report.tally.read > 1:
        yield Figure("transitions", partial(figures.transitions_plot, report))


def _answered(one: ThrowerQuestion) -> tuple[Cell, ...]:
    if one.finding is None:
        return (QUESTIONS[one.name], STATES[one.state], "", "", "", "")
    finding = one.finding
    return (
        QUESTIONS[one.name],
        STATES[one.state],
        Number(finding.asked_to),
        Number(finding.throws),
        chance(finding.p),
        chance(finding.allowed),
    )


def chance(p: float) -> Sentence:
    """Return a chance as the report shows it: two digits that count, or a power of ten; it is never printed as 0."""
    if p <= LEAST_TOLD:
        return Sentence("less than {p}", p=scientific(math.log(LEAST_TOLD)))
    if p < _LEAST:
        return Sentence("{p}", p=scientific(math.log(p)))
    return Sentence("{p}", p=round(p, 3 if p >= 10 * _LEAST else 4))


_LEAST: Final = 0.001


def fortune(log: float) -> Sentence:
    """Return the wealth of a bet, given by its logarithm."""
    if log > _LARGE:
        return Sentence("{fortune}", fortune=scientific(log))
    value = math.exp(log)
    return Sentence("{fortune}", fortune=round(value, 1) if value < 100 else round(value))  # noqa: PLR2004


_LARGE: Final = math.log(1e6)
