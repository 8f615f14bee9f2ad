"""Squares of a running table: settled, believed while right, evidence beside the camera, and alone where none looks."""

import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.desk.page.board_camera import board_part
from companion.desk.sight import Sight
from companion.desk.table.board_judge import BoardJudge
from companion.desk.table.square_sense import SETTLE_SECONDS, SQUARES, STALE_SECONDS, SquaresAlone, SquareSense
from companion.desk.table.state import state_of
from companion.live.features import TableFeatures
from companion.live.led_board import Lights
from companion.live.table import LiveTable
from companion.referee.board.standing import Stand, expected_board
from companion.referee.events import BoardAsked, BoardObserved
from companion.rules.game import Position
from companion.rules.registry import game
from companion.rules.rithmomachia.choices import Move
from firmware_bridge.wiring import Wiring
from tests.desk.board_office import BoardOffice
from tests.desk.test_board_judge import after, tap
from tests.desk.test_commands import Office
from tests.firmware_bridge.simulated.board import SimulatedBoard
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.simulated.transport import SimulatedTransport

ITALIAN = "rithmomachia/italian"


def wiring(slug: str, sites: list[str] | None = None) -> Wiring:
    """Return a map with a sensor under each of these sites, by default under as many as a board can report."""
    names = sites or [site.name for site in game(slug).board.sites if site.name not in ("hand", "off")]
    return Wiring("mine", game(slug).board.name, 0, {}, {site: bit for bit, site in enumerate(names[:64])})


def bitmap(position: Position, map_: Wiring, **changed: bool) -> int:
    shown = expected_board(position)
    occupied = {site: isinstance(shown.get(site), Stand) for site in map_.squares} | changed
    return sum(1 << map_.squares[site] for site, men in occupied.items() if men)


class Sensed:
    """An office whose board has squares, and a clock of its own."""

    def __init__(self, office: Office, map_: Wiring) -> None:
        self.office = office
        self.map = map_
        self.now = 0.0
        self.sense = SquareSense(map_, lambda: self.now)
        self.alone = SquaresAlone(office.desk, self.sense)

    def report(self, occupied: int, seconds: float = SETTLE_SECONDS) -> None:
        self.sense.hear(occupied)
        self.now += seconds
        self.sense.settle()
        self.alone.see()

    def stand(self, position: Position, **changed: bool) -> None:
        self.report(bitmap(position, self.map, **changed))

    def believed(self) -> Mapping[str, bool]:
        return self.sense.believed(self.office.match)


@pytest.fixture
def sensed(tmp_path: Path) -> Sensed:
    """Rithmomachia without a camera, the men on their squares."""
    office = Office(tmp_path / "journal.db")
    assert office.do("new_match", game=ITALIAN, players=["Anna", "Ben"], dice_by="tapped", options={}).ok
    sites = [site for site, _ in office.match.position.occupancy().items()]
    empty = [site.name for site in office.match.game.board.sites if site.name not in sites]
    # the side that begins, and the squares before it: 64 in all
    own = [site for site in sites if int(site[1:]) > 7][:24]
    found = Sensed(office, wiring(ITALIAN, [*own, *[site for site in empty if int(site[1:]) > 6]][:64]))
    found.stand(office.match.position)
    return found


def a_move(sensed: Sensed) -> Move:
    """Return a move between two squares with sensors that no other move comes near."""
    choices = [choice for choice in sensed.office.match.position.legal() if isinstance(choice, Move)]
    return next(c for c in choices if c.start in sensed.map.squares and c.end in sensed.map.squares)


def test_a_move_that_alone_fits_is_committed_as_the_squares(sensed: Sensed) -> None:
    office, move = sensed.office, a_move(sensed)
    sensed.stand(office.match.position.after(move))
    assert office.match.history[-1].move == move
    entry = office.match.entries[-1]
    assert (entry.actor, office.match.history[-1].by) == (SQUARES, "tapped")
    observed = office.match.entries[-2].event
    assert isinstance(observed, BoardObserved)
    assert move.end in observed.seen["squares"].split()
    assert office.replayed().position == office.match.position


def test_a_man_in_the_hand_is_waited_for_and_put_back_is_nothing(sensed: Sensed) -> None:
    entries = sensed.office.match.entries
    move = a_move(sensed)
    sensed.stand(sensed.office.match.position, **{move.start: False})
    assert sensed.alone.finding is not None
    assert sensed.alone.finding.kind in ("go on", "asked")
    sensed.stand(sensed.office.match.position)
    assert sensed.office.match.question is None
    assert [entry.event for entry in sensed.office.match.entries[len(entries) :] if entry.event.kind == "commit"] == []


def test_a_man_who_was_set_down_on_his_way_or_put_back_is_followed(sensed: Sensed) -> None:
    office, move = sensed.office, a_move(sensed)
    begun = office.match.position
    others = [c for c in begun.legal() if isinstance(c, Move) and c.start == move.start and c.end != move.end]
    other = next(choice for choice in others if choice.end in sensed.map.squares)
    sensed.stand(begun.after(move))
    sensed.stand(begun.after(other))
    assert expected_board(office.match.position) == expected_board(begun.after(other))
    sensed.stand(begun)
    assert office.match.position == begun
    assert office.match.entries[-1].actor == SQUARES
    assert office.replayed().position == begun


def test_what_a_person_tapped_is_not_taken_back_by_squares(sensed: Sensed) -> None:
    office, move = sensed.office, a_move(sensed)
    begun = office.match.position
    assert office.do("choose", choice=move.to_json()).ok
    sensed.stand(begun)  # the man is still to be moved
    assert office.match.position == begun.after(move)


def test_whoever_moves_after_the_other_shows_that_the_other_is_done(sensed: Sensed) -> None:
    office, move = sensed.office, a_move(sensed)
    sensed.stand(office.match.position.after(move))
    moved = office.match.position
    waits = moved.awaits.player
    done = next(choice for choice in moved.legal() if choice.to_json() == {"choice": "done"})
    there = moved.after(done)
    assert there.awaits.player != waits
    # the squares of the side that answers and those before it, as far as sensors go
    sites = [site.name for site in office.match.game.board.sites if int(site.name[1:]) < 9]
    whole = Sensed(office, wiring(ITALIAN, list(dict.fromkeys(sites))))
    moves = [choice for choice in there.legal() if isinstance(choice, Move)]
    unseen = {choice.start for choice in moves if choice.end not in whole.map.squares}  # these squares cannot tell
    answers = [choice for choice in moves if choice.start not in unseen]
    whole.stand(moved)
    whole.stand(there.after(answers[0]))
    assert [turn.move for turn in office.match.history[-2:]] == [done, answers[0]]


def test_a_report_counts_when_it_has_settled(sensed: Sensed) -> None:
    office, move = sensed.office, a_move(sensed)
    there = bitmap(office.match.position.after(move), sensed.map)
    before = office.match.position
    sensed.report(there, SETTLE_SECONDS / 2)
    assert office.match.position == before
    assert sensed.sense.waits() == pytest.approx(SETTLE_SECONDS / 2)
    sensed.report(there, SETTLE_SECONDS / 2)
    assert office.match.position != before
    assert sensed.sense.waits() is None


def test_a_board_that_reports_no_more_says_nothing(sensed: Sensed) -> None:
    assert sensed.believed()
    sensed.now += STALE_SECONDS + 0.1
    sensed.sense.settle()
    assert sensed.believed() == {}


def test_a_square_that_was_never_right_is_not_believed(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    assert office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="tapped", options={}).ok
    sensed = Sensed(office, wiring("tables/zeno"))
    sensed.stand(office.match.position, a=False)  # no magnet in these men
    assert "a" not in sensed.believed()
    assert sensed.believed()["z"]
    sensed.stand(office.match.position, a=False, z=False)  # none in any: the squares are worth nothing
    assert sensed.believed() == {}


def test_what_squares_cannot_tell_is_asked_and_the_answer_counts(tmp_path: Path) -> None:
    """Only the squares that are left tell: two men can have come from where no sensor is."""
    office = Office(tmp_path / "journal.db")
    assert office.do("new_match", game=ITALIAN, players=["Anna", "Ben"], dice_by="tapped", options={}).ok
    position = office.match.position
    moves = [choice for choice in position.legal() if isinstance(choice, Move)]
    end = next(move.end for move in moves if sum(other.end == move.end for other in moves) > 1)
    beside = next(site for site in position.occupancy() if all(site != move.start for move in moves if move.end == end))
    sensed = Sensed(office, wiring(ITALIAN, [end, beside]))
    sensed.stand(position)
    sensed.stand(position, **{end: True})
    question = office.match.board.question
    assert question is not None
    asked = {candidate["moves"][0]["from"] for candidate in question.asked.candidates}
    assert {move.start for move in moves if move.end == end} <= asked
    assert state_of(office.match, Sight(), None)[0] == "PROPOSED"
    part: Any = board_part(office.match, None, None, None)
    assert part["ask"]["id"] == question.number
    sensed.stand(position, **{end: True})
    assert sum(isinstance(entry.event, BoardAsked) for entry in office.match.entries) == 1
    assert office.do("answer_board", ask=question.number, candidate=0).ok
    assert office.match.history[-1].by == "tapped"
    assert board_part(office.match, None, None, None) is None


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_match_by_squares_never_has_what_was_not_played(seed: int, tmp_path: Path) -> None:
    office, chance = Office(tmp_path / "journal.db"), Random(seed)
    assert office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="program", options={}).ok
    sensed = Sensed(office, wiring("tables/zeno"))
    by_squares = 0
    for _ in range(60):
        sensed.stand(office.match.position)
        if office.match.over:
            break
        position = office.match.position
        if position.awaits.kind == "throw":
            assert office.do("roll").ok
            continue
        play = chance.choice(position.plays())
        sensed.stand(play.position)
        question = office.match.board.question
        if office.match.position != position:
            by_squares += 1
            assert bitmap(office.match.position, sensed.map) == bitmap(play.position, sensed.map)
        elif question is not None:
            texts = [candidate["text"] for candidate in question.asked.candidates]
            assert texts
        if office.match.position == position:
            for choice in play.choices:
                assert office.do("choose", choice=choice.to_json()).ok
    assert by_squares > 3
    assert office.replayed().position == office.match.position


def test_camera_and_squares_that_contradict_each_other_are_asked_about_once(tmp_path: Path) -> None:
    office = BoardOffice(tmp_path / "journal.db")
    now = [0.0]
    sense = SquareSense(wiring("tables/zeno"), lambda: now[0])
    office.board = BoardJudge(office.desk, office.dice_judge.coming, sense)
    office.commands._board_judge = office.board
    office.begin_board("tables/zeno")
    tap(office, "2 5 6")
    map_ = wiring("tables/zeno")

    def squares(position: Position, **changed: bool) -> None:
        sense.hear(bitmap(position, map_, **changed))
        now[0] += SETTLE_SECONDS
        sense.settle()

    squares(office.match.position)
    office.stand(office.match.position)
    there = after(office.match.position, "a-c", "a-f", "a-g")
    squares(there, f=False)
    office.stand(there)
    question = office.match.board.question
    assert question is not None
    assert "disagree on f" in str(office.board.finding.sentence if office.board.finding else "")
    assert office.do("answer_board", ask=question.number, candidate=0).ok
    assert expected_board(office.match.position) == expected_board(there)
    office.stand(there)
    assert office.state()[0] == "SYNCED"
    assert "f" not in sense.believed(office.match)
    assert sense.believed(office.match)["c"]


def test_squares_of_the_simulated_board_play_a_match(tmp_path: Path) -> None:
    slug = "tables/zeno"
    map_ = wiring(slug)
    board = SimulatedBoard(leds=64)
    firmware = board.firmware
    assert isinstance(firmware, OwnFirmware)
    table = LiveTable(
        tmp_path / "match.db", features=TableFeatures(leds=SimulatedTransport(board), lights=Lights(map_))
    )
    firmware.occupied = bitmap(game(slug).start(2), map_)
    table.start()
    try:
        data = {"game": slug, "players": ["Anna", "Ben"], "dice_by": "tapped"}
        assert table.command("new_match", data, "tests").ok
        until = time.monotonic() + 60
        while table.snapshot().data["lights"]["state"] != "LIVE":
            assert time.monotonic() < until
            time.sleep(0.02)
        time.sleep(2 * SETTLE_SECONDS + 1)  # the men stand as the game begins
        thrown = {"faces": {"1": "2", "2": "5", "3": "6"}, "dice_set": "pips"}
        assert table.command("throw", thrown, "tests").ok
        start = game(slug).start(2)
        position = start.after(start.parse("2 5 6"))
        firmware.occupied = bitmap(after(position, "a-c", "a-f", "a-g"), map_)
        while table.snapshot().data["awaits"]["player"] != 2:
            assert time.monotonic() < until, table.snapshot().data["state_sentence"]
            time.sleep(0.02)
        assert [line["actor"] for line in table.snapshot().data["log"]][-1] == SQUARES
    finally:
        table.stop()
