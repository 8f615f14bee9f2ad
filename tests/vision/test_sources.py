"""The life of a source: it starts, goes stale, is lost, comes back by itself, and closes even when its driver hangs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.language.sentence import Sentence
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Frame, Image
from companion.vision.sources import grabbed, names_device, open_source, pushed
from companion.vision.sources.device import DeviceGrabber
from companion.vision.sources.grabbed import GrabbedSource, Waiter
from companion.vision.sources.pushed import PushedSource
from companion.vision.sources.source import (
    FrameSource,
    SourceBrokenError,
    SourceClosedError,
    SourceState,
    UnknownSourceError,
)

from .mjpeg_server import MjpegServer
from .stage import Stage, four_dice


@cache
def drawn_pictures() -> list[Image]:
    stage = Stage(dice=four_dice())
    return [stage.picture() for _ in range(6)]


@pytest.mark.parametrize(
    ("spec", "device"),
    [("0", True), ("/dev/video0", True), ("/dev/shm/throws", False), ("dev/throws", False), ("throws.mp4", False)],
)
def test_a_folder_in_shared_memory_is_no_device(spec: str, *, device: bool) -> None:
    assert names_device(spec) == device


def jpeg(picture: Image) -> bytes:
    done, data = cv2.imencode(".jpg", picture)
    assert done
    return data.tobytes()


@contextmanager
def running(source: FrameSource) -> Iterator[FrameSource]:
    source.start()
    try:
        yield source
    finally:
        source.close()


def state(source: FrameSource) -> SourceState:
    """Ask anew: a type checker would take the state for settled after the first question."""
    return source.state


def until(claim: Callable[[], bool], seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if claim():
            return True
        time.sleep(0.01)
    return False


class Camera:
    """A grabber that does as the test says."""

    frozen_after: float | None = None

    def __init__(self) -> None:
        self.opened = self.closed = self.number = 0
        self.fault: Exception | None = None
        self.frozen = self.black = False
        self.hang = threading.Event()
        self.wake = threading.Event()

    def open(self) -> None:
        self.opened += 1
        if self.fault is not None:
            raise self.fault

    def grab(self, wait: Waiter) -> Image | None:
        if self.hang.is_set():
            self.wake.wait()
        if wait(0.005):
            return None
        if self.fault is not None:
            raise self.fault
        self.number += not self.frozen
        if self.black:  # a covered sensor still has noise: no two of its pictures are the same
            return np.full((360, 640, 3), self.number % 2, np.uint8)
        return drawn_pictures()[self.number % len(drawn_pictures())]

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("STALE_AFTER", 0.15), ("FIRST_BACK_OFF", 0.05), ("LONGEST_BACK_OFF", 0.1)):
        monkeypatch.setattr(grabbed, name, seconds)


def test_each_picture_of_a_real_camera_says_what_its_thread_has_computed() -> None:
    class Real(Camera):
        frozen_after: float | None = 60.0

    with running(GrabbedSource("test", Real)) as source:
        first = source.newest(0, 60)
        assert first is not None
        later = source.newest(first.number + 20, 60)
    assert later is not None
    assert first.effort is not None
    assert later.effort is not None
    assert 0 < later.effort.part < later.effort.computed
    assert 0 < later.effort.share_since(first.effort, later.taken - first.taken) <= 1


def test_frames_are_numbered_timed_and_the_newest_wins() -> None:
    camera = Camera()
    with running(GrabbedSource("test", lambda: camera)) as source:
        first = source.newest(0, 60)
        assert first is not None
        assert until(lambda: camera.number > 20)
        second = source.newest(first.number, 60)
        assert second is not None
        assert second.number > first.number + 5  # those in between are gone
        assert first.taken < second.taken <= time.monotonic()
        assert second.source == "test"
        assert state(source) is SourceState.LIVE
        assert source.newest(10**9, 0.01) is None


def test_before_the_first_frame_it_is_starting_and_afterwards_closed() -> None:
    source = GrabbedSource("test", Camera)
    assert state(source) is SourceState.STARTING
    source.start()
    source.start()
    assert source.newest(0, 60) is not None
    source.close()
    source.close()
    assert state(source) is SourceState.LOST
    assert "closed" in str(source.sentence)
    with pytest.raises(SourceClosedError):
        source.start()
    began = time.monotonic()
    assert source.newest(10**9, 600) is None
    assert time.monotonic() - began < 500, "a source that is closed has nothing to wait for"


@pytest.mark.usefixtures("quick")
def test_a_broken_camera_says_why_and_comes_back_by_itself() -> None:
    camera = Camera()
    with running(GrabbedSource("test", lambda: camera)) as source:
        assert source.newest(0, 60) is not None
        camera.fault = SourceBrokenError(Sentence("The cable is out: plug it in."))
        assert until(lambda: state(source) is SourceState.LOST)
        assert str(source.sentence) == "The cable is out: plug it in."
        camera.fault = ValueError("a driver's surprise")
        assert until(lambda: "ValueError" in str(source.sentence))
        camera.fault = None
        assert until(lambda: state(source) is SourceState.LIVE)
        assert camera.opened > 2
    assert camera.closed == camera.opened


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("fault", "word"), [("frozen", "again and again"), ("black", "black")])
def test_a_frozen_or_covered_camera_goes_stale_and_recovers(fault: str, word: str) -> None:
    camera = Camera()
    camera.frozen_after = 0.15
    with running(GrabbedSource("test", lambda: camera)) as source:
        assert source.newest(0, 60) is not None
        setattr(camera, fault, True)
        assert until(lambda: state(source) is SourceState.STALE and word in str(source.sentence))
        setattr(camera, fault, False)
        assert until(lambda: state(source) is SourceState.LIVE)


@pytest.mark.usefixtures("quick")
def test_a_camera_frozen_for_long_is_opened_again() -> None:
    camera = Camera()
    camera.frozen_after = 0.05
    camera.frozen = True
    with running(GrabbedSource("test", lambda: camera)) as source:
        assert until(lambda: camera.opened > 1)
        assert until(lambda: "frozen" in str(source.sentence))


def test_a_picture_that_stands_still_in_a_file_is_not_frozen() -> None:
    camera = Camera()
    camera.frozen = True
    with running(GrabbedSource("test", lambda: camera)) as source:
        first = source.newest(0, 60)
        assert first is not None
        time.sleep(0.3)
        assert source.newest(first.number, 60) is not None
        assert state(source) is SourceState.LIVE


def test_closing_does_not_wait_for_a_driver_that_hangs() -> None:
    camera = Camera()
    source = GrabbedSource("test", lambda: camera)
    source.start()
    assert source.newest(0, 60) is not None
    camera.hang.set()
    time.sleep(0.05)
    source.close()  # while it still hangs
    assert camera.closed == 0
    camera.wake.set()
    assert until(lambda: camera.closed == 1)  # left behind, it still lets go of the device


@pytest.mark.usefixtures("quick")
def test_a_hung_driver_is_left_behind_and_the_camera_opened_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grabbed, "STUCK_SECONDS", 0.2)
    cameras: list[Camera] = []

    def make() -> Camera:
        cameras.append(Camera())
        return cameras[-1]

    with running(GrabbedSource("test", make)) as source:
        assert source.newest(0, 60) is not None
        cameras[0].hang.set()
        assert until(lambda: state(source) is SourceState.STALE)
        assert until(lambda: source.newest(10**9, 0.02) is None and state(source) is SourceState.LIVE)
        assert len(cameras) == 2
    cameras[0].wake.set()


def test_a_page_pushes_frames_through_the_same_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    source = PushedSource()
    with running(source):
        assert state(source) is SourceState.STARTING
        source.offer(jpeg(drawn_pictures()[0]))
        frame = source.newest(0, 0.0)
        assert isinstance(frame, Frame)
        assert frame.image.shape == (360, 640, 3)
        assert state(source) is SourceState.LIVE
        monkeypatch.setattr(pushed, "STALE_AFTER", -1.0)
        assert state(source) is SourceState.STALE
        monkeypatch.setattr(pushed, "LOST_AFTER", -1.0)
        assert state(source) is SourceState.LOST
        assert "open it again" in str(source.sentence)
    with pytest.raises(SourceClosedError):
        source.offer(jpeg(drawn_pictures()[0]))


def test_a_pushed_picture_that_somebody_has_is_not_painted_over() -> None:
    source, held, pictures = PushedSource(), [], drawn_pictures()
    for number in range(8):
        source.offer(jpeg(pictures[number % len(pictures)]))
        frame = source.newest(number, 0.0)
        assert frame is not None
        held.append((frame.image, frame.image.copy()))
    assert all(np.array_equal(image, as_it_came) for image, as_it_came in held)
    assert len({image.tobytes() for image, _ in held}) > 1


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (lambda: b"", "empty"),
        (lambda: b"no picture", "none of these"),
        (lambda: jpeg(drawn_pictures()[0])[:-900], "cut short"),
        (lambda: jpeg(np.zeros((480, 640, 3), np.uint8)), "black"),
        (lambda: jpeg(np.zeros((6000, 8000, 3), np.uint8)), "8000x6000"),
        (lambda: jpeg(np.asarray(drawn_pictures()[0][:64, :64])), "64x64"),
    ],
)
def test_a_pushed_frame_that_is_useless_is_refused_and_changes_nothing(data: Callable[[], bytes], word: str) -> None:
    source = PushedSource()
    with pytest.raises(BadFrameError, match=word):
        source.offer(data())
    assert source.newest(0, 0.0) is None
    source.offer(jpeg(drawn_pictures()[0]))
    assert source.newest(0, 0.0) is not None


def test_many_pages_pushing_at_once_never_pile_up() -> None:
    source = PushedSource()
    data = jpeg(drawn_pictures()[0])
    threads = [threading.Thread(target=source.offer, args=(data,)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    frame = source.newest(0, 0.0)
    assert frame is not None
    assert 1 <= frame.number <= 12


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    sent = iter(range(10**9))
    files = [jpeg(picture) for picture in drawn_pictures()]
    camera = MjpegServer(lambda: files[next(sent) % len(files)])
    yield camera
    camera.close()


def test_a_network_camera_is_read_and_found_again_after_a_stall_and_a_hang_up(server: MjpegServer) -> None:
    with running(open_source(server.address)) as source:
        first = source.newest(0, 60)
        assert first is not None
        assert np.abs(first.image.astype(int) - drawn_pictures()[0]).mean() < 6
        server.stall.set()
        assert until(lambda: state(source) is not SourceState.LIVE)
        server.stall.clear()
        assert until(lambda: state(source) is SourceState.LIVE)
        again = server.opened
        seen = source.newest(0, 60)
        assert seen is not None
        assert source.newest(seen.number + 2, 60) is not None, "the stream goes on: it is no single picture"
        server.drop.set()
        assert until(lambda: state(source) is SourceState.LOST)
        assert "network" in str(source.sentence)
        server.drop.clear()
        assert until(lambda: state(source) is SourceState.LIVE)
        assert server.opened > again


def test_a_network_camera_that_is_not_there_is_lost_with_an_address_without_its_password() -> None:
    with running(open_source("http://anna:secret@127.0.0.1:9/video?key=abc")) as source:
        assert until(lambda: state(source) is SourceState.LOST)
        assert "http://127.0.0.1:9/video" in str(source.sentence)
        assert "secret" not in str(source.sentence) + source.name
        assert "key" not in str(source.sentence) + source.name


@pytest.mark.parametrize("spec", ["", "  ", "no-such-thing", "file.mp4", "\0", "ftp://camera"])
def test_a_name_that_names_nothing_is_refused_in_one_sentence(spec: str) -> None:
    with pytest.raises(UnknownSourceError, match=r"Expected a camera such as 0"):
        open_source(spec)


def test_each_name_opens_its_kind(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").touch()
    names = {spec: open_source(spec).name for spec in ("0", "/dev/video3", "push", str(tmp_path), "rtsp://cam:554/1")}
    assert names["0"] == "camera 0"
    assert names["push"] == "the camera page"
    assert names["rtsp://cam:554/1"] == "camera rtsp://cam:554/1"
    assert open_source(str(tmp_path / "clip.mp4")).name == "video clip.mp4"


def test_a_device_is_given_the_settings_that_a_profile_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def missing(device: str, *, settings: object, thinning: object) -> DeviceGrabber:
        del thinning
        given.append(settings)
        return DeviceGrabber(f"/dev/no-camera-{device}")

    monkeypatch.setattr("companion.vision.sources.DeviceGrabber", missing)
    with running(open_source("7", settings={"exposure": 80.0})):
        assert until(lambda: bool(given))
    assert given[0] == {"exposure": 80.0}
