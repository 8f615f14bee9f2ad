"""The measurements of the reader measure what they say."""

import cProfile
import pstats
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import document_tables
from bench.reader import pairs, photos, pictures, sizes, transforms, two_lamps
from companion.rules.dice import load_dice_set
from companion.vision.dice.reader import DiceReader
from workshop.scenes import USUAL, find_fonts


@given(st.floats(0, 360), st.sampled_from([0.5, 0.8, 1.0]), st.integers(30, 170), st.integers(30, 90))
def test_outlines_move_with_their_pictures(angle: float, scale: float, x: int, y: int) -> None:
    image = np.zeros((120, 200, 3), np.uint8)
    image[y - 8 : y + 9, x - 8 : x + 9] = 255
    outline = [[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]]
    changed, label = transforms.warped(image, {"objects": [{"polygon": outline}]}, angle=angle, scale=scale)
    ys, xs = np.nonzero(changed[:, :, 0] > 127)
    moved = np.mean(label["objects"][0]["polygon"], axis=0)
    assert [xs.mean(), ys.mean()] == pytest.approx(moved.tolist(), abs=1.0)
    assert (label["width"], label["height"]) == changed.shape[1::-1]


def test_no_scene_is_in_both_parts_of_the_photographs() -> None:
    parts = [
        {(one["folder"], name) for one in photos.scenes(part) for name in (one["scene"], *one["images"])}
        for part in ("dev", "final")
    ]
    assert not parts[0] & parts[1]


@pytest.mark.shared
def test_every_photograph_is_in_one_part(shared: Path) -> None:
    for folder in photos.SETS:
        listed = [image for part in ("dev", "final") for one in photos.scenes(part, folder) for image in one["images"]]
        there = [label["image"] for label in pictures.labels_of(shared / "photos" / folder)]
        assert sorted(listed) == sorted(there)


@pytest.mark.parametrize("pair", pairs.PAIRS)
@pytest.mark.parametrize("alone", [True, False])
def test_the_dice_of_a_pair_bear_its_two_marks(tmp_path: Path, pair: str, *, alone: bool) -> None:
    file = tmp_path / "pair.toml"
    file.write_text(pairs.set_file(pair, alone=alone), encoding="utf-8")
    marks = {mark for die in load_dice_set(file).dice for face in die.faces for mark in face.marks}
    assert set(pair) <= marks
    assert len({face.text for face in load_dice_set(file).dice[0].faces}) == 2


def test_two_lamps_light_the_same_throw() -> None:
    both, one, other = two_lamps.scenes(np.random.default_rng(3), find_fonts("held-out"), "wibold", USUAL)
    assert both.dice == one.dice == other.dice
    assert both.camera == one.camera == other.camera
    assert both.lighting.ambient == one.lighting.ambient == other.lighting.ambient, "the room stays as it is"
    lit = [[lamp.direction for lamp in scene.lighting.lights] for scene in (both, one, other)]
    assert lit[0] == lit[1] + lit[2]


def test_every_throw_under_two_lamps_is_measured_once() -> None:
    jobs = list(two_lamps.jobs(("wibold", "d20"), 25, 1, chooses=False))
    assert [(job.set_name, job.part, job.throws) for job in jobs if job.part == 2] == [("wibold", 2, 5), ("d20", 2, 5)]
    assert sum(job.throws for job in jobs) == 50


def test_the_limit_for_looks_under_two_lamps_lies_below_every_wrong_agreement() -> None:
    def die(truth: str, *short: float, first: str = "asked") -> two_lamps.Die:
        shown = ("A", "A", "A")
        return two_lamps.Die(
            "letter cubes", "0/0", truth, legible=True, first=first, joined="asked", reason="", texts=shown, short=short
        )

    dice = [die("A", 1.0, 1.0, 1.0), die("E", 3.0, 2.0, 2.5), die("E", 0.1, 0.1, 0.1, first="wrong"), die("A", 9, 9, 9)]
    figures = two_lamps.chosen(dice)
    assert figures["most"] == 3.5
    assert (figures["agreeing"], figures["wrong"], figures["read"]) == (3, 1, 1)


def test_the_lamp_on_the_other_side_changes_the_light_only(tmp_path: Path) -> None:
    jobs = [
        pictures.Job(tmp_path / name, "usual", 5, 0, (320, 240), lamp_from_the_other_side=name == "other")
        for name in ("one", "other")
    ]
    labels = [pictures.draw_all([job], processes=1)[0] for job in jobs]
    places = [[(die["face"], die["polygon"]) for die in label["objects"]] for label in labels]
    assert places[0] == places[1]
    drawn = [cv2.imread(str(job.folder / labels[0]["image"])) for job in jobs]
    assert drawn[0] is not None
    assert drawn[1] is not None
    assert (drawn[0] != drawn[1]).any()


@pytest.mark.parametrize("name", list(document_tables.TABLES))
def test_a_table_takes_the_place_of_the_one_before_and_leaves_the_page(name: str) -> None:
    page = document_tables.page_of(name).read_text(encoding="utf-8")
    once = document_tables.filled(page, name, "| a |")
    assert document_tables.filled(once, name, "| b |") == once.replace("| a |", "| b |")
    assert once.count("<!--") == page.count("<!--")
    assert once.split(f"<!-- {name} -->")[0] == page.split(f"<!-- {name} -->")[0]


def test_a_measurement_without_a_place_on_the_page_is_told() -> None:
    with pytest.raises(ValueError, match="<!-- nowhere -->"):
        document_tables.page_of("nowhere")


def test_the_parts_of_a_reading_take_nearly_all_of_its_time() -> None:
    reader, image = DiceReader("wibold"), np.full((480, 640, 3), 120, np.uint8)
    reader.read(image)
    profile = cProfile.Profile()
    profile.runcall(reader.read, image)
    found = sizes.shares(pstats.Stats(profile))
    assert 0.5 < sum(found.values()) < 1.01
    assert max(found, key=lambda name: found[name]).startswith("locate")  # an empty table has only to be searched
