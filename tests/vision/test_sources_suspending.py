"""A camera that is suspended and opened again: over a real line, and whatever the order of the calls."""

import time
from collections.abc import Callable
from itertools import pairwise

import cv2
from hypothesis import given
from hypothesis import strategies as st

from companion.language.sentence import Sentence
from companion.vision.readings import Frame
from companion.vision.sources import open_source
from companion.vision.sources.source import NewestFrame, SourceState
from companion.vision.sources.suspending import SuspendableSource
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
    source = SuspendableSource(lambda: open_source(server.address))
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
    assert source.suspended, "what was closed for good stays closed"


class Shown:
    """A source that gives a frame when it is told to."""

    name = "shown"
    state = SourceState.LIVE
    sentence = Sentence("It is shown.")

    def __init__(self) -> None:
        self.slot = NewestFrame(self.name)

    def start(self) -> None:
        pass

    def close(self) -> None:
        self.slot.shut()

    def newest(self, after: int, timeout: float) -> Frame | None:
        return self.slot.newer(after, timeout)


@given(st.lists(st.sampled_from(["put", "look", "suspend", "wake"]), max_size=40))
def test_numbers_rise_over_all_cameras_and_none_is_given_twice(steps: list[str]) -> None:
    picture = Stage(width=32, height=24).picture()
    made: list[Shown] = []

    def make() -> Shown:
        made.append(Shown())
        return made[-1]

    source = SuspendableSource(make)
    source.start()
    known, seen, put = 0, [], 0
    for step in steps:
        if step == "put" and not source.suspended:
            made[-1].slot.put(picture)
            put += 1
        elif step == "look":
            frame = source.newest(known, 0.0)
            if frame is not None:
                known = frame.number
                seen.append(frame)
        elif step == "suspend":
            source.suspend()
        elif step == "wake":
            source.wake()
    assert all(one.number < other.number and one.taken <= other.taken for one, other in pairwise(seen))
    assert len(seen) <= put
