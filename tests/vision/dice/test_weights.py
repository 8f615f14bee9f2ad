"""The trained nets are small, whole, and what their card says."""

from importlib.resources import files

import cv2
import numpy as np
import pytest

from companion.vision.dice.asking.selector import shipped
from companion.vision.dice.marks import OUTPUTS, SINGLE
from companion.vision.dice.nets import (
    CORNERS,
    FACES,
    LOCATOR,
    ROWS,
    SECOND,
    Net,
    WeightsError,
    WeightsFolder,
    settings,
    weights,
)
from workshop.training.choosing import selecting
from workshop.training.choosing.choose import LEAST
from workshop.training.choosing.confidence import upper_bound

FOLDER = files("companion.vision.dice") / "weights"


def test_all_weights_together_are_under_eight_megabytes() -> None:
    assert sum(len(weights(name)) for name in (CORNERS, FACES, LOCATOR, ROWS, SECOND)) <= 8_000_000


def test_a_net_computes_the_same_with_one_thread_as_with_two() -> None:
    picture = np.random.default_rng(1).normal(size=(1, 3, 320, 448)).astype(np.float32)
    before = cv2.getNumThreads()
    try:
        found = []
        for threads in (1, 2):
            cv2.setNumThreads(threads)
            found.append(Net(LOCATOR).run(picture))
    finally:
        cv2.setNumThreads(before)
    assert np.allclose(found[0], found[1], atol=1e-4)


def test_the_row_net_gives_the_chances_of_every_mark_at_each_place_of_a_row_of_any_width() -> None:
    net = Net(ROWS)
    for width in (48, 96, 136):
        chances = net.run(np.zeros((2, 3, 48, width), np.float32))
        assert chances.shape == (2, width // 8, 1 + len(SINGLE))
        assert np.allclose(chances.sum(axis=2), 1, atol=1e-4)


def test_the_locator_gives_six_maps_of_half_size_for_any_shape() -> None:
    net = Net(LOCATOR)
    for height, width in ((320, 448), (448, 320), (320, 448)):
        assert net.run(np.zeros((1, 3, height, width), np.float32)).shape == (1, 6, height // 2, width // 2)


def test_the_face_net_has_an_output_for_each_count_of_each_mark() -> None:
    assert Net(FACES).run(np.zeros((5, 3, 64, 64), np.float32)).shape == (5, OUTPUTS)


def test_thresholds_are_no_lower_than_any_may_be_chosen() -> None:
    chosen = settings()
    assert LEAST <= chosen.tetrahedron_read_above < 1
    assert all(bar.least >= selecting.LEAST for bar in shipped().bars)


def test_the_thresholds_prove_what_the_card_says() -> None:
    many_sided = selecting.SOLIDS - {selecting.TWENTY}
    flat = {bar.family for bar in shipped().bars} - selecting.SOLIDS
    for pool, most in ((flat, selecting.SILENT), (many_sided, selecting.HARD)):
        bars = [bar for bar in shipped().bars if bar.family in pool]
        dice = sum(bar.dice for bar in bars if not bar.again)  # a second look is at some of the same dice
        assert upper_bound(sum(bar.wrong for bar in bars), dice) <= most
    for bar in shipped().bars:
        assert bar.bound == round(upper_bound(bar.wrong, bar.dice), 5)
        assert bar.family != selecting.TWENTY or bar.wrong == 0, "too few were drawn to let any error pass"


def test_other_weights_than_the_cards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = WeightsFolder(files("companion.vision.dice") / "weights", "reader")
    monkeypatch.setattr(other, "card", lambda: {"files": {FACES: {"sha256": "0"}}})
    with pytest.raises(WeightsError, match="not those of their model card"):
        other.data(FACES)


def test_missing_weights_are_told_in_one_sentence() -> None:
    with pytest.raises(WeightsError, match=r"needs its weights nowhere\.onnx"):
        weights("nowhere.onnx")


def test_the_card_tells_a_person_what_the_weights_are() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "held-out" in text
    assert "silent" in text
