"""The table without a camera: the program's own game, the journal in trouble, matches that come and go, a clean end."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.desk.lights.marks import Meaning
from companion.desk.lights.theme import theme
from companion.desk.sight import DiceSeen, Sight
from companion.language.sentence import Sentence
from companion.ledger.entries import NewerJournalError
from companion.live.cameras import NoPushedCameraError
from companion.live.features import TableFeatures
from companion.live.inbox import MOST_WAITING, Inbox
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.vision.readings import DiceReading
from firmware_bridge.frame import DARK
from tests.firmware_bridge.recorder import Recorder
from tests.referee.build import MISERICORDIA


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path / "match.db", chance=Random(3))
    table.start()
    yield table
    table.stop()


def begin(table: LiveTable, dice_by: str = "program", **options: Any) -> int:
    data = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": options, "dice_by": dice_by}
    reply = table.command("new_match", data, "tests")
    assert reply.ok, str(reply.sentence)
    number: int = reply.data["match"]
    return number


def wait_until_over(table: LiveTable) -> dict[str, Any]:
    shot = table.snapshot()
    while shot.data["outcome"] is None:
        newer = table.wait(shot.version, 120)
        assert newer is not None
        shot = newer
    return dict(shot.data)


def test_a_clock_that_was_set_back_does_not_bring_an_older_match_back(tmp_path: Path) -> None:
    now = [2_000_000_000.0]
    table = LiveTable(tmp_path / "match.db", clock=lambda: now[0])
    table.start()
    begin(table)
    now[0] -= 36_000
    newer = begin(table)
    table.command("roll", {}, "tests")
    table.stop()
    again = LiveTable(tmp_path / "match.db")
    again.start()
    assert again.snapshot().data["match"]["id"] == newer
    again.stop()


def test_without_a_camera_the_state_is_manual(table: LiveTable) -> None:
    begin(table, "tapped")
    data = table.snapshot().data
    assert data["state"] == "MANUAL"
    assert data["camera"] == {
        "source": None,
        "status": "NONE",
        "sentence": Sentence("There is no camera: tap in the dice.").to_json(),
        "hand": False,
        "phase": None,
        "picture": None,
        "warning": None,
        "telephone": False,
    }
    assert table.picture("table") is None


def test_the_program_plays_a_whole_match_by_itself(table: LiveTable, tmp_path: Path) -> None:
    begin(table, ending="first-to", target=12)
    assert table.command("autoplay", {"on": True, "pace": 1000}, "tests").ok
    data = wait_until_over(table)
    assert not data["autoplay"]
    assert max(player["score"] for player in data["match"]["players"]) == 12
    assert data["outcome"]["teacher"] == data["outcome"]["winners"]
    assert data["curve"][-1] == (data["match"]["throws"], data["match"]["acquired"])
    assert len(data["log"]) <= 200
    with Journal(tmp_path / "match.db", writable=False) as journal:
        assert Match.of(journal.events(1)).position.outcome is not None


def test_the_reply_comes_after_the_snapshot_that_shows_it(table: LiveTable) -> None:
    begin(table)
    for number in range(1, 20):
        table.command("roll", {}, "tests")
        match = table.snapshot().data["match"]
        if table.snapshot().data["awaits"]["kind"] == "throw":
            assert match["throws"] >= number - 3


def test_versions_rise_and_a_snapshot_is_never_changed(table: LiveTable) -> None:
    before = table.snapshot()
    kept = str(before.data)
    begin(table)
    after = table.snapshot()
    assert after.version > before.version
    assert str(before.data) == kept
    assert table.wait(after.version, 0.05) is None
    assert table.wait(before.version, 0.05) == after


def test_a_refused_command_changes_nothing(table: LiveTable) -> None:
    begin(table)
    before = table.snapshot()
    assert not table.command("throw", {"faces": {"1": "Z"}}, "tests").ok
    assert table.snapshot() is before


def test_a_journal_that_cannot_be_written_is_said_and_nothing_happens(table: LiveTable) -> None:
    begin(table)
    table._writer._desk.journal._db.execute("PRAGMA query_only = ON")
    reply = table.command("roll", {}, "tests")
    assert not reply.ok
    data = table.snapshot().data
    assert "could not be written" in data["health"]["journal"]["text"]
    assert data["match"]["throws"] == 0
    table._writer._desk.journal._db.execute("PRAGMA query_only = OFF")
    assert table.command("roll", {}, "tests").ok
    assert table.snapshot().data["health"]["journal"] == "ok"


def test_a_restart_opens_the_last_match_that_is_not_over(table: LiveTable, tmp_path: Path) -> None:
    open_one = begin(table)
    table.command("roll", {}, "tests")
    begin(table)
    table.command("finish", {"reason": "supper"}, "tests")
    table.stop()
    again = LiveTable(tmp_path / "match.db")
    again.start()
    data = again.snapshot().data
    again.stop()
    assert data["match"]["id"] == open_one
    assert data["match"]["paused"]


def test_a_match_is_listed_exported_and_taken_in_elsewhere(table: LiveTable, tmp_path: Path) -> None:
    number = begin(table)
    for _ in range(5):
        table.command("roll", {}, "tests")
    (line,) = table.matches()
    assert (line["id"], line["name"], line["over"], line["paused"]) == (number, "Anna, Ben", False, False)
    lines = list(table.export(number) or [])
    assert table.export(99) is None
    other = LiveTable(tmp_path / "other.db")
    other.start()
    reply = other.import_lines(lines, "tests")
    assert reply.ok
    again = other.import_lines(lines, "tests")
    assert not again.ok
    assert again.data["match"] == reply.data["match"]
    assert not other.import_lines([*lines[:2], "{"], "tests").ok
    other.command("resume", {"match": reply.data["match"]}, "tests")
    assert other.snapshot().data["match"]["throws"] == table.snapshot().data["match"]["throws"]
    other.stop()


def test_a_journal_that_cannot_be_opened_is_raised_by_start(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    with Journal(path) as journal:
        journal._db.execute("PRAGMA user_version = 9")
    with pytest.raises(NewerJournalError):
        LiveTable(path).start()


def test_a_damaged_journal_is_said_on_the_page(table: LiveTable, tmp_path: Path) -> None:
    begin(table)
    table.stop()
    path = tmp_path / "match.db"
    path.write_bytes(path.read_bytes()[:6000])
    again = LiveTable(path)
    again.start()
    assert "was damaged" in again.snapshot().data["health"]["journal"]["text"]
    again.stop()


def test_commands_from_many_pages_are_done_one_after_the_other(table: LiveTable) -> None:
    begin(table)
    replies: list[bool] = []

    def page() -> None:
        replies.extend(table.command("roll", {}, "page").ok for _ in range(10))

    pages = [threading.Thread(target=page) for _ in range(6)]
    for thread in pages:
        thread.start()
    for thread in pages:
        thread.join()
    assert all(replies)
    assert len(table.snapshot().data["log"]) == 61


def test_after_its_end_the_table_answers_that_it_is_closed(table: LiveTable) -> None:
    table.stop()
    reply = table.command("roll", {}, "tests")
    assert "busy or closed" in str(reply.sentence)
    assert table.wait(table.snapshot().version, 5) is None


def test_the_inbox_is_bounded() -> None:
    inbox = Inbox()
    for _ in range(MOST_WAITING):
        assert inbox.ask(lambda: None) is not None  # type: ignore[arg-type, return-value]
    assert inbox.ask(lambda: None) is None  # type: ignore[arg-type, return-value]


def test_dice_that_were_read_wait_until_the_writer_has_looked_at_them() -> None:
    inbox, table = Inbox(), Sight(status="LIVE")
    one, other = (DiceSeen(number, DiceReading((), "read"), b"", (), "", number, watched=True) for number in (1, 2))
    for sight in (
        replace(table, phase="moving"),
        replace(table, seen=one),
        replace(table, seen=one, picture=7),
        replace(table, phase="moving", hand=True),
        replace(table, seen=other),
        replace(table, phase="moving"),
        replace(table, phase="moving", hand=True),
    ):
        inbox.put_sight(sight)
    taken = [inbox.take(0)[1] for _ in range(3)]
    assert [sight and (sight.seen, sight.picture, sight.hand) for sight in taken] == [
        (one, 7, False),
        (other, None, False),
        (None, None, True),
    ]


def test_frames_are_not_taken_where_no_page_is_the_camera(table: LiveTable) -> None:
    with pytest.raises(NoPushedCameraError):
        table.offer_frame(b"")


def test_the_leds_show_what_was_won_and_go_dark_at_the_end(tmp_path: Path) -> None:
    board = Recorder()
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=board))
    table.start()
    begin(table, "tapped")
    faces = dict(zip(("1", "2", "3", "consonants"), MISERICORDIA.split(), strict=True))
    table.command("throw", {"faces": faces}, "tests")
    lights = table.snapshot().data["lights"]
    won = theme().styles[Meaning.LAST].colour
    assert won is not None
    patience = time.monotonic() + 60
    while not (board.frames and any(colour != DARK for colour in board.frames[-1].colours)):
        assert time.monotonic() < patience
        time.sleep(0.01)
    table.stop()
    assert lights["lit"] == {"1.2.5": {"meaning": "last", "player": 1}}
    lit = [frame for frame in board.frames if any(colour != DARK for colour in frame.colours)]
    assert [len(frame.colours) for frame in lit] == [56] * len(lit)
    assert [colour for colour in lit[-1].colours if colour != DARK] == [won.dimmed(theme().styles[Meaning.LAST].share)]
    assert set(board.frames[-1].colours) == {DARK}
    assert board.closed
