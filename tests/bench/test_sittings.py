"""Sittings: the same dice, camera and light from throw to throw, and labels that fit the pictures."""

import json
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from bench.reader.sittings import SETS, Owner, draw, sitting
from companion.rules.dice import dice_set
from companion.vision.images import load_image
from workshop.scenes.fonts import find_fonts

FONTS = find_fonts("train", bundled=True)


@pytest.mark.parametrize("owner", get_args(Owner))
def test_every_owner_throws_the_dice_of_one_set_and_every_die_is_labelled(owner: Owner, tmp_path: Path) -> None:
    made = sitting(owner, 3, FONTS)
    draw(tmp_path, made, 1)
    lines = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["image"] for line in lines] == ["throw_0000.jpg"]
    known = {die.name: {face.text for face in die.faces} for die in dice_set(SETS.get(owner, "wibold")).dice}
    for line in lines:
        image = load_image(tmp_path / line["image"])
        assert image.shape == (line["height"], line["width"], 3)
        assert len(line["objects"]) == len(made.bodies)
        assert all(one["face"] in known[one["die"]] for one in line["objects"])


def test_camera_light_and_table_stay_while_dice_and_noise_change() -> None:
    made = sitting("worn", 4, FONTS)
    first, second = made.throw(0).image.astype(float), made.throw(1).image.astype(float)
    distances = np.abs(first - second).mean(axis=2)
    assert np.median(distances) < 12  # the bare table
    assert (distances > 40).mean() > 0.005  # the dice
    assert np.array_equal(made.throw(1).image, second.astype(np.uint8))


def test_two_owners_have_other_dice_and_throw_otherwise() -> None:
    one, other = sitting("worn", 4, FONTS), sitting("small", 4, FONTS)
    assert one.bodies != other.bodies
    assert [die.polygon for die in one.throw(0).labels] != [die.polygon for die in other.throw(0).labels]
