"""``companion fairness`` as a maker of dice would use it."""

import json
import random
from pathlib import Path

import pytest

from tests.commands.running import run
from tests.printed_pages import faults_of, texts_of


def throws(path: Path, weights: list[int], many: int = 900) -> Path:
    faces = random.Random(2).choices("123456", weights, k=many)
    path.write_text("face\n" + "\n".join(faces) + "\n", encoding="utf-8")
    return path


def test_a_loaded_die_is_called_biased_with_the_face_that_falls_too_often(tmp_path: Path) -> None:
    done = run("fairness", "report", str(throws(tmp_path / "loaded.csv", [2, 2, 2, 2, 2, 4])))
    output = " ".join(done.stdout.split())
    first, judged = output.split(". ", 1)
    assert first == "900 throws of a d6, one per line, with a header"
    assert judged.startswith("Biased (you may look as often as you like: a fair die gets this far at most once in 20).")
    assert "6 comes up in 27.7 of 100 throws (21.8 to 34.1) instead of 16.7." in judged
    assert "Tested up to throw 900 and not found: lag, drift, period, cycle." in output


def test_a_few_throws_are_not_enough_and_never_is_a_die_called_fair(tmp_path: Path) -> None:
    file = throws(tmp_path / "few.csv", [1] * 6, many=300)
    output = run("fairness", "report", str(file)).stdout
    assert "\nNot enough throws yet: 300" in output
    assert "is fair" not in output.replace("fair is", "")
    output = json.loads(run("fairness", "report", str(file), "--json").stdout)
    assert output["said"] == "not enough"
    assert output["throws"] == 300 == sum(entry["count"] for entry in output["outcomes"])
    assert output["evidence"]["throws"][-1] == 300
    assert {one["question"] for one in output["questions"] if one["state"] == "not found"} == {
        "lag",
        "drift",
        "period",
        "cycle",
    }
    assert {one["state"] for one in output["questions"] if one["question"] in {"session", "hand"}} == {"one group"}


def test_counts_are_judged_too_and_a_reader_that_errs_is_named(tmp_path: Path) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text(json.dumps({"1": 1300, "2": 1000, "3": 1000, "4": 1000, "5": 1000, "6": 700}), encoding="utf-8")
    assert run("fairness", "report", str(counts)).stdout.splitlines()[1].startswith("Biased")
    reader = tmp_path / "reader.json"
    right = {face: {face: 1000} for face in "12345"}
    reader.write_text(json.dumps(right | {"6": {"6": 700, "1": 300}}), encoding="utf-8")
    output = " ".join(run("fairness", "report", str(counts), "--reader", str(reader)).stdout.split())
    assert "Biased" not in output
    assert "the reader's own errors may be the cause" in output


def test_a_plan_tells_throws_and_hours() -> None:
    output = run("fairness", "plan", "--bias", "0.05", "--pace", "6").stdout
    assert "If 1 is off by +5 points of a hundred" in output
    assert "hours at 6 a minute" in output


def test_a_plan_counts_with_what_is_feared() -> None:
    usual, right = (
        json.loads(run("fairness", "plan", "--kind", "pips", "--bias", "0.03", "--dice", "100", "--json", *fear).stdout)
        for fear in ((), ("--fear", "pips"))
    )
    assert right["half"] < usual["half"]
    assert right["kind"] == "pips"


def test_what_was_feared_is_said_of_a_file_and_decides_by_which_stakes_it_is_judged(tmp_path: Path) -> None:
    file = throws(tmp_path / "loaded.csv", [2, 2, 2, 2, 2, 4], 300)
    assert "one heavy face is feared" in " ".join(run("fairness", "report", str(file), "--fear", "face").stdout.split())
    known = json.loads(run("fairness", "report", str(file), "--fear", "face", "--json").stdout)
    again = json.loads(
        run("fairness", "report", str(file), "--stakes", str(known["stakes"]["number"]), "--json").stdout
    )
    assert known["evidence"] == again["evidence"]
    assert known["stakes"]["fear"] == "face"


def test_what_so_many_throws_find_is_told_by_kind() -> None:
    output = run("fairness", "plan", "--throws", "1000", "--pace", "6").stdout
    assert output.startswith("1000 throws, 3 hours at 6 a minute find a bias of one face")
    found = json.loads(run("fairness", "plan", "--throws", "1000", "--kind", "axis", "--json").stdout)
    assert 0.04 < found["80 %"] < found["95 %"] < 0.1
    few = run("fairness", "plan", "--throws", "3").stdout
    assert "only with more throws" in few


def test_a_batch_is_judged_from_a_folder_or_from_one_file_with_a_column_of_dice(tmp_path: Path) -> None:
    folder = tmp_path / "dice"
    folder.mkdir()
    for number in range(2):
        throws(folder / f"fair{number}.csv", [1] * 6, many=300)
    throws(folder / "loaded.csv", [2, 2, 2, 2, 2, 6], many=300)
    done = run("fairness", "batch", str(folder))
    assert "fair0: 300 throws of a d6, one per line, with a header." in done.stdout
    assert "\nBiased, in a batch of 3 dice: loaded." in done.stdout
    assert "Of 3 fair dice judged one by one, at most 0.15 on average would be called biased by chance" in " ".join(
        done.stdout.split()
    )
    one = tmp_path / "all.csv"
    lines = [
        f"{face},{file.stem}"
        for file in sorted(folder.iterdir())
        for face in file.read_text(encoding="utf-8").split()[1:]
    ]
    one.write_text("face,die\n" + "\n".join(lines) + "\n", encoding="utf-8")
    output = [json.loads(run("fairness", "batch", str(given), "--json").stdout) for given in (folder, one)]
    assert output[0] == output[1]
    assert output[0]["called"] == ["loaded"]
    assert "fair0: 1 " in run("fairness", "batch", str(one), "--intervals").stdout.split("Between")[1]
    printed = tmp_path / "batch.pdf"
    more = ("--pdf", str(printed), "--paper", "letter", "--language", "fr", "--title", "Dés de Noyon")
    assert f"Written: {printed}" in run("fairness", "batch", str(folder), *more).stdout
    assert faults_of(printed.read_bytes()) == []
    first, *annex = texts_of(printed.read_bytes())
    assert all(name in first for name in ("Dés de Noyon", "loaded", "fair0", "fair1"))
    assert "Annexe" in annex[0]


def test_a_batch_without_throws_or_with_a_die_twice_is_refused_in_a_sentence(tmp_path: Path) -> None:
    assert "Expected files of throws" in run("fairness", "batch", str(tmp_path)).output
    file = throws(tmp_path / "one.csv", [1] * 6, many=20)
    assert (
        "Expected each die once, but one appears more than once"
        in run("fairness", "batch", str(file), str(file)).output
    )
    counted = tmp_path / "counts.csv"
    counted.write_text("die,face,count\na,1,9\na,2,0\na,3,0\na,4,0\na,5,0\na,6,1\nb,1,4\nb,7,4\n", encoding="utf-8")
    assert "in line 9, but got '7'" in run("fairness", "batch", str(counted)).output


def test_a_brick_is_told_as_a_model_with_its_range() -> None:
    output = run("fairness", "brick", "--edges", "12.1", "12.4", "15.0").stdout
    assert output.startswith("A model, not a measurement.")
    assert "throws in half of the cases" in output
    output = json.loads(run("fairness", "brick", "--edges", "12", "12", "12", "--json").stdout)
    assert output["model"] is True
    assert output["throws"] is None
    assert [pair["middle"] for pair in output["each_face_of_a_pair"]] == [pytest.approx(1 / 6)] * 3


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["brick", "--edges", "1", "2", "4"], "of longer bricks nothing is known"),
        (["brick", "--edges", "0", "2", "4"], "x>0"),
        (["plan"], "either --bias"),
        (["plan", "--bias", "0.1", "--throws", "10"], "either --bias"),
        (
            ["plan", "--die", "wibold", "--bias", "0.05"],
            "say which one, wibold/1, wibold/2, wibold/3, wibold/consonants",
        ),
        (["plan", "--die", "d4", "--kind", "corner", "--bias", "0.05"], "There is no corner"),
        (["plan", "--bias", "-0.3"], "between 0 and 1"),
        (["plan", "--die", "d20", "--fear", "pips", "--bias", "0.05"], "Expected one of face, axis, corner"),
        (["plan", "--kind", "pips", "--throws", "500"], "Expected --bias with --kind pips"),
        (["plan", "--fear", "face", "--bias", "0.05", "--batch", "20"], "Expected --batch without --fear"),
        (["plan", "--die", "nobody", "--bias", "0.1"], "nobody"),
    ],
)
def test_what_cannot_be_planned_is_said_in_a_sentence(given: list[str], text: str) -> None:
    done = run("fairness", *given)
    assert done.exit_code != 0
    assert text in done.output
    assert "Traceback" not in done.output
