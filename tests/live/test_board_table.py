"""The running table with a camera over the board, alone or beside that of the dice: threads, pictures, restarts."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.desk.sight import DiceSeen
from companion.language.sentence import Sentence
from companion.live.board_side import without_men
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.live.watching.board_steps import LEAST_READINGS, MOST_READINGS, BoardWatchSettings, around
from companion.referee.board.seating import Seating
from companion.referee.board.standing import expected_board
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.readable import board_to_read
from companion.rules.game import Position
from companion.rules.registry import game, games
from companion.vision.board_readings import BoardReading, Standing
from companion.vision.boards.layout import UnknownBoardError, layout
from companion.vision.readings import DiceReading, Frame, ReadDie
from companion.vision.sources.source import NewestFrame, SourceState
from tests.live.drawn import DrawnReader, DrawnSource, joined
from tests.live.drawn_board import CORNERS, BoardStage
from tests.referee.board.simulated import perfect, seating_of

ZENO = "tables/zeno"


class BoardRoom:
    """A table whose board alone is watched."""

    def __init__(self, path: Path, slug: str = ZENO, **options: Any) -> None:
        self.path = path
        self.stage = BoardStage(seating_of(game(slug)))
        self.source = DrawnSource()
        self.table = LiveTable(
            path,
            Seeing(board_source=self.source, board_settings=BoardWatchSettings(lambda _: self.stage), board="auto"),
            **options,
        )
        self.table.start()

    def done(self, name: str, **data: Any) -> dict[str, Any]:
        reply = self.table.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)
        return dict(reply.data)

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        shot = self.table.snapshot()
        while not true(dict(shot.data)):
            newer = self.table.wait(shot.version, 120)
            assert newer is not None, f"it stays {shot.data['state']}: {shot.data['state_sentence']['text']}"
            shot = newer
        return dict(shot.data)

    def stand(self, position: Position) -> None:
        """Move the men there under a hand, and let them stand."""
        picture = self.stage.picture(position)
        self.source.show(self.stage.hand(picture), 2)
        self.source.show(picture, 30)

    def throw(self, faces: str) -> Position:
        self.done("throw", faces=dict(zip("123", faces.split(), strict=True)), dice_set="pips")
        return self.match().position

    def match(self) -> Match:
        with Journal(self.path, writable=False) as journal:
            return Match.of(journal.events(journal.matches()[0].id))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[BoardRoom]:
    room = BoardRoom(tmp_path / "match.db")
    yield room
    room.table.stop()


def begin(room: BoardRoom, slug: str = ZENO) -> Position:
    room.done("new_match", game=slug, players=["Anna", "Ben"])
    start = game(slug).start(2)
    room.source.show(room.stage.picture(start), 30)
    answer_seating(room.table, room.until(lambda data: data["state"] in ("SYNCED", "PROPOSED")), room.stage)
    room.until(lambda data: data["state"] == "SYNCED")
    return start


def answer_seating(table: LiveTable, data: Any, stage: BoardStage) -> None:
    """Say how the board lies, as players do where the start looks alike from two sides."""
    ask = data["watch"]["ask"]
    colour = {owner: colour for colour, owner in stage.seating.colours}[1]
    for place, candidate in enumerate(ask["candidates"] if ask else ()):
        if candidate["sentence"]["text"].startswith(f"{colour} is Anna's"):
            assert table.command("answer_board", {"ask": ask["id"], "candidate": place}, "tests").ok
            return


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.after(position.parse(move))
    return position


def test_a_turn_is_followed_from_the_hand_to_the_commit_and_its_picture_is_kept(room: BoardRoom) -> None:
    begin(room)
    data = room.table.snapshot().data
    assert data["match"]["dice_by"] == "tapped"
    assert data["camera"]["source"] == "a drawn table"
    thrown = room.throw("2 5 6")
    room.stand(after(thrown, "a-c"))
    state = room.until(lambda data: data["watch"]["finding"] and data["watch"]["finding"]["kind"] == "go on")
    assert (state["state"], state["state_sentence"]["text"]) == ("SETTLING", "Go on: 5 and 6 still to be played.")
    room.stand(after(thrown, "a-c", "a-f", "a-g"))
    state = room.until(lambda data: data["awaits"]["player"] == 2)
    assert state["board"]["last"] == [
        {"from": "a", "to": "c"},
        {"from": "a", "to": "f"},
        {"from": "a", "to": "g"},
    ]
    assert room.match().position == after(thrown, "a-c", "a-f", "a-g")
    event = state["log"][-1]["event"]
    assert room.table.picture(f"crop-{event}") is not None
    shown = room.table.picture("table")
    assert shown is not None
    assert room.stage.finds == 1


def test_a_match_that_is_taken_up_again_knows_how_its_board_lies(tmp_path: Path) -> None:
    first = BoardRoom(tmp_path / "match.db")
    begin(first)
    thrown = first.throw("2 5 6")
    played = after(thrown, "a-c", "a-f", "a-g")
    first.stand(played)
    first.until(lambda data: data["awaits"]["player"] == 2)
    before = first.match()
    first.table.stop()
    again = BoardRoom(tmp_path / "match.db")
    seating = again.table.snapshot().data["watch"]["seating"]
    assert seating["lies"] == first.stage.seating.lies
    again.source.show(again.stage.picture(thrown), 30)
    found = again.until(lambda data: data["state"] != "BLIND" and data["state"] != "SETTLING")
    again.table.stop()
    assert again.match().board.seating == before.board.seating
    assert found["awaits"]["player"] == 1, "the men were put back before the match was taken up: the turn is taken back"


def test_a_camera_that_is_lost_and_a_reader_that_fails_are_said(room: BoardRoom) -> None:
    start = begin(room)
    room.source.lose()
    sentence = room.until(lambda data: data["state"] == "BLIND")
    assert sentence["state_sentence"]["text"] == "The camera is gone."
    room.stage.fails = True
    room.source.show(room.stage.picture(start), 30)
    sentence = room.until(lambda data: data["state"] == "BLIND" and "cannot be read" in data["state_sentence"]["text"])
    assert "the nets are missing. Tap in what is played." in sentence["state_sentence"]["text"]
    room.throw("2 5 6")
    room.done("choose", text="a-c")
    assert room.match().position.awaits.kind == "choice"


def test_while_a_hand_is_there_nothing_is_said_of_the_men(room: BoardRoom) -> None:
    start = begin(room)
    room.throw("2 5 6")
    room.source.show(room.stage.hand(room.stage.picture(start)), 12)
    state = room.until(lambda data: data["state"] == "SETTLING")
    assert state["state_sentence"]["text"] in ("A hand is over the board.", "The men are being moved.")
    assert state["watch"]["finding"] is None


def test_a_board_that_leaves_a_doubt_is_looked_at_again_but_not_for_ever(room: BoardRoom) -> None:
    start = begin(room)
    room.source.show(room.stage.hand(room.stage.picture(start)), 2)
    room.until(lambda data: data["state"] == "SETTLING")
    before = room.stage.reads
    wrong = room.stage.draw(perfect(game("tables/pyf").start(2), room.stage.seating))
    for _ in range(20):
        room.source.show(wrong, 10)
        room.source.seen()
        time.sleep(0.02)
    room.until(lambda data: data["state"] == "MISMATCH")
    assert LEAST_READINGS < room.stage.reads - before <= MOST_READINGS


def test_a_board_whose_place_is_in_doubt_for_a_moment_is_looked_at_again_soon(room: BoardRoom) -> None:
    start = begin(room)
    thrown = room.throw("2 5 6")
    moved = perfect(after(thrown, "a-c", "a-f", "a-g"), room.stage.seating)
    doubted = room.stage.draw(replace(moved, status="ask"))
    room.source.show(room.stage.hand(room.stage.picture(start)), 2)
    room.until(lambda data: data["state"] == "SETTLING")
    before = room.stage.reads
    for _ in range(3):  # two seconds in all
        room.source.show(doubted, 10)
        room.source.seen()
    assert LEAST_READINGS + 1 < room.stage.reads - before <= MOST_READINGS + 1  # one of them before it was still
    assert room.match().position == thrown
    room.source.show(room.stage.draw(moved), 30)
    room.until(lambda data: data["awaits"]["player"] == 2)


def test_a_board_that_no_reader_knows_is_tapped(tmp_path: Path) -> None:
    room = BoardRoom(tmp_path / "match.db")
    room.done("new_match", game="tables/xii-scripta", players=["Anna", "Ben"])
    data = room.table.snapshot().data
    room.table.stop()
    assert data["watch"] is None
    with pytest.raises(UnknownBoardError, match="chess"):
        LiveTable(tmp_path / "other.db", Seeing(board_source=DrawnSource(), board="chess"))


@pytest.mark.parametrize("slug", games())
def test_a_game_is_followed_where_there_is_a_reader_of_its_board(slug: str) -> None:
    name = board_to_read(games()[slug])
    assert (name is not None) == (
        slug.startswith(("tables/", "rithmomachia/", "ludus-regularis")) and "scripta" not in slug
    )


class BothCamera:
    """One camera that two watchers look through: each gets the newest picture, in its own time."""

    name = "one camera"

    def __init__(self) -> None:
        self.state = SourceState.STARTING
        self.sentence = Sentence("One camera.")
        self._slot = NewestFrame(self.name)

    def start(self) -> None:
        pass

    def close(self) -> None:
        self._slot.shut()

    def newest(self, after: int, timeout: float) -> Frame | None:
        return self._slot.newer(after, timeout)

    def show(self, image: Any, seconds: float) -> None:
        self.state = SourceState.LIVE
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._slot.put(image)
            time.sleep(1 / 15)


class TrayReader(DrawnReader):
    """Reads three dice with pips in the tray beside the board, and takes a man on the board for another."""

    def read(self, image: Any) -> DiceReading:
        del image
        dice = [_die(str(name), face, (560.0 + 25 * name, 440.0)) for name, face in ((1, "2"), (2, "5"), (3, "6"))]
        man = replace(_die("1", "1", (500.0, 300.0)), status="ask", die=None)
        return DiceReading((*dice, man), "ask", "", 1.0, 1, ("1", "2", "3"))


def _die(name: str, face: str, at: tuple[float, float]) -> ReadDie:
    x, y = at
    outline = ((x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8))
    return ReadDie("pips", name or None, face, "read", 0.99, ((face, 0.99),), outline)


def test_one_camera_sees_dice_and_men_and_takes_no_man_for_a_die(tmp_path: Path) -> None:
    stage, camera = BoardStage(seating_of(game(ZENO))), BothCamera()
    live = LiveTable(
        tmp_path / "match.db",
        Seeing(
            camera, reader=lambda _: TrayReader(), board="tables", board_settings=BoardWatchSettings(lambda _: stage)
        ),
        combine=joined,
    )
    live.start()
    start = game(ZENO).start(2)
    picture = stage.picture(start)
    thrown = picture.copy()
    thrown[430:450, 560:610] = 250
    camera.show(picture, 1.0)
    assert live.command("new_match", {"game": ZENO, "players": ["Anna", "Ben"]}, "tests").ok
    camera.show(picture, 1.5)
    camera.show(stage.hand(thrown), 0.4)
    camera.show(thrown, 2.0)
    shot = live.snapshot()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if shot.data["awaits"]["kind"] == "choice" and shot.data["watch"]["seating"] is not None:
            break
        answer_seating(live, shot.data, stage)
        ask = shot.data["ask"]
        if ask is not None:
            assert len(ask["dice"]) == 3, "the man is not among the dice that are asked about"
            live.command("answer", {"ask": ask["id"], "faces": {}}, "tests")
        camera.show(thrown, 0.3)
        shot = live.snapshot()
    live.stop()
    assert shot.data["awaits"]["kind"] == "choice", shot.data["state_sentence"]
    assert shot.data["throw"]["faces"] == {"1": "2", "2": "5", "3": "6"}
    assert shot.data["watch"]["seating"] is not None


def test_dice_are_kept_and_men_are_not_where_one_picture_has_both() -> None:
    seating = seating_of(game(ZENO))
    board = replace(perfect(game(ZENO).start(2), seating), corners=CORNERS)
    a_man = replace(_die("", "1", (510.0, 360.0)), status="ask")  # point a, where fifteen lie
    on_board = _die("2", "5", (300.0, 240.0))
    doubtful = replace(_die("3", "6", (320.0, 330.0)), status="ask")  # an empty point: it may be a die
    tray = [_die(name, face, (560.0, 60.0 * place)) for place, (name, face) in enumerate((("1", "2"), ("2", "5")), 1)]
    assert _kept([a_man, on_board, doubtful], board) == [on_board, doubtful]
    assert _kept([a_man, on_board, *tray], board, ("1", "2")) == tray
    assert _kept([a_man, on_board, *tray], replace(board, status="ask")) == [a_man, on_board, *tray]


def _kept(dice: list[ReadDie], board: BoardReading, expected: tuple[str, ...] = ()) -> list[ReadDie]:
    reading = DiceReading(tuple(dice), "ask", expected=expected)
    lying = DiceSeen(1, reading, b"", (b"",) * len(dice), "", 1, watched=True)
    return list(without_men(lying, board, layout("tables")).reading.dice)


def test_what_is_kept_of_a_picture_is_the_board_with_its_rim() -> None:
    mat = around(np.array(CORNERS), 640, 480)
    left, top, right, bottom = mat.box(640, 480)
    assert 60 < left < 120
    assert 60 < top < 100
    assert 520 < right < 580
    assert 380 < bottom < 420


class Learner(BoardStage):
    """Keeps what it is to learn."""

    def __init__(self, seating: Seating) -> None:
        super().__init__(seating)
        self.lessons: list[dict[str, Standing]] = []

    def learn(self, men: Mapping[str, Standing]) -> None:
        self.lessons.append(dict(men))


def test_the_reader_learns_once_from_each_look_on_which_table_and_match_agree(room: BoardRoom) -> None:
    stage = room.stage = Learner(room.stage.seating)
    start = begin(room)
    wait(lambda: len(stage.lessons) > 0)
    position = room.throw("2 5 6")
    room.stand(after(position, "a-c"))
    room.until(lambda data: data["state"] == "SETTLING" and data["choices"])
    ended = after(position, "a-c", "a-f", "a-g")
    room.stand(ended)
    room.until(lambda data: data["state"] == "SYNCED")
    first, last = (stage.seating.board(expected_board(one)) for one in (start, ended))
    wait(lambda: stage.lessons[-1] == last)
    # a busy machine may look twice at what stands there, but learns from no look twice, and not from half a turn
    assert all(lesson in (first, last) for lesson in stage.lessons)
    assert len(stage.lessons) < stage.reads


def wait(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    assert true()
