"""A report's grounds in sections: the die, the throws, a fair die, how many questions there were, proof."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from companion.fairness.dependence import QUESTION_LEVEL as EACH_QUESTION
from companion.fairness.report import figures
from companion.fairness.report.contents import SEEDS, Changed, Report
from companion.fairness.report.document import (
    Block,
    Cell,
    Code,
    Document,
    FacePictures,
    Figure,
    Number,
    Paragraph,
    ReportTable,
    Section,
    section,
)
from companion.fairness.report.sections import (
    FACE,
    SHARE,
    counts_section,
    evidence_section,
    groups_section,
    planning_section,
    thrower_section,
)
from companion.fairness.report.sections_reader import reader_section
from companion.fairness.report.wording import moment_of, plain
from companion.fairness.sentences import pooled
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.language.sentence import Listing, Sentence

ABOUT: Final = {
    "maker": Sentence("Made by"),
    "edges": Sentence("Edges, measured"),
    "weight": Sentence("Weight"),
    "float": Sentence("Float test"),
    "who": Sentence("Thrown by"),
    "surface": Sentence("Thrown onto"),
    "method": Sentence("Thrown how"),
    "camera": Sentence("Camera"),
    "profile": Sentence("Profile of the camera"),
    "software": Sentence("Program that read the throws"),
}
"""The keys of `Account.about` and their names in a report; other keys stay as they are."""


MEASURED: Final = ("edges", "weight", "float")
"""What an owner may measure of a die beside throwing it."""

AT_A_GLANCE: Final = ("maker", *MEASURED, "who", "surface", "method")


def document_of(report: Report) -> Document:
    """Return a report as a document: the answer first, then its grounds."""
    account = report.account
    subtitle = Sentence("Is this die biased? A report on {count} throws", count=report.tally.read)
    lead, *others = report.sentences
    return Document(
        plain(account.name) or account.die.name,
        subtitle,
        (Paragraph(lead, "lead"), *(Paragraph(one) for one in others)),
        (
            summary_section(report),
            counts_section(report),
            evidence_section(report),
            planning_section(report),
            groups_section(report),
            thrower_section(report),
            reader_section(report),
            die_section(report),
            throws_section(report),
            fair_section(report),
            multiplicity_section(report),
            proof_section(report),
        ),
    )


@section("summary", Sentence("At a glance"))
def summary_section(report: Report) -> Iterator[Block]:
    """Show on one page what a reader asks first: the bars, which die and whose, when and how it was thrown."""
    account, tally = report.account, report.tally
    yield Figure("counts", partial(figures.counts_plot, report))
    known: list[tuple[Cell, ...]] = [(Sentence("Set of dice"), plain(account.set_name))]
    if account.made:
        known.append((Sentence("Date of this report"), account.made))
    if report.span is not None:
        known.append((Sentence("Thrown"), " \N{EN DASH} ".join(dict.fromkeys(map(_day, report.span)))))
    known.append((Sentence("Throws read"), Number(tally.read)))
    known += [
        (name, Number(many))
        for name, many in (
            (Sentence("Not read"), tally.unread),
            (Sentence("Withdrawn as not a throw"), tally.withdrawn),
            (Sentence("Corrected by a person"), tally.corrected),
        )
        if many
    ]
    known += [(HOW[how], Number(many)) for how, many in tally.how]
    known += [(ABOUT[name], plain(account.about[name])) for name in AT_A_GLANCE if plain(account.about.get(name, ""))]
    yield ReportTable(Sentence("At a glance"), (), tuple(known), pairs=True)
    if any(account.about.get(name) for name in MEASURED):
        yield Paragraph(
            Sentence(
                "Edges, weight and float test are as the owner entered them. The answer above comes from the throws "
                "alone."
            ),
            "note",
        )
    pictures = [(label, account.photographs[label]) for label in _pictured(report)][:MOST_PICTURES]
    if not pictures and account.crop is not None:
        pictures = [("", account.crop)]
    if pictures:
        yield FacePictures(tuple(pictures))
    yield Paragraph(Sentence("SHA-256 of the table of throws: {digest}", digest=report.provenance.digest), "note")


MOST_PICTURES: Final = 6


def _day(at: float) -> str:
    return moment_of(at)[:10]


@section("die", Sentence("The die, and how it was thrown"))
def die_section(report: Report) -> Iterator[Block]:
    """Describe the die, its faces, how and when it was thrown; with photographs of the faces."""
    account = report.account
    faces = ", ".join(face.text for face in account.die.faces)
    known: list[tuple[Cell, ...]] = [
        (Sentence("Name"), plain(account.name)),
        (Sentence("Set of dice"), plain(account.set_name)),
        (Sentence("Die of the set"), plain(account.die.name)),
        (Sentence("Its faces"), faces),
    ]
    if account.die.twins:
        known.append((Sentence("Faces with the same sign"), _twins(report)))
    if account.die.counts == "down":
        known.append((Sentence("What counts"), Sentence("the face below")))
    known += [(ABOUT.get(name, plain(name)), plain(text)) for name, text in account.about.items() if plain(text)]
    if report.span is not None:
        first, last = map(moment_of, report.span)
        known += [(Sentence("First throw"), first), (Sentence("Last throw"), last)]
    yield ReportTable(Sentence("The die, and how it was thrown"), (), tuple(known), pairs=True)
    pictures = tuple((label, account.photographs[label]) for label in _pictured(report))
    if pictures[MOST_PICTURES:]:
        yield FacePictures(pictures[MOST_PICTURES:])  # the first stand at the beginning
    missing = [label for label in account.outcomes.labels if label not in account.photographs]
    if not pictures:
        yield Paragraph(Sentence("No photographs of its faces were taken."), "note")
    elif missing:
        yield Paragraph(Sentence("There is no photograph of these faces: {faces}.", faces=Listing(missing)), "note")


def _pictured(report: Report) -> list[str]:
    return [label for label in report.account.outcomes.labels if label in report.account.photographs]


def _twins(report: Report) -> Sentence:
    if report.twins_apart:
        return Sentence("are told apart by eye")
    return Sentence("count together: a shift between them does not show")


HOW: Final = {
    "camera": Sentence("Seen by the camera"),
    "typed": Sentence("Typed in by a person"),
    "file": Sentence("From a file"),
    "program": Sentence("Thrown by the program, which knows its chances"),
}


@section("throws", Sentence("The throws"))
def throws_section(report: Report) -> Iterator[Block]:
    """Show how many throws there were, who saw them, and how many a person was asked about or corrected."""
    tally, account = report.tally, report.account
    yield ReportTable(
        Sentence("The throws"),
        (),
        (
            (Sentence("Thrown"), Number(tally.thrown)),
            (Sentence("Read"), Number(tally.read)),
            (Sentence("Not read"), Number(tally.unread)),
            (Sentence("Withdrawn as not a throw"), Number(tally.withdrawn)),
            (Sentence("A person was asked"), Number(tally.asked)),
            (Sentence("Corrected by a person"), Number(tally.corrected)),
            (Sentence("Checked a second time"), Number(tally.audited)),
            *((HOW[how], Number(many)) for how, many in tally.how),
        ),
        pairs=True,
    )
    for sentence in account.understood:
        yield Paragraph(sentence)
    if account.together > 1:
        yield Paragraph(pooled(account.together))
    if account.throws is None:
        yield Paragraph(
            Sentence("Only counts are known: there is no telling whether throws were left out or changed."), "note"
        )
        return
    if not tally.changed:
        yield Paragraph(Sentence("No throws were withdrawn or corrected."))
        return
    yield Paragraph(Sentence("What people changed after it was counted, by the numbers of the series:"))
    yield ReportTable(
        Sentence("Throws that were withdrawn or corrected"),
        (
            Sentence("Was"),
            Sentence("Is now"),
            Sentence("Throws"),
            Sentence("Which"),
            Sentence("By whom"),
            Sentence("Why"),
        ),
        tuple(_change(one, account.outcomes.labels) for one in tally.changed[:MOST_CHANGES]),
    )
    if len(tally.changed) > MOST_CHANGES:
        yield Paragraph(
            Sentence("The JSON lists {count} more kinds of change.", count=len(tally.changed) - MOST_CHANGES), "note"
        )


MOST_CHANGES: Final = 60
"""The most kinds of change that a page and a PDF list."""

NUMBERS_SHOWN: Final = 12


def _change(one: Changed, labels: Sequence[str]) -> tuple[Cell, ...]:
    now: Cell = Sentence("no throw") if one.withdrawn else _face(one.now, labels)
    shown = ", ".join(map(str, one.numbers[:NUMBERS_SHOWN])) + (", …" if len(one.numbers) > NUMBERS_SHOWN else "")
    reason: Cell = plain(one.reason) or (Sentence("second look") if one.audited else "")
    was = Sentence("not known") if one.was is None and not one.by else _face(one.was, labels)
    return (was, now, Number(len(one.numbers)), shown, plain(one.by), reason)


def _face(place: int | None, labels: Sequence[str]) -> Cell:
    return Sentence("not read") if place is None else labels[place]


@section("fair", Sentence("What a fair die would give"))
def fair_section(report: Report) -> Iterator[Block]:
    """Show what a fair die would give, by its faces."""
    outcomes = report.account.outcomes
    if set(outcomes.faces) == {1}:
        yield Paragraph(
            Sentence(
                "All {count} faces of a fair die come up equally often: each in {points} of a hundred throws.",
                count=sum(outcomes.faces),
                points=round(100 * float(outcomes.fair[0]), 2),
            )
        )
        return
    yield Paragraph(
        Sentence(
            "All {count} faces of a fair die come up equally often. A sign that is on several faces comes up more "
            "often.",
            count=sum(outcomes.faces),
        )
    )
    yield ReportTable(
        Sentence("What a fair die would give"),
        (FACE, Sentence("Faces with this sign"), SHARE),
        tuple(
            (label, Number(faces), Number(100 * fair, 2))
            for label, faces, fair in zip(outcomes.labels, outcomes.faces, outcomes.fair.tolist(), strict=True)
        ),
    )


def multiplicity_section(report: Report) -> Section:
    """Show how many questions the report asks at once, and what that means for many dice."""
    asked = sum(one.finding is not None for one in report.questions)
    return Section(
        "multiplicity",
        Sentence("How many questions were asked"),
        (
            Paragraph(
                Sentence(
                    "The question whether the die is biased was asked once, with a chance of {level} in 100 of a "
                    "wrong yes, for all faces and groups together. The intervals of the faces together have the same "
                    "chance of being wrong, and so do those of the groups.",
                    level=round(100 * SIGNIFICANCE_LEVEL),
                )
            ),
            Paragraph(_asked(asked)),
            Paragraph(
                Sentence(
                    "If you judge many dice one by one, 1 fair die in 20 may be called biased by chance. Judge them "
                    "as a batch instead."
                )
            ),
            Paragraph(
                Sentence(
                    "No number of throws shows that a die is fair. They show that it is biased, or that no bias is "
                    "larger than a given size, or they are not enough."
                )
            ),
        ),
    )


def _asked(questions: int) -> Sentence:
    if not questions:
        return Sentence("No question about the thrower could be asked yet.")
    return Sentence(
        "In addition, {count} questions about the thrower were asked. Each has a chance of a wrong yes of {level} in "
        "100.",
        count=questions,
        level=100 * EACH_QUESTION,
    )


def proof_section(report: Report) -> Section:
    """Show how to check the report: the throws one by one, what computed it, and the command that does so again."""
    made = report.provenance
    return Section(
        "proof",
        Sentence("How to check this report"),
        (
            Paragraph(
                Sentence(
                    "The table {file} that belongs to this report lists the throws one by one, each with the SHA-256 "
                    "of its picture if there is one. This command computes the report again from it:",
                    file=made.file,
                )
            ),
            Code(made.command),
            *_chain(report),
            ReportTable(
                Sentence("What computed this report"),
                (),
                (
                    (Sentence("SHA-256 of the table of throws"), made.digest),
                    (Sentence("Version of the program"), made.version),
                    (Sentence("SHA-256 of the sources that computed it"), made.sources),
                    (Sentence("Stakes of the bet, by number"), Number(report.account.stakes)),
                    (Sentence("Computed with"), f"Python {made.python}, NumPy {made.numpy}"),
                    (
                        Sentence("Seeds of what is drawn at random"),
                        ", ".join(f"{name} {seed}" for name, seed in SEEDS.items()),
                    ),
                ),
                pairs=True,
            ),
        ),
    )


def _chain(report: Report) -> Iterator[Block]:
    """Name the newest event of the series: anybody who has its hash knows whether any event before it was changed."""
    chain = report.account.chain
    if chain is None:
        yield Paragraph(
            Sentence("The throws are from a file: there is no telling what was changed in it before this report."),
            "note",
        )
        return
    yield Paragraph(
        Sentence(
            "The throws are from series {series} of the laboratory, with {count} events, each chained to the one "
            "before. Its head is the SHA-256 of the latest event: note it down, and nobody can change an earlier "
            "event unnoticed. It does not prove who threw, nor that every throw was recorded.",
            series=chain.series,
            count=chain.events,
        )
    )
    yield Code(chain.head)
