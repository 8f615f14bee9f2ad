"""A camera that is suspended and opened again: over a real line, and whatever the order of the calls."""

import time
from collections.abc import Callable
from itertools import pairwise
from queue import Empty, SimpleQueue

import cv2
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.readings import Image
from companion.vision.sources import open_source
from companion.vision.sources.grabbed import GrabbedSource, Waiter
from companion.vision.sources.source import SourceState
from tests.vision.mjpeg_server import MjpegServer
from tests.vision.stage import Stage


def drawn(stage: Stage) -> bytes:
    return cv2.imencode(".jpg", stage.picture())[1].tobytes()


def wait_for(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_a_suspended_camera_is_hung_up_on_and_comes_back() -> None:
    stage = Stage()
    server = MjpegServer(lambda: drawn(stage))
    source = open_source(server.address)
    assert isinstance(source, GrabbedSource)
    source.start()
    try:
        wait_for(lambda: source.newest(0, 0.2) is not None)
        before = source.newest(0, 60)
        assert before is not None
        source.suspend()
        assert source.state == SourceState.LOST
        assert str(source.sentence).endswith("is resting.")
        assert source.newest(before.number, 0.3) is None
        assert server.opened == 1
        source.wake()
        wait_for(lambda: source.state == SourceState.LIVE)
        after = source.newest(before.number, 60)
        assert after is not None
        assert after.number > before.number
        assert after.taken > before.taken
        assert server.opened == 2
    finally:
        source.close()
        server.close()
    source.wake()
    assert source.state == SourceState.LOST, "what was closed for good stays closed"
    assert server.opened == 2


class Shown:
    """A grabber that gives the pictures that it is given, one after the other."""

    frozen_after: float | None = None

    def __init__(self, pictures: "SimpleQueue[Image]") -> None:
        self._pictures = pictures

    def open(self) -> None:
        pass

    def grab(self, wait: Waiter) -> Image | None:
        try:
            return self._pictures.get_nowait()
        except Empty:
            wait(0.001)
            return None

    def close(self) -> None:
        pass


@given(st.lists(st.sampled_from(["put", "look", "suspend", "wake"]), max_size=40))
@settings(deadline=None, max_examples=25)
def test_numbers_rise_over_all_rests_and_none_is_given_twice(steps: list[str]) -> None:
    picture, pictures = Stage(width=32, height=24).picture(), SimpleQueue[Image]()
    source = GrabbedSource("shown", lambda: Shown(pictures))
    source.start()
    known, seen, put = 0, [], 0
    for step in steps:
        if step == "put" and not source.suspended:
            pictures.put(picture)
            put += 1
        elif step == "look":
            frame = source.newest(known, 0.01)
            if frame is not None:
                known = frame.number
                seen.append(frame)
                assert not source.suspended
        elif step == "suspend":
            source.suspend()
        elif step == "wake":
            source.wake()
    source.close()
    assert all(one.number < other.number and one.taken <= other.taken for one, other in pairwise(seen))
    assert len(seen) <= put
