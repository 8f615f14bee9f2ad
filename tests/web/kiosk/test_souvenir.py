"""A phone reads the souvenir from the screen: every code is decoded again, by OpenCV."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.ludus_regularis.virtues import virtues
from companion.web.kiosk.souvenir import MOST_CODE_BYTES, Result, code, svg, virtues_of

NAMES = [virtue.latin for virtue in virtues()]
SCREEN = 400  # pixels that the code has on a page of 1280 x 800


def read(text: str) -> str:
    """Return what OpenCV reads from the code as a screen shows it.

    By its newer detector: the older one misses one code in ten at such sizes, whatever it holds (n = 200).
    """
    matrix = np.array([list(row) for row in code(text).matrix_iter(border=4)], np.uint8)
    picture = cv2.resize((1 - matrix) * 255, (SCREEN, SCREEN), interpolation=cv2.INTER_AREA)
    found, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(picture)
    return found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(NAMES), unique=True, max_size=56))
def test_a_result_is_read_back_from_the_screen(held: list[str]) -> None:
    text = Result(["Ludus Regularis, 22 November 2026", "Blue is the teacher:"], held, ["Thank you."]).text
    assert len(text.encode()) <= MOST_CODE_BYTES
    assert code(text).symbol_size(border=0)[0] <= 89
    assert read(text) == text


@pytest.mark.parametrize(
    "words", ["Grün ist Lehrer, mit 3 Tugenden:", "Bleu a joué jusqu'à la fin", "Añil es el maestro"]
)
def test_letters_of_other_languages_are_read_back(words: str) -> None:
    text = Result([words], ["Karitas", "Spes"], ["¡Gracias! Danke schön. Merci à vous."]).text
    assert read(text) == text


def test_too_many_virtues_are_cut_with_a_sign_and_the_rest_stays() -> None:
    text = Result(["Title", "All of them:"], NAMES, ["Thanks."]).text
    assert text.startswith("Title\nAll of them:\nKaritas, Fides")
    assert text.endswith("...\nThanks.")


def test_a_short_result_is_more_robust() -> None:
    assert code("Karitas").error in "QH"


def test_the_drawing_says_what_it_is_and_needs_nothing_else() -> None:
    drawn = svg("Karitas", "The code of <Blue>").decode()
    assert drawn.startswith("<svg")
    assert "<title>The code of &lt;Blue&gt;</title>" in drawn
    assert "href" not in drawn
    assert "style" not in drawn


def test_virtues_are_told_in_the_order_in_which_they_were_won() -> None:
    listed = [
        {"id": "1.1.1", "name": "Karitas", "english": "Charity", "owner": 2, "throw": 9},
        {"id": "1.1.2", "name": "Fides", "english": "Faith", "owner": 1, "throw": 3},
        {"id": "1.1.3", "name": "Spes", "english": "Hope", "owner": 2, "throw": 4},
    ]
    assert virtues_of(listed, 2) == [("Spes", "Hope"), ("Karitas", "Charity")]
