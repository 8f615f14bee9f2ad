"""A sitting's lines and totals, and what a table knows after a throw; the reader is told what to say."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from bench.scoring.outcomes import outcomes
from bench.scoring.sitting import Sitting, Throw, answers, play
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import DiceReading, Image, ReadDie, Status


def square(place: int) -> tuple[tuple[float, float], ...]:
    x = 100.0 * place
    return ((x, 0), (x + 60, 0), (x + 60, 60), (x, 60))


def die(place: int, face: str | None, status: Status = "read", *, remembered: bool = False) -> ReadDie:
    candidates = ((face, 1.0),) if face is not None else ()
    chance = 1.0 if face is not None else 0.0
    reason = "" if status == "read" else "Its marks are not clear."
    return ReadDie(
        "wibold", None, face, status, chance, candidates, square(place), reason, "die", remembered=remembered
    )


def label(*faces: str, image: str = "a.jpg", **more: Any) -> dict[str, Any]:
    """Return labels of dice at the first places, named by their place."""
    dice = [
        {"kind": "die", "set": "wibold", "die": str(place), "face": face, "polygon": [*map(list, square(place))]} | more
        for place, face in enumerate(faces)
    ]
    return {"image": image, "complete": True, "objects": dice}


class Scripted:
    """A reader that says what it is told to, and notes what it learns."""

    def __init__(self, *readings: Sequence[ReadDie]) -> None:
        self._readings = list(readings)
        self.ground = None
        self.learnt: list[tuple[list[FaceLesson], str]] = []

    def read(self, image: Image) -> DiceReading:
        assert image.size
        return DiceReading(tuple(self._readings.pop(0)), "ask", "Two dice cannot be told apart.", milliseconds=3.0)

    def learn(self, report: list[FaceLesson], source: str) -> None:
        self.learnt.append((report, source))


def throw(labelled: dict[str, Any], *dice: ReadDie) -> Throw:
    became = outcomes(labelled, {"objects": [one.to_json() for one in dice]})
    return Throw(labelled["image"], tuple(became), sum(one.status == "ask" for one in dice), 12.34)


def states(one: Throw) -> list[tuple[Any, ...]]:
    return [(line["die"], line["face"], line["state"], line["right"]) for line in one.to_json()["dice"]]


def test_every_outcome_has_its_state() -> None:
    shown = throw(
        label("A", "E", "I", "AE", "EI"),
        die(0, "A"),
        die(1, "I"),
        die(2, "I", "ask"),
        die(3, None, "ignored"),
        die(7, "UA"),
        die(8, "E", "ask"),
    )
    assert states(shown) == [
        ("0", "A", "read", True),
        ("1", "E", "read", False),
        ("2", "I", "asked", None),
        ("3", "AE", "missed", None),
        ("4", "EI", "missed", None),
        (None, "UA", "read", False),
    ]
    line = shown.to_json()
    assert (line["image"], line["asked"], line["silent"], line["ms"]) == ("a.jpg", 2, 2, 12.3)


def test_a_die_that_nobody_can_read_is_ignored_unless_it_is_read_or_asked() -> None:
    hidden = label("A", "E", "I", "U", legible=False)
    shown = throw(hidden, die(0, "A"), die(1, "I"), die(2, "I", "ask"))
    assert states(shown) == [
        ("0", "A", "read", True),
        ("1", "E", "read", False),
        ("2", "I", "asked", None),
        ("3", "U", "ignored", None),
    ]
    assert shown.silent == 1


@pytest.mark.parametrize(
    ("dice", "wholly"),
    [
        ([die(0, "A"), die(1, "E")], True),
        ([die(0, "A"), die(1, "E"), die(5, "E", "ask")], False),
        ([die(0, "A"), die(1, "E"), die(5, "E")], False),
        ([die(0, "A"), die(1, "I")], False),
        ([die(0, "A"), die(1, "E", "ask")], False),
        ([die(0, "A")], False),
    ],
)
def test_a_throw_is_wholly_read_if_every_die_is_right_and_nothing_was_asked(dice: list[ReadDie], wholly: bool) -> None:  # noqa: FBT001
    assert throw(label("A", "E"), *dice).wholly_read == wholly


def test_totals_count_the_throws_by_tens() -> None:
    right, asked = throw(label("A"), die(0, "A")), throw(label("A"), die(0, "A", "ask"))
    totals = Sitting([asked] * 4 + [right] * 19).to_json()
    assert [block["throws"] for block in totals["blocks"]] == [[1, 10], [11, 20], [21, 23]]
    assert [block["questions"] for block in totals["blocks"]] == [4, 0, 0]
    assert [block["wholly_read"] for block in totals["blocks"]] == [6, 10, 3]
    assert (totals["throws"], totals["dice"], totals["read"], totals["asked"]) == (23, 23, 19, 4)
    assert totals["ms"] == 12.3


def test_a_die_that_is_missed_counts_as_a_question() -> None:
    totals = Sitting([throw(label("A", "E"), die(0, "A"))]).to_json()
    assert (totals["asked"], totals["missed"], totals["questions"]) == (0, 1, 1)


def test_no_throws_have_totals_too() -> None:
    totals = Sitting().to_json()
    assert (totals["throws"], totals["questions"], totals["ms"], totals["blocks"]) == (0, 0, None, [])


def test_a_table_knows_what_it_asked_and_what_it_read_without_remembering() -> None:
    reading = DiceReading(
        (
            die(0, "I"),  # even wrongly: a table does not know better
            die(1, "E", remembered=True),
            die(2, "E", "ask"),
            die(3, None, "ignored"),
            die(9, "E", "ask"),
        ),
        "ask",
    )
    assert answers(label("A", "E", "I", "AE"), reading) == [
        FaceLesson((30.0, 30.0), "I", named=False),
        FaceLesson((230.0, 30.0), "I", named=True),
        FaceLesson((930.0, 30.0), None, named=True),
    ]


def test_a_table_learns_after_each_throw_and_before_the_next() -> None:
    reader = Scripted([die(0, "A")], [die(0, "E", "ask")])
    shown = play(
        [label("A", image="1.jpg"), label("E", image="2.jpg")],
        lambda _: np.ones((9, 9, 3), np.uint8),
        cast("DiceReader", reader),
        learn=True,
    )
    assert next(shown).image == "1.jpg"
    assert [source for _, source in reader.learnt] == ["1.jpg"]
    assert next(shown).asked == 1
    assert reader.learnt[1] == ([FaceLesson((30.0, 30.0), "E", named=True)], "2.jpg")
    assert next(shown, None) is None


def test_without_learning_nothing_is_taught() -> None:
    reader = Scripted([die(0, "A", "ask")])
    (shown,) = play([label("A")], lambda _: np.ones((9, 9, 3), np.uint8), cast("DiceReader", reader), learn=False)
    assert shown.milliseconds == 3.0
    assert reader.learnt == []
