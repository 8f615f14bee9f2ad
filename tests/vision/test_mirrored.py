"""A camera that mirrors its pictures is noticed by letters that are read only when a picture is turned back."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.mirrored import MIRRORED, MIRRORED_THROWS, MOST_TRIED, MirrorWatch
from companion.vision.readings import DiceReading, Image
from companion.vision.sources import first_picture, open_source
from companion.vision.sources.address import shown_address
from companion.vision.sources.grabbed import MOST_PASSED_OVER
from companion.vision.sources.pushed import PushedSource
from tests.commands.running import run
from tests.referee.build import MISERICORDIA, reading, seen, thrown

SAMPLE = Path(__file__).resolve().parents[2] / "sample_images/ludus-regularis"
PICTURES = [load_image(SAMPLE / name) for name in ("004_throw01_still.jpg", "009_throw02_still.jpg")]
ASKED = reading([*thrown(MISERICORDIA).dice[:-1], seen("consonants", "STXZ", status="ask")])
BLANK: Image = np.zeros((8, 8, 3), np.uint8)


def turned(picture: Image) -> Image:
    return np.ascontiguousarray(picture[:, ::-1])


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader("wibold")


def test_a_camera_that_mirrors_is_noticed_after_two_throws_and_another_one_never(reader: DiceReader) -> None:
    watch = MirrorWatch()
    found = [watch.see(mirrored, reader.read(mirrored), reader.read) for mirrored in map(turned, PICTURES)]
    assert found == [None, MIRRORED]
    assert watch.see(PICTURES[0], reader.read(PICTURES[0]), reader.read) is None, "it was switched off"


def test_a_single_doubt_among_throws_that_are_read_is_not_read_turned_back(reader: DiceReader) -> None:
    values: list[Image] = []

    def counted(image: Image) -> DiceReading:
        values.append(image)
        return reader.read(image)

    watch, mirrored = MirrorWatch(), turned(PICTURES[0])
    for _ in range(3):
        assert watch.see(BLANK, thrown(MISERICORDIA), counted) is None
        assert watch.see(mirrored, reader.read(mirrored), counted) is None
    assert values == []
    assert [watch.see(one, reader.read(one), counted) for one in map(turned, PICTURES)] == [None, MIRRORED]


def test_dice_that_are_doubtful_either_way_are_no_sign_and_not_looked_at_for_ever() -> None:
    values: list[Image] = []

    def doubtful(image: Image) -> DiceReading:
        values.append(image)
        return ASKED

    watch = MirrorWatch()
    assert [watch.see(BLANK, ASKED, doubtful) for _ in range(20)] == [None] * 20
    assert len(values) == MOST_TRIED
    for _ in range(MIRRORED_THROWS - 1):
        assert watch.see(BLANK, thrown(MISERICORDIA), doubtful) is None


def test_a_source_that_mirrors_is_turned_back_under_a_name_of_its_own(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "mirrored.png"), turned(PICTURES[0]))
    assert np.array_equal(first_picture(f"mirror:{tmp_path / 'mirrored.png'}"), PICTURES[0])
    source = open_source(f"mirror:{tmp_path}")
    source.start()
    try:
        frame = source.newest(0, 60)
    finally:
        source.close()
    assert frame is not None
    assert np.array_equal(frame.image, PICTURES[0])
    assert shown_address("mirror:rtsp://admin:geheim@camera/1?key=2") == "mirror:rtsp://camera/1"


@pytest.mark.parametrize("waits", [False, True])
def test_a_recording_that_mirrors_stays_turned_back_while_its_reader_is_slow(*, waits: bool, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "mirrored.png"), turned(PICTURES[0]))
    source, number = open_source(f"mirror:{tmp_path}", loop=True, waits=waits), 0
    source.start()
    try:
        for more in range(4):
            frame = source.newest(number + MOST_PASSED_OVER + 1 + more, 60)  # the ones before are not fetched
            assert frame is not None
            assert np.array_equal(frame.image, PICTURES[0])
            number = frame.number
    finally:
        source.close()


def test_pictures_that_a_page_sends_mirrored_are_turned_back() -> None:
    source = open_source("mirror:push")
    assert isinstance(source, PushedSource)
    for number in range(3):
        source.offer(cv2.imencode(".png", turned(PICTURES[0]))[1].tobytes())
        frame = source.newest(number, 0)
        assert frame is not None
        assert np.array_equal(frame.image, PICTURES[0])


def test_advise_says_that_a_camera_mirrors_and_how_to_turn_it_back(tmp_path: Path) -> None:
    picture = tmp_path / "mirrored.png"
    cv2.imwrite(str(picture), turned(PICTURES[0]))
    assert "write mirror: before" in run("advise", "--camera", str(picture)).output
    assert "can be read from here" in run("advise", "--camera", f"mirror:{picture}").output
