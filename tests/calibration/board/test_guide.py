"""The guide of a page: one calibration at a time, nothing kept but the board, and no camera or corners break it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.board.eye import BoardEye
from calibration.board.guide import IDLE_SECONDS, BoardGuide
from calibration.board.guide_error import GuideError
from companion.language.sentence import Sentence
from companion.vision.boards.board_profile import load
from companion.vision.images import decode_image
from companion.vision.readings import Frame, Image
from companion.vision.sources.locking import Lock, lock
from companion.vision.sources.source import NewestFrame, SourceState
from tests.calibration.board.printed_board import printed_film
from tests.vision.test_sources_locking import Controls
from workshop.board_scenes.render import RenderedBoard

START = {"a": {"light": 15}, "z": {"dark": 15}}
SEEN = Sentence("it sees the table.")


@cache
def shown() -> RenderedBoard:
    return printed_film(4).picture(START, 0)


class Camera:
    """A camera that gives this picture anew whenever it is asked, while it is there."""

    name = "a drawn camera"
    sentence = SEEN

    def __init__(self, image: Image) -> None:
        self.image = image
        self.state = SourceState.LIVE
        self._slot = NewestFrame(self.name)

    def start(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def newest(self, after: int, timeout: float) -> Frame | None:
        """Return the next frame."""
        del after, timeout
        return self._slot.put(self.image) if self.state == SourceState.LIVE else None


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.board.kept.folder", lambda: tmp_path)
    monkeypatch.setattr("calibration.board.guide.SECOND_PICTURE_AFTER", 0.0)
    return tmp_path


@pytest.fixture
def camera() -> Camera:
    return Camera(shown().image)


def led(
    camera: Camera | None,
    clock: Callable[[], float] = lambda: 0.0,
    view: Callable[[str], BoardEye | None] | None = None,
) -> BoardGuide:
    return BoardGuide(lambda: camera, clock, view or (lambda _: None))


def outside(image: Image) -> float:
    """Return how bright the picture's own corners are, where there is table and no board."""
    return float(max(image[:8, :8].mean(), image[:8, -8:].mean(), image[-8:, :8].mean(), image[-8:, -8:].mean()))


def test_the_room_is_seen_until_the_outline_is_agreed_to_and_never_after(camera: Camera, folder: Path) -> None:
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    session = state["session"]
    assert outside(decode_image(guide.picture(session), live=True)) > 40
    guide.confirm(session, np.array(state["corners"]))
    for jpeg in (guide.picture(session), guide.live()):
        assert outside(decode_image(jpeg, live=True)) < 3
    guide.skip_colours(session)
    profile = guide.save(session, "oak")
    assert outside(load(folder / "oak.board").picture) < 3
    assert np.abs(profile.corners - shown().corners).max() < 1.5


def test_colours_are_learnt_from_the_men_that_stand_there(camera: Camera) -> None:
    guide = BoardGuide(lambda: camera)
    state = guide.begin("tables", kit=True)
    guide.confirm(state["session"], np.array(state["corners"]))
    camera.image = printed_film(4).picture({"a": {"light": 3}}, 1).image
    with pytest.raises(GuideError, match="two sides"):
        guide.start_position(state["session"])
    camera.image = shown().image
    state = guide.start_position(state["session"])
    assert {"light", "dark"} < set(state["learnt"])
    assert any(figure["name"] == "contrast" for figure in state["quality"]["figures"])
    assert state["taps"] == 4  # the look that taught nothing was a step too


def test_the_outline_that_is_agreed_to_is_the_one_that_is_shown(camera: Camera) -> None:
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    dragged = np.array(state["corners"]) + np.array([[9.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    state = guide.confirm(state["session"], dragged)
    assert state["how"] == "hand"
    assert np.abs(np.array(state["corners"]) - dragged).max() < 0.1
    with pytest.raises(GuideError, match="already settled"):
        guide.corners(state["session"], dragged)


def test_corners_of_no_board_leave_nothing_to_agree_to(camera: Camera) -> None:
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    corners = np.array(state["corners"])
    state = guide.corners(state["session"], corners[::-1])
    assert state["corners"] is None
    assert "mirror" in state["progress"]["missing"][0]["text"]
    with pytest.raises(GuideError, match="mirror"):
        guide.confirm(state["session"], corners[::-1])
    assert guide.confirm(state["session"], corners)["progress"]["step"] == "colours"


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.floats(-2000, 4000)


@cache
def begun() -> tuple[BoardGuide, str]:
    """Return a guide that waits for corners in a small picture, for many examples."""
    guide = led(Camera(np.asarray(cv2.resize(shown().image, (640, 480)), np.uint8)))
    return guide, str(guide.begin("tables", kit=False)["session"])


@settings(max_examples=60, deadline=None)
@given(corners=st.lists(st.tuples(numbers, numbers), min_size=4, max_size=4))
def test_no_corners_whatever_break_it(corners: list[tuple[float, float]]) -> None:
    guide, session = begun()
    given_ = np.array(corners, np.float64)
    state = guide.corners(session, given_)
    if state["corners"] is None:
        assert state["progress"]["step"] == "corners"
        assert state["progress"]["missing"]
    else:
        assert np.abs(np.array(state["corners"]) - given_).max() < 1.0


def test_two_persons_at_once_are_told_of_each_other_and_the_first_loses_nothing(camera: Camera) -> None:
    clock = Clock()
    guide = led(camera, clock)
    first = guide.begin("tables", kit=True)
    with pytest.raises(GuideError, match="another page") as refused:
        guide.begin("8x16", kit=False)
    assert refused.value.kind == "busy"
    assert guide.state_json(first["session"])["progress"] == first["progress"]
    second = guide.begin("tables", kit=True, over=True)
    with pytest.raises(GuideError, match="another page has taken over") as over:
        guide.confirm(first["session"], np.array(first["corners"]))
    assert over.value.kind == "over"
    clock.now += IDLE_SECONDS + 1
    guide.begin("tables", kit=True)
    with pytest.raises(GuideError, match="over"):
        guide.state_json(second["session"])


def test_what_was_left_is_forgotten(camera: Camera) -> None:
    guide = led(camera)
    session = guide.begin("tables", kit=True)["session"]
    guide.leave("somebody else's")
    guide.leave(session)
    with pytest.raises(GuideError):
        guide.picture(session)
    assert guide.begin("tables", kit=True)["progress"]["step"] == "confirm"


def test_without_a_camera_it_says_so_and_a_camera_that_is_gone_ends_nothing(camera: Camera) -> None:
    with pytest.raises(GuideError, match="choose one on the page Camera"):
        led(None).begin("tables", kit=True)
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    camera.state = SourceState.LOST
    for act in (lambda: guide.again(state["session"]), guide.live, lambda: guide.begin("tables", kit=True, over=True)):
        with pytest.raises(GuideError, match="gives no picture now") as refused:
            act()
        assert refused.value.kind == "camera"
    assert guide.confirm(state["session"], np.array(state["corners"]))["progress"]["step"] == "colours"


def test_a_camera_that_changed_its_size_teaches_no_colours(camera: Camera) -> None:
    guide = BoardGuide(lambda: camera)
    state = guide.begin("tables", kit=True)
    guide.confirm(state["session"], np.array(state["corners"]))
    camera.image = np.asarray(cv2.resize(camera.image, (640, 480)), np.uint8)
    with pytest.raises(GuideError, match="another size"):
        guide.start_position(state["session"])


def with_arm(image: Image) -> Image:
    """Return the picture with an arm that lies over the board's right edge."""
    covered = image.copy()
    corners = shown().corners
    x, y = ((corners[1] + corners[2]) / 2).astype(int)
    cv2.rectangle(covered, (x - 150, y - 45), (image.shape[1], y + 45), (120, 150, 200), -1)
    return covered


def test_a_hand_that_lay_still_in_the_picture_is_noticed_and_the_picture_taken_again(camera: Camera) -> None:
    camera.image = with_arm(shown().image)
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    assert state["progress"]["step"] == "confirm"  # the markers are seen: nothing else would tell of the arm
    camera.image = shown().image
    with pytest.raises(GuideError, match="does not look as it did") as changed:
        guide.confirm(state["session"], np.array(state["corners"]))
    assert changed.value.kind == "changed"
    state = guide.again(state["session"])
    assert guide.confirm(state["session"], np.array(state["corners"]))["progress"]["step"] == "colours"


def test_a_person_may_say_that_only_men_were_moved(camera: Camera) -> None:
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    camera.image = printed_film(4).picture({"a": {"light": 14}, "f": {"light": 1}, "z": {"dark": 15}}, 3).image
    state = guide.confirm(state["session"], np.array(state["corners"]), sure=True)
    assert state["progress"]["step"] == "colours"


@pytest.mark.parametrize("light", [0.8, 1.0, 1.15])
def test_another_light_and_noise_are_no_hand(camera: Camera, light: float) -> None:
    rng = np.random.default_rng(5)
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    noisy = shown().image.astype(np.float64) * light + rng.normal(0, 3, shown().image.shape)
    camera.image = np.clip(noisy, 0, 255).astype(np.uint8)
    assert guide.confirm(state["session"], np.array(state["corners"]))["progress"]["step"] == "colours"


def test_without_a_later_picture_it_is_said_that_nobody_looked(camera: Camera) -> None:
    guide = led(camera)
    state = guide.begin("tables", kit=True)
    camera.state = SourceState.LOST
    state = guide.confirm(state["session"], np.array(state["corners"]))
    assert "nothing shows whether a hand" in state["notes"][0]["text"]


def test_an_outline_a_whole_column_off_is_doubted(camera: Camera) -> None:
    guide = BoardGuide(lambda: camera)
    state = guide.begin("tables", kit=False)
    session, corners = state["session"], shown().corners
    state = guide.corners(session, corners)
    assert state["doubt"] is None
    top, bottom = (corners[1] - corners[0]) / 13, (corners[2] - corners[3]) / 13  # a bar and twelve columns
    for columns in (-2, -1, 1, 2):
        state = guide.corners(session, corners + columns * np.stack([top, top, bottom, bottom]))
        assert state["progress"]["step"] == "confirm"  # enough is seen along it to follow the board
        assert "a whole column off" in state["doubt"]["text"]


class Holding(Camera):
    """A camera whose settings can be held."""

    can_hold = True

    def __init__(self, image: Image) -> None:
        super().__init__(image)
        self.held: list[bool] = []

    def hold_settings(self, *, still: bool = True, timeout: float = 5.0) -> Lock | None:
        del timeout
        self.held.append(still)
        return lock(Controls()) if still else None


def test_what_the_camera_holds_is_told_kept_and_let_go_where_the_calibration_is_left(folder: Path) -> None:
    camera = Holding(shown().image)
    guide = led(camera)
    state = guide.begin("tables", kit=True, hold=True)
    assert [one["held"] for one in state["held"]] == [True, True, True]
    assert "exposure is locked at 157" in state["held"][0]["sentence"]["text"]
    guide.leave(state["session"])
    assert camera.held == [True, False]
    state = guide.begin("tables", kit=True, hold=True)
    guide.confirm(state["session"], np.array(state["corners"]))
    guide.skip_colours(state["session"])
    guide.save(state["session"], "oak")
    guide.leave(state["session"])
    assert camera.held == [True, False, True]
    assert load(folder / "oak.board").camera == {"exposure": 157.0, "white balance": 4600.0, "focus": 30.0}


def test_names_are_checked_and_a_board_is_replaced_only_when_told_so(camera: Camera, folder: Path) -> None:
    def named(name: str, *, replace: bool = False) -> None:
        guide = led(camera)
        state = guide.begin("tables", kit=True)
        guide.confirm(state["session"], np.array(state["corners"]))
        guide.skip_colours(state["session"])
        guide.save(state["session"], name, replace=replace)

    for name in ("../x", "a/b", "", ".hidden", "x" * 61, "a\0b"):
        with pytest.raises(GuideError, match="Expected a name"):
            named(name)
    assert list(folder.iterdir()) == []
    named("oak")
    before = (folder / "oak.board").read_bytes()
    with pytest.raises(GuideError, match="There is already a board called oak") as taken:
        named("oak")
    assert taken.value.kind == "taken"
    assert (folder / "oak.board").read_bytes() == before
    named("oak", replace=True)
    assert [path.name for path in folder.iterdir()] == ["oak.board"]


def test_nothing_is_kept_before_its_step(camera: Camera, folder: Path) -> None:
    guide = led(camera)
    session = guide.begin("tables", kit=True)["session"]
    for act in (
        lambda: guide.save(session, "oak"),
        lambda: guide.skip_colours(session),
        lambda: guide.start_position(session),
    ):
        with pytest.raises(GuideError, match="Step 3"):
            act()
    assert list(folder.iterdir()) == []
    with pytest.raises(GuideError, match="not chess"):
        guide.begin("chess", kit=False)
