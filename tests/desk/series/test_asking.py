"""What a die of a throw is called and shows, as far as that is certain."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.desk.series.asking import asked_of, labelled
from companion.fairness.series.dice import WantedDie, named_dice
from companion.fairness.series.events import SeriesStarted
from companion.fairness.series.fold import Series
from companion.ledger.entries import Entry
from companion.vision.readings import ReadDie, Status
from tests.referee.build import square


def series(*dice: dict[str, Any]) -> Series:
    named = named_dice([WantedDie(**one) for one in dice])
    started = SeriesStarted("s", tuple(die.to_json() for die in named), None, None, {}, {}, 1, {})
    return Series([Entry(1, 1, 1.0, "tests", started, "", "")])


def die(of: str, name: str | None, face: str, status: Status = "read", twin: int | None = None) -> ReadDie:
    chances = ((face, 0.98),) if status == "read" else ((face, 0.6), ("1", 0.4))
    return ReadDie(of, name, face, status, chances[0][1], chances, square(50, 50), twin=twin)


WIBOLD = [{"set": "wibold", "die": name} for name in ("1", "2", "3")]


def named(dice: Sequence[Any]) -> list[tuple[str, str | None, bool]]:
    return [(one.die, one.face, one.sure) for one in dice]


def test_dice_that_nobody_can_tell_apart_count_as_one_kind_and_each_has_a_key_when_asked_about() -> None:
    two = series({"set": "pips", "name": "bone", "together": 2})
    seen = [die("pips", None, "6"), die("pips", None, "3", "ask")]
    dice = labelled(two, seen, [], whole=True)
    assert named(dice) == [("bone", "6", True), ("bone", None, False)]
    asked = asked_of(dice, ["a", "b", "all"], (), 2)
    assert [(one["key"], one["face"], one["picture"]) for one in asked.asked] == [
        ("bone 1", "6", "a"),
        ("bone 2", None, "b"),
    ]


def test_like_dice_that_a_person_tells_apart_by_their_looks_are_asked_about_and_never_guessed() -> None:
    two = series(*({"set": "pips", "name": name, "by_looks": True} for name in ("red", "blue")))
    assert [one.together for one in two.dice] == [1, 1]
    for seen, stayed in ([die("pips", None, "6"), die("pips", None, "3")], []), ([die("pips", None, "6")], [1]):
        lying = [die("pips", None, "2") for _ in stayed]
        dice = labelled(two, seen, lying, whole=True)
        assert not any(one.sure for one in dice)
        assert "There is no telling which die is which" in asked_of(dice, ["a", "b", "all"], (), 2).sentence["text"]


def test_the_last_die_has_the_name_that_is_left() -> None:
    seen = [die("wibold", "1", "A"), die("wibold", None, "E"), die("wibold", "3", "I")]
    assert named(labelled(series(*WIBOLD), seen, [], whole=True)) == [
        ("1", "A", True),
        ("2", "E", True),
        ("3", "I", True),
    ]


@pytest.mark.parametrize("names", [(None, None), ("2", "2")])
def test_where_two_dice_cannot_be_told_apart_a_person_says_which_is_which(names: tuple[str | None, ...]) -> None:
    seen = [die("wibold", "1", "A"), die("wibold", names[0], "E"), die("wibold", names[1], "E")]
    dice = labelled(series(*WIBOLD), seen, [], whole=True)
    assert sorted(one.die for one in dice) == ["1", "2", "3"]
    assert not all(one.sure for one in dice)
    asked = asked_of(dice, ["a", "b", "c", "all"], (), 3)
    assert {one["picture"] for one in asked.asked if not one["face"]} <= {"all", "b", "c"}


def test_a_doubt_about_the_throw_as_a_whole_is_one_about_each_of_its_dice() -> None:
    seen = [die("wibold", name, face) for name, face in (("1", "A"), ("2", "E"), ("3", "I"))]
    assert not any(one.sure for one in labelled(series(*WIBOLD), seen, [], whole=False))


def test_a_twin_that_was_told_counts_and_one_that_was_not_is_asked_about() -> None:
    ludix = series({"set": "ludix", "twins_apart": True})
    faces = ludix.dice[0].die.faces
    second = [place for place, face in enumerate(faces) if face.text == "X"][1]
    (found,) = labelled(ludix, [die("ludix", ludix.dice[0].die.name, "X", twin=second)], [], whole=True)
    assert (found.face, found.sure) == ("X/2", True)
    (untold,) = labelled(ludix, [die("ludix", ludix.dice[0].die.name, "X")], [], whole=True)
    assert (untold.face, untold.sure) == (None, False)
    assert dict(untold.candidates) == {"X/1": pytest.approx(0.49), "X/2": pytest.approx(0.49)}


def test_a_die_that_should_lie_there_is_missing_by_its_name() -> None:
    dice = labelled(series(*WIBOLD), [die("wibold", "1", "A")], [die("wibold", "3", "I")], whole=True)
    assert [(one.die, one.missing) for one in dice] == [("1", False), ("2", True)]
    assert "2 of 3 dice" in asked_of(dice, ["a", "all"], (), 3).sentence["text"]
