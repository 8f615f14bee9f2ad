"""The program in a player's seat: it plays by itself, is written down as such, and stops when people stop."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.commands.serve import command as serve
from companion.desk.page.match import MatchPage
from companion.live import program_seats
from companion.live.features import TableFeatures
from companion.live.program_seats import ProgramSeats
from companion.live.table import LiveTable
from companion.players.strengths import PAUSE_SECONDS, STRENGTHS, Strength
from companion.players.thinking import Thought, think
from companion.referee.events import MatchStarted, from_json, to_json
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.game import Position
from companion.rules.registry import games
from companion.settings.record import DECLARED
from tests.desk.test_commands import Office

PLAYED = ("ludus-regularis/sum", "ludix", "tables/zeno", "tables/ludus-anglicorum", "rithmomachia/durnil-guardia")
SHORT = {
    "ludix": {"target": 50},
    "rithmomachia/durnil-guardia": {"points": 5},
}
PATIENCE = 60.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    live = LiveTable(tmp_path / "match.db", features=TableFeatures(program_pause=0.0), chance=Random(5))
    live.start()
    yield live
    live.stop()


def until(live: LiveTable, true: Callable[[Any], bool]) -> Any:
    """Wait for a snapshot of which this is true."""
    snapshot, end = live.snapshot(), time.monotonic() + PATIENCE
    while not true(snapshot.data):
        assert time.monotonic() < end, snapshot.data["awaits"]
        snapshot = live.wait(snapshot.version, 1.0) or live.snapshot()
    return snapshot.data


def begin(live: LiveTable, game: str, **data: Any) -> None:
    reply = live.command("new_match", {"players": ["Anna", "The program"], "game": game, **data}, "tests")
    assert reply.ok, reply.sentence


@pytest.mark.parametrize("slug", PLAYED)
def test_two_programs_play_and_every_event_is_theirs(slug: str, table: LiveTable, tmp_path: Path) -> None:
    begin(table, slug, dice_by="program", programs=[1, 2], options=SHORT.get(slug, {}))
    until(table, lambda data: data["outcome"] is not None or len(data["log"]) > 40)
    table.command("pause", {}, "tests")
    with Journal(tmp_path / "match.db", writable=False) as journal:
        entries = journal.events(1)
    assert isinstance(entries[0].event, MatchStarted)
    assert entries[0].event.programs == (1, 2)
    played = [entry for entry in entries if entry.event.kind == "committed"]
    assert {entry.actor for entry in played} == {"program"}
    assert Match.of(entries).misfit is None


def test_it_answers_a_person_and_is_not_moved_by_one(table: LiveTable) -> None:
    begin(table, "tables/zeno", dice_by="tapped", programs=[2])
    assert not table.snapshot().data["awaits"]["by_program"]
    table.command("throw", {"faces": {"1": "2", "2": "5", "3": "6"}}, "page")
    for step in ("a-c", "a-f"):
        assert table.command("choose", {"text": step}, "page").ok
    assert table.command("choose", {"text": "a-g"}, "page").ok
    data = until(table, lambda data: data["awaits"]["player"] == 1 and data["match"]["throws"] == 2)
    assert [line["actor"] for line in data["log"][-4:]] == ["program"] * 4
    faces = data["throw"]["faces"]
    assert (data["undo"]["text"], data["undo"]["answered"]) == ("a-c, a-f, a-g", True)
    assert not table.command("take_back", {"event": data["undo"]["event"] + 1}, "page").ok
    for _ in range(2):  # the answer goes with the turn, and its throw comes again: nobody gets other dice so
        assert table.command("take_back", {"event": data["undo"]["event"]}, "page").ok
        found = table.snapshot().data
        assert (found["awaits"]["player"], found["match"]["throws"]) == (1, 1)
        for step in ("a-g", "a-f", "a-c"):
            assert table.command("choose", {"text": step}, "page").ok
        data = until(table, lambda data: data["awaits"]["player"] == 1 and data["match"]["throws"] == 2)
        assert data["throw"]["faces"] == faces


@pytest.mark.parametrize("dice_by", ["program", "tapped"])
def test_no_throw_of_the_program_is_taken_back_and_nothing_after_the_end(dice_by: str, tmp_path: Path) -> None:
    office, page = Office(tmp_path / "journal.db"), MatchPage(lambda _: False)
    assert office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by=dice_by).ok
    assert office.do("roll").ok
    assert page.of(office.match)["undo"] is None
    assert office.do("choose", choice=page.of(office.match)["choices"][0]["choice"]).ok
    assert page.of(office.match)["undo"] is not None
    assert office.do("finish").ok
    assert page.of(office.match)["undo"] is None


def test_a_person_does_not_play_for_it_and_a_pause_stops_it(tmp_path: Path) -> None:
    live = LiveTable(tmp_path / "match.db", features=TableFeatures(program_pause=60.0))
    live.start()
    try:
        begin(live, "tables/zeno", dice_by="tapped", programs=[1])
        assert live.snapshot().data["awaits"]["by_program"]
        refused = live.command("throw", {"faces": {"1": "2", "2": "5", "3": "6"}}, "page")
        assert not refused.ok
        assert "the program's turn" in str(refused.sentence)
        assert live.command("pause", {}, "page").ok
        assert not live.snapshot().data["awaits"]["by_program"]
    finally:
        live.stop()


def test_dice_that_a_camera_reads_are_thrown_for_it_by_people(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    assert office.do("new_match", game="ludus-regularis", players=["Anna", "Ben"], dice_by="camera", programs=[1]).ok
    assert office.do("throw", faces={"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}).ok


class _Thinker:
    """Counts the turns that are thought out."""

    def __init__(self) -> None:
        self.asked: list[Position] = []

    def __call__(self, position: Position, strength: Strength, chance: Random, **stopped: Any) -> Thought:
        self.asked.append(position)
        return think(position, strength, chance, **stopped)


def test_a_turn_is_thought_out_once_and_made_choice_by_choice(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = _Thinker()
    monkeypatch.setattr(program_seats, "think", thinker)
    begin(table, "tables/todas-tablas", dice_by="program", programs=[1, 2])
    data = until(table, lambda data: data["match"]["throws"] >= 8)
    assert len(thinker.asked) <= data["match"]["throws"]


def test_what_is_thought_is_dropped_when_people_pause() -> None:
    """The thread that thinks hears of it and ends."""
    heard = threading.Event()

    def think_on(position: Position, strength: Strength, chance: Random, **asked: Any) -> Thought:
        del position, strength, chance
        while not asked["stopped"]():
            time.sleep(0.001)
        heard.set()
        raise AssertionError("nobody waits for this")

    seats = ProgramSeats(Random(1), lambda: None, pause=0.0, strength="master")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_seats, "think", think_on)
        seats._begun(games()["tables/zeno"].start(2), STRENGTHS["master"])
        seats._forget()
        assert heard.wait(PATIENCE)
    seats.stop()


@pytest.mark.parametrize(
    ("game", "programs", "text"),
    [
        ("tables/xii-scripta", [2], "nobody knows its rules"),
        ("tables/zeno", [3], "1 to 2"),
        ("tables/zeno", "2", "1 to 2"),
        ("tables/zeno", [True], "1 to 2"),
    ],
)
def test_a_seat_that_it_cannot_take_is_refused(game: str, programs: Any, text: str, tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    refused = office.do("new_match", game=game, players=["Anna", "Ben"], dice_by="tapped", programs=programs)
    assert not refused.ok
    assert text in str(refused.sentence)


def test_each_seat_is_played_at_its_own_strength(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, set[str]] = {1: set(), 2: set()}

    def thinking(position: Position, strength: Strength, chance: Random, **more: Any) -> Thought:
        asked[position.awaits.player].add(strength.name)
        return think(position, strength, chance, **more)

    monkeypatch.setattr(program_seats, "think", thinking)
    begin(table, "tables/todas-tablas", dice_by="program", programs=[2, 1], strengths=["child", ""])
    data = until(table, lambda data: data["match"]["throws"] >= 6)
    assert [player["strength"] for player in data["match"]["players"]] == ["club", "child"]
    assert asked[2] == {"child"}
    assert asked[1] == {"club"}, "the table's own"


@pytest.mark.parametrize(("strengths", "text"), [(["genius"], "child, beginner"), (["club", "club"], "but got 2")])
def test_a_strength_that_is_none_is_refused(strengths: list[str], text: str, tmp_path: Path) -> None:
    data = {"players": ["Anna", "Ben"], "programs": [2], "strengths": strengths}
    refused = Office(tmp_path / "journal.db").do("new_match", game="tables/zeno", dice_by="tapped", **data)
    assert not refused.ok
    assert text in str(refused.sentence)


def test_a_match_begun_before_there_were_programs_is_read() -> None:
    event = MatchStarted("old", "ludix", ("Anna", "Ben"), {}, "tapped", "hash", programs=(2,))
    old = {name: value for name, value in to_json(event).items() if name not in {"programs", "strengths"}}
    assert from_json(to_json(event)) == event
    assert from_json(old) == MatchStarted("old", "ludix", ("Anna", "Ben"), {}, "tapped", "hash")


def test_a_choice_is_weighed_in_words_before_it_is_made(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    office.do("new_match", game="rithmomachia/mebben", players=["Anna", "Ben"], dice_by="tapped")
    before = len(office.match.entries)
    weighed = office.do("explain_choice", text="c13-c12")
    assert weighed.ok
    (choice,) = weighed.data["choices"]
    assert "from c13 to c12" in choice["sentence"]["text"]
    refused = office.do("explain_choice", text="takes c4 by ambush")
    assert refused.data["choices"] == []
    assert "moves first" in str(refused.sentence)
    assert len(office.match.entries) == before, "nothing was written"


def test_every_game_but_the_free_board_can_be_played_by_it() -> None:
    assert [slug for slug, game in games().items() if not game.program_plays] == ["tables/xii-scripta"]
    assert all(str(game.manner).endswith(".") for game in games().values())


def test_the_pause_is_before_a_turn_and_is_shorter_within_it(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    assert office.do("new_match", game="tables/zeno", players=["A", "B"], dice_by="program", programs=[1, 2]).ok
    seats, now, waits = ProgramSeats(Random(1), lambda: None, pause=10.0), 0.0, []
    try:
        for _ in range(5):  # two throws, and a turn of three men between them
            match = office.desk.require_match()
            waits.append(seats.wait(match, now))
            now += 10.0
            until_thought(seats, match, now)
            seats.act(office.desk)
    finally:
        seats.stop()
    assert waits == [10.0, 10.0, 4.0, 4.0, 10.0]


def until_thought(seats: ProgramSeats, match: Match, now: float) -> None:
    """Wait until a turn is thought out."""
    end = time.monotonic() + PATIENCE
    while seats.wait(match, now) and time.monotonic() < end:
        time.sleep(0.01)


def test_the_owner_chooses_the_pause() -> None:
    option = {one.name: one for one in serve.params}["program_pause"]
    assert DECLARED["program_pause"].default == PAUSE_SECONDS
    assert "--program-pause" in option.opts
