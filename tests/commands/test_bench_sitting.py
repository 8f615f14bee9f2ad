"""``companion bench sitting`` from the outside: the lines are a contract, and learning pays."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from bench.reader.sittings import draw, sitting
from companion.rules.dice import dice_set
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from tests.commands.running import run
from workshop.scenes.fonts import find_fonts

THROWS = 11
HALF = THROWS // 2
STATES = {"read", "asked", "missed", "ignored"}
COUNTS = {"dice", "read", "asked", "missed", "silent", "questions", "wholly_read"}

Line = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Throws of Wibold's dice in small letters, which the general reader often asks about."""
    place = tmp_path_factory.mktemp("sitting")
    draw(place, sitting("small", 6, find_fonts("train", bundled=True)), THROWS)
    return place


def played(folder: Path, *options: str) -> list[Line]:
    result = run("bench", "sitting", str(folder), "--dice", "wibold", "--json", *options)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def learning(folder: Path) -> list[Line]:
    return played(folder)


@pytest.fixture(scope="module")
def reading(folder: Path) -> list[Line]:
    return played(folder, "--no-learn")


def labels(folder: Path) -> list[Line]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


def relabelled(folder: Path, tmp_path: Path, change: Callable[[Line], Any]) -> Result:
    """Play the first picture with other labels."""
    label = labels(folder)[0]
    (tmp_path / label["image"]).write_bytes((folder / label["image"]).read_bytes())
    written = change(label)
    text = written if isinstance(written, str) else json.dumps(label)
    (tmp_path / "labels.jsonl").write_text(text + "\n", encoding="utf-8")
    return run("bench", "sitting", str(tmp_path), "--dice", "wibold", "--json")


def test_each_throw_is_a_line_and_the_last_one_holds_the_totals(
    folder: Path, learning: list[Line], reading: list[Line]
) -> None:
    for lines in (learning, reading):
        *throws, totals = lines
        assert [line["image"] for line in throws] == [label["image"] for label in labels(folder)]
        for line, label in zip(throws, labels(folder), strict=True):
            assert set(line) == {"image", "dice", "asked", "silent", "ms"}
            assert line["ms"] > 0
            assert [(one["die"], one["face"]) for one in line["dice"]] == [
                (one["die"], one["face"]) for one in label["objects"]
            ]
            for one in line["dice"]:
                assert set(one) == {"die", "face", "state", "right"}
                assert one["state"] in STATES
                assert (one["right"] is None) == (one["state"] != "read")
            assert line["silent"] == sum(one["right"] is False for one in line["dice"])
            assert line["asked"] >= sum(one["state"] == "asked" for one in line["dice"])
        assert set(totals) == {"set", "learn", "throws", "ms", "blocks", *COUNTS}
        assert (totals["set"], totals["throws"]) == ("wibold", THROWS)
        assert [block["throws"] for block in totals["blocks"]] == [[1, 10], [11, 11]]
        assert all(set(block) == {"throws", *COUNTS} for block in totals["blocks"])
        for name in COUNTS:
            assert totals[name] == sum(block[name] for block in totals["blocks"])
        assert totals["questions"] == sum(line["asked"] for line in throws) + totals["missed"]
        assert totals["dice"] == totals["read"] + totals["asked"] + totals["missed"] + totals["silent"]
    assert (learning[-1]["learn"], reading[-1]["learn"]) == (True, False)


def test_what_is_learnt_saves_questions_and_nothing_is_wrong(learning: list[Line], reading: list[Line]) -> None:
    later, alone = (sum(line["asked"] for line in lines[HALF:THROWS]) for lines in (learning, reading))
    assert later < alone
    assert learning[-1]["silent"] == reading[-1]["silent"] == 0
    assert learning[-1]["missed"] == reading[-1]["missed"] == 0


def test_before_anything_is_learnt_both_say_the_same(learning: list[Line], reading: list[Line]) -> None:
    assert learning[0] | {"ms": 0} == reading[0] | {"ms": 0}


def test_without_learning_it_is_the_reader_alone(folder: Path, reading: list[Line]) -> None:
    reader = DiceReader("wibold", tuple(die.name for die in dice_set("wibold").dice))
    for line in reading[:4]:
        alone = reader.read(load_image(folder / line["image"]))
        assert line["asked"] == sum(die.status == "ask" for die in alone.dice)
        stated = sorted(sorted(die.face or "") for die in alone.dice if die.status == "read")
        assert stated == sorted(sorted(one["face"]) for one in line["dice"] if one["state"] == "read")


def test_a_person_gets_a_table(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "throw_0000.jpg").write_bytes((folder / "throw_0000.jpg").read_bytes())
    (tmp_path / "labels.jsonl").write_text(json.dumps(labels(folder)[0]), encoding="utf-8")
    head, block, every = run("bench", "sitting", str(tmp_path), "--dice", "wibold").stdout.splitlines()
    assert "questions" in head
    assert block.split()[:3] == ["1", "to", "1"]
    assert every.split()[0] == "all"
    assert every.split()[1:] == block.split()[3:]


def refusal_of(result: Result) -> str:
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.rstrip().endswith((".", "..."))
    return result.stderr


def of_first_die(**more: Any) -> Callable[[Line], None]:
    def change(label: Line) -> None:
        label["objects"][0] |= more

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (of_first_die(set="pips"), "pips"),
        (of_first_die(kind="tile", set=None), "tile"),
        (of_first_die(face="QQ"), "face QQ"),
        (of_first_die(face=None), "face None"),
        (of_first_die(die="9"), "die 9"),
        (of_first_die(polygon=None), "polygon"),
        (of_first_die(polygon=[[1, 2], [3]]), "polygon"),
        (of_first_die(polygon=[[1, 2], [3, 4]]), "polygon"),
        (of_first_die(polygon=[["1", "2"], ["3", "4"], ["5", "6"]]), "polygon"),
        (lambda _: '{"image": "throw_0000.jpg", "obj', "one line is not"),
        (lambda _: '{"objects": []}', "one line is not"),
        (lambda _: '{"image": "throw_0000.jpg", "objects": [[]]}', "one line is not"),
        (lambda _: "", "empty"),
        (lambda label: label.update(image="absent.jpg"), "absent.jpg"),
        (lambda label: label.update(image="labels.jsonl"), "labels.jsonl"),
    ],
)
def test_labels_that_are_no_sitting_are_told_in_a_sentence(
    folder: Path, tmp_path: Path, change: Callable[[Line], Any], says: str
) -> None:
    assert says in refusal_of(relabelled(folder, tmp_path, change))


def test_letters_may_stand_in_any_order_and_a_picture_may_be_empty(folder: Path, tmp_path: Path) -> None:
    def turned(label: Line) -> None:
        for one in label["objects"]:
            one["face"] = one["face"][::-1]

    line, totals = map(json.loads, relabelled(folder, tmp_path, turned).stdout.splitlines())
    assert len(line["dice"]) == 4
    assert totals["silent"] == 0
    line, totals = map(
        json.loads, relabelled(folder, tmp_path, lambda label: label.update(objects=[])).stdout.splitlines()
    )
    assert totals["dice"] == 0
    assert all(one["die"] is None for one in line["dice"])


def test_what_is_not_there_is_told_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    assert "labels.jsonl" in refusal_of(run("bench", "sitting", str(tmp_path / "nowhere"), "--dice", "wibold"))
    assert "runes" in refusal_of(run("bench", "sitting", str(folder), "--dice", "runes"))
    assert "wheel" in refusal_of(run("bench", "sitting", str(folder), "--dice", "wheel"))
    assert "pips" in refusal_of(run("bench", "sitting", str(folder), "--dice", "pips"))
    assert run("bench", "sitting", str(folder)).exit_code == 2
