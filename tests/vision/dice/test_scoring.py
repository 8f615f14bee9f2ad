"""The scores say what the definition says."""

from typing import Any

import pytest

from companion.vision.dice.scoring import Score, wilson

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]


def moved(by: float) -> list[list[float]]:
    return [[x + by, y] for x, y in SQUARE]


def die(face: str, by: float = 0, **more: Any) -> dict[str, Any]:
    return {"kind": "die", "set": "wibold", "face": face, "polygon": moved(by), **more}


def scored(truth: list[dict[str, Any]], read: list[dict[str, Any]], *, complete: bool = True) -> Score:
    score = Score()
    score.add({"complete": complete, "objects": truth}, {"objects": read, "ms": 10.0})
    return score


def test_letters_count_as_a_bag() -> None:
    score = scored([die("AEIOU", die="1")], [die("IOUAE", die="3", status="read")])
    assert (score.cubes.correct, score.cubes.silent, score.exact) == (1, 0, 1)
    assert (score.identity_right, score.identity_of) == (0, 1)


def test_asked_and_missed_are_neither_right_nor_silent() -> None:
    score = scored([die("A"), die("E", 30)], [die("A", status="ask")])
    assert (score.cubes.correct, score.cubes.silent, score.exact, score.images_silent) == (0, 0, 0, 0)
    assert score.cubes.to_json()["asked"]["count"] == 2


def test_wrong_and_phantom_readings_are_silent_errors() -> None:
    score = scored([die("A")], [die("E", status="read"), die("I", 50, status="read")])
    assert (score.cubes.correct, score.cubes.silent, score.images_silent) == (0, 2, 1)
    assert scored([die("A")], [die("I", 50, status="read")], complete=False).cubes.silent == 0


def test_an_illegible_die_is_not_counted_but_a_wrong_answer_for_it_is() -> None:
    truth = [die("BCDF", die="consonants", legible=False)]
    assert scored(truth, []).tetrahedra.dice == 0
    assert scored(truth, []).exact == 1
    assert scored(truth, [die("BCDF", die="consonants", status="read")]).tetrahedra.correct == 0
    assert scored(truth, [die("GHKL", die="consonants", status="read")]).tetrahedra.silent == 1


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert list(wilson(hits, of)) == pytest.approx([low, high], abs=1e-4)


def test_a_report_of_nothing_has_no_rates() -> None:
    report = Score().to_json()
    assert report["cubes"]["correct"]["rate"] is None
    assert "ms" not in report
