"""``companion learn`` from the outside: a folder of throws in, a profile out that reads these dice."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import platformdirs
import pytest
from click.testing import CliRunner

from calibration.learning.gather import throws_of
from calibration.learning.kept import profile_path
from companion.commands.learn import command as learn
from companion.commands.read import command as read
from companion.vision.dice.memory.profile import open_profile
from companion.vision.readings import Image
from workshop.scenes.fonts import find_fonts
from workshop.scenes.grounds import random_ground
from workshop.scenes.lighting import random_lighting
from workshop.scenes.render import render
from workshop.scenes.scene import USUAL, random_bodies, random_camera, random_lens, random_scene

SIZE = (640, 480)


@pytest.fixture(scope="session")
def throws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Draw twelve throws of one owner's dice, each cube showing one of two faces, on one desk."""
    folder = tmp_path_factory.mktemp("throws")
    rng = np.random.default_rng(4)
    fonts = find_fonts(bundled=True)
    ranges = replace(USUAL, size=SIZE, edge=(70, 80), touching=0, things=0, hand=0, moving=0, tilt=(0, 3))
    bodies = [body for body in random_bodies(rng, fonts, "wibold", ranges) if body.is_cube]
    desk = (random_camera(rng, ranges), random_lighting(rng), random_ground(rng, ("paper",)), random_lens(rng, ranges))
    for number in range(12):
        up = {"1": ("A", "EI")[number % 2], "2": ("E", "IOUA")[number // 2 % 2], "3": ("I", "OUAE")[number // 3 % 2]}
        own = np.random.default_rng([4, number])
        scene = random_scene(own, fonts, ranges=ranges, bodies=bodies, faces=up, camera=desk[0])
        scene = replace(scene, lighting=desk[1], ground=desk[2], lens=desk[3])
        (folder / f"{number:02d}.jpg").write_bytes(render(scene).jpeg)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def kept(*_: object, **__: object) -> Path:
        return tmp_path / "kept"

    monkeypatch.setattr(platformdirs, "user_data_path", kept)
    return tmp_path


def test_a_folder_of_throws_becomes_a_profile(throws: Path, home: Path) -> None:
    sheet, page = home / "groups.png", home / "groups.html"
    arguments = ["wibold", "--from", str(throws), "--name", "own", "--no-ask"]
    output = CliRunner().invoke(learn, arguments).output
    called = re.findall(r"^  (\d+): ([A-Z]+) \(", output, re.MULTILINE)
    assert {text for _, text in called} <= {"A", "EI", "E", "IOUA", "I", "OUAE"}, output
    names = ",".join(f"{number}={text}" for number, text in called)  # the owner agrees
    result = CliRunner().invoke(learn, [*arguments, "--sheet", str(sheet), "--page", str(page), "--names", names])
    assert result.exit_code == 0, result.output
    assert "saved in" in result.stdout
    drawn = cv2.imread(str(sheet))
    assert drawn is not None
    assert drawn.shape[1] > 600
    assert "data:image/png" in page.read_text(encoding="utf-8")
    known = open_profile(profile_path("own"))
    assert len(known.exemplars) >= 12
    assert all(one.named for one in known.exemplars)
    assert known.origin is not None
    assert (known.origin.name, known.origin.set_name) == ("own", "wibold")
    picture = str(throws / "00.jpg")
    shown = CliRunner().invoke(read, [picture, "--profile", "own", "--only", "1,2,3", "--json"])
    assert shown.exit_code == 0, shown.output
    (line,) = shown.stdout.splitlines()
    assert sorted(die["face"] for die in json.loads(line)["objects"] if die["status"] == "read") == ["A", "E", "I"]
    refused = CliRunner().invoke(read, [picture, "--profile", "own", "--dice", "pips"])
    assert (refused.exit_code, "Expected --dice wibold" in refused.stderr) == (1, True)


def test_who_stops_early_loses_nothing(throws: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(spec: str, most: int) -> Iterator[Image]:
        yield from throws_of(spec, most)
        raise KeyboardInterrupt

    monkeypatch.setattr("calibration.learning.gather.throws_of", stopped)
    result = CliRunner().invoke(learn, ["wibold", "--from", str(throws), "--name", "own", "--no-ask"])
    assert result.exit_code == 0, result.output
    assert "Stopped; the throws so far are learnt." in result.stderr
    assert (home / "kept").is_dir()


def test_groups_without_a_name_are_asked_about_at_the_prompt(
    throws: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(_: object) -> None:
        """Know nothing of these dice."""

    monkeypatch.setattr("calibration.learning.learn.general_reader", unread)
    arguments = ["wibold", "--from", str(throws), "--name", "asked"]
    result = CliRunner().invoke(learn, arguments, input="sun\nie\n" + 30 * "\n")
    assert result.exit_code == 0, result.output
    assert (home / "kept").is_dir()
    assert "or - for none, but got 'sun'." in result.output
    assert "What does group 1 of the upper faces show [-]: ie" in result.output
    assert {one.bag for one in open_profile(profile_path("asked")).exemplars} == {"EI"}


def test_what_cannot_be_learnt_is_told_in_a_sentence(throws: Path, home: Path) -> None:
    few = home / "few"
    few.mkdir()
    shutil.copy(throws / "00.jpg", few)
    for arguments, says in (
        (["wibold", "--from", str(few), "--name", "own"], "at least 10 throws"),
        (["runes", "--from", str(few), "--name", "own"], "runes"),
        (["wibold", "--from", str(home / "absent"), "--name", "own"], "there is no"),
        (["wibold", "--from", str(few), "--name", "../own"], "choose another"),
    ):
        result = CliRunner().invoke(learn, arguments)
        assert result.exit_code == 1
        assert says in result.stderr
    assert not profile_path("own").exists()
