"""The trained nets are small, whole, and what their card says."""

from importlib.resources import files

import cv2
import numpy as np
import pytest

from calibration.workshop.training.choosing import selecting
from calibration.workshop.training.choosing.choose import LEAST
from calibration.workshop.training.choosing.confidence import upper_bound
from companion.vision.dice import nets
from companion.vision.dice.marks import OUTPUTS
from companion.vision.dice.nets import CORNERS, FACES, LOCATOR, Net, WeightsError, settings, weights
from companion.vision.dice.selector import shipped

FOLDER = files("companion.vision.dice") / "weights"


def test_all_weights_together_are_under_five_megabytes() -> None:
    assert sum(len(weights(name)) for name in (CORNERS, FACES, LOCATOR)) <= 5_000_000


@pytest.mark.parametrize("engine", ["ENGINE_CLASSIC", "ENGINE_NEW", "ENGINE_AUTO"])
def test_the_nets_run_without_an_engine_that_opencv_may_remove(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(cv2.dnn, engine, raising=False)  # a release that removed it reads on
    assert np.isfinite(Net(FACES).run(np.zeros((1, 3, 64, 64), np.float32))).all()


@pytest.mark.parametrize("name", [CORNERS, FACES, LOCATOR])
def test_opencv_runs_the_nets(name: str) -> None:
    assert not cv2.dnn.readNetFromONNX(np.frombuffer(weights(name), np.uint8)).empty()


def test_the_locator_gives_six_maps_of_half_size_for_any_shape() -> None:
    net = Net(LOCATOR)
    for height, width in ((320, 448), (448, 320), (320, 448)):
        assert net.run(np.zeros((1, 3, height, width), np.float32)).shape == (1, 6, height // 2, width // 2)


def test_the_face_net_has_an_output_for_each_count_of_each_mark() -> None:
    assert Net(FACES).run(np.zeros((5, 3, 64, 64), np.float32)).shape == (5, OUTPUTS)


def test_thresholds_are_no_lower_than_any_may_be_chosen() -> None:
    chosen = settings()
    assert LEAST <= chosen.own_read_above < 1
    assert LEAST <= chosen.tetrahedron_read_above < 1
    assert all(bar.least >= selecting.LEAST for bar in shipped().bars)


def test_the_thresholds_prove_what_the_card_says() -> None:
    many_sided = selecting.SOLIDS - {selecting.TWENTY}
    flat = {bar.family for bar in shipped().bars} - selecting.SOLIDS
    for pool, most in ((flat, selecting.SILENT), (many_sided, selecting.HARD)):
        bars = [bar for bar in shipped().bars if bar.family in pool]
        assert upper_bound(sum(bar.wrong for bar in bars), sum(bar.dice for bar in bars)) <= most
    for bar in shipped().bars:
        assert bar.bound == round(upper_bound(bar.wrong, bar.dice), 5)
        assert bar.family != selecting.TWENTY or bar.wrong == 0, "too few were drawn to let any error pass"


def test_other_weights_than_the_cards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nets, "card", lambda: {"files": {FACES: {"sha256": "0"}}})
    with pytest.raises(WeightsError, match="not those of their model card"):
        weights(FACES)


def test_missing_weights_are_told_in_one_sentence() -> None:
    with pytest.raises(WeightsError, match=r"needs its weights nowhere\.onnx"):
        weights("nowhere.onnx")


def test_the_card_tells_a_person_what_the_weights_are() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "held-out" in text
    assert "silent" in text
