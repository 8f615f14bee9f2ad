"""The scores say what the definition says."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scoring import Score, reliability
from bench.scoring.baseline import Baseline, BaselineError, by_chance
from bench.scoring.confusion import ASKED, MISSED, NOTHING, SEVERAL, confusion
from companion.odds.intervals import wilson

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]


def moved(by: float) -> list[list[float]]:
    return [[x + by, y] for x, y in SQUARE]


def die(face: str, by: float = 0, **more: Any) -> dict[str, Any]:
    return {"kind": "die", "set": "wibold", "face": face, "polygon": moved(by), **more}


def scored(truth: list[dict[str, Any]], read: list[dict[str, Any]], *, complete: bool = True, **label: Any) -> Score:
    score = Score()
    score.add({"image": "a.png", "complete": complete, "objects": truth, **label}, {"objects": read, "ms": 10.0})
    return score


def became(score: Score) -> dict[str, int]:
    return dict(Counter(one.became for one in score.outcomes()))


def test_letters_count_as_a_bag() -> None:
    score = scored([die("AEIOU", die="1")], [die("IOUAE", die="3", status="read")])
    assert (score.cubes.correct, score.cubes.silent, score.exact) == (1, 0, 1)
    assert (score.identity_right, score.identity_of) == (0, 1)


def test_asked_and_missed_are_told_apart_and_neither_right_nor_silent() -> None:
    score = scored([die("A"), die("E", 30), die("I", 60)], [die("A", status="ask"), die("I", 60, status="ignored")])
    assert became(score) == {"asked": 1, "missed": 2}
    assert (score.total.correct, score.total.silent, score.exact, score.images_silent) == (0, 0, 0, 0)


def test_wrong_and_phantom_readings_are_silent_errors() -> None:
    score = scored([die("A")], [die("E", status="read"), die("I", 50, status="read")])
    assert became(score) == {"wrong": 1, "phantom": 1}
    assert (score.total.correct, score.total.silent, score.images_silent) == (0, 2, 1)
    assert scored([die("A")], [die("I", 50, status="read")], complete=False).total.silent == 0


@pytest.mark.parametrize(
    ("status", "read", "wrongly"),
    [("read", ["A", "E"], 0), ("read", ["A"], 1), ("read", ["A", "I"], 1), ("ask", ["A"], 0)],
)
def test_a_throw_that_counts_as_read_though_it_is_short_or_wrong_is_counted(
    status: str, read: list[str], wrongly: int
) -> None:
    score = Score()
    objects = [die(face, 30 * place, status="read") for place, face in enumerate(read)]
    score.add({"complete": True, "objects": [die("A"), die("E", 30)]}, {"objects": objects, "status": status})
    counted = score.to_json()["throws_read"]["short_or_wrong"]
    assert (counted["count"], counted["of"]) == (wrongly, int(status == "read"))


def test_an_illegible_die_is_not_counted_but_a_wrong_answer_for_it_is() -> None:
    truth = [die("BCDF", die="consonants", legible=False)]
    assert scored(truth, []).tetrahedra.dice == 0
    assert scored(truth, []).exact == 1
    assert scored(truth, [die("BCDF", die="consonants", status="read")]).tetrahedra.correct == 0
    assert became(scored(truth, [die("GHKL", die="consonants", status="read")])) == {"guessed": 1}


def test_faces_without_places_are_counted_as_they_are() -> None:
    truth = [{"kind": "die", "set": "pips", "face": face} for face in ("6", "6", "5", "1")]
    read = [{"kind": "die", "face": "6"}, {"kind": "die", "face": "4"}, {"kind": "die", "face": "1", "status": "ask"}]
    score = scored(truth, read)
    assert became(score) == {"correct": 1, "asked": 1, "wrong": 1, "missed": 1}
    assert score.by_set["pips"].dice == 4
    more = [{"kind": "die", "face": face} for face in ("6", "6", "5", "1", "1")]
    assert became(scored(truth, more)) == {"correct": 4, "phantom": 1}


def test_rates_are_told_by_shape_size_and_condition() -> None:
    big = {"polygon": [[0, 0], [110, 0], [110, 110], [0, 110]]}
    truth = [die("A", die="1") | big, die("BCDF", 200, die="consonants")]
    score = scored(truth, [die("A", die="1", status="read") | big], conditions={"tilt": 12.5, "things": ["pen", "cup"]})
    report = score.to_json()
    assert {name: tally["dice"] for name, tally in report["kinds"].items()} == {"cube": 1, "tetrahedron": 1}
    assert {name: tally["correct"]["count"] for name, tally in report["sizes"].items()} == {
        "below 24": 0,
        "100 to 200": 1,
    }
    assert list(report["conditions"]["tilt"]) == ["10 to 20"]
    assert list(report["conditions"]["things"]) == ["cup", "pen"]


@given(st.lists(st.sampled_from(["correct", "asked", "missed", "wrong"]), min_size=1, max_size=30))
def test_the_parts_add_up_to_all_dice(wanted: list[str]) -> None:
    truth, read = [], []
    for number, what in enumerate(wanted):
        truth.append(die("A", 20 * number))
        status = {"correct": "read", "wrong": "read", "asked": "ask"}.get(what)
        if status:
            read.append(die("E" if what == "wrong" else "A", 20 * number, status=status, confidence=0.5))
    report = scored(truth, read).to_json()["dice"]
    assert (
        sum(report[part]["count"] for part in ("correct", "asked", "missed", "wrong")) == report["dice"] == len(wanted)
    )
    assert report["silent"]["count"] == wanted.count("wrong")


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert list(wilson(hits, of)) == pytest.approx([low, high], abs=1e-4)


def test_a_report_of_nothing_has_no_rates() -> None:
    report = Score().to_json()
    assert report["dice"]["correct"]["rate"] is None
    assert report["reliability"]["brier"] is None
    assert "ms" not in report


def test_a_reader_that_is_as_often_right_as_it_says_has_no_calibration_error() -> None:
    stated = reliability([(0.75, True)] * 3 + [(0.75, False)])
    assert stated.calibration_error == pytest.approx(0)
    assert stated.brier == pytest.approx(0.25 * 0.75)
    boastful = reliability([(1.0, False), (1.0, True)])
    assert boastful.calibration_error == pytest.approx(0.5)
    assert boastful.brier == pytest.approx(0.5)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_every_answer_falls_into_one_bin_that_holds_its_confidence(answers: list[tuple[float, bool]]) -> None:
    found = reliability(answers)
    assert sum(one.answers for one in found.bins) == len(answers)
    assert sum(one.right for one in found.bins) == sum(right for _, right in answers)
    for one in found.bins:
        assert one.low - 1e-9 <= one.confidence <= one.high + 1e-9
    assert found.calibration_error is not None
    assert 0 <= found.calibration_error <= 1


def test_what_is_no_chance_is_refused() -> None:
    with pytest.raises(ValueError, match=r"from 0 to 1, but got 1\.2"):
        reliability([(1.2, True)])


def test_asked_dice_count_in_reliability_by_their_likeliest_face() -> None:
    likely = [["E", 0.6], ["A", 0.4]]
    score = scored([die("A")], [die("E", status="ask", confidence=0.6, candidates=likely)])
    assert score.answers() == [(0.6, False)]
    assert scored([die("A", legible=False)], [die("A", status="ask", confidence=0.6)]).answers() == []


def test_confusion_counts_truth_against_reading() -> None:
    truth = [die("N"), die("N", 20), die("N", 40), die("N", 60), die("Z", 80)]
    read = [
        die("N"),
        die("Z", 20),
        die("N", 40, status="ask"),
        die("N", 80),
        die("I", 300),
    ]
    matrix = confusion(scored(truth, read).outcomes())
    assert matrix.read("N") == {"N": 1, "Z": 1, ASKED: 1, MISSED: 1}
    assert matrix.between("N", "Z") == 2
    assert matrix.read(NOTHING) == {"I": 1}
    assert matrix.dice == 5


def test_without_places_nothing_is_confused_by_guess() -> None:
    truth = [{"kind": "die", "set": "pips", "face": face} for face in ("6", "5", "1")]
    read = [{"kind": "die", "face": face} for face in ("6", "2", "3")]
    matrix = confusion(scored(truth, read).outcomes())
    assert matrix.read("6") == {"6": 1}
    assert matrix.read(SEVERAL) == {"2": 1, "3": 1}
    assert confusion(scored(truth, [*read[:2], {"kind": "die", "face": "5"}]).outcomes()).read("1") == {"2": 1}


def many(letters: str) -> Baseline:
    return Baseline({f"{number}.png": (("A",), letter) for number, letter in enumerate(letters)})


def test_a_reader_that_lost_more_than_chance_explains_is_worse() -> None:
    before = many("C" * 40)
    assert before.worse(many("C" * 40)) is None
    assert before.worse(many("A" * 4 + "C" * 36)) is None
    stated = before.worse(many("A" * 5 + "C" * 35))
    assert stated
    assert "5 lost and 0 gained" in stated


def test_any_new_silent_error_is_worse_unless_allowed() -> None:
    stated = many("CCA").worse(many("CWA"))
    assert stated
    assert "1.png" in stated
    assert Baseline(many("CCA").pictures, allowed_silent=1).worse(many("CWA")) is None


@given(st.integers(0, 40), st.integers(0, 40))
def test_more_losses_are_never_likelier_by_chance(lost: int, gained: int) -> None:
    assert by_chance(lost + 1, gained) <= by_chance(lost, gained) <= by_chance(lost, gained + 1) <= 1


def test_a_baseline_is_kept_in_a_file(tmp_path: Path) -> None:
    kept = Baseline.of(scored([die("A"), die("E", 30)], [die("A"), die("I", 90)]), allowed_silent=2)
    assert kept.counts() == {"dice": 2, "correct": 1, "silent": 1}
    kept.save(tmp_path / "kept.json")
    assert Baseline.load(tmp_path / "kept.json") == kept


def test_other_pictures_or_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="1 differ"):
        many("CC").worse(many("CCC"))
    with pytest.raises(BaselineError, match="cannot be read"):
        Baseline.load(tmp_path / "absent.json")
    for text in ("{", "[]", '{"format": 1}', '{"format": 9}', '{"format": 1, "allowed_silent": 0, "pictures": [3]}'):
        (tmp_path / "odd.json").write_text(text, encoding="utf-8")
        with pytest.raises(BaselineError, match=r"Expected a baseline"):
            Baseline.load(tmp_path / "odd.json")
