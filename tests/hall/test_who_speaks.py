"""Every message of a hall by every role: nobody speaks for another table, over a broker or to the hall's own server.

Messages, roles and addresses are listed from the code: what is new there has no rule here, and fails.
"""

import json
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.hall.acl import ASSISTANT, BOOK, OWNER, access_list
from companion.hall.direct.exchange import FROM_TABLES, Exchange, TableMessage
from companion.hall.direct.members import Members
from companion.hall.discovery import birth_topic, discovery_topic
from companion.hall.line import LineLostError, Received, Waker
from companion.hall.mqtt import MqttLine
from companion.hall.settings import HallSettings
from companion.hall.topics import JOIN, Topics
from companion.web.hall import tables_server
from companion.web.hall.tables_server import TablesAnswered, create_tables_app
from tests.hall.listening import say, soon
from tests.hall.mosquitto import Mosquitto

TABLES = ("north", "south")
KEYS = {name: name * 8 for name in TABLES}
MESSAGES = frozenset(name for name in vars(Topics("museum", "north")) if name[0] != "_") - {"from_tables"}
TO_TABLES = MESSAGES - FROM_TABLES - {JOIN}


def of(table: str, names: frozenset[str] = MESSAGES) -> set[str]:
    return {str(getattr(Topics("museum", table), name)) for name in names}


def between(table: str) -> set[str]:
    """Return what a table says to the others, of a match of both."""
    return {Topics("museum", table).match(other) for other in TABLES if other != table}


CONFIG = {table: str(discovery_topic(HallSettings("museum", table))) for table in TABLES}
BIRTH = birth_topic(HallSettings("museum", "north"))
OF_HALL = {topic for table in TABLES for topic in of(table)}
OF_MATCHES = {topic for table in TABLES for topic in between(table)}
EVERYTHING = OF_HALL | OF_MATCHES | {*CONFIG.values(), BIRTH, "alea/other/north/event"}

WRITES = {table: of(table, FROM_TABLES | {JOIN}) | between(table) | {CONFIG[table]} for table in TABLES} | {
    BOOK: {topic for table in TABLES for topic in of(table, TO_TABLES)},
    OWNER: {topic for table in TABLES for topic in of(table, frozenset({"command"}))},
    ASSISTANT: {*CONFIG.values(), BIRTH},
}
JOINS = {topic for table in TABLES for topic in of(table, frozenset({JOIN}))}
READS = {table: of(table, TO_TABLES) | {BIRTH} | JOINS | (OF_MATCHES - between(table)) for table in TABLES} | {
    BOOK: OF_HALL,
    OWNER: OF_HALL,
    ASSISTANT: {
        *CONFIG.values(),
        BIRTH,
        *(topic for one in TABLES for topic in of(one, frozenset({"state", "status"}))),
    },
}


def allowed(mosquitto: Mosquitto, user: str, topic: str) -> bool:
    try:
        say(mosquitto.safe(user), topic, b'{"after": ""}')
    except LineLostError as why:
        assert "Not authorized" in str(why)  # noqa: PT017  (the other outcome is none)
        return False
    return True


def test_each_user_of_the_broker_writes_what_is_its_own_and_no_other_message() -> None:
    lines = access_list("museum", TABLES, "homeassistant").split("\n")
    assert {line.removeprefix("user ") for line in lines if line.startswith("user ")} == {*WRITES} == {*READS}
    assert FROM_TABLES < MESSAGES


@pytest.mark.parametrize("user", [*WRITES])
def test_a_user_of_the_broker_writes_its_own_messages_alone(user: str, mosquitto: Mosquitto) -> None:
    asked = EVERYTHING | {"$SYS/broker/uptime", "alea/museum/north", "alea/museum/north/event/more"}
    assert {topic for topic in asked if allowed(mosquitto, user, topic)} == WRITES[user]


def test_a_user_of_the_broker_reads_what_is_for_it_alone(mosquitto: Mosquitto) -> None:
    with ExitStack() as stack:
        lines: dict[str, MqttLine] = {}
        got: dict[str, list[Received]] = {user: [] for user in READS}
        for user in READS:
            waker = Waker()
            stack.callback(waker.close)
            lines[user] = MqttLine(mosquitto.safe(user), f"reader-{user}", waker, on_message=got[user].append)
            stack.callback(lines[user].close)
            lines[user].subscribe("alea/#", "homeassistant/#")
            lines[user].turn(0.2)
        for topic in sorted(EVERYTHING):
            say(mosquitto.open, topic, b"{}")

        def come() -> bool:
            for line in lines.values():
                line.turn(0.05)
            return all(READS[user] <= {one.topic for one in messages} for user, messages in got.items())

        soon(come)
        come()
        for user, messages in got.items():
            assert {one.topic for one in messages if one.payload == b"{}"} == READS[user], user


@pytest.fixture
def exchange() -> Exchange:
    return Exchange("museum")


@pytest.fixture
def server(exchange: Exchange, tmp_path: Path) -> FlaskClient:
    """Return a client of the server to which north and south have joined."""
    members = Members(tmp_path / "tables.json")
    for table, key in KEYS.items():
        assert members.join(members.code, table, key) is None
    app = create_tables_app(TablesAnswered("museum", exchange, members, "0" * 64))
    return app.test_client()


def asked(server: FlaskClient, address: str, body: bytes, key: str | None) -> tuple[int, bytes]:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    kind = "application/x-ndjson" if address.startswith("/messages") else "application/json"
    answer = server.post(address, data=body, headers={**headers, "Content-Type": kind})
    return answer.status_code, answer.get_data()


WITHOUT_A_KEY = {"/hello", "/join"}
"""What a stranger may ask: the server's proof that it knows the code, and to be let in by the code."""

OF_ANOTHER = b'{"number":1,"to":"status","text":"online","table":"south"}'
"""What north sends as if it were south."""


def test_every_address_of_the_halls_server_wants_the_key_of_a_table(server: FlaskClient) -> None:
    rules = {rule.rule: rule.methods for rule in server.application.url_map.iter_rules()}
    assert {*rules} == WITHOUT_A_KEY | {"/messages"}
    assert all(methods == {"POST", "OPTIONS"} for methods in rules.values())
    code = tables_server.STATE.get(server.application).members.code
    for key in (None, "", "x", KEYS["north"][:-1], KEYS["north"] + "x", code, "north", "*"):
        assert asked(server, "/messages", OF_ANOTHER, key)[0] == 401, key
    for body in (b"{}", json.dumps({"code": "0000-0000-0000", "table": "south", "key": "k" * 40}).encode()):
        assert asked(server, "/join", body, KEYS["north"])[0] in (400, 403), "a key is no code"


def test_a_table_is_refused_what_is_another_tables(server: FlaskClient) -> None:
    assert asked(server, "/messages?session=s", OF_ANOTHER, KEYS["north"])[0] == 400
    code = tables_server.STATE.get(server.application).members.code
    join = json.dumps({"code": code, "table": "south", "key": "k" * 40}).encode()
    assert asked(server, "/join", join, KEYS["north"])[0] == 409, "who has the hall's code is not south by that"


@pytest.mark.parametrize("name", sorted(MESSAGES))
@pytest.mark.parametrize(
    "form", ["{name}", "south/{name}", "../south/{name}", "alea/museum/south/{name}", "{name}/south"]
)
def test_a_message_to_the_halls_server_is_of_the_table_whose_key_it_comes_with(
    name: str, form: str, server: FlaskClient, exchange: Exchange
) -> None:
    waker, got = Waker(), list[Received]()
    line = exchange.open("book", waker, on_message=got.append)
    to = form.format(name=name)
    body = msgspec.json.encode(TableMessage(0, to, "online"))
    status, _ = asked(server, "/messages?session=s", body, KEYS["north"])
    line.turn(0.0)
    waker.close()
    assert status == (200 if to in FROM_TABLES | {JOIN} else 400), "what tables say to one another is not for the book"
    assert [one.topic for one in got] == [f"alea/museum/north/{name}"] * (to in FROM_TABLES)


@pytest.mark.parametrize("name", sorted(TO_TABLES))
@pytest.mark.parametrize("retain", [False, True])
def test_a_table_gets_no_message_that_is_for_another(
    name: str,
    retain: bool,  # noqa: FBT001  (pytest gives it)
    server: FlaskClient,
    exchange: Exchange,
) -> None:
    waker = Waker()
    line = exchange.open("book", waker)
    for key in KEYS.values():
        assert asked(server, "/messages?session=s", b"\n", key)[0] == 200
    line.publish(getattr(Topics("museum", "south"), name), b"for south", retain=retain)
    waker.close()
    for table, expected in (("north", []), ("south", [name])):
        _, answer = asked(server, "/messages?session=s", b"\n", KEYS[table])
        assert [one["to"] for one in json.loads(answer)["messages"]] == expected


def test_who_has_the_code_does_not_fill_the_hall_from_one_address(server: FlaskClient) -> None:
    state = tables_server.STATE.get(server.application)

    def join(table: str, address: str) -> int:
        body = json.dumps({"code": state.members.code, "table": table, "key": f"{table:*>40}"})
        return server.post(
            "/join", data=body, content_type="application/json", environ_base={"REMOTE_ADDR": address}
        ).status_code

    flood = [join(f"x{number}", f"2001:db8::{number:x}") for number in range(1, tables_server.MOST_OF_ADDRESS + 20)]
    assert flood == [200] * tables_server.MOST_OF_ADDRESS + [409] * 19, "of IPv6, a device has as many as it likes"
    assert join("east", "192.0.2.1") == 200
    assert join("x1", "2001:db8::1") == 200, "who has joined may join again"
    assert state.members.remove("x2")
    assert join("another", "2001:db8::1") == 200
