"""The lens measured from the page: pictures take themselves, only of a sheet that is held still, and each is new."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board.guide import BoardGuide
from calibration.board.guide_error import GuideError
from calibration.board.lens_guide import ENOUGH_PICTURES, IDLE_SECONDS, LensGuide
from companion.language.sentence import Sentence
from companion.vision.boards.board_profile import load
from companion.vision.readings import Image
from companion.vision.sources.source import SourceState
from tests.calibration.board.test_guide import Camera, Clock, shown
from tests.calibration.board.test_lens import TRUE, VIEWS, view


class Named(Camera):
    """A camera plugged into this computer."""

    name = "camera 0"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.board.kept.folder", lambda: tmp_path)
    monkeypatch.setattr("calibration.board.guide.SECOND_PICTURE_AFTER", 0.0)
    return tmp_path


def looked(guide: LensGuide, session: str, camera: Camera, image: Image, times: int = 2) -> str:
    camera.image = image
    for _ in range(times):
        state = guide.take(session)
    return str(state["said"]["text"])


def bent(image: Image) -> Image:
    """Return a picture as the true lens would take it."""
    height, width = image.shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(float)
    grid = TRUE.at((width, height)).straighten(pixels).astype(np.float32).reshape(height, width, 2)
    return np.asarray(cv2.remap(image, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR), np.uint8)


def measured(camera: Camera) -> tuple[LensGuide, str]:
    """Hold the sheet in all ways."""
    guide = LensGuide(lambda: camera)
    session = str(guide.begin()["session"])
    for number in range(len(VIEWS)):
        looked(guide, session, camera, view(number))
    return guide, session


def test_pictures_take_themselves_and_the_lens_is_found_kept_and_used(folder: Path) -> None:
    camera = Named(view(0))
    guide, session = measured(camera)
    state = guide.measure(session)
    assert state["grade"] == "good"
    assert "measured well" in state["said"]["text"]
    assert state["count"] == len(VIEWS) >= ENOUGH_PICTURES
    lens = guide.lens()
    assert lens is not None
    assert lens.focal == pytest.approx(TRUE.focal, rel=0.02)
    assert (folder / "camera-0.lens").is_file()
    tomorrow = LensGuide(lambda: camera)
    assert tomorrow.lens() == lens
    board = BoardGuide(lambda: camera, eye_of=lambda _: None, lens=tomorrow.lens)
    camera.image = bent(shown().image)  # 1280x960, of the same shape
    begun = board.begin("tables", kit=True)
    assert begun["corners"] is None  # the markers lie on no plane as they are seen
    begun = board.begin("tables", kit=True, bent=True, over=True)
    assert begun["lens"] is True
    board.confirm(begun["session"], np.array(begun["corners"]))
    board.skip_colours(begun["session"])
    kept = board.save(begun["session"], "oak").lens
    assert kept is not None
    assert kept.size == (1280, 960)
    assert load(folder / "oak.board").lens == kept


def test_the_lens_of_a_browsers_camera_is_not_believed_tomorrow(folder: Path) -> None:
    camera = Camera(view(0))  # no name of a device of this computer
    guide, session = measured(camera)
    guide.measure(session)
    assert guide.lens() is not None
    assert list(folder.iterdir()) == []
    assert LensGuide(lambda: camera).lens() is None


def test_a_moving_sheet_and_one_seen_before_do_not_count() -> None:
    camera = Camera(view(0))
    guide = LensGuide(lambda: camera)
    session = guide.begin()["session"]
    assert "hold it still" in looked(guide, session, camera, view(0), 1)
    assert "hold it still" in looked(guide, session, camera, np.roll(view(0), 30, axis=1), 1)
    assert "Picture 1 is taken" in looked(guide, session, camera, view(0), 2)
    assert "Picture 1 is taken" in looked(guide, session, camera, np.roll(view(0), 6, axis=1), 2)  # still the same one
    assert "Picture 2 is taken" in looked(guide, session, camera, view(1), 2)
    assert "like an earlier one" in looked(guide, session, camera, np.roll(view(0), 6, axis=1), 2)
    assert "Only 0 corners" in looked(guide, session, camera, np.full((720, 960, 3), 120, np.uint8), 1)
    state = guide.take(session)
    assert (state["count"], state["ready"]) == (2, False)
    assert state["poses"]
    with pytest.raises(GuideError, match="2 of 5"):
        guide.measure(session)


def test_one_page_at_a_time_measures_and_a_camera_that_is_gone_ends_nothing() -> None:
    camera, clock = Camera(view(0)), Clock()
    guide = LensGuide(lambda: camera, clock)
    first = guide.begin()["session"]
    with pytest.raises(GuideError, match="another page") as busy:
        guide.begin()
    assert busy.value.kind == "busy"
    camera.state, camera.sentence = SourceState.LOST, Sentence("it is gone.")
    with pytest.raises(GuideError, match="it is gone"):
        guide.take(first)
    camera.state = SourceState.LIVE
    assert guide.take(first)["count"] == 0
    clock.now += IDLE_SECONDS + 1
    second = guide.begin()["session"]
    with pytest.raises(GuideError, match="over"):
        guide.take(first)
    guide.leave(second)
    assert guide.begin()["count"] == 0


def test_a_lens_of_another_shape_of_picture_is_refused_in_a_sentence() -> None:
    camera = Camera(np.ascontiguousarray(shown().image[:720]))
    guide = BoardGuide(lambda: camera, eye_of=lambda _: None, lens=lambda: TRUE)
    with pytest.raises(Exception, match="shaped like 960x720"):
        guide.begin("tables", kit=True, bent=True)
