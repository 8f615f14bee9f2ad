"""A report's grounds in sections: the die, the throws, a fair die, how many questions there were, proof."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from companion.fairness.dependence import LEVEL as EACH_QUESTION
from companion.fairness.report.contents import SEEDS, Report
from companion.fairness.report.document import Block, Cell, Code, Document, Number, Paragraph, Pictures, Section, Table
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
from companion.fairness.report.wording import plain
from companion.fairness.verdict import LEVEL
from companion.language.sentence import Listing, Sentence

ABOUT: Final = {
    "who": Sentence("Thrown by"),
    "surface": Sentence("Thrown onto"),
    "method": Sentence("Thrown how"),
    "camera": Sentence("Camera"),
    "profile": Sentence("Profile of the camera"),
    "software": Sentence("Program that read the throws"),
    "stakes": Sentence("Stakes of the bet, by number"),
}
"""The keys of `Account.about` and their names in a report; other keys stay as they are."""


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


def die_section(report: Report) -> Section:
    """Describe the die, its faces, how and when it was thrown; with photographs of the faces."""
    return Section("die", Sentence("The die, and how it was thrown"), tuple(_die(report)))


def _die(report: Report) -> Iterator[Block]:
    account = report.account
    faces = ", ".join(face.text for face in account.die.faces)
    known: list[tuple[Cell, ...]] = [
        (Sentence("Name"), plain(account.name)),
        (Sentence("Set of dice"), plain(account.set_name)),
        (Sentence("Die of the set"), plain(account.die.name)),
        (Sentence("Its faces"), faces),
    ]
    if account.die.twins:
        known.append((Sentence("Faces that bear the same"), _twins(report)))
    if account.die.counts == "down":
        known.append((Sentence("What counts"), Sentence("the face below")))
    known += [(ABOUT.get(name, plain(name)), plain(text)) for name, text in account.about.items() if plain(text)]
    if report.span is not None:
        first, last = map(_moment, report.span)
        known += [(Sentence("First throw"), first), (Sentence("Last throw"), last)]
    yield Table(Sentence("The die, and how it was thrown"), (), tuple(known), pairs=True)
    pictures = tuple((label, account.photographs[label]) for label in _pictured(report))
    if pictures:
        yield Pictures(pictures)
    missing = [label for label in account.outcomes.labels if label not in account.photographs]
    if not pictures:
        yield Paragraph(Sentence("No photographs of its faces were taken."), "note")
    elif missing:
        yield Paragraph(Sentence("Of these faces there is no photograph: {faces}.", faces=Listing(missing)), "note")


def _pictured(report: Report) -> list[str]:
    return [label for label in report.account.outcomes.labels if label in report.account.photographs]


def _twins(report: Report) -> Sentence:
    if report.twins_apart:
        return Sentence("are told apart by their looks")
    return Sentence("count together: one that trades with the other is not seen")


def throws_section(report: Report) -> Section:
    """Show how many throws there were, who saw them, and how many a person was asked about or corrected."""
    return Section("throws", Sentence("The throws"), tuple(_throws(report)))


HOW: Final = {
    "camera": Sentence("Seen by the camera"),
    "typed": Sentence("Typed in by a person"),
    "file": Sentence("From a file"),
    "program": Sentence("Thrown by the program, which knows its chances"),
}


def _throws(report: Report) -> Iterator[Block]:
    tally = report.tally
    yield Table(
        Sentence("The throws"),
        (),
        (
            (Sentence("Thrown"), Number(tally.thrown)),
            (Sentence("Read"), Number(tally.read)),
            (Sentence("Not read"), Number(tally.unread)),
            (Sentence("A person was asked"), Number(tally.asked)),
            (Sentence("Corrected by a person"), Number(tally.corrected)),
            *((HOW[how], Number(many)) for how, many in tally.how),
        ),
        pairs=True,
    )


def fair_section(report: Report) -> Section:
    """Show what a fair die would give, by its faces."""
    return Section("fair", Sentence("What a fair die would give"), tuple(_fair(report)))


def _fair(report: Report) -> Iterator[Block]:
    outcomes = report.account.outcomes
    if set(outcomes.faces) == {1}:
        yield Paragraph(
            Sentence(
                "All {count} faces of a fair die fall equally often: each in {points} of a hundred throws.",
                count=sum(outcomes.faces),
                points=round(100 * float(outcomes.fair[0]), 2),
            )
        )
        return
    yield Paragraph(
        Sentence(
            "All {count} faces of a fair die fall equally often. What several faces bear falls oftener.",
            count=sum(outcomes.faces),
        )
    )
    yield Table(
        Sentence("What a fair die would give"),
        (FACE, Sentence("Faces that bear it"), SHARE),
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
                    "Whether the die is biased was asked once, with a chance of {level} in 100 of a wrong yes, for all "
                    "faces and groups together. The intervals of the faces have the same chance of a miss, together, "
                    "and so have those of the groups.",
                    level=round(100 * LEVEL),
                )
            ),
            Paragraph(_asked(asked)),
            Paragraph(
                Sentence(
                    "Where many dice are judged, each by itself, one fair die of 20 may be called biased by chance. "
                    "Then judge them as a batch."
                )
            ),
            Paragraph(
                Sentence(
                    "No number of throws shows that a die is fair. They show that it is biased, or that no bias is "
                    "larger than so much, or they are not enough."
                )
            ),
        ),
    )


def _asked(questions: int) -> Sentence:
    if not questions:
        return Sentence("Beside it no question about the thrower could be asked yet.")
    return Sentence(
        "Beside it {count} questions about the thrower were asked. Each has a chance of a wrong yes of {level} in 100.",
        count=questions,
        level=round(100 * EACH_QUESTION),
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
                    "The throws stand one by one in the table {file} that belongs to this report, each with the "
                    "SHA-256 of its picture where there is one. This command computes the report again from it:",
                    file=made.file,
                )
            ),
            Code(made.command),
            Table(
                Sentence("What computed this report"),
                (),
                (
                    (Sentence("SHA-256 of the table of throws"), made.digest),
                    (Sentence("Version of the program"), made.version),
                    (Sentence("SHA-256 of the sources that computed it"), made.sources),
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


def _moment(at: float) -> str:
    """Write a time to the minute, in UTC and in a form that is the same in every language."""
    try:
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):
        return ""
