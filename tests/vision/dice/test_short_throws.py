"""A throw that lost a die: the die is found whole after all, or the throw asks."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.rules.dice import dice_set
from companion.vision.dice.answers import Answers, conclude
from companion.vision.dice.combine import combine
from companion.vision.dice.corners import Corners
from companion.vision.dice.geometry import edge_length
from companion.vision.dice.locate import Found, Locator, UpperFace
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.missing import ASIDE_SIZES, RING_EDGES, dropped
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.upper_reader import UpperReader
from companion.vision.images import load_image
from companion.vision.readings import DiceReading, Image, ReadDie
from workshop.scenes.fonts import find_fonts
from workshop.scenes.render import render
from workshop.scenes.scene import USUAL, random_scene

PHOTOS = Path(__file__).resolve().parents[4] / "shared" / "photos" / "pips-webcam"
photographed = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs do not lie beside the project")

EDGE = 60
WHITE, GREY = (235, 240, 240), (120, 125, 130)
ANSWERS = Answers("pips", "die")
FACES = [face.text for face in dice_set("pips").dice[0].faces]


def square(middle: tuple[float, float], edge: float) -> np.ndarray:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge / 2 + middle


def read(*faces: str) -> list[ReadDie]:
    return [
        ANSWERS.die(None, [(face, 1.0)], square((100 + 100 * place, 100), EDGE), "") for place, face in enumerate(faces)
    ]


@photographed
@pytest.mark.parametrize(
    ("picture", "faces"),
    [("dice_31", "1111"), ("four_29", "444"), ("four_32", "4444"), ("two_31", "2222")],
)
def test_a_die_whose_upper_face_was_outlined_with_a_side_is_read_in_the_plane_of_the_others(
    picture: str, faces: str
) -> None:
    reading = DiceReader("pips").read(load_image(PHOTOS / f"{picture}.jpg"))
    assert reading.status == "read"
    assert "".join(str(die.face) for die in reading.dice if die.status == "read") == faces


def test_tiles_that_the_locator_loses_among_others_are_found_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are flat, lie in one plane as cubes do, and nobody says how many there are."""
    bare = replace(USUAL, size=(800, 600), edge=(50, 70), things=0, tray=0, hand=0, moving=0)
    rng, fonts = np.random.default_rng([5, 7]), find_fonts("train", bundled=True)
    drawn = render(random_scene(rng, fonts, ranges=bare, set_name="tiles"))
    reader = DiceReader("tiles")
    found = reader.find(drawn.image).faces
    middles = np.array([face.corners.mean(axis=0) for face in found])
    away = np.linalg.norm(middles[:, None] - middles, axis=2) / edge_length(found[0].corners)
    touching = [i for i in range(len(found)) if np.sort(away[i])[1] < RING_EDGES]
    lost = touching[1::3]
    assert len(lost) > 1
    left = Found(tuple(face for i, face in enumerate(found) if i not in lost), ())
    monkeypatch.setattr(Locator, "find", lambda *_: left)
    reading = reader.read(drawn.image)
    assert sorted(str(die.face) for die in reading.dice if die.status == "read") == sorted(
        label.face for label in drawn.labels
    )


@pytest.mark.parametrize(("clear", "statuses"), [(True, ["read", "read"]), (False, ["ask"])])
def test_what_is_found_only_in_a_plane_counts_beside_a_die_that_is_read(
    clear: bool,  # noqa: FBT001
    statuses: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Squares of a board lie in one plane, too; only something that is read without it shows that dice lie there."""
    there, more = (UpperFace(square((x, 200), EDGE), 0.9) for x in (200, 270))

    def judged(_: UpperReader, found: Found, __: Image) -> list[ReadDie]:
        return [
            ANSWERS.die(None, [("A", 1.0)], one.corners, "" if clear or one is more else "-") for one in found.faces
        ]

    monkeypatch.setattr(Locator, "find", lambda *_: Found((there,), ()))
    monkeypatch.setattr(Corners, "correct", lambda _, __, found: found)
    monkeypatch.setattr(UpperReader, "in_plane", lambda *_: Found((there, more), ()))
    monkeypatch.setattr(UpperReader, "judge", judged)
    reading = DiceReader("tiles", learns=False).read(np.full((400, 400, 3), 40, np.uint8))
    assert [die.status for die in reading.dice if die.status != "ignored"] == statuses


@given(st.floats(0.2, 3.0), st.sampled_from((WHITE, GREY)), st.floats(1.3, 4.0))
def test_what_was_set_aside_is_asked_about_if_it_has_the_size_and_colour_of_the_dice(
    large: float, colour: tuple[int, int, int], away: float
) -> None:
    assume(min(abs(large - one) for one in ASIDE_SIZES) > 0.001)
    image = np.full((600, 700, 3), 40, np.uint8)
    there, edge = read("3", "5"), large * EDGE
    aside = square((250, 130 + EDGE / 2 + edge / 2 + away * EDGE), edge)
    for corners, body in [*((np.array(die.polygon), WHITE) for die in there), (aside, colour)]:
        cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), body)
    left = ANSWERS.ignored(aside, "It does not look like the upper face of a die.")
    assert dropped(image, [*there, left]) == (
        [left] if colour == WHITE and ASIDE_SIZES[0] < large < ASIDE_SIZES[1] else []
    )
    assert dropped(image, there) == dropped(image, [left]) == []


@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=6), st.integers(1, 8))
def test_fewer_dice_than_before_are_one_question_where_nobody_said_how_many_there_are(
    faces: list[str], before: int
) -> None:
    stated = conclude(read(*faces), (), before=before)
    assert stated.status == ("ask" if len(faces) < before else "read")
    assert ("is one hidden?" in str(stated.reason)) == (len(faces) < before)
    assert all(die.status == "read" for die in stated.dice)
    frames: list[DiceReading] = [stated, conclude(read(*faces), ())]  # only the first frame can know
    assert combine(frames).status == stated.status


@photographed
def test_whoever_takes_a_die_away_is_asked_once() -> None:
    reader = DiceReader("pips", memory=TableMemory())
    throws = ("two_31", "three_22", "three_22", "two_31", "three_22")
    stated = [reader.read(load_image(PHOTOS / f"{picture}.jpg")) for picture in throws[:-1]]
    assert [one.status for one in stated] == ["read", "ask", "read", "read"]
    reader.learn([FaceLesson((0.0, 0.0), "3", named=True)] * 3, "a person says that three dice lie there")
    assert reader.read(load_image(PHOTOS / f"{throws[-1]}.jpg")).status == "read"
