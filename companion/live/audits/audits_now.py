"""A table's audits as its owner sees them: plain values that any thread may read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.fairness.audits.table_audits import TableAudits
from companion.rules.dice import dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import CORNERS_OF
from companion.vision.dice.memory.course import faces_of
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE

MOST_OPEN: Final = 40
"""How many dice wait for an answer; the oldest ones are not asked about any more."""


@dataclass(frozen=True)
class AuditAsked:
    """A die to be checked. ``choices``: the text of each face that it may show, and what to call it.

    ``lies_on``: whether the face is meant on which it lies.
    """

    number: int
    choices: tuple[tuple[str, str], ...]
    lies_on: bool


@dataclass(frozen=True)
class AuditContradicted:
    """A die that a person read otherwise; ``answer``: "" if it is no die.

    ``instead``: the face of this die that shows what was named; None if it has none, so that it was taken for another.
    """

    number: int
    match: int
    event: int
    die: str
    read: str
    answer: str
    instead: str | None


@dataclass(frozen=True)
class AuditsNow:
    """The audits of one set of dice: the open ones, what they found, and the interval of the share of errors."""

    dice: str
    asked: tuple[AuditAsked, ...]
    contradicted: tuple[AuditContradicted, ...]
    drawn: int
    checked: int
    wrong: int
    error: tuple[float, float]


def audits_now(audits: TableAudits, pictured: Callable[[str], bool]) -> AuditsNow:
    """Return the audits as they are; ``pictured``: whether the picture of this name is kept."""
    dice = audits.began.dice
    asked = [
        AuditAsked(number, *choices(dice, audits.drawn[number].die))
        for number in audits.open[-MOST_OPEN:]
        if pictured(audits.drawn[number].picture)
    ]
    contradicted = [
        AuditContradicted(number, die.match, die.event, die.die, die.read, answer, _instead(dice, die.die, answer))
        for number in audits.contradicted
        for die, answer in [(audits.drawn[number], audits.answers[number].face or "")]
    ]
    found = (len(audits.drawn), audits.checked, audits.wrong, audits.error())
    return AuditsNow(dice, tuple(asked), tuple(contradicted), *found)


def _instead(dice: str, die: str, answer: str) -> str | None:
    faces = (face.text for face in dice_set(dice).die(die).faces)
    return next((text for text in faces if bag_of(text) == bag_of(answer)), None)


def choices(dice: str, die: str) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Return the faces that a find like this die may show, as `AuditAsked.choices`, and whether it lies on them."""
    shape = dice_set(dice).die(die).shape
    outline = SIDE_OUTLINE if shape == "tetrahedron" else CORNERS_OF[shape]
    faces = [(texts[0], " / ".join(texts)) for (corners, _), texts in faces_of(dice).items() if corners == outline]
    return tuple(faces), outline == SIDE_OUTLINE
