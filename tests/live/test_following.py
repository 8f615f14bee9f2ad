"""What the writer calls a feature of the table for: a follower that keeps count hears of everything in its order."""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.desk.page.table import FeatureParts
from companion.desk.table.square_sense import SquareSense
from companion.language.sentence import Sentence
from companion.live.cameras import Cameras
from companion.live.following import Follower, MatchNow, OpenTable
from companion.live.inbox import Inbox
from companion.live.pictures import Pictures
from companion.live.seeing import Seeing
from companion.live.snapshot import SnapshotStore
from companion.live.watching.dice_settings import WatchSettings, combined, dice_reader
from companion.live.writer import Parts, Writer
from companion.players.strengths import USUAL
from companion.referee.match import Match
from tests.live.drawn import DrawnSource

PLAYERS = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "program"}


class Noting(Follower):
    """Notes what it is called for; throws once when it is asked to."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.throws = False

    def open(self, table: OpenTable) -> None:
        super().open(table)
        self.calls.append("open")

    def watch(self, camera: str | None) -> None:
        self.calls.append(("watch", camera))

    def begin(self, match: Match | None) -> None:
        self.calls.append(("begin", None if match is None else match.id))

    def deleted(self, match: int) -> None:
        self.calls.append(("deleted", match))

    def check(self) -> None:
        self.calls.append("look")

    def due(self, now: float) -> float | None:
        del now
        return 0.0 if self.throws else None

    def go_on(self, now: float) -> None:
        del now
        self.calls.append("go on")
        if self.throws:
            self.throws = False
            assert self._table.command("roll", {}, "noting").ok

    def publish(self, now: MatchNow) -> FeatureParts:
        self.calls.append(("publish", now.state, now.suspended))
        return {"demonstration": {"kind": "over", "sentence": Sentence("It is over.").to_json()}}


class Room:
    """A writer without its loop, with two followers."""

    def __init__(self, path: Path) -> None:
        self.first, self.plain, self.shown = Noting(), Follower(), SnapshotStore(0)
        pictures = Pictures()
        settings = WatchSettings(None, dice_reader(), combined)
        self.cameras = Cameras(None, None, settings, pictures, Inbox())
        followers = (self.first, self.plain)
        squares = SquareSense(None, time.monotonic)
        parts = Parts(self.shown, lambda: 5.0, Random(1), pictures, self.cameras, squares, USUAL, "", followers)
        self.writer = Writer(path, parts)

    def heard(self) -> list[Any]:
        """Return what the follower was called for since this was asked last."""
        calls, self.first.calls = self.first.calls, []
        return calls

    def done(self, name: str, **data: Any) -> None:
        reply = self.writer.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "match.db")
    with room.writer.open():
        yield room
    assert room.heard()[-1] == ("watch", None)


def test_a_follower_takes_the_open_table_then_the_cameras_then_the_match(room: Room) -> None:
    assert room.heard() == ["open", ("watch", None), ("begin", None)]
    room.writer.use_cameras(Seeing(DrawnSource()), None)
    assert room.heard() == [("watch", DrawnSource.name), ("begin", None)]
    room.cameras.stop()


def test_a_follower_hears_of_each_match_that_begins_and_that_is_deleted(room: Room) -> None:
    room.heard()
    room.done("new_match", **PLAYERS)
    assert room.heard() == [("begin", 1)]
    room.done("roll")
    assert room.heard() == []
    room.done("new_match", **PLAYERS)
    assert room.heard() == [("begin", 2)]
    room.done("delete_match", match=1, last_hash=room.first._table.desk.journal.events(1)[-1].hash)
    assert room.heard() == [("deleted", 1)]


def test_a_follower_looks_before_the_table_is_judged_and_goes_on_after_that(room: Room) -> None:
    room.done("new_match", **PLAYERS)
    room.heard()
    room.writer.go_on()
    assert room.heard() == ["look", "go on"]


def test_a_follower_that_is_due_wakes_the_writer_and_may_act(room: Room) -> None:
    room.done("new_match", **PLAYERS)
    match = room.first._table.desk.match
    assert match is not None
    assert set(room.writer.waits()) == {None}
    room.first.throws = True
    assert 0.0 in room.writer.waits()
    room.writer.go_on()
    after = room.first._table.desk.match
    assert after is not None
    assert len(after.entries) == len(match.entries) + 1
    assert after.entries[-1].actor == "noting"


def test_no_follower_acts_while_the_journal_takes_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.done("new_match", **PLAYERS)
    desk = room.first._table.desk
    room.first.throws = desk.waits_for_room = True
    monkeypatch.setattr(desk, "try_again", lambda: False)
    room.heard()
    assert [wait for wait in room.writer.waits() if wait is not None] == [1.0]
    room.writer.go_on()
    assert room.heard() == []


def test_the_snapshot_has_the_parts_that_followers_fill_and_nothing_of_others(room: Room) -> None:
    room.writer.set_suspended(suspended=True)
    room.heard()
    room.writer.publish(hurried=False)
    assert room.heard() == [("publish", "MANUAL", True)]
    data = room.shown.newest().data
    assert data["demonstration"]["sentence"]["text"] == "It is over."
    assert data["lights"] is None
