"""Two tables of one hall play a match over it, by a code alone: over a broker, and over the hall's own server."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

from companion.hall import match_post
from companion.hall.direct import code as code_module
from companion.hall.direct.code import new_code
from companion.hall.direct.exchange import Exchange, TableMessage
from companion.hall.direct.pinned import LINES, HallRefusesError, PinnedConnection
from companion.hall.direct.table_line import TableLine
from companion.hall.line import HallLine, LineLostError, Received, Waker
from companion.hall.match_post import MatchJoin, MatchMessage
from companion.hall.mqtt import MqttLine
from companion.hall.settings import HallSettings
from companion.hall.topics import MOST_MATCH_BYTES
from companion.live import remote_table
from companion.live.remote_table import Sync
from companion.referee.shared_log import SharedLog
from companion.web.owner.other_table import OtherTableSeen
from companion.web.remote.match_line import IN_HALL, NO_CODE, NO_HALL
from companion.web.remote.place import NO_LINE
from tests.hall.bad_post import BadPost, LyingPost, opens_something_else
from tests.hall.direct_hall import DirectHall, place_of
from tests.hall.listening import Listener, say
from tests.hall.mosquitto import Mosquitto
from tests.live.two_tables import match_in, play
from tests.web.lined_table import PATIENCE_SECONDS, LinedTable

NAMES = ("north", "south", "east")


class Hall(Protocol):
    """A hall of the tables north, south and east, which can be switched off and on."""

    name: str

    def settings(self, table: str) -> HallSettings: ...

    def stop(self) -> None: ...

    def start(self) -> None: ...


class ByCode:
    """A hall that tables join by its code."""

    name = "club"

    def __init__(self, folder: Path) -> None:
        self._hall = DirectHall(folder)
        self._places = {table: place_of(self._hall.join(table)) for table in NAMES}
        self.start, self.stop = self._hall.start, self._hall.stop
        self.begin_book, self.end_book = self._hall.begin_book, self._hall.end_book

    def settings(self, table: str) -> HallSettings:
        return self._places[table]


class OverBroker:
    """A hall with a broker that takes passwords and an access list."""

    name = "museum"

    def __init__(self, mosquitto: Mosquitto) -> None:
        self.mosquitto = mosquitto
        self.start, self.stop = mosquitto.start, mosquitto.kill

    def settings(self, table: str) -> HallSettings:
        return HallSettings("museum", table, broker=self.mosquitto.safe(table), prefix="")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_module, "SCRYPT_N", 2**10)
    monkeypatch.setattr("companion.web.remote.match_server.MATCH_PORT", 0)


@pytest.fixture(params=["code", "broker"])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    if request.param == "broker":
        yield OverBroker(request.getfixturevalue("mosquitto"))
        return
    made = ByCode(tmp_path / "hall")
    yield made
    made.stop()


@pytest.fixture
def tables(hall: Hall, tmp_path: Path) -> Iterator[list[LinedTable]]:
    made = [LinedTable(tmp_path / name, seed, hall.settings(name)) for seed, name in enumerate(NAMES[:2])]
    yield made
    for table in made:
        table.stop()


def share(table: LinedTable, **more: Any) -> str:
    table.ask("new_match", game="ludus-regularis/sum", players=["Anna", "Bert"], dice_by="program", **more)
    table.ask("share", remote=[2])
    return table.line.seen().code


def joined(table: LinedTable, code: str) -> None:
    """Join by the code, once both tables have reached their hall."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (why := table.line.join("", code)) is not None:
        assert why in (IN_HALL, NO_HALL)
        assert time.monotonic() < end


def of(table: LinedTable) -> Any:
    """Return what the table says to others."""
    assert table.member is not None
    return table.member.publisher.matches


def there(table: LinedTable) -> None:
    """Wait until the table has reached its hall."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not of(table).there:
        assert time.monotonic() < end
        time.sleep(0.02)


def says(state: Any, words: str) -> bool:
    sentence = state["other_table"]["sentence"]
    return bool(state["match"]["paused"]) and sentence is not None and words in sentence["text"]


def test_a_table_of_the_hall_joins_by_the_code_alone_and_the_hall_may_be_restarted(
    hall: Hall, tables: list[LinedTable]
) -> None:
    one, two = tables
    code = share(one)
    assert one.line.seen().hall == hall.name
    joined(two, code)
    for table in tables:
        table.until(lambda state: state["match"] and not state["match"]["paused"])
    one.ask("roll")
    thrown = two.until(lambda state: state["throw"] is not None)["throw"]["faces"]
    assert thrown == one.table.snapshot().data["throw"]["faces"]
    assert one.line.seen().joined
    assert two.line.seen() == OtherTableSeen(joined=True, hall=hall.name)
    hall.stop()
    end = time.monotonic() + PATIENCE_SECONDS
    while two.line.seen().trouble != NO_LINE:
        assert time.monotonic() < end
        time.sleep(0.05)
    hall.start()  # it knows nothing of the match, and needs not
    two.until(lambda state: state["awaits"]["player"] == 2 and not state["match"]["paused"])
    two.ask("roll")
    one.until(lambda state: state["match"]["throws"] == 2)


def test_a_table_that_is_away_is_noticed_over_a_hall_too(
    tables: list[LinedTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tables
    joined(two, share(one))
    one.until(lambda state: not state["match"]["paused"])
    monkeypatch.setattr(remote_table, "AWAY_AFTER_SECONDS", 2.0)
    assert two.member is not None
    two.member.stop()
    one.until(lambda state: says(state, "line to the other table is lost"))


def test_what_is_wrong_is_one_sentence(hall: Hall, tables: list[LinedTable], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_post, "JOINS_WITHIN_SECONDS", 3.0)
    one, two = tables
    share(one)
    there(two)
    assert two.line.join("", "short") == NO_CODE
    assert two.line.join("", new_code()) == IN_HALL
    hall.stop()
    assert two.line.join("", new_code()) == NO_HALL
    hall.start()
    assert two.table.snapshot().data["match"] is None


def test_a_match_goes_on_while_the_halls_book_is_away(tmp_path: Path) -> None:
    hall = ByCode(tmp_path / "hall")
    one, two = (LinedTable(tmp_path / name, seed, hall.settings(name)) for seed, name in enumerate(NAMES[:2]))
    try:
        joined(two, share(one))
        for table in (one, two):
            table.until(lambda state: not state["match"]["paused"])
        hall.end_book()
        one.ask("roll")
        two.until(lambda state: state["awaits"]["player"] == 2 and not state["match"]["paused"])
        two.ask("roll")
        one.until(lambda state: state["match"]["throws"] == 2)
    finally:
        hall.begin_book()
        one.stop()
        two.stop()
        hall.stop()


def test_a_bad_line_that_breaks_too_leaves_both_journals_the_same(
    hall: Hall, tables: list[LinedTable], tmp_path: Path
) -> None:
    one, two = tables
    bad = [BadPost(of(table), seed) for seed, table in enumerate(tables)]
    joined(two, share(one))
    places = tuple(tmp_path / name / "match.db" for name in NAMES[:2])
    pair = (one.table, two.table)
    play(pair, tmp_path, 5, 4, ends=False, journals=places)
    hall.stop()
    hall.start()
    play(pair, tmp_path, 6, 6, journals=places)
    logs = [SharedLog(match_in(place)) for place in places]
    assert logs[0].count == logs[1].count >= 8
    assert logs[0].head(logs[0].count) == logs[1].head(logs[1].count)
    assert all(one.dropped and one.doubled for one in bad)


def test_a_table_that_opens_something_else_is_noticed_over_a_hall_too(tables: list[LinedTable]) -> None:
    one, two = tables
    cheat = LyingPost(of(two), opens_something_else)
    cheat.lies.set()
    joined(two, share(one))
    one.until(lambda state: not state["match"]["paused"])
    one.ask("roll")
    one.until(lambda state: says(state, "no longer hold the same match"))
    assert one.table.snapshot().data["throw"] is None
    cheat.lies.clear()
    one.until(lambda state: state["throw"] is not None and not state["match"]["paused"])


def as_table(settings: HallSettings, waker: Waker) -> HallLine:
    """Return a line of one's own with what a table shows of itself."""
    if settings.membership is not None:
        return TableLine(settings.membership, settings.table, waker)
    return MqttLine(settings.broker, settings.table, waker)


def test_an_outsider_of_the_same_hall_neither_speaks_in_a_match_nor_joins_it(
    hall: Hall, tables: list[LinedTable], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(match_post, "JOINS_WITHIN_SECONDS", 3.0)
    one, two = tables
    code = share(one)
    joined(two, code)
    one.until(lambda state: not state["match"]["paused"])
    sync = two.table.remote.newest(str(one.table.remote.open_match))
    assert sync is not None
    forged = msgspec.json.encode(MatchMessage(msgspec.structs.replace(sync, count=7, head="ab" * 32)))
    delivered: list[Sync] = []
    taken = one.table.remote.deliver

    def delivers(sync: Sync) -> None:
        delivered.append(sync)
        taken(sync)

    monkeypatch.setattr(one.table.remote, "deliver", delivers)
    waker = Waker()
    line = as_table(hall.settings("east"), waker)
    root = f"alea/{hall.name}"
    for topic, payload in (
        (f"{root}/east/match/north", forged),
        (f"{root}/east/match/north", b"{"),
        (f"{root}/east/join", msgspec.json.encode(MatchJoin("ab" * 16, "cd" * 32))),
        (f"{root}/east/join", b"[]"),
    ):
        line.publish(topic, payload, qos=0)
        line.turn(0.1)
    line.close()
    waker.close()
    third = LinedTable(tmp_path / "east", 3, hall.settings("east"))
    try:
        there(third)
        assert third.line.join("", code) == IN_HALL, "the match has its other table already, though the code is right"
    finally:
        third.stop()
    before = len(delivered)
    end = time.monotonic() + PATIENCE_SECONDS
    while len(delivered) < before + 2:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert all(one.count == 0 for one in delivered)
    assert not one.table.snapshot().data["match"]["paused"]
    line_there = one.table.remote.lines.line(str(one.table.remote.open_match))
    assert line_there is not None
    assert line_there.guest == "south"


def test_at_a_broker_no_other_user_may_write_or_read_what_two_tables_say(mosquitto: Mosquitto, tmp_path: Path) -> None:
    hall = OverBroker(mosquitto)
    one, two = (LinedTable(tmp_path / name, seed, hall.settings(name)) for seed, name in enumerate(NAMES[:2]))
    try:
        with (
            Listener(mosquitto.safe("east"), "east", "alea/museum/#") as east,
            Listener(mosquitto.safe("book"), "book", "alea/museum/#") as book,
            Listener(mosquitto.open, "everything", "alea/museum/#") as all_of_it,
        ):
            joined(two, share(one))
            one.until(lambda state: not state["match"]["paused"])
            for user in ("east", "book", "owner"):
                with pytest.raises(LineLostError, match="Not authorized"):
                    say(mosquitto.safe(user), "alea/museum/south/match/north", b"{}")
            with pytest.raises(LineLostError, match="Not authorized"):
                say(mosquitto.safe("east"), "alea/museum/south/join", b"{}")
            assert all_of_it.of("match/north")
            assert all_of_it.of("match/south")
            assert not any("/match/" in message.topic for message in east.messages + book.messages)
            code = one.line.seen().code
            assert not any(code.encode() in message.payload for message in all_of_it.messages)
            assert not any(message.retained for message in all_of_it.messages if "/match/" in message.topic)
    finally:
        one.stop()
        two.stop()


def test_a_retained_message_is_no_sign_of_life(mosquitto: Mosquitto, tmp_path: Path) -> None:
    one = LinedTable(tmp_path / "north", 1, OverBroker(mosquitto).settings("north"))
    try:
        share(one)
        match = str(one.table.remote.open_match)
        line = one.table.remote.lines.line(match)
        assert line is not None
        one.table.remote.lines.keep(match, msgspec.structs.replace(line, guest="south"))
        sync = one.table.remote.newest(match)
        assert sync is not None
        payload = msgspec.json.encode(MatchMessage(sync))
        assert of(one).take(Received("alea/museum/south/match/north", payload, retained=True, number=1, qos=1))
        assert one.table.remote._came is None
        assert of(one).take(Received("alea/museum/south/match/north", payload, retained=False, number=1, qos=1))
        one.until(lambda state: not state["match"]["paused"])
        assert not of(one).take(Received("alea/museum/south/match/east", payload, retained=False, number=1, qos=1))
    finally:
        one.stop()


@pytest.mark.parametrize(
    ("to", "text", "status"),
    [
        ("match/south", "{}", 200),
        ("match/nobody", "{}", 200),
        ("join", "{}", 200),
        ("match/south", "x" * (MOST_MATCH_BYTES + 1), 400),
        ("match/south/north", "{}", 400),
        ("match/+", "{}", 400),
        ("match/", "{}", 400),
        ("command", "pause", 400),
    ],
)
def test_a_hall_by_a_code_takes_from_a_table_only_what_it_may_say_to_others(
    to: str, text: str, status: int, tmp_path: Path
) -> None:
    hall = ByCode(tmp_path / "hall")
    place = hall.settings("north").membership
    assert place is not None
    try:
        # a stranger's long message is not read to its end: the server may have closed before it is sent
        for key, said, expected in ((place.key, text, status), ("nobody", "{}", 401)):
            connection = PinnedConnection(place.host, place.port, place.fingerprint)
            body = msgspec.json.encode(TableMessage(0, to, said))
            try:
                connection.ask("/messages?session=mine", body, kind=LINES, key=key)
                found = 200
            except HallRefusesError as why:
                found = why.status
            finally:
                connection.close()
            assert found == expected
    finally:
        hall.stop()


def test_the_hall_hands_the_newest_message_on_once_and_to_nobody_who_is_away() -> None:
    now = [0.0]
    exchange = Exchange("club", lambda: now[0])
    waker = Waker()
    exchange.open("book", waker)

    def asks(table: str, *said: TableMessage) -> list[tuple[str, str, str]]:
        answer = exchange.deliver(table, f"line of {table}", said)
        return [(one.sender, one.to, one.text) for one in answer.messages]

    for table in NAMES:
        asks(table)
    for text in ("first", "second"):
        asks("north", TableMessage(0, "match/south", text, sender="east"))
    asks("east", TableMessage(0, "match/south", "another"), TableMessage(0, "join", "in"))
    assert asks("south") == [
        ("north", "match/south", "second"),
        ("east", "match/south", "another"),
        ("east", "join", "in"),
    ]
    assert asks("south") == []
    assert asks("east") == [], "what a table says to all does not come back"
    now[0] = 11.0
    asks("north", TableMessage(0, "match/south", "third"), TableMessage(0, "match/nobody", "x"))
    assert asks("south") == []
    waker.close()
