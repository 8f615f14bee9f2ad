"""The second witness: rows cut out of a face, and how likely a text stands there."""

from itertools import groupby, product
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from companion.rules.dice import dice_set
from companion.vision.dice.asking.rows import ROW_HEIGHT, RowReader, RowWitness, cut_rows, log_chances
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.marks import SINGLE, Opinion
from companion.vision.dice.nets import Nets
from companion.vision.readings import Image
from workshop.scenes.fonts import BUNDLED

FONTS = sorted(BUNDLED.glob("*.ttf"))
NETS = Nets()


def flat(*lines: str, font: Path = FONTS[0]) -> Image:
    """Return a flat face with rows of letters."""
    page = Picture.new("RGB", (256, 256), (214, 205, 180))
    draw = ImageDraw.Draw(page)
    letters = ImageFont.truetype(str(font), 92 if len(lines) < 3 else 66)
    for row, line in enumerate(lines):
        y = 128 + (row - (len(lines) - 1) / 2) * (108 if len(lines) < 3 else 76)
        draw.text((128, y), line, font=letters, fill=(40, 30, 25), anchor="mm")
    return np.asarray(
        cv2.resize(np.asarray(page)[..., ::-1], (PATCH_PIXELS, PATCH_PIXELS), interpolation=cv2.INTER_AREA), np.uint8
    )


def says(dice: str, face: Image, text: str) -> RowWitness:
    """Return what the row net says of a text, cut out as the mark net finds its letters."""
    faces = FaceReader(dice_set(dice), 1.435, NETS)
    turned = [np.ascontiguousarray(np.rot90(face, k)) for k in range(4)]
    view = faces.views([turned])[0]
    upright = Opinion.of(view.logits, 1.435).upright
    texts = [shown for _, shown in faces.texts.upper]
    return RowReader(faces.texts.marks, NETS).witness(
        turned, view.places, upright, texts.index(text), range(len(texts))
    )


def test_the_row_net_thinks_what_stands_there_likelier_than_what_else_could_stand_in_these_rows() -> None:
    """On clean faces, all but at most one in ten: a witness may err, and the selector weighs it."""
    texts = {text for _, text in FaceReader(dice_set("wibold"), 1.0, NETS).texts.upper}
    asked = wrong = 0
    for font in FONTS:
        for lines in (("AE", "IOU"), ("EI", "OU"), ("IO",), ("E",), ("OUA", "EI")):
            there, face = "".join(lines), flat(*lines, font=font)
            if there in texts:
                right = says("wibold", face, there)
                asked, wrong = asked + 1, wrong + (right.own <= right.alike)
            for other in sorted(texts):
                if there in texts and len(other) == len(there) and sorted(other) != sorted(there):
                    witness = says("wibold", face, other)
                    asked, wrong = asked + 1, wrong + (witness.own >= witness.other)
    assert wrong * 10 <= asked


def test_a_missing_letter_counts() -> None:
    all_of_them, one_less = says("wibold", flat("AE", "IOU"), "AEIOU"), says("wibold", flat("E", "IOU"), "AEIOU")
    assert all_of_them.own > one_less.own + 3


def test_a_face_without_marks_says_nothing_for_any_text() -> None:
    blank = np.full((PATCH_PIXELS, PATCH_PIXELS, 3), 180, np.uint8)
    assert says("wibold", blank, "AEIOU").own < -15


def places(*rows: float) -> npt.NDArray[np.float32]:
    """Return a map of letters in rows at these heights of the face, 0 to 1."""
    cells = np.zeros((8, 8), np.float32)
    for row in rows:
        cells[int(row * 8), 2:6] = 0.9
    return cells


def test_rows_are_cut_where_letters_stand() -> None:
    face = np.zeros((PATCH_PIXELS, PATCH_PIXELS, 3), np.uint8)
    face[17:23] = (0, 0, 255)
    face[49:55] = (255, 0, 0)
    strips = cut_rows(face, places(0.25, 0.75), 2)
    assert strips is not None
    assert strips.shape[:2] == (2, ROW_HEIGHT)
    assert strips[0, ROW_HEIGHT // 2, :, 2].min() > 200
    assert strips[1, ROW_HEIGHT // 2, :, 0].min() > 200


def test_letters_that_do_not_stand_in_so_many_rows_are_not_cut() -> None:
    face = np.zeros((PATCH_PIXELS, PATCH_PIXELS, 3), np.uint8)
    assert cut_rows(face, places(), 1) is None
    assert cut_rows(face, places(0.5), 2) is None
    assert cut_rows(face, places(0.5), 1) is not None


CHANCES = st.lists(st.lists(st.floats(0.01, 1), min_size=4, max_size=4), min_size=1, max_size=4)
TEXTS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=3).map(tuple), min_size=1, max_size=3)


@given(CHANCES, TEXTS)
def test_the_chance_of_a_text_is_the_sum_over_all_ways_to_write_it(
    drawn: list[list[float]], texts: list[tuple[int, ...]]
) -> None:
    chances = np.array(drawn) / np.sum(drawn, axis=1, keepdims=True)
    found = np.exp(log_chances(np.log(chances), texts))
    for text, chance in zip(texts, found, strict=True):
        ways = [
            way
            for way in product(range(4), repeat=len(chances))
            if tuple(mark - 1 for mark, _ in groupby(way) if mark) == text
        ]
        every = sum(float(np.prod([chances[i, mark] for i, mark in enumerate(way)])) for way in ways)
        assert np.isclose(chance, every, atol=1e-12)


def test_every_mark_but_the_line_under_a_numeral_can_be_read_in_a_row() -> None:
    reader = RowReader([tuple(SINGLE)], NETS)
    assert len(reader._texts[0]) == len(SINGLE) - 1
