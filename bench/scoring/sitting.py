"""A sitting: one owner's throws in their order, read, asked about, answered and learnt from as at a table."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from bench.scoring.outcomes import Label, Outcome, inside, middle, outcomes
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import DiceReading, Image, ReadDie

BLOCK: Final = 10
"""Throws that are counted together."""

STATES: Final = {
    "correct": ("read", True),
    "asked": ("asked", None),
    "missed": ("missed", None),
    "wrong": ("read", False),
    "guessed": ("read", False),
    "phantom": ("read", False),
}
"""What a throw's line says of each outcome."""


@dataclass(frozen=True)
class Throw:
    """What became of one throw. ``asked``: the questions, also those about things that are no dice."""

    image: str
    outcomes: tuple[Outcome, ...]
    asked: int
    milliseconds: float

    @property
    def silent(self) -> int:
        """How many dice were read wrongly, or where no die lies."""
        return sum(one.silent for one in self.outcomes)

    @property
    def wholly_read(self) -> bool:
        """Whether every legible die was read rightly, and nothing was asked."""
        wanted = {"correct", "unseen"}
        return not self.asked and all(one.became in wanted for one in self.outcomes)

    def to_json(self) -> dict[str, Any]:
        """Return the line of this throw."""
        return {
            "image": self.image,
            "dice": [_line(one) for one in self.outcomes],
            "asked": self.asked,
            "silent": self.silent,
            "ms": round(self.milliseconds, 1),
        }


@dataclass
class Sitting:
    """All throws so far."""

    throws: list[Throw] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the totals, and those of each ten throws."""
        blocks = [
            {"throws": [first + 1, first + len(part)], **_totals(part)}
            for first in range(0, len(self.throws), BLOCK)
            for part in [self.throws[first : first + BLOCK]]
        ]
        times = [one.milliseconds for one in self.throws]
        return {
            "throws": len(self.throws),
            **_totals(self.throws),
            "ms": round(median(times), 1) if times else None,
            "blocks": blocks,
        }


def play(labels: Iterable[Label], image: Callable[[str], Image], reader: DiceReader, *, learn: bool) -> Iterator[Throw]:
    """Read the pictures of a sitting in their order; where the reader asks, the labels answer.

    ``labels``: with places; ``image``: loads a picture by its name. With ``learn`` the reader's exemplars learn from
    each throw, as a table's do: from all answers, and from what the general reader alone was sure of. A reader with a
    ground learns that, too.
    """
    for label in labels:
        picture = image(label["image"])
        reading = reader.read(picture)
        milliseconds = reading.milliseconds
        if reader.ground is not None:
            reader.ground.rest(picture, reading)
        if learn:
            begun = time.perf_counter()
            reader.learn(answers(label, reading), str(label["image"]))
            milliseconds += (time.perf_counter() - begun) * 1000
        objects: Sequence[Any] = [die.to_json() for die in reading.dice]
        became = tuple(outcomes(label, {"objects": objects}))
        asked = sum(die.status == "ask" for die in reading.dice)
        yield Throw(str(label["image"]), became, asked, milliseconds)


def answers(label: Label, reading: DiceReading) -> list[FaceLesson]:
    """Return what a table knows after a throw: what a person answered, and what it read without remembering."""
    lessons = []
    for die in reading.dice:
        place = middle(die.polygon)
        if die.status == "read" and not die.remembered:
            lessons.append(FaceLesson(place, die.face, named=False))
        elif die.status == "ask":
            lessons.append(FaceLesson(place, _truth(label, die), named=True))
    return lessons


def _truth(label: Label, die: ReadDie) -> str | None:
    """Return the face of the labelled die that a question is about; None: there is no die."""
    place = middle(die.polygon)
    there = next(
        (
            one
            for one in label["objects"]
            if inside(place, one["polygon"]) or inside(middle(one["polygon"]), die.polygon)
        ),
        None,
    )
    return None if there is None else str(there["face"])


def _line(one: Outcome) -> dict[str, Any]:
    """Return one die of a throw's line. A die that nobody can read in the picture is ignored, unless it was asked."""
    truth = one.truth or {}
    answer = one.answer or {}
    state, right = STATES.get(one.became, ("ignored", None))
    if one.became == "unseen" and answer.get("status") in ("ask", "read"):
        state, right = ("asked", None) if answer["status"] == "ask" else ("read", True)
    return {"die": truth.get("die"), "face": truth.get("face", answer.get("face")), "state": state, "right": right}


def _totals(throws: Sequence[Throw]) -> dict[str, int]:
    became = Counter(one.became for throw in throws for one in throw.outcomes)
    return {
        "dice": sum(became[name] for name in ("correct", "asked", "missed", "wrong")),
        "read": became["correct"],
        "asked": became["asked"],
        "missed": became["missed"],
        "silent": sum(throw.silent for throw in throws),
        # a table that counts fewer dice than were thrown asks about each that is missing
        "questions": sum(throw.asked for throw in throws) + became["missed"],
        "wholly_read": sum(throw.wholly_read for throw in throws),
    }
