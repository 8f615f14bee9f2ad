"""``companion calibrate`` as it is typed."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.calibration.board.test_lens import VIEWS, view
from tests.calibration.board.test_procedure import CAMERA, DARK, LIGHT, picture, truth
from tests.commands.running import json_of, run
from tests.vision.boards.drawn import project


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.board.kept.folder", lambda: tmp_path / "boards")
    assert cv2.imwrite(str(tmp_path / "board.png"), picture())
    return tmp_path


def typed_corners() -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in truth())


def test_a_board_is_calibrated_and_shown(home: Path) -> None:
    pixels = {side: project(CAMERA.homography(), men) for side, men in (("light", LIGHT), ("dark", DARK))}
    places = [f"--place={side}={x:.0f},{y:.0f}" for side, men in pixels.items() for x, y in men]
    image = str(home / "board.png")
    made = json_of(
        "calibrate", "board", "tables", "--from", image, "--name", "oak", "--corners", typed_corners(), *places
    )
    assert np.abs(np.array(made["corners"]) - truth()).max() < 0.1
    assert sorted(made["markers"]) == ["0", "1", "2", "3"]
    assert set(made["colours"]) == {"light", "dark"}
    assert json_of("calibrate", "list") == ["oak"]
    shown = json_of("calibrate", "show", "oak", "--against", image, "--picture", str(home / "shown.jpg"))
    assert shown["stale"] == []
    assert cv2.imread(str(home / "shown.jpg")) is not None
    assert "4 markers are known" in run("calibrate", "show", "oak").stdout


def test_an_outline_that_the_net_proposes_is_asked_about(home: Path) -> None:
    image = str(home / "board.png")
    asked = ("calibrate", "board", "tables", "--from", image, "--name", "oak")
    refused = run(*asked, typed="n\n")
    assert "does the outline lie on the edge of the playing field?" in refused.stderr
    assert not (home / "boards").exists()


def test_without_corners_it_says_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.board.eye.eye", lambda _: None)  # a board that no net knows
    result = run("calibrate", "board", "tables", "--from", str(home / "board.png"), "--name", "oak")
    assert result.exit_code != 0
    assert "Markers 0, 1, 2, 3 are visible" in result.stderr
    assert "--corners" in result.stderr
    assert not (home / "boards").exists()


def test_a_no_keeps_nothing(home: Path) -> None:
    image = str(home / "board.png")
    asked = ("calibrate", "board", "tables", "--from", image, "--name", "oak", "--corners", typed_corners())
    assert run(*asked, typed="n\n").exit_code != 0
    assert not (home / "boards").exists()
    assert run(*asked, typed="y\n").exit_code == 0
    assert (home / "boards" / "oak.board").is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("board", "tables", "--from", "BOARD", "--name", "../x"), "Expected a name"),
        (("board", "tables", "--from", "none.png", "--name", "x"), "cannot be read"),
        (("board", "tables", "--from", "BOARD", "--name", "x", "--corners", "1,2"), "Expected four corners"),
        (("board", "tables", "--from", "BOARD", "--name", "x", "--kit", "chess"), "chess"),
        (("board", "tables", "--from", "BOARD", "--name", "x", "--lens", "none"), "calibrate lens"),
        (("show", "none"), "calibrate the board first"),
        (("lens", "BOARD", "--name", "x"), "0 of 5"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(home: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run("calibrate", *(str(home / "board.png") if one == "BOARD" else one for one in arguments))
    assert result.exit_code == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_a_lens_is_measured_and_used(home: Path) -> None:
    folder = home / "sheet"
    folder.mkdir()
    for number in range(len(VIEWS)):
        assert cv2.imwrite(str(folder / f"{number}.png"), view(number))
    measured = json_of("calibrate", "lens", str(folder), "--name", "webcam")
    assert measured["grade"] == "good"
    image = str(home / "board.png")
    asked = ("calibrate", "board", "tables", "--from", image, "--name", "oak", "--lens", "webcam")
    made = json_of(*asked, "--corners", typed_corners())
    assert made["lens"] == measured["lens"]
    (home / "boards" / "webcam.lens").write_text(json.dumps({"kind": "Alea lens", "version": 9}), encoding="utf-8")
    assert "not a lens that this program can read" in run(*asked).stderr
