"""A board that is calibrated while the table runs is followed at once, also in the middle of a match."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.live.board_side import at_place
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.live.watching.board_steps import BoardWatchSettings
from companion.rules.registry import game
from companion.vision.boards.board_profile import BoardProfile, only_board
from companion.vision.boards.places import CalibratedPlaces, FoundPlaces
from companion.vision.boards.pose import pose_from_corners
from companion.vision.sources.pushed import PushedSource
from tests.calibration.board.printed_board import printed_film
from tests.live.drawn import DrawnReader, joined
from tests.live.drawn_board import BoardStage
from tests.referee.board.simulated import seating_of
from workshop.board_scenes.render import RenderedBoard

ZENO = "tables/zeno"
START = {"a": {"light": 15}, "z": {"dark": 15}}
SECONDS = 60.0


@cache
def begun() -> RenderedBoard:
    """Return a picture of the board at the start of a match."""
    return printed_film(4).picture(START, 0)


def profile_of(shown: RenderedBoard, board: str = "tables") -> BoardProfile:
    pose = pose_from_corners(shown.corners, (shown.image.shape[1], shown.image.shape[0]))
    made = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
    return BoardProfile("oak", board, made, only_board(shown.image, pose, {}), shown.corners, "hand")


class Room:
    """A table whose only camera was begun for the dice."""

    def __init__(self, path: Path) -> None:
        self.camera = PushedSource()
        self.table = LiveTable(path, Seeing(self.camera, reader=lambda _: DrawnReader()), combine=joined)
        self.table.start()

    def until(self, jpeg: bytes, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Show a picture until something is true."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            self.camera.offer(jpeg)
            data = dict(self.table.snapshot().data)
            if true(data):
                return data
            time.sleep(0.1)
        raise AssertionError(f"It stays {data['state']}: {data['state_sentence']['text']}")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path / "match.db")
    yield made
    made.table.stop()


def test_a_table_that_nobody_told_of_a_board_follows_it_and_in_mid_match_from_its_new_place(room: Room) -> None:
    shown = begun()
    new = {"game": ZENO, "players": ["Anna", "Ben"], "dice_by": "tapped"}
    assert not room.table.command("new_match", {**new, "men_by": "camera"}, "tests").ok
    assert room.table.board_camera() is room.camera
    reply = room.table.calibrated(profile_of(shown), "tests")
    assert reply.ok
    assert ZENO in room.table.snapshot().data["board_camera"]
    assert room.table.command("new_match", new, "tests").ok
    ask = room.until(shown.jpeg, lambda data: data["watch"]["ask"])["watch"]["ask"]
    place = next(n for n, one in enumerate(ask["candidates"]) if one["sentence"]["text"].startswith("light is Anna's"))
    assert room.table.command("answer_board", {"ask": ask["id"], "candidate": place}, "tests").ok
    before = room.until(shown.jpeg, lambda data: data["state"] == "SYNCED")

    moved = printed_film(4).picture(START, 1, shift=(1.2, -0.8, 11.0))
    reply = room.table.calibrated(profile_of(moved), "tests")
    assert "the match goes on as it stands" in str(reply.sentence)
    state = room.until(
        moved.jpeg, lambda data: data["state"] == "SYNCED" and data["watch"]["picture"] != before["watch"]["picture"]
    )
    assert state["log"] == before["log"]
    assert state["board"] == before["board"]


def test_without_a_camera_nothing_is_followed_and_it_is_said(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "match.db")
    table.start()
    try:
        assert table.board_camera() is None
        reply = table.calibrated(profile_of(begun()), "tests")
        assert not reply.ok
        assert "No camera" in str(reply.sentence)
    finally:
        table.stop()


def test_a_sample_table_is_not_calibrated(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(sample="zeno"))
    assert table.board_camera() is None


def test_other_boards_are_looked_for_as_before() -> None:
    stage = BoardStage(seating_of(game(ZENO)))
    settings = at_place(BoardWatchSettings(lambda _: stage), profile_of(begun()))
    assert settings.places is not None
    assert isinstance(settings.places("tables", stage), CalibratedPlaces)
    assert isinstance(settings.places("8x16", stage), FoundPlaces)
