"""``companion read`` and ``companion bench vision`` from the outside."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.bench import command as bench
from companion.commands.read import command as read


@pytest.fixture
def empty_table(tmp_path: Path) -> Path:
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 90, np.uint8))
    return path


def test_each_picture_gives_one_json_line(empty_table: Path) -> None:
    result = CliRunner().invoke(read, ["--json", str(empty_table), str(empty_table)])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [line["image"] for line in lines] == ["empty.png", "empty.png"]
    assert lines[0]["objects"] == []
    assert lines[0]["ms"] > 0


def test_a_bad_picture_is_told_in_a_sentence_after_the_others_were_read(tmp_path: Path, empty_table: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    result = CliRunner().invoke(read, ["--json", str(broken), str(tmp_path / "absent.jpg"), str(empty_table)])
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1
    assert len(result.stderr.splitlines()) == 2
    assert "broken.jpg" in result.stderr


def test_an_unknown_set_is_told_in_a_sentence(empty_table: Path) -> None:
    result = CliRunner().invoke(read, ["--dice", "runes", str(empty_table)])
    assert result.exit_code == 1
    assert "runes" in result.stderr


def test_the_bench_counts_labelled_pictures(tmp_path: Path, empty_table: Path) -> None:
    corners = [[10, 10], [60, 10], [60, 60], [10, 60]]
    die = {"kind": "die", "set": "wibold", "die": "1", "face": "A", "polygon": corners, "legible": True}
    label = {"image": empty_table.name, "width": 640, "height": 480, "complete": True, "objects": [die]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    report = json.loads(CliRunner().invoke(bench, ["vision", "--json", str(tmp_path)]).stdout)
    assert report["cubes"]["dice"] == 1
    assert report["cubes"]["asked"]["count"] == 1
    assert report["cubes"]["silent"]["count"] == 0
    assert report["images"]["exact"]["count"] == 0


def test_a_folder_without_labels_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench, ["vision", str(tmp_path)])
    assert result.exit_code == 1
    assert "labels.jsonl" in result.stderr
