"""What became of each labelled die in one picture: correct, asked about, missed or wrong; and phantoms.

The rules: a reading belongs to a die if the middle of either lies within the other. The letters of a die count in any
order; a tile's text must be the same. If labels have no places, only the number of each face is compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

Label = Mapping[str, Any]
"""One labelled picture, one reading of a picture as ``companion read --json`` prints it, or one object of either."""

Became = Literal["correct", "asked", "missed", "wrong", "unseen", "guessed", "phantom"]
"""A die that a person can read is correct, asked, missed (not read, or set aside) or wrong; one that nobody can read is
unseen, or guessed if it was read wrongly; a phantom is a reading where no die lies."""

Polygon = Sequence[Sequence[float]]
Point = tuple[float, float]


@dataclass(frozen=True)
class Outcome:
    """What became of one die. ``truth`` is its label, None for a phantom; ``answer`` is the reader's.

    The answer to a missed die, if there is any, says why it was ignored. ``paired`` is False where labels have no
    places and it is not known which of several dice the answer is about; their counts are still right.
    """

    became: Became
    truth: Label | None
    answer: Label | None
    paired: bool = True

    @property
    def silent(self) -> bool:
        """Whether something wrong would have passed as true."""
        return self.became in ("wrong", "guessed", "phantom")


def same_face(kind: str, truth: object, read: object) -> bool:
    """Return whether two texts name the same face: of a die, the same letters in any order."""
    return truth == read or (kind == "die" and sorted(str(truth)) == sorted(str(read)))


def outcomes(label: Label, reading: Label) -> list[Outcome]:
    """Return what became of each die of a labelled picture, in the order of the labels, then the phantoms.

    ``label`` and ``reading`` hold ``objects``; only dice and tiles among them count.
    """
    truth = [one for one in label["objects"] if one["kind"] in ("die", "tile")]
    answers = [one for one in reading["objects"] if one["kind"] in ("die", "tile")]
    read = [one for one in answers if one.get("status", "read") == "read"]
    asked = [one for one in answers if one.get("status", "read") == "ask"]
    ignored = [one for one in answers if one.get("status", "read") == "ignored"]
    complete = bool(label.get("complete", False))
    if all("polygon" in one for one in truth):
        return _placed(truth, read, asked, ignored, complete=complete)
    return _counted(truth, read, asked, complete=complete)


def _placed(
    truth: Sequence[Label], read: list[Label], asked: list[Label], ignored: list[Label], *, complete: bool
) -> list[Outcome]:
    left, open_questions = list(read), list(asked)
    found = []
    for die in truth:
        legible = bool(die.get("legible", True))
        near = [one for one in left if lies_on(one, die)]
        if near:
            answer = next((one for one in near if _fits(one, die)), near[0])
            _drop(left, answer)
            right = same_face(die["kind"], die["face"], answer["face"])
            became: Became = ("correct" if legible else "unseen") if right else ("wrong" if legible else "guessed")
            found.append(Outcome(became, die, answer))
            continue
        question = next((one for one in open_questions if lies_on(one, die)), None)
        if question is not None:
            _drop(open_questions, question)
        became = "unseen" if not legible else "missed" if question is None else "asked"
        found.append(Outcome(became, die, question or next((one for one in ignored if lies_on(one, die)), None)))
    if complete:
        found += [Outcome("phantom", None, one) for one in left]
    return found


def _fits(answer: Label, die: Label) -> bool:
    named = die.get("die")
    return same_face(die["kind"], die["face"], answer["face"]) and (named is None or answer.get("die") in (None, named))


def _drop(among: list[Label], one: Label) -> None:
    """Remove this very object: another may be equal to it."""
    del among[next(place for place, other in enumerate(among) if other is one)]


def _counted(truth: Sequence[Label], read: list[Label], asked: list[Label], *, complete: bool) -> list[Outcome]:
    """Return the outcomes for labels without places: of each face, as many are correct as are both there and read.

    It is not known which of the other answers belongs to which of the other dice. Questions count for the dice whose
    face they hold likeliest, wrong readings for the remaining dice, in their order.
    """
    answers: dict[int, tuple[Became, Label | None]] = {}
    open_dice = [number for number, die in enumerate(truth) if die.get("legible", True)]
    surplus = []
    for one in read:
        place = next((number for number in open_dice if str(truth[number]["face"]) == str(one["face"])), None)
        if place is None:
            surplus.append(one)
        else:
            answers[place] = ("correct", one)
            open_dice.remove(place)
    questions = list(asked)
    unasked = len(surplus) if complete else 0  # this many of the remaining dice were read wrongly
    for number in list(open_dice):
        question = next((one for one in questions if str(one.get("face")) == str(truth[number]["face"])), None)
        if question is not None and len(open_dice) > unasked:
            answers[number] = ("asked", question)
            _drop(questions, question)
            open_dice.remove(number)
    for number in open_dice:
        if complete and surplus:
            answers[number] = ("wrong", surplus.pop(0))
        elif questions:
            answers[number] = ("asked", questions.pop(0))
        else:
            answers[number] = ("missed", None)
    unsure = [number for number, (became, _) in answers.items() if became != "correct"]
    known = len({str(truth[number]["face"]) for number in unsure}) <= 1
    found = [
        Outcome(*_entry(die, answers.get(number)), paired=known or number not in unsure)
        for number, die in enumerate(truth)
    ]
    return found + [Outcome("phantom", None, one) for one in surplus if complete]


def _entry(die: Label, answer: tuple[Became, Label | None] | None) -> tuple[Became, Label, Label | None]:
    became, label = answer or ("unseen", None)
    return became, die, label


def lies_on(answer: Label, die: Label) -> bool:
    """Return whether a reading belongs to a labelled die: the middle of either lies within the other."""
    if not answer.get("polygon") or not die.get("polygon"):
        return False
    return inside(middle(answer["polygon"]), die["polygon"]) or inside(middle(die["polygon"]), answer["polygon"])


def middle(polygon: Polygon) -> Point:
    """Return the mean of a polygon's corners."""
    return sum(corner[0] for corner in polygon) / len(polygon), sum(corner[1] for corner in polygon) / len(polygon)


def inside(point: Point, polygon: Polygon) -> bool:
    """Return whether a ray from the point to the right leaves the polygon an odd number of times.

    Points on an edge are inside for left and upper edges only, so that outlines that share an edge share no point.
    """
    x, y = point
    leaves = 0
    for (x1, y1), (x2, y2) in pairwise([*polygon, polygon[0]]):
        if (y1 <= y) != (y2 <= y):
            leaves += x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return leaves % 2 == 1
