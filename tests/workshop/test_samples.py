"""The committed sample frames are what they say, and can be made again."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.rules.dice import Throw, dice_set
from companion.rules.registry import game
from workshop.commands.samples import SEED, command
from workshop.samples.filming import FONT, UNREADABLE_THROW, Filming, match_table
from workshop.samples.frames import make_scenes, make_varied
from workshop.samples.match import GAME, plan_match
from workshop.samples.writing import FrameFolder
from workshop.scenes.fonts import Font, find_fonts

SAMPLES = Path(__file__).parents[2] / "sample_images"
MATCH = SAMPLES / "ludus-regularis"
LIMIT = 25_000_000


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((MATCH / "script.json").read_text(encoding="utf-8"))
    return data


def test_the_set_stays_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < LIMIT


@pytest.mark.parametrize("folder", ["ludus-regularis", "varied", "laboratory/pips"])
def test_labels_name_every_image_once_and_only_real_faces(folder: str) -> None:
    labels = lines(SAMPLES / folder)
    assert sorted(line["image"] for line in labels) == sorted(path.name for path in (SAMPLES / folder).glob("*.jpg"))
    for line in labels:
        assert line["complete"]
        assert line["phase"] in ("empty", "hand", "moving", "still")
        for thing in line["objects"]:
            dice_set(thing["set"]).die(thing["die"]).face(thing["face"])
            assert len(thing["polygon"]) in (3, 4)


def test_images_have_the_size_of_their_labels() -> None:
    for line in lines(SAMPLES / "varied")[::5]:
        image = cv2.imread(str(SAMPLES / "varied" / line["image"]))
        assert image is not None
        assert image.shape == (line["height"], line["width"], 3)


def test_the_timeline_has_every_frame_in_order(script: dict[str, Any]) -> None:
    assert [shot["image"] for shot in script["timeline"]] == [line["image"] for line in lines(MATCH)]
    assert all(shot["seconds"] > 0 for shot in script["timeline"])
    assert script["timeline"][0]["phase"] == "empty"


def test_still_frames_show_the_casts_in_order(script: dict[str, Any]) -> None:
    shown: list[dict[str, str]] = []
    faces: dict[str, str] = {}
    expected: list[dict[str, str]] = []
    for cast in script["casts"]:
        faces = {**faces, **cast["faces"]} if cast["kind"] == "recast" else dict(cast["faces"])
        expected.append(faces)
    for line in lines(MATCH):
        if line["phase"] == "still":
            seen = {thing["die"]: thing["face"] for thing in line["objects"]}
            if not shown or shown[-1] != seen:
                shown.append(seen)
    assert shown == expected


def test_the_rules_lead_to_the_scripts_end(script: dict[str, Any]) -> None:
    position = game(script["game"]).start(len(script["players"]), **script["options"])
    for cast in script["casts"]:
        throw = Throw.of("wibold", cast["faces"])
        assert position.awaits.kind == cast["kind"]
        position = position.after(throw)
    assert position.outcome is not None
    assert list(position.outcome.winners) == script["expected"]["winners"]
    assert position.to_json() == script["expected"]["position"]


def test_everything_that_can_happen_happens(script: dict[str, Any]) -> None:
    results = {cast["result"] for cast in script["casts"]}
    assert results == {"acquired", "held", "letters", "consonant", "recast", "missed"}


def test_a_person_can_read_every_throw_but_one(script: dict[str, Any]) -> None:
    unread = {
        line["throw"]
        for line in lines(MATCH)
        if line["phase"] == "still" and not all(thing["legible"] for thing in line["objects"])
    }
    assert unread == set(script["unreadable_throws"]) == {UNREADABLE_THROW}


def test_a_recast_moves_one_cube_only(script: dict[str, Any]) -> None:
    still = [line for line in lines(MATCH) if line["phase"] == "still"]
    recasts = {cast["throw"] for cast in script["casts"] if cast["kind"] == "recast"}
    assert recasts
    for throw in recasts:
        frames = [line["objects"] for line in still if line["throw"] == throw]
        before, after = frames[0], frames[-1]
        moved = [a["die"] for a, b in zip(before, after, strict=True) if a["polygon"] != b["polygon"]]
        assert len(moved) == 1


def test_a_person_can_read_every_throw_of_the_laboratorys_die() -> None:
    folder = SAMPLES / "laboratory" / "pips"
    data = json.loads((folder / "script.json").read_text(encoding="utf-8"))
    labels = lines(folder)
    assert [shot["image"] for shot in data["timeline"]] == [line["image"] for line in labels]
    still = [line["objects"] for line in labels if line["phase"] == "still"]
    assert [die["face"] for (die,) in still] == data["faces"]
    assert all(die["legible"] for (die,) in still)
    assert len(still) == 30
    assert set(data["faces"]) == set("123456")


def test_the_same_seed_makes_the_same_match() -> None:
    assert plan_match(4) == plan_match(4)
    assert plan_match(4).casts != plan_match(5).casts
    assert plan_match(SEED).end.game.slug == GAME


def test_the_committed_match_can_be_made_again(tmp_path: Path) -> None:
    """Its first frames are filmed anew; other processors may round a little differently."""
    font = next(font for font in find_fonts(bundled=True) if font.name == FONT)
    film = Filming(match_table(SEED, font), FrameFolder(tmp_path), np.random.default_rng([SEED, 2]), timeline=[])
    film.shoot("empty", (), seconds=1.5)
    film.cast(plan_match(SEED).casts[0])
    made = sorted(tmp_path.glob("*.jpg"))
    assert len(made) == 6
    for path in made:
        fresh, kept = cv2.imread(str(path)), cv2.imread(str(MATCH / path.name))
        assert fresh is not None
        assert kept is not None
        assert np.abs(fresh.astype(int) - kept).mean() < 0.5
    assert film.folder.lines == lines(MATCH)[:6]


def test_frames_to_measure_by_are_labelled(tmp_path: Path, fonts: tuple[Font, ...]) -> None:
    found = make_scenes(tmp_path, count=2, seed=3, fonts=fonts, set_name="pips", view="usual")
    assert found["images"] == len(lines(tmp_path)) == 2
    again = tmp_path / "again"
    make_scenes(again, count=2, seed=3, fonts=fonts, set_name="pips", view="usual")
    for path in again.glob("*.jpg"):
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


def test_the_command_says_what_it_made(tmp_path: Path) -> None:
    arguments = ["scenes", "--set", "pips", "-n", "1", "--view", "usual", "--out", str(tmp_path), "--json"]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout.splitlines()[-1])["images"] == 1


def test_an_unknown_set_is_refused_in_one_sentence(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["scenes", "--set", "runes", "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "runes" in done.stderr


def test_the_varied_set_shows_every_kind() -> None:
    kinds = {line["image"].split("_")[1].removesuffix(".jpg") for line in lines(SAMPLES / "varied")}
    assert kinds == {"plain", "touching", "things", "oblique", "small", "moving", "hand", "empty", "unreadable"}
    assert make_varied.__doc__
    fonts = {line["conditions"]["font"] for line in lines(SAMPLES / "varied")}
    assert len(fonts) >= 5
