"""A folder as the camera of a table: it waits for the match that it watches, and is not lost when it has been shown."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.mat import Mat
from companion.vision.sources import open_source
from tests.live.drawn import DrawnReader, draw, joined, placed

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}}


def until(live: LiveTable, wanted: Callable[[Any], Any]) -> Any:
    end = time.monotonic() + 30
    shot = live.snapshot()
    while not wanted(shot.data):
        assert time.monotonic() < end, shot.data["camera"]
        shot = live.wait(shot.version, 1) or live.snapshot()
    return shot.data


def test_a_folder_is_shown_from_the_match_on_that_it_watches_and_its_last_picture_stays(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, image in enumerate([np.full((480, 640, 3), 90, np.uint8), draw(placed("EI E OU STXZ"))]):
        cv2.imwrite(str(folder / f"{number}.png"), image)
    live = LiveTable(
        tmp_path / "match.db",
        Seeing(open_source(str(folder), waits=True), mat=Mat(), reader=lambda _: DrawnReader()),
        combine=joined,
    )
    live.start()
    assert live.command("new_match", {**MATCH, "dice_by": "tapped"}, "tests").ok
    time.sleep(2.5)  # longer than the folder lasts
    waiting = until(live, lambda data: data["camera"]["status"] == "LIVE")
    assert "waits with its first picture" in waiting["camera"]["sentence"]["text"]
    assert live.command("new_match", {**MATCH, "dice_by": "camera"}, "tests").ok
    thrown = until(live, lambda data: data["match"]["throws"] == 1)
    assert thrown["throw"]["faces"] == {"1": "EI", "2": "E", "3": "OU", "consonants": "STXZ"}
    ended = until(live, lambda data: "reached its end" in data["camera"]["sentence"]["text"])
    assert ended["camera"]["status"] == "LIVE"
    assert ended["state"] != "BLIND"
    live.stop()
