"""Dice read by their own looks: learnt faces are known, strange ones are not, drifted light is said."""

import re

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from companion.rules.dice import DiceSet, Die, Face, dice_set
from companion.vision.dice.faces import Marks, Texts
from companion.vision.dice.own_appearance import fuse, places
from companion.vision.readings import Image
from tests.calibration.learning.own_dice import SHOWN, own_appearance, patch, profile, style, thrown

READ = 0.97
TEXTS = Texts.of(dice_set("wibold"))


def chance_of(marks: Marks, row: int, text: str) -> float:
    return float(marks.texts[row, list(places(TEXTS, "square", text))].sum())


def test_fresh_looks_of_learnt_faces_are_never_taken_for_others() -> None:
    rng = np.random.default_rng(77)
    texts = [text for text in SHOWN for _ in range(4)]
    marks = own_appearance().faces([patch(rng, text, style(5)) for text in texts])
    read = wrong = 0
    for row, text in enumerate(texts):
        right = chance_of(marks, row, text)
        read += right >= READ
        wrong += float(marks.texts[row].sum()) - right >= READ
    assert wrong == 0
    assert read >= len(texts) // 2


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_quarter_turn_changes_nothing(turns: int) -> None:
    patches = [face.patch for face, _ in thrown()[:4]]
    turned = [np.ascontiguousarray(np.rot90(one, turns)) for one in patches]
    assert own_appearance().faces(turned).texts == pytest.approx(own_appearance().faces(patches).texts, abs=0.02)


def test_chances_are_chances_and_never_certain() -> None:
    marks = own_appearance().faces([face.patch for face, _ in thrown()])
    assert marks.texts.shape == (len(thrown()), len(TEXTS.upper))
    assert marks.texts.sum(axis=1) + marks.unreadable == pytest.approx(1)
    assert float(marks.texts.max()) < 1 - 0.5 / (len(thrown()) + 2)


@given(st.integers(0, 2**31), st.sampled_from([0.0, 0.8, 2.0, 5.0]), st.integers(0, 60))
@settings(max_examples=25)
def test_noise_is_never_read(seed: int, blur: float, spread: int) -> None:
    rng = np.random.default_rng(seed)
    noise = np.clip(rng.normal(128, spread + 1, (64, 64, 3)), 0, 255).astype(np.uint8)
    if blur:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), blur), np.uint8)
    assert float(own_appearance().faces([noise]).texts.sum()) < READ


@given(st.integers(0, 2**31), st.sampled_from(["AEIOUA", "OUA", "EIOU", "UAE", "BCDF", "STXZ", "GK", "4", "5", "6"]))
@settings(max_examples=25)
def test_other_letters_and_other_dice_are_never_read(seed: int, text: str) -> None:
    rng = np.random.default_rng(seed)
    look = style(5 if seed % 2 and not text.isdigit() else 6 + seed % 3)
    assert float(own_appearance().faces([patch(rng, text, look)]).texts.sum()) < READ


def test_nothing_learnt_of_a_shape_leaves_everything_open() -> None:
    marks = own_appearance().sides([thrown()[0][0].patch])
    assert marks.unreadable == pytest.approx([1])
    assert len(own_appearance().faces([])) == 0


def throw(number: int) -> list[Image]:
    return [face.patch for face, _ in thrown() if face.throw == number]


def test_the_learnt_throws_have_not_drifted() -> None:
    assert [own_appearance().drift(throw(number)) for number in range(14)] == [None] * 14
    assert own_appearance().drift([]) is None


def test_a_picture_out_of_focus_or_in_the_dark_has_drifted() -> None:
    blurred = [np.asarray(cv2.GaussianBlur(one, (0, 0), 4.0), np.uint8) for one in throw(0)]
    dim = [(one * 0.12).astype(np.uint8) for one in throw(0)]
    assert re.search("less sharp|weaker", str(own_appearance().drift(blurred)))
    assert re.search("darker|weaker", str(own_appearance().drift(dim)))


chances = arrays(np.float64, (3, 5), elements=st.floats(0, 1))


def marks_of(raw: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Marks:
    whole = np.maximum(raw.sum(axis=1, keepdims=True), 1e-9)
    spread = raw / whole
    return Marks(spread[:, :4], np.maximum(0, 1 - spread[:, :4].sum(axis=1)))


@given(chances, chances)
def test_two_readers_of_the_same_pixels_are_never_surer_than_the_surer_one(
    one: np.ndarray[tuple[int, ...], np.dtype[np.float64]], other: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> None:
    own, general = marks_of(one), marks_of(other)
    joined = fuse(own, general)
    assert (joined.texts <= np.maximum(own.texts, general.texts) + 1e-12).all()
    assert (joined.texts >= 0).all()
    assert joined.texts.sum(axis=1) + joined.unreadable == pytest.approx(1, abs=1e-9)


def test_what_the_own_looks_do_not_know_the_general_reader_reads() -> None:
    unknown = Marks(np.zeros((1, 2)), np.ones(1))
    general = Marks(np.array([[0.99, 0.0]]), np.array([0.01]))
    assert fuse(unknown, general).texts[0, 0] == pytest.approx(0.99)


def test_a_sure_contradiction_is_asked_about_whoever_is_right() -> None:
    own = Marks(np.array([[0.99, 0.0]]), np.array([0.01]))
    general = Marks(np.array([[0.0, 0.99]]), np.array([0.01]))
    assert float(fuse(own, general).texts.max()) < READ


def test_an_unsure_general_reader_does_not_stop_the_own_looks() -> None:
    own = Marks(np.array([[0.995, 0.0]]), np.array([0.005]))
    general = Marks(np.array([[0.2, 0.35]]), np.array([0.45]))
    assert float(fuse(own, general).texts[0, 0]) > READ


def test_letters_in_any_order_name_the_same_faces_but_numbers_do_not() -> None:
    assert places(TEXTS, "square", "UOIEA") == places(TEXTS, "square", "AEIOU")
    assert len(places(TEXTS, "square", "AEIOU")) == 3
    assert len(places(TEXTS, "square", "AEIOU", "1")) == 1
    assert places(TEXTS, "side", "FDCB") == (0,)
    numbers = tuple(Face(text, int(text), tuple(text)) for text in ("12", "21", "1", "2", "3", "4"))
    twenty = Texts.of(DiceSet("20", "", "", (Die("20", "cube", "up", numbers),), alike=False, most=1))
    assert places(twenty, "square", "12") == (0,)


def test_the_profile_keeps_what_the_reader_needs() -> None:
    assert {face.text for face in profile().faces} <= set(SHOWN)
    assert profile().squares is not None
    assert profile().sides is None
