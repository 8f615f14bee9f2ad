"""The server for the tables of a hall without a broker: by the hall's code they join, then they bring their messages.

It is an application of its own, so that nothing of the desk can be reached over its port.
"""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Flask, Response, jsonify, request

from companion.certificate import of_this_machine
from companion.hall.direct.code import read_code
from companion.hall.direct.exchange import FROM_TABLES, BookBehindError, Exchange, TableMessage
from companion.hall.direct.members import Members, MembersError
from companion.hall.direct.proving import Prover
from companion.hall.topics import MOST_MATCH_BYTES, receivers
from companion.web.access.tries import Tries, network_of
from companion.web.addresses import outside_addresses
from companion.web.app_state import AppKey
from companion.web.machine_answers import key_in, machine_app, refused_as
from companion.web.serving.encrypted import EncryptedListener

TABLE_THREADS: Final = 12
"""Threads that answer tables: a request waits a quarter of a second at most, and strangers hold one of them."""

MOST_AT_ONCE: Final = 64
"""Most messages of one request; a table has 16 events on their way, and a state."""

SESSION_LETTERS: Final = 64
"""The most letters of what names a table's line; this program writes sixteen."""

NAMES: Final = ("alea-hall",)
"""What the certificate names: no address, since tables compare the certificate itself."""

MOST_OF_ADDRESS: Final = 100
"""The most tables that join from one address: who has got hold of the code cannot fill the hall from there."""

STATUS_OF: Final = {"code": 403, "name": 400, "taken": 409, "full": 409}


class TableJoining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table asks to be let in by the code; from then on it shows its key."""

    code: Annotated[str, msgspec.Meta(max_length=40)]
    table: Annotated[str, msgspec.Meta(max_length=40)]
    key: Annotated[str, msgspec.Meta(min_length=32, max_length=200)]


class TablesAnswered:
    """What the requests of tables need: the exchange, who has joined, and how the server proves itself."""

    def __init__(self, hall: str, exchange: Exchange, members: Members, fingerprint: str) -> None:
        """``fingerprint``: SHA-256 of the certificate that tables see, hexadecimal."""
        self.hall, self.exchange, self.members = hall, exchange, members
        self.tries = Tries()
        self.prover = Prover(fingerprint)
        self._came_from: dict[str, str] = {}  # by table that joined since the start, its network

    def full_for(self, table: str, address: str) -> bool:
        """Return whether as many tables of the hall as may have joined from this address, and this is none of them."""
        own = [one for one in self.members.tables if self._came_from.get(one) == network_of(address)]
        return len(own) >= MOST_OF_ADDRESS and table not in own

    def came(self, table: str, address: str) -> None:
        """Note that a table has joined from an address."""
        self._came_from[table] = network_of(address)


STATE = AppKey[TablesAnswered]("hall_tables")

blueprint = Blueprint("hall_tables", __name__)


def create_tables_app(state: TablesAnswered) -> Flask:
    """Make the application that answers tables."""
    app = machine_app(
        "companion.web.hall.tables_server", blueprint, "application/x-ndjson", BookBehindError, MembersError
    )
    STATE.put(app, state)
    return app


@blueprint.post("/hello")
def hello() -> Response:
    """Prove to a table that this server knows the hall's code."""
    state = STATE.get()
    return jsonify(state.prover.answer(request.get_data(), state.members.code))


@blueprint.post("/join")
def join() -> Response:
    """Let a table in by the hall's code."""
    state, address = STATE.get(), request.remote_addr or ""
    if state.tries.wait(address) > 0:
        return refused_as(HTTPStatus.TOO_MANY_REQUESTS, "wait")
    asked = msgspec.json.decode(request.get_data(), type=TableJoining)
    if state.full_for(asked.table, address):
        return refused_as(STATUS_OF["full"], "full")
    why = state.members.join(read_code(asked.code) or "", asked.table, asked.key)
    if why == "code":
        state.tries.wrong(address)
    if why is not None:
        return refused_as(STATUS_OF[why], why)
    state.came(asked.table, address)
    state.tries.right(address)
    return jsonify({"hall": state.hall})


@blueprint.post("/messages")
def messages() -> Response:
    """Take a table's messages, and return what the book acknowledges and what the hall has for the table."""
    state, session = STATE.get(), request.args.get("session", "")
    table = _table()
    if table is None:
        return refused_as(HTTPStatus.UNAUTHORIZED, "key")
    came = [msgspec.json.decode(one, type=TableMessage) for one in request.get_data().split(b"\n") if one]
    if not 0 < len(session) <= SESSION_LETTERS or len(came) > MOST_AT_ONCE:
        return refused_as(HTTPStatus.BAD_REQUEST, "form")
    if not all(one.to in FROM_TABLES or _is_to_tables(one) for one in came):
        return refused_as(HTTPStatus.BAD_REQUEST, "form")
    return jsonify(msgspec.to_builtins(state.exchange.deliver(table, session, came)))


def _is_to_tables(message: TableMessage) -> bool:
    """Whether a table may say this to others; the exchange says for it who it is."""
    return receivers(message.to, ()) is not None and len(message.text.encode()) <= MOST_MATCH_BYTES


def _table() -> str | None:
    """Return which table asks, None if none of the hall's does."""
    return STATE.get().members.table_of(key_in(request.headers.get("Authorization")))


class TablesServer:
    """Listens for tables in its own threads, from `start` to `stop`."""

    def __init__(self, hall: str, exchange: Exchange, members: Members, folder: Path, port: int) -> None:
        """``folder``: where the server's key and certificate are kept; ``port``: 0 for any free port.

        Raises:
            CertificateError: they cannot be made or kept.
        """
        certificate = of_this_machine(NAMES, folder, renews=False)
        fingerprint = certificate.fingerprint.replace(":", "").lower()
        self._exchange = exchange
        self.app = create_tables_app(TablesAnswered(hall, exchange, members, fingerprint))
        self._listener = EncryptedListener(
            self.app,
            port,
            certificate,
            option="--join-port",
            threads=TABLE_THREADS,
            knows=_knows(members),
        )
        self.address = ""
        """What a table's owner types to reach it, once it has started."""

    def start(self) -> None:
        """Listen.

        Raises:
            PortTakenError, AddressError: with a sentence on what to do.
        """
        self.address = f"{outside_addresses()[0]}:{self._listener.start()}"

    def forget(self, table: str) -> None:
        """Let go what waits for a table that was removed."""
        self._exchange.forget(table)

    def stop(self) -> None:
        """End the listener."""
        self._listener.stop()


def _knows(members: Members) -> Callable[[Any], bool]:
    """Return what says of the head of a request whether one of the hall's tables sent it."""
    return lambda asked: members.table_of(key_in(asked.headers.get("AUTHORIZATION"))) is not None
