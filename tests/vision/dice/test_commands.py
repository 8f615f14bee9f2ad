"""``companion read`` from the outside."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

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
