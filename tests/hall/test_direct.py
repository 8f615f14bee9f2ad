"""A hall without a broker: tables join its desk by a code over TLS, and the book gets all that they tell."""

import contextlib
import http.client
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import request
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.direct.code import (
    LETTERS,
    NONCE_BYTES,
    new_code,
    proof,
    proving_key,
    read_address,
    read_code,
    shown,
)
from companion.hall.direct.exchange import FROM_TABLES, OFFLINE_AFTER_SECONDS, Exchange, TableMessage
from companion.hall.direct.joining import JoinError, file_of, join, keep_membership, read_membership
from companion.hall.direct.members import MOST_TABLES, Members, MembersError
from companion.hall.direct.pinned import LINES, HallRefusesError, PinnedConnection
from companion.hall.line import LineLostError, Received, UnreachableError, Waker
from companion.hall.settings import HallSettingsError, read_settings
from companion.hall.ways import line_opener
from companion.live.table import LiveTable
from companion.web.hall.tables_server import TablesServer
from tests.hall.direct_hall import DirectHall, place_of
from tests.hall.listening import hashes, soon
from tests.hall.tables import MATCH, roll, table_at, taking_part
from tests.hall.test_lying_table import LIES, event, written


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[DirectHall]:
    made = DirectHall(tmp_path / "hall")
    yield made
    made.stop()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def table(journal: Path) -> Iterator[LiveTable]:
    with table_at(journal) as made:
        assert made.command("new_match", MATCH, "tests").ok
        yield made


def test_the_book_has_the_journal_of_a_table_that_joined(hall: DirectHall, table: LiveTable, journal: Path) -> None:
    with taking_part(table, journal, place_of(hall.join("north"))):
        roll(table, 5)
        soon(lambda: hall.events("north") == hashes(journal))
        soon(lambda: hall.status("north") == "online")
    soon(lambda: hall.status("north") == "offline")


def test_nothing_is_lost_while_the_desk_is_off_and_nothing_comes_twice(
    hall: DirectHall, table: LiveTable, journal: Path
) -> None:
    with taking_part(table, journal, place_of(hall.join("north"))) as member:
        roll(table, 2)
        soon(lambda: hall.events("north") == hashes(journal))
        hall.stop()
        roll(table, 3)
        soon(lambda: member.publisher.trouble)
        hall.start()
        soon(lambda: hall.events("north") == hashes(journal))
        assert member.publisher.trouble is None


def test_a_book_that_is_away_keeps_tables_waiting_and_then_gets_everything(
    hall: DirectHall, table: LiveTable, journal: Path
) -> None:
    hall.end_book()
    with taking_part(table, journal, place_of(hall.join("north"))) as member:
        roll(table, 2)
        assert "busy" in soon(lambda: member.publisher.trouble)
        hall.begin_book()
        soon(lambda: hall.events("north") == hashes(journal))


def test_the_desk_pauses_a_table_and_asks_nothing_else_of_it(hall: DirectHall, table: LiveTable, journal: Path) -> None:
    with taking_part(table, journal, place_of(hall.join("north"))):
        soon(lambda: hall.status("north") == "online")
        answered = hall.collector.ask("pause", ["north", "south"])
        assert (answered.done, answered.silent) == (["north"], ["south"])
        assert table.snapshot().data["match"]["paused"]
        answered = hall.collector.ask("close", ["north"])
        assert list(answered.refused) == ["north"], "the owner has not allowed that"


def test_what_the_desk_shows_at_a_table_is_there_again_after_a_lost_line(hall: DirectHall) -> None:
    membership = hall.join("north")
    hall.end_book()  # which would say itself that nobody is invited
    exchange, waker, other = hall.exchange, Waker(), Waker()
    got: list[Received] = []
    book = exchange.open("book", other)
    exchange.send("alea/club/north/invitation", b'{"given": "ludix", "options": {}}', retain=True)
    for expected in (["again", "invitation"], ["invitation"]):
        line = line_opener(place_of(membership))("north", waker, on_message=got.append)
        line.subscribe("alea/club/north/again", "alea/club/north/invitation")
        line.turn(0)
        if "again" in expected:  # what is not retained comes once, and only over the line that is open then
            exchange.send("alea/club/north/again", b"{}", retain=False)
            exchange.send("alea/club/south/again", b"{}", retain=False)
            line.publish("alea/club/north/status", b"online")
            line.turn(0)
        assert sorted(one.topic.rpartition("/")[2] for one in got) == expected
        got.clear()
        line.close()
    exchange.send("alea/club/north/invitation", b"", retain=True)
    line = line_opener(place_of(membership))("north", waker, on_message=got.append)
    line.subscribe("alea/club/north/invitation")
    line.turn(0)
    assert got == []
    line.close()
    book.close()
    waker.close()
    other.close()
    hall.begin_book()


@pytest.mark.parametrize(
    ("address", "code", "name", "expected"),
    [
        ("nowhere at all", None, "north", "Expected the hall's address"),
        ("127.0.0.1:1", None, "north", "No hall answers at this address"),
        (None, "7KQM-2XD9-P4TN", "north", "The hall at this address has another code"),
        (None, "7KQM-2XD9", "north", "Expected a code of twelve letters and digits"),
        (None, None, "North!", "A table's name has"),
        (None, None, "book", "A table's name has"),
        (None, None, "south", "has a table of this name already"),
    ],
)
def test_who_does_not_join_is_told_why(
    hall: DirectHall, address: str | None, code: str | None, name: str, expected: str
) -> None:
    hall.join("south")
    with pytest.raises(JoinError, match=expected):
        join(address or hall.address, code or hall.members.code, name, names=False)
    assert hall.members.tables == ["south"]


def test_a_table_that_joined_may_join_again_with_its_key_and_a_removed_one_with_another(hall: DirectHall) -> None:
    first = hall.join("north")
    assert hall.join("north", first).key == first.key
    assert hall.members.remove("north")
    assert hall.join("north").key != first.key


def test_another_hall_is_never_shown_the_key_of_the_one_before(hall: DirectHall, tmp_path: Path) -> None:
    first, other = hall.join("north"), DirectHall(tmp_path / "other")
    try:
        there = other.join("north", first)
        assert there.key != first.key
        assert other.members.table_of(first.key) is None
    finally:
        other.stop()


def test_who_stands_in_between_and_does_not_know_the_code_cannot_pose_as_the_hall(
    hall: DirectHall, tmp_path: Path
) -> None:
    """It passes the hall's own proof on, which is bound to the certificate that the hall shows."""
    between = TablesServer("club", Exchange("club"), Members(tmp_path / "x.json"), tmp_path / "between", 0)

    def passed_on() -> object:
        asked = PinnedConnection("127.0.0.1", hall.port, None)
        try:
            return asked.ask("/hello", request.get_data())
        finally:
            asked.close()

    between.app.view_functions["hall_tables.hello"] = passed_on  # type: ignore[assignment]
    between.start()
    try:
        with pytest.raises(JoinError, match="another code"):
            join(f"127.0.0.1:{between.address.rpartition(':')[2]}", hall.members.code, "north", names=False)
    finally:
        between.stop()


def test_another_server_at_the_halls_address_gets_no_key(hall: DirectHall, tmp_path: Path) -> None:
    membership = hall.join("north")
    hall.stop()
    other = TablesServer("club", Exchange("club"), hall.members, tmp_path / "other", hall.port)
    other.start()
    waker = Waker()
    try:
        with pytest.raises(UnreachableError, match="another server answers"):
            line_opener(place_of(membership))("north", waker)
    finally:
        waker.close()
        other.stop()
        hall.start()


def test_a_key_speaks_for_its_own_table_alone_and_only_as_a_table(hall: DirectHall) -> None:
    north, south = hall.join("north"), hall.join("south")
    connection = PinnedConnection("127.0.0.1", hall.port, north.fingerprint)
    try:
        for to in ("command", "invitation", "again", "config", "../south/status", "south/status", ""):
            with pytest.raises(HallRefusesError, match="400"):
                _say(connection, north.key, to)
        for to in sorted(FROM_TABLES):
            _say(connection, north.key, to, '"of north"' if to == "event" else "online")
        for key in ("", "x" * 43, north.key[:-1], hall.members.code):
            with pytest.raises(HallRefusesError, match="401"):
                _say(connection, key, "status")
        for body in (b"{", b"[]", b'{"number": 1}', b'{"number":1,"to":"status","text":"online","table":"south"}'):
            with pytest.raises(HallRefusesError, match="400"):
                connection.ask("/messages?session=s", body, kind=LINES, key=north.key)
        with pytest.raises(HallRefusesError, match="400"):
            connection.ask("/messages", b"\n", kind=LINES, key=south.key)
    finally:
        connection.close()
    soon(lambda: hall.status("north") == "online")
    assert hall.status("south") is None
    assert hall.collector.set_aside == {"north": 2}, (
        "what is no event or no state is set aside under the name of who sent it"
    )


def test_a_table_that_lies_and_floods_by_its_key_holds_up_no_other(
    hall: DirectHall, table: LiveTable, journal: Path
) -> None:
    liar, refused, taken = hall.join("liar"), 0, 0
    lies = [lie().decode("utf-8", "replace") for lie in LIES.values()]
    junk = [("event", lie) for lie in lies] + [
        ("state", json.dumps({"state": "x" * size})) for size in (200_000, 8 << 20)
    ]
    flood = [written(event(number, "started" if number == 1 else "resumed")).decode() for number in range(1, 3001)]
    with taking_part(table, journal, place_of(hall.join("north"))):
        roll(table, 2)
        for number, (to, text) in enumerate(junk):
            connection = PinnedConnection("127.0.0.1", hall.port, liar.fingerprint)
            try:
                _say(connection, liar.key, to, text)
                taken += 1
            except (HallRefusesError, OSError, http.client.HTTPException):  # too long: the server ends the line
                refused += 1
            finally:
                connection.close()
            if number % 3 == 0:
                roll(table, 1)
        connection = PinnedConnection("127.0.0.1", hall.port, liar.fingerprint)
        for start in range(0, len(flood), 60):
            messages = [
                {"number": start + n, "to": "event", "text": one} for n, one in enumerate(flood[start : start + 60], 1)
            ]
            body = b"\n".join(json.dumps(one).encode() for one in messages)
            with contextlib.suppress(HallRefusesError):  # the book does not keep up: a table sends again later
                connection.ask("/messages?session=flood", body, kind=LINES, key=liar.key)
        connection.close()
        roll(table, 2)
        soon(lambda: hall.events("north") == hashes(journal))
    assert taken + refused == len(junk)
    assert refused >= 1
    assert set(hall.collector.set_aside) <= {"liar"}
    assert hall.collector.set_aside.get("liar", 0) >= 1


def _say(connection: PinnedConnection, key: str, to: str, text: str = "online") -> None:
    body = json.dumps({"number": 1, "to": to, "text": text}).encode()
    connection.ask("/messages?session=s", body, kind=LINES, key=key)


def test_a_removed_table_is_offline_and_cannot_speak(hall: DirectHall, table: LiveTable, journal: Path) -> None:
    with taking_part(table, journal, place_of(hall.join("north"))) as member:
        soon(lambda: hall.status("north") == "online")
        hall.members.remove("north")
        hall.server.forget("north")
        assert "join it again" in soon(lambda: member.publisher.trouble)
        soon(lambda: hall.status("north") == "offline")


def test_wrong_codes_make_an_address_wait_and_a_new_code_keeps_the_tables(hall: DirectHall) -> None:
    north = hall.join("north")
    before = hall.members.code
    hall.members.renew()
    assert hall.members.code != before
    connection = PinnedConnection("127.0.0.1", hall.port, north.fingerprint)
    try:
        said = []
        for _ in range(8):
            asked = json.dumps({"code": before, "table": "west", "key": "k" * 43}).encode()
            with pytest.raises(HallRefusesError) as refused:
                connection.ask("/join", asked)
            said.append(refused.value.why)
        assert said[0] == "code"
        assert said[-1] == "wait"
        _say(connection, north.key, "status")
    finally:
        connection.close()


def test_a_table_that_asks_no_more_is_offline() -> None:
    now = [0.0]
    exchange, waker = Exchange("club", lambda: now[0]), Waker()
    got: list[Received] = []
    line = exchange.open("book", waker, on_message=got.append)
    exchange.deliver("north", "s", [TableMessage(0, "status", "online", retained=True)])
    line.turn(0.01)
    now[0] += OFFLINE_AFTER_SECONDS + 1
    line.turn(0.01)
    line.turn(0.01)
    assert [(one.topic, one.payload) for one in got] == [
        ("alea/club/north/status", b"online"),
        ("alea/club/north/status", b"offline"),
    ]
    other = Waker()
    later = exchange.open("book", other)
    with pytest.raises(LineLostError, match="another book"):
        line.turn(0.0)
    later.close()
    other.close()
    waker.close()


def test_what_was_sent_over_a_line_before_is_not_acknowledged_to_the_next_one() -> None:
    exchange, waker = Exchange("club"), Waker()
    got: list[Received] = []
    line = exchange.open("book", waker, on_message=got.append)
    exchange.deliver("north", "one", [TableMessage(7, "event", "{}")])
    assert exchange.deliver("north", "two", []).acknowledged == []
    line.turn(0.01)
    assert got == [], "the table sends it again over its new line"
    exchange.deliver("north", "two", [TableMessage(1, "event", "{}")])
    line.turn(0.01)
    line.received(got[0])
    assert exchange.deliver("north", "two", []).acknowledged == [1]
    assert exchange.deliver("north", "two", []).acknowledged == []
    waker.close()


def test_who_joined_is_known_after_a_restart_and_the_file_is_the_halls_alone(tmp_path: Path) -> None:
    path = tmp_path / "club-tables.json"
    members = Members(path)
    assert members.join(members.code, "north", "k" * 43) is None
    again = Members(path)
    assert (again.code, again.tables, again.table_of("k" * 43)) == (members.code, ["north"], "north")
    assert again.table_of("") is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "kkkk" not in path.read_text(), "the file holds what a key is checked against, and not the key"
    path.write_text("{")
    with pytest.raises(MembersError, match="cannot be read"):
        Members(path)


def test_a_hall_takes_so_many_tables(tmp_path: Path) -> None:
    path = tmp_path / "club-tables.json"
    code = Members(path).code
    path.write_text(json.dumps({"code": code, "tables": {f"t{n}": f"{n:064x}" for n in range(MOST_TABLES)}}))
    assert Members(path).join(code, "north", "k" * 43) == "full"


def test_a_membership_is_kept_beside_the_journal_and_shows_its_key_to_nobody(hall: DirectHall, journal: Path) -> None:
    assert read_membership(journal) is None
    membership = hall.join("north")
    keep_membership(journal, membership)
    assert read_membership(journal) == membership
    assert stat.S_IMODE(file_of(journal).stat().st_mode) == 0o600
    assert membership.key not in repr(place_of(membership))
    file_of(journal).write_text(json.dumps({"hall": "club"}))
    with pytest.raises(ValueError, match="table"):
        read_membership(journal)


@given(st.text(LETTERS, min_size=12, max_size=12), st.booleans())
def test_a_code_is_read_however_it_is_typed(letters: str, small: bool) -> None:  # noqa: FBT001  (Hypothesis gives it)
    code = shown(letters)
    typed = (code.lower() if small else code).replace("-", " ")
    assert read_code(typed) == code
    assert read_code(typed.replace("1", "l").replace("0", "O")) == code


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_code_or_none(typed: str) -> None:
    read = read_code(typed)
    assert read is None or read == read_code(read)


def test_codes_and_proofs_differ() -> None:
    assert len({new_code() for _ in range(100)}) == 100
    one, other = "7KQM-2XD9-P4TN", "7KQM-2XD9-P4TP"
    nonce = bytes(NONCE_BYTES)
    proofs = {proof(proving_key(code, mark * 32), nonce) for code in (one, other) for mark in ("00", "01")}
    assert len(proofs) == 4


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("192.168.1.5", ("192.168.1.5", 8643)),
        (" https://desk.local:9000/ ", ("desk.local", 9000)),
        ("desk:0", None),
        ("desk:x", None),
        ("a b", None),
        ("", None),
    ],
)
def test_an_address_is_read_with_and_without_its_port(typed: str, expected: tuple[str, int] | None) -> None:
    assert read_address(typed) == expected


def test_a_desk_without_a_broker_may_have_a_file_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text('hall = "club"\n[code]\nport = 9000\n')
    assert read_settings(file, of_table=False).join_port == 9000
    file.write_text('hall = "club"\n[code]\n[broker]\n')
    with pytest.raises(HallSettingsError, match="two ways"):
        read_settings(file, of_table=False)
    file.write_text('hall = "club"\n')
    assert read_settings(file, of_table=False).join_port is None
