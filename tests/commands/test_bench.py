"""``companion bench vision`` from the outside."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from bench.command import command as bench
from companion import cli
from tests.commands import running

FACES = ("A", "E", "I", "AE")


def corners(place: int) -> list[list[int]]:
    x = 40 + 120 * place
    return [[x, 40], [x + 60, 40], [x + 60, 100], [x, 100]]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One picture of an empty table, labelled with four dice."""
    cv2.imwrite(str(tmp_path / "table.png"), np.full((480, 640, 3), 90, np.uint8))
    dice = [
        {"kind": "die", "set": "wibold", "die": "1", "face": face, "polygon": corners(place)}
        for place, face in enumerate(FACES)
    ]
    label = {"image": "table.png", "complete": True, "conditions": {"light": "lamp"}, "objects": dice}
    other = {"image": "other.png", "objects": [{"kind": "tile", "face": "Ä"}]}
    write_lines(tmp_path / "labels.jsonl", [label, other])
    return tmp_path


def readings(folder: Path, **more: Any) -> Path:
    """The first die right, the second wrong, the third asked about, the fourth missed."""
    stated = (("A", "read"), ("I", "read"), ("I", "ask"))
    objects = [
        {"kind": "die", "set": "wibold", "face": face, "status": status, "confidence": 0.75, "polygon": corners(place)}
        for place, (face, status) in enumerate(stated)
    ]
    path = folder / "readings.jsonl"
    write_lines(path, [{"image": "elsewhere/table.png", "ms": 12.5, "objects": objects} | more])
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(bench, ["vision", *map(str, arguments)])


def test_pictures_are_read_and_counted(folder: Path) -> None:
    report = json.loads(run("--json", folder).stdout)
    assert (report["set"], report["pictures_of_other_dice"]) == ("wibold", 1)
    assert report["dice"]["missed"]["count"] == report["kinds"]["cube"]["dice"] == 4
    assert report["dice"]["silent"]["count"] == report["images"]["exact"]["count"] == 0
    assert report["ms"]["median"] > 0


def test_readings_are_scored_with_intervals_and_by_condition(folder: Path) -> None:
    report = json.loads(run("--json", "--readings", readings(folder), folder).stdout)
    counts = {name: report["dice"][name]["count"] for name in ("correct", "asked", "missed", "wrong", "silent")}
    assert counts == {"correct": 1, "asked": 1, "missed": 1, "wrong": 1, "silent": 1}
    assert report["conditions"]["light"]["lamp"]["dice"] == 4
    assert report["confusion"]["read_as"]["E"] == {"I": 1}
    assert report["reliability"]["answers"] == 3
    low, high = report["dice"]["correct"]["interval"]
    assert low < 0.25 < high


def test_a_person_gets_a_table(folder: Path) -> None:
    output = run("--readings", readings(folder), folder).stdout
    assert "25.0 %" in output
    assert "E as I: 1 of 1" in output
    assert "light lamp" in output


def test_the_sheet_shows_what_went_wrong(folder: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"
    assert run("--readings", readings(folder), "--sheet", sheet, folder).exit_code == 0
    wrong = cv2.imread(str(sheet))
    assert wrong is not None
    readings(folder, objects=[])
    assert run("--readings", folder / "readings.jsonl", "--sheet", sheet, folder).exit_code == 0
    missed = cv2.imread(str(sheet))
    assert missed is not None
    red = [int(((one[:, :, 2] > 150) & (one[:, :, 1] < 60)).sum()) for one in (wrong, missed)]
    assert red[0] > 100  # the outline of the silent error
    assert red[1] == 0


def test_a_worse_reader_is_told_by_its_exit(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    assert run("--readings", readings(folder), "--write-baseline", kept, folder).exit_code == 0
    assert run("--readings", readings(folder), "--baseline", kept, folder).exit_code == 0
    wrong = {"kind": "die", "set": "wibold", "face": "E", "status": "read", "confidence": 1.0}
    worse = readings(folder, objects=[wrong | {"polygon": corners(0)}, wrong | {"polygon": corners(2)}])
    result = run("--readings", worse, "--baseline", kept, folder)
    assert result.exit_code == 1
    assert "table.png" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "fault",
    ["{", "[]", '{"image": "a.png"}', '{"image": 3, "objects": []}', '{"image": "a.png", "objects": [{}]}'],
)
def test_odd_labels_are_told_in_a_sentence(folder: Path, fault: str) -> None:
    (folder / "labels.jsonl").write_text(fault, encoding="utf-8")
    result = run(folder)
    assert result.exit_code == 1
    assert "labels.jsonl" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_what_is_not_there_is_told_in_a_sentence(tmp_path: Path, folder: Path) -> None:
    assert "labels.jsonl" in run(tmp_path / "nowhere").stderr
    assert "runes" in run("--dice", "runes", folder).stderr
    assert "cannot be read" in run("--readings", readings(folder), "--baseline", tmp_path / "none.json", folder).stderr


@pytest.mark.parametrize(
    ("room", "given"),
    [("bench", ["bench", "vision", "--json", "somewhere"]), ("workshop", ["train", "--step", "faces"])],
)
def test_an_installed_program_says_which_commands_need_the_sources(
    room: str, given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None if name == room else find_spec(name))
    done = running.run(*given)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: companion {given[0]} needs the project's sources")
