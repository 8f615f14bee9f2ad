"""What is asked of a V4L2 camera, in which order, and what a player is told when it is missing, forbidden or busy."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.readings import Image
from companion.vision.sources import capture, device
from companion.vision.sources.address import AddressGrabber
from companion.vision.sources.capture import UNREAD_EVERY, Capture, Thinning
from companion.vision.sources.device import WIDTH, DeviceGrabber
from companion.vision.sources.grabbed import GrabbedSource, Waiter
from companion.vision.sources.source import SourceBrokenError, SourceBusyError

PATIENCE = 60.0


class FakeCapture:
    """A camera that gives 640x480 whatever is asked."""

    def __init__(self, *, opens: bool = True, frames: int = 100, grey: bool = False) -> None:
        self.opens, self.frames, self.grey = opens, frames, grey
        self.asked: list[tuple[int, float]] = []
        self.released = False
        self.decoded = 0

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def grab(self) -> bool:
        self.frames -= 1
        return self.frames >= 0

    def retrieve(self, _image: Any = None, /) -> tuple[bool, Any]:
        self.decoded += 1
        shape = (480, 640) if self.grey else (480, 640, 3)
        return True, np.full(shape, 99, np.uint8)

    def set(self, property_id: int, value: float, /) -> bool:
        self.asked.append((property_id, value))
        return False

    width = 640.0

    def get(self, property_id: int, /) -> float:
        return {cv2.CAP_PROP_FRAME_WIDTH: self.width, cv2.CAP_PROP_FRAME_HEIGHT: 480.0}.get(property_id, 30.0)

    def release(self) -> None:
        self.released = True


def never(_seconds: float, /) -> bool:
    raise AssertionError("a camera sets its own pace")


@pytest.fixture
def node(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


def opened(node: Path, capture: FakeCapture) -> tuple[DeviceGrabber, list[tuple[Any, ...]]]:
    calls: list[tuple[Any, ...]] = []

    def opener(where: str | int, back_end: int, options: list[int]) -> Capture:
        calls.append((where, back_end, options))
        return capture

    return DeviceGrabber(str(node), opener), calls


def test_mjpg_is_asked_for_before_size_and_rate_through_v4l2(node: Path) -> None:
    capture = FakeCapture()
    grabber, calls = opened(node, capture)
    grabber.open()
    assert calls == [(str(node), cv2.CAP_V4L2, [])]
    assert [asked for asked, _ in capture.asked[:4]] == [
        cv2.CAP_PROP_FOURCC,
        cv2.CAP_PROP_FRAME_WIDTH,
        cv2.CAP_PROP_FRAME_HEIGHT,
        cv2.CAP_PROP_FPS,
    ]
    assert capture.asked[1][1] == WIDTH
    image = grabber.grab(never)
    assert image is not None
    assert image.shape == (480, 640, 3)
    grabber.close()
    assert capture.released


def test_a_grey_camera_gives_three_channels(node: Path) -> None:
    grabber, _ = opened(node, FakeCapture(grey=True))
    grabber.open()
    image = grabber.grab(never)
    assert image is not None
    assert image.shape == (480, 640, 3)


@pytest.mark.parametrize("kind", ["device", "address"])
def test_a_camera_that_grows_beyond_all_need_is_told_so_before_its_frame_is_decoded(node: Path, kind: str) -> None:
    capture = FakeCapture()
    grabber = opened(node, capture)[0] if kind == "device" else AddressGrabber("http://x/", lambda *_: capture)
    grabber.open()
    assert grabber.grab(never) is not None
    capture.width = 30_000.0
    time.sleep(UNREAD_EVERY)  # a frame that comes sooner after one that nobody took is not decoded
    with pytest.raises(SourceBrokenError, match="30000x480: set it to at most 10 megapixels"):
        grabber.grab(never)
    assert capture.decoded == 1


def test_a_camera_that_stops_is_broken(node: Path) -> None:
    grabber, _ = opened(node, FakeCapture(frames=2))
    grabber.open()
    grabber.grab(never)
    with pytest.raises(SourceBrokenError, match="check its cable"):
        grabber.grab(never)
    grabber.close()
    with pytest.raises(SourceBrokenError):
        grabber.grab(never)


@pytest.mark.parametrize("capture", [FakeCapture(opens=False), FakeCapture(frames=0)])
def test_a_camera_that_is_there_but_gives_nothing_is_busy(node: Path, capture: FakeCapture) -> None:
    grabber, _ = opened(node, capture)
    with pytest.raises(SourceBusyError, match="another program"):
        grabber.open()


def test_a_missing_camera_and_a_forbidden_one_are_told_apart(node: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grabber, calls = opened(node, FakeCapture())
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(SourceBrokenError, match="usermod -aG video"):
        grabber.open()
    node.unlink()
    with pytest.raises(SourceBrokenError, match="There is no camera at"):
        grabber.open()
    assert calls == []


def test_off_linux_a_number_goes_to_opencv_as_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_is_linux", lambda: False)
    calls: list[tuple[Any, ...]] = []

    def opener(where: str | int, back_end: int, options: list[int]) -> Capture:
        calls.append((where, back_end, options))
        return FakeCapture()

    DeviceGrabber("1", opener=opener).open()
    assert calls == [(1, cv2.CAP_ANY, [])]


def test_an_address_is_opened_with_both_time_outs() -> None:
    calls: list[tuple[Any, ...]] = []

    def opener(where: str | int, back_end: int, options: list[int]) -> Capture:
        calls.append((where, back_end, options))
        return FakeCapture(frames=2)

    grabber = AddressGrabber("http://camera/video", opener)
    grabber.open()
    where, back_end, options = calls[0]
    settings = dict(zip(options[::2], options[1::2], strict=True))
    assert (where, back_end) == ("http://camera/video", cv2.CAP_FFMPEG)
    assert settings[cv2.CAP_PROP_OPEN_TIMEOUT_MSEC] == 2000
    assert settings[cv2.CAP_PROP_READ_TIMEOUT_MSEC] == 1500
    assert grabber.grab(never) is not None
    grabber.grab(never)
    with pytest.raises(SourceBrokenError, match="stopped sending"):
        grabber.grab(never)


def test_one_call_of_a_network_camera_opens_or_reads_so_that_it_never_seems_hung() -> None:
    calls: list[str] = []

    class Single(FakeCapture):
        def grab(self) -> bool:
            calls.append("grab")
            return super().grab()

    def opener(*_: object) -> Capture:
        calls.append("open")
        return Single(frames=1)

    grabber = AddressGrabber("http://camera/shot.jpg", opener)
    for _ in range(7):
        before = len(calls)
        grabber.grab(lambda _: False)
        assert len(calls) == before + 1
    assert calls == ["open", "grab", "grab", "open", "grab", "grab", "open"]


@pytest.mark.parametrize(
    ("fps", "least", "most"), [(5, 50, 50), (15, 145, 150), (25, 120, 155), (30, 145, 155), (60, 145, 155)]
)
def test_a_fast_camera_is_thinned_to_fifteen_a_second_and_a_slow_one_not_at_all(
    fps: int, least: int, most: int
) -> None:
    random = np.random.default_rng(fps)
    thinning = Thinning()
    times = [i / fps + random.uniform(-0.004, 0.004) for i in range(10 * fps)]
    assert least <= len(wanted(thinning, times)) <= most


def wanted(thinning: Thinning, times: Iterable[float]) -> list[float]:
    """Return which of the frames that come at these times are wanted, while somebody takes each of these at once."""
    found = []
    for now in times:
        if thinning.wants(now):
            found.append(now)
            thinning.take()
    return found


def test_while_nobody_takes_a_frame_hardly_any_is_decoded_and_each_is_counted() -> None:
    thinning = Thinning()
    busy = [number / 15 for number in range(150)]
    read = [now for now in busy if thinning.wants(now)]
    assert 20 <= len(read) <= 25
    assert thinning.passed_over() == len(busy) - len(read)
    assert thinning.passed_over() == 0
    thinning.take()
    assert len(wanted(thinning, [10 + number / 15 for number in range(15)])) == 15
    assert thinning.passed_over() == 0


def test_a_reader_that_comes_back_gets_a_newer_picture_and_its_number_tells_what_was_missed() -> None:
    thinning = Thinning()
    camera = Clocked(thinning)
    source = GrabbedSource("a camera", lambda: camera, thinning=thinning)
    source.start()
    first = source.newest(0, PATIENCE)
    end = camera.count + 40
    while camera.count < end:  # as long as reading dice takes on a slow computer
        time.sleep(0.05)
    second = source.newest(0 if first is None else first.number, PATIENCE)
    third = source.newest(0 if second is None else second.number, PATIENCE)
    source.close()
    assert first is not None
    assert second is not None
    assert third is not None
    assert second.taken > first.taken + UNREAD_EVERY
    assert third.number - first.number > 10


class Clocked:
    """A camera of 30 frames a second, each of another brightness."""

    frozen_after: float | None = 3.0

    def __init__(self, thinning: Thinning) -> None:
        self._thinning, self.count = thinning, 0

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def grab(self, wait: Waiter) -> Image | None:
        wait(1 / 30)
        self.count += 1
        if not self._thinning.wants(time.monotonic()):
            return None
        picture = np.full((240, 320, 3), 60 + self.count % 100, np.uint8)
        picture[80:160, 80:200] = (20, 160, 220)
        return picture


def test_a_calm_table_takes_half_as_many_until_something_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    thinning = Thinning()
    calm = time.monotonic() + capture.CALM_AFTER + 1
    assert 74 <= len(wanted(thinning, [calm + number / 15 for number in range(150)])) <= 77
    monkeypatch.setattr(time, "monotonic", lambda: calm + 10)
    thinning.hurry()
    assert 73 <= len(wanted(thinning, [calm + 10 + number / 15 for number in range(75)])) <= 75
