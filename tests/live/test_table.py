"""The running table with a camera: what was thrown is committed once, what is unsure is asked, nothing is guessed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.dice import Throw
from tests.live.drawn import DrawnReader, DrawnSource, draw, joined, placed
from tests.referee.build import KARITAS, MISERICORDIA, NOTHING

OTHER = "EI E OU STXZ"


class Room:
    """A table, its drawn camera and its reader."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reader = DrawnReader()
        self.source = DrawnSource()
        self.table = LiveTable(path, Seeing(self.source, reader=lambda _: self.reader), combine=joined)
        self.table.start()

    def begin(self, game: str = "ludus-regularis", **options: Any) -> None:
        self.done("new_match", game=game, players=["Anna", "Ben"], options=options, dice_by="camera")

    def done(self, name: str, **data: Any) -> dict[str, Any]:
        reply = self.table.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)
        return dict(reply.data)

    def refused(self, name: str, **data: Any) -> str:
        reply = self.table.command(name, data, "tests")
        assert not reply.ok
        return str(reply.sentence)

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until the snapshot is so."""
        shot = self.table.snapshot()
        while not true(dict(shot.data)):
            newer = self.table.wait(shot.version, 120)
            assert newer is not None, f"it stays {shot.data['state_sentence']['text']} with {shot.data['ask']}"
            shot = newer
        return dict(shot.data)

    def state(self, state: str) -> dict[str, Any]:
        return self.until(lambda data: data["state"] == state)

    def settled(self) -> dict[str, Any]:
        """Let everything be seen and return the snapshot then."""
        self.source.seen()
        self.done("autoplay", on=False)  # the writer has looked at what came before
        return self.until(lambda data: data["camera"]["phase"] == "still")

    def throws(self) -> int:
        match: dict[str, Any] = self.table.snapshot().data["match"]
        return int(match["throws"])

    def replayed(self) -> Match:
        with Journal(self.path, writable=False) as journal:
            return Match.of(journal.events(journal.matches()[0].id))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "match.db")
    yield room
    room.table.stop()


@pytest.fixture
def playing(room: Room) -> Room:
    room.begin()
    room.source.empty()
    room.state("SYNCED")
    return room


def test_cameras_may_wait_and_start_once(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "journal.db", Seeing(DrawnSource(), reader=lambda _: DrawnReader()))
    table.start(cameras=False)
    try:
        assert table.command("new_match", {"game": "ludix", "players": ["Anna", "Ben"]}, "tests").ok
        assert table._cameras.threads() == []
        for _ in range(2):
            table.start_cameras()
        assert [one.is_alive() for one in table._cameras.threads()] == [True]
    finally:
        table.stop()


def threw(number: int) -> Callable[[dict[str, Any]], bool]:
    return lambda data: data["match"]["throws"] == number and data["state"] == "SYNCED"


def test_a_throw_is_seen_read_judged_and_shown(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA))
    data = playing.until(threw(1))
    assert data["throw"]["faces"] == dict(Throw.parse("wibold", MISERICORDIA).shown)
    assert data["throw"]["by"] == "camera"
    assert [die["die"] for die in data["throw"]["dice"]] == ["1", "2", "3", "consonants"]
    assert "Anna acquires" in data["throw"]["sentence"]["text"]
    assert data["virtues"][8]["owner"] is None
    assert [virtue["id"] for virtue in data["virtues"] if virtue["owner"]] == ["1.2.5"]
    assert data["awaits"]["player"] == 2
    assert playing.table.picture(data["throw"]["crop"])
    assert playing.table.picture("table")


def test_a_throw_that_lies_there_is_committed_once(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA))
    playing.until(threw(1))
    for _ in range(3):
        playing.source.show(draw(placed(MISERICORDIA, 4.0)), 2)  # somebody leans on the table
        playing.source.show(draw(placed(MISERICORDIA)))
    playing.settled()
    assert playing.throws() == 1


def test_throw_follows_throw(playing: Room) -> None:
    for number, text in enumerate([MISERICORDIA, NOTHING, OTHER, MISERICORDIA], start=1):
        playing.source.empty()
        playing.source.throw(placed(text, 20.0 * number))
        playing.until(threw(number))
    assert playing.replayed().position.scores() == {1: 1, 2: 0}


def test_an_unsure_die_is_asked_about_and_nothing_is_committed(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["3"])
    data = playing.state("PROPOSED")
    ask = data["ask"]
    assert [die["status"] for die in ask["dice"]] == ["read", "read", "ask", "read"]
    assert ask["suggestion"]["3"] == "I"
    assert playing.table.picture(ask["dice"][2]["crop"])
    assert playing.throws() == 0
    playing.done("answer", ask=ask["id"], faces={"3": "I"})
    data = playing.until(threw(1))
    assert data["throw"]["faces"] == dict(Throw.parse("wibold", MISERICORDIA).shown)
    assert data["throw"]["by"] == "camera"


def test_a_die_that_was_asked_about_is_never_filled_in_from_the_suggestion(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["2", "3"])
    ask = playing.state("PROPOSED")["ask"]
    playing.refused("answer", ask=ask["id"], faces={"3": "I"})
    assert playing.throws() == 0
    assert playing.state("PROPOSED")["ask"]["id"] == ask["id"]


def test_an_answered_throw_is_not_read_again(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["3"])
    ask = playing.state("PROPOSED")["ask"]
    playing.done("answer", ask=ask["id"], faces={"3": "OU"})
    playing.source.show(draw(placed(MISERICORDIA, 3.0)), 2)
    playing.source.show(draw(placed(MISERICORDIA)))
    playing.settled()
    assert playing.throws() == 1


def test_dice_that_move_while_asked_about_make_a_new_question_and_the_old_one_is_stale(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["3"])
    first = playing.state("PROPOSED")["ask"]["id"]
    playing.source.throw(placed(OTHER, 60.0))
    data = playing.until(lambda data: data["ask"] and data["ask"]["id"] != first)
    assert playing.throws() == 0
    assert "moved" in playing.refused("answer", ask=first, faces={"3": "I"})
    playing.done("answer", ask=data["ask"]["id"], faces={})
    assert playing.until(threw(1))["throw"]["faces"] == dict(Throw.parse("wibold", OTHER).shown)


def test_a_question_put_aside_is_not_asked_again_about_the_same_dice(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["3"])
    ask = playing.state("PROPOSED")["ask"]
    playing.done("dismiss", ask=ask["id"], reason="somebody pushed the table")
    playing.source.show(draw(placed(MISERICORDIA, 3.0)), 2)
    playing.source.show(draw(placed(MISERICORDIA), unsure=["3"]))
    data = playing.settled()
    assert data["ask"] is None
    assert playing.throws() == 0
    assert "no longer open" in playing.refused("dismiss", ask=ask["id"], reason="")


def test_a_missing_die_is_a_mismatch_with_a_sentence(playing: Room) -> None:
    dice = placed(MISERICORDIA)
    del dice["consonants"]
    playing.source.throw(dice)
    assert "the tetrahedron is missing" in playing.state("MISMATCH")["state_sentence"]["text"]
    assert playing.throws() == 0


def test_the_second_cast_is_one_cube_that_moved(playing: Room) -> None:
    playing.source.throw(placed(KARITAS))
    assert playing.until(lambda data: data["awaits"]["kind"] == "recast")["match"]["throws"] == 1
    lifted = placed(KARITAS)
    del lifted["2"]
    playing.source.show(draw(lifted))
    again = placed(KARITAS) | {"2": ("UAE", 480.0, 380.0)}
    playing.source.throw(again)
    data = playing.until(lambda data: data["awaits"]["kind"] == "throw")
    assert data["throw"]["faces"] == {"1": "A", "2": "UAE", "3": "I", "consonants": "GHKL"}
    assert data["match"]["players"][0]["virtues"] == ["1.1.1"]
    assert data["match"]["throws"] == 1
    playing.source.empty()
    playing.source.throw(placed(NOTHING, 30.0))
    playing.until(threw(2))


def test_dice_that_lay_there_before_the_match_are_asked_about(room: Room) -> None:
    room.source.show(draw(placed(MISERICORDIA)))
    room.settled()
    room.begin()
    data = room.state("PROPOSED")
    assert "before anybody watched" in data["ask"]["sentence"]["text"]


def test_a_restart_with_the_dice_of_the_last_throw_on_the_table_reads_nothing(playing: Room, tmp_path: Path) -> None:
    playing.source.throw(placed(MISERICORDIA))
    playing.until(threw(1))
    playing.table.stop()
    again = Room(tmp_path / "match.db")
    assert again.table.snapshot().data["match"]["throws"] == 1
    again.source.show(draw(placed(MISERICORDIA, 2.0)))
    assert again.settled()["ask"] is None
    again.source.empty()
    again.source.throw(placed(OTHER, 30.0))
    again.until(threw(2))
    again.table.stop()


def test_a_restart_with_other_dice_on_the_table_asks(playing: Room, tmp_path: Path) -> None:
    playing.source.throw(placed(MISERICORDIA))
    playing.until(threw(1))
    playing.table.stop()
    again = Room(tmp_path / "match.db")
    again.source.show(draw(placed(OTHER, 50.0)))
    again.state("PROPOSED")
    assert again.throws() == 1
    again.table.stop()


def test_an_open_question_is_open_after_a_restart(playing: Room, tmp_path: Path) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["1"])
    ask = playing.state("PROPOSED")["ask"]["id"]
    playing.table.stop()
    again = Room(tmp_path / "match.db")
    assert again.table.snapshot().data["ask"]["id"] == ask
    assert [die["crop"] for die in again.table.snapshot().data["ask"]["dice"]] == [None] * 4
    again.done("answer", ask=ask, faces={"1": "EI"})
    assert again.throws() == 1
    again.table.stop()


def test_a_lost_camera_is_blind_and_what_lies_there_when_it_is_back_is_asked_about(playing: Room) -> None:
    playing.source.lose()
    assert playing.state("BLIND")["state_sentence"]["text"] == "The camera is gone."
    playing.source.show(draw(placed(MISERICORDIA)))
    playing.state("PROPOSED")
    assert playing.throws() == 0


def test_without_the_camera_faces_are_tapped_in_and_the_camera_does_not_read_them_again(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA), unsure=["1"])
    ask = playing.state("PROPOSED")["ask"]["id"]
    assert "question" in playing.refused("throw", faces=dict(Throw.parse("wibold", OTHER).shown))
    playing.done("dismiss", ask=ask, reason="glare")
    playing.done("throw", faces=dict(Throw.parse("wibold", MISERICORDIA).shown))
    playing.source.show(draw(placed(MISERICORDIA, 3.0)), 2)
    playing.source.show(draw(placed(MISERICORDIA)))
    playing.settled()
    assert playing.throws() == 1


def test_a_reader_that_fails_is_said_and_play_goes_on_by_hand(playing: Room) -> None:
    playing.reader.fails = True
    playing.source.throw(placed(MISERICORDIA))
    data = playing.state("BLIND")
    assert "the net is missing" in data["state_sentence"]["text"]
    playing.done("throw", faces=dict(Throw.parse("wibold", NOTHING).shown))
    playing.reader.fails = False
    playing.source.empty()
    playing.source.throw(placed(OTHER, 40.0))
    playing.until(threw(2))


def test_a_paused_match_reads_no_throws(playing: Room) -> None:
    playing.done("pause")
    playing.source.throw(placed(MISERICORDIA))
    data = playing.settled()
    assert data["match"]["paused"]
    assert playing.throws() == 0
    playing.done("unpause")
    playing.source.show(draw(placed(MISERICORDIA, 3.0)), 2)
    playing.source.show(draw(placed(MISERICORDIA)))
    playing.until(lambda data: data["ask"] or data["match"]["throws"] == 1)


def test_a_match_with_tapped_dice_ignores_the_camera(room: Room) -> None:
    room.done("new_match", game="ludus-regularis", players=["Anna", "Ben"], dice_by="tapped")
    room.source.empty()
    room.source.throw(placed(MISERICORDIA))
    room.source.seen()
    room.done("autoplay", on=False)  # the writer has looked at what came before
    data = room.table.snapshot().data
    assert data["state"] == "MANUAL"
    assert data["reading"] is None
    assert room.throws() == 0


def test_the_sum_game_reads_three_cubes(room: Room) -> None:
    room.reader.expected = ("1", "2", "3")
    room.begin("ludus-regularis/sum")
    room.source.empty()
    room.state("SYNCED")
    room.source.throw(placed(MISERICORDIA))
    data = room.until(threw(1))
    assert data["match"]["acquired"] > 0


def test_dice_that_lie_there_while_the_program_throws_are_no_throw_until_they_are_thrown(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA))
    playing.until(threw(1))
    assert playing.table.command("roll", {}, "tests").ok
    playing.settled()
    assert playing.throws() == 2
    assert playing.table.snapshot().data["throw"]["by"] == "program"
    playing.source.empty()
    playing.source.throw(placed(NOTHING, 40.0))
    assert playing.until(threw(3))["throw"]["by"] == "camera"


def test_what_the_camera_sees_is_told_before_it_is_committed(playing: Room) -> None:
    dice = placed(MISERICORDIA)
    del dice["consonants"]
    playing.source.throw(dice)
    data = playing.state("MISMATCH")
    assert [die["face"] for die in data["reading"]["dice"]] == ["EI", "EIOUA", "I"]
    assert data["reading"]["prospects"]["virtue"] == "1.2.5"


def test_the_state_is_the_replay_of_the_journal(playing: Room) -> None:
    playing.source.throw(placed(MISERICORDIA))
    playing.until(threw(1))
    playing.source.empty()
    playing.source.throw(placed(KARITAS, 15.0))
    playing.until(threw(2))
    event = playing.table.snapshot().data["log"][-1]["event"]
    preview = playing.done("preview_correction", event=event, faces=None, reason="leant")
    playing.done("correct", event=event, faces=None, reason="leant", token=preview["token"], keep="all")
    with Journal(playing.path, writable=False) as journal:
        replayed = Match.of(journal.events(journal.matches()[0].id))
    assert playing.table._writer._desk.match == replayed


def test_dice_that_lie_together_at_the_edge_are_no_hand_for_long(playing: Room) -> None:
    heap = {
        "1": ("EI", 30.0, 100.0),
        "2": ("EIOUA", 30.0, 160.0),
        "3": ("I", 30.0, 220.0),
        "consonants": ("MNPR", 90.0, 160.0),
    }
    playing.source.throw(heap)
    playing.source.show(draw(heap), 40)
    playing.until(threw(1))
