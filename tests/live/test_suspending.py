"""A suspended table: its camera closed, its lights dark, its match untouched; and what a watchdog asks of it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest

from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.mat import Mat
from companion.vision.readings import DiceReading, Image
from companion.vision.sources import open_source
from tests.firmware_bridge.simulated.transport import SimulatedTransport
from tests.vision.mjpeg_server import MjpegServer
from tests.vision.stage import Stage


def drawn(stage: Stage) -> bytes:
    return cv2.imencode(".jpg", stage.picture())[1].tobytes()


class Blind:
    """Sees no dice, and takes no time for it: what is on show are not the dice."""

    def read(self, image: Image) -> DiceReading:
        del image
        return DiceReading((), "ignored", "")


def wait_for(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    stage = Stage()
    server = MjpegServer(lambda: drawn(stage))
    yield server
    server.close()


def test_camera_and_lights_are_suspended_and_wake(tmp_path: Path, camera: MjpegServer) -> None:
    table = LiveTable(
        tmp_path / "match.db",
        Seeing(open_source(camera.address), mat=Mat(), reader=lambda _: Blind()),
        TableFeatures(leds=SimulatedTransport()),
    )
    table.start()
    try:
        table.command(
            "new_match", {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "program"}, "tests"
        )
        while not table.snapshot().data["match"]["acquired"]:
            table.command("roll", {}, "tests")
        wait_for(lambda: table.vitals().frame_age is not None)
        wait_for(lambda: any(max(colour) for colour in (table.upkeep.leds.shown() or {}).values()))
        throws = table.snapshot().data["match"]["throws"]
        assert table.set_suspended(suspended=True).ok
        wait_for(lambda: table.snapshot().data["camera"]["status"] == "LOST")
        wait_for(lambda: not any(max(colour) for colour in (table.upkeep.leds.shown() or {}).values()))
        assert table.vitals().frame_age is None, "no frame is to be expected at night"
        assert table.vitals().writer
        opened = camera.opened
        time.sleep(1)
        assert camera.opened == opened
        assert table.set_suspended(suspended=False).ok
        wait_for(lambda: table.snapshot().data["camera"]["status"] == "LIVE")
        wait_for(lambda: any(max(colour) for colour in (table.upkeep.leds.shown() or {}).values()))
        assert table.snapshot().data["match"]["throws"] == throws
    finally:
        table.stop()
    assert not table.vitals().writer, "a table that was stopped does not answer"


def test_a_camera_that_stops_makes_the_newest_frame_old(tmp_path: Path, camera: MjpegServer) -> None:
    table = LiveTable(tmp_path / "match.db", Seeing(open_source(camera.address), mat=Mat(), reader=lambda _: Blind()))
    assert table.vitals().frame_age is None
    table.start()
    try:
        wait_for(lambda: table.vitals().frame_age is not None)
        camera.stall.set()
        wait_for(lambda: (table.vitals().frame_age or 0) > 1.5)
        camera.stall.clear()
        wait_for(lambda: (table.vitals().frame_age or 9) < 1)
    finally:
        table.stop()
