"""``companion advise`` from the outside."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.advise import command

SAMPLES = Path(__file__).parents[3] / "sample_images" / "varied"


@pytest.fixture
def empty_table(tmp_path: Path) -> Path:
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 90, np.uint8))
    return path


def test_an_empty_table_is_told_in_words_and_in_json(empty_table: Path) -> None:
    output = CliRunner().invoke(command, ["--camera", str(empty_table)])
    assert output.exit_code == 0
    assert output.output.startswith("The camera sees no dice of this set")
    data = json.loads(CliRunner().invoke(command, ["--camera", str(empty_table), "--json"]).output)
    assert data["good"] is False
    assert data["dice"] == []


def test_a_folder_of_frames_is_a_camera_too(empty_table: Path) -> None:
    output = CliRunner().invoke(command, ["--camera", str(empty_table.parent)])
    assert output.exit_code == 0
    assert output.output.startswith("The camera sees no dice of this set")


@pytest.mark.skipif(not (SAMPLES / "labels.jsonl").is_file(), reason="the sample frames are not here")
def test_a_frame_with_dice_is_measured() -> None:
    data = json.loads(CliRunner().invoke(command, ["--camera", str(SAMPLES / "00_plain.jpg"), "--json"]).output)
    assert len(data["dice"]) == 3
    assert all(die["letter"] > 0 and die["needed"] > 0 for die in data["dice"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--camera", "absent.jpg"], "absent.jpg"),
        (["--camera", "nowhere"], "Expected a camera"),
        (["--camera", "0", "--dice", "runes"], "runes"),
        (["--camera", "0", "--dice", "wheel"], "enter the result by hand"),
    ],
)
def test_what_cannot_be_looked_at_is_told_in_a_sentence(arguments: list[str], sentence: str) -> None:
    output = CliRunner().invoke(command, arguments)
    assert output.exit_code == 1
    assert sentence in output.output
    assert len(output.output.splitlines()) == 1
