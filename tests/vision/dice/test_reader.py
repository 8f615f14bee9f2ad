"""The whole reader on pictures: what it must not say, and how it does on the committed samples."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bench.scoring import Score
from companion.rules.dice import ThrowError
from companion.vision.dice.corners import Corners
from companion.vision.dice.locate import Found
from companion.vision.dice.reader import DiceReader, DiceSetNotReadError
from companion.vision.images import load_image
from companion.vision.readings import DiceReading, Image

SAMPLES = Path(__file__).parents[3] / "sample_images" / "varied"
Sample = tuple[dict[str, Any], DiceReading]
HAS_SAMPLES = pytest.mark.skipif(not (SAMPLES / "labels.jsonl").is_file(), reason="the sample frames are not here")


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader("wibold")


@pytest.fixture(scope="module")
def samples(reader: DiceReader) -> list[Sample]:
    """Return the label of every second committed sample with what the reader says of it."""
    lines = (SAMPLES / "labels.jsonl").read_text(encoding="utf-8").splitlines()[::2]
    return [(label, reader.read(load_image(SAMPLES / label["image"]))) for label in map(json.loads, lines)]


def ground(kind: str) -> Image:
    rng = np.random.default_rng(3)
    match kind:
        case "black":
            return np.zeros((480, 640, 3), np.uint8)
        case "white":
            return np.full((480, 640, 3), 255, np.uint8)
        case "noise":
            return rng.integers(0, 256, (480, 640, 3), dtype=np.uint8)
        case "smooth noise":  # like eighty dice: a larger picture would only show more of them
            small = rng.integers(60, 200, (20, 27, 3), dtype=np.uint8)
            return np.asarray(cv2.resize(small, (640, 480), interpolation=cv2.INTER_CUBIC), np.uint8)
        case _:
            stripes = np.zeros((480, 640, 3), np.uint8)
            stripes[:, ::40] = 255
            return stripes


@pytest.mark.parametrize("kind", ["black", "white", "noise", "smooth noise", "stripes"])
def test_nothing_is_read_where_no_dice_are(reader: DiceReader, kind: str) -> None:
    reading = reader.read(ground(kind))
    assert reading.status != "read"
    assert all(die.status != "read" for die in reading.dice)


@pytest.mark.parametrize("shape", [(1, 1), (10, 2000), (63, 63)])
def test_a_tiny_picture_is_told_to_be_too_small(reader: DiceReader, shape: tuple[int, int]) -> None:
    reading = reader.read(np.zeros((*shape, 3), np.uint8))
    assert reading.status == "ignored"
    assert "too small" in reading.reason


@pytest.mark.parametrize("shape", [(480, 640), (640, 480), (2160, 3840), (100, 1500)])
def test_any_shape_of_picture_is_looked_at(reader: DiceReader, shape: tuple[int, int]) -> None:
    reading = reader.read(np.full((*shape, 3), 128, np.uint8))
    assert reading.status == "ignored"
    assert reading.milliseconds > 0


def test_a_wheel_is_refused() -> None:
    with pytest.raises(DiceSetNotReadError, match="wheel has a wheel or pointer"):
        DiceReader("wheel")


def test_a_die_that_the_set_has_not_is_refused() -> None:
    with pytest.raises(ThrowError, match="'9'"):
        DiceReader("wibold", ("1", "9"))


@HAS_SAMPLES
def test_a_die_whose_edges_are_not_clear_is_asked_about(
    reader: DiceReader, samples: list[Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    exactly = Corners.correct

    def unsure(corners: Corners, image: Image, found: Found) -> Found:
        exact = exactly(corners, image, found)
        return replace(exact, faces=tuple(replace(face, error=0.3) for face in exact.faces))

    seen = samples[:3]
    assert any(die.status == "read" for _, reading in seen for die in reading.dice if die.die != "consonants")
    monkeypatch.setattr(Corners, "correct", unsure)
    again = [reader.read(load_image(SAMPLES / label["image"])) for label, _ in seen]
    cubes = [die for reading in again for die in reading.dice if die.die != "consonants"]
    assert all(die.status != "read" for die in cubes)
    assert "Its edges are not clear." in [die.reason for die in cubes]


@HAS_SAMPLES
def test_the_samples_are_read_with_hardly_a_silent_error(samples: list[Sample]) -> None:
    score = Score()
    for label, reading in samples:
        score.add(label, {"objects": [die.to_json() for die in reading.dice]})
    assert score.cubes.correct >= 0.75 * score.cubes.dice
    assert score.cubes.silent + score.tetrahedra.silent <= 0.03 * (score.cubes.dice + score.tetrahedra.dice)


@HAS_SAMPLES
def test_without_a_tetrahedron_in_the_game_none_is_read() -> None:
    cubes_only = DiceReader("wibold", ("1", "2", "3"))
    label = json.loads((SAMPLES / "labels.jsonl").read_text(encoding="utf-8").splitlines()[0])
    reading = cubes_only.read(load_image(SAMPLES / label["image"]))
    assert reading.expected == ("1", "2", "3")
    assert all(die.die != "consonants" for die in reading.dice)


@HAS_SAMPLES
def test_every_answer_is_whole(samples: list[Sample]) -> None:
    for _, reading in samples:
        named = [die.die for die in reading.dice if die.status == "read"]
        assert len(named) == len(set(named))
        for die in reading.dice:
            assert (die.reason == "") == (die.status == "read")
            if die.status != "ignored":
                assert die.candidates[0] == (die.face, die.confidence)
                assert sum(chance for _, chance in die.candidates) <= 1 + 1e-6
