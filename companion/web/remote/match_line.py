"""The line of a table to the match of another one: it asks a few times a second, and at once where there is news."""

import http.client
import json
import logging
import threading
from http import HTTPStatus
from typing import Any, Final

import msgspec

from companion.hall.direct.code import read_address, read_code
from companion.hall.direct.pinned import HallRefusesError, PinnedConnection
from companion.hall.direct.proving import OtherCodeError, proven, text_in
from companion.hall.direct.relay import RelayAnswer, RelayJoining, RelayMessage, RelayOffer
from companion.hall.settings import Membership
from companion.language.sentence import Sentence, SentenceError
from companion.live.remote_table import RemoteTable, Sync
from companion.live.shared_matches import SharedLine, new_line
from companion.rules.strict_json import read_json
from companion.web.owner.other_table import OtherTableSeen
from companion.web.remote.match_server import MATCH_PORT

log = logging.getLogger(__name__)

ASK_EVERY_SECONDS: Final = 0.4
"""Seconds between two requests where nothing happens here: so late may a turn of the other table show."""

AGAIN_SECONDS: Final = 1.0
"""Seconds until the next try where the other table cannot be reached."""

FAILED: Final = (OSError, http.client.HTTPException, ValueError, msgspec.MsgspecError)

REFUSALS: Final = {
    "code": Sentence("The other table has another code now: ask there for it."),
    "taken": Sentence("Another table plays this match already: let them share another one."),
    "over": Sentence("The other table no longer shares the match: ask there to open it."),
    "wait": Sentence("Too many wrong codes came from here: wait a minute, then try again."),
}
NO_CODE: Final = Sentence("Expected a code of twelve letters and digits, e.g. 7KQM-2XD9-P4TN; check it.")
NO_HALL: Final = Sentence("The hall does not answer: try again in a moment, or join by the other table's address.")
IN_HALL: Final = {
    "code": Sentence(
        "No table of the hall shares a match with this code: check it, or type the other table's address."
    ),
    "wait": REFUSALS["wait"],
}
LONGEST_NAME: Final = 64
NOBODY: Final = Sentence("No table answers at this address: is the match open there, and can this network reach it?")


class NotJoinedError(SentenceError):
    """The table has not joined; ``sentence`` says why and what to do."""


def join_match(address: str, code: str, key: str) -> tuple[SharedLine, dict[str, Any]]:
    """Join the match of the table at an address by its code; return the line, and how the match begins.

    ``key``: this table's at the other one, the same each time: the answer to an earlier try may have been lost.

    Raises:
        NotJoinedError: it has not joined; the text says why.
    """
    where, read = read_address(address, MATCH_PORT), read_code(code)
    if where is None:
        raise NotJoinedError(
            Sentence("Expected the other table's address, e.g. 192.168.1.5:8644, but got {got}.", got=address[:60])
        )
    if read is None:
        raise NotJoinedError(NO_CODE)
    try:
        with proven(*where, read) as connection:
            answer = connection.ask("/join", json.dumps({"code": read, "key": key}).encode())
            host, port = where
            made = {"host": host, "port": port, "fingerprint": connection.fingerprint, "key": key}
            return msgspec.structs.replace(new_line(), **made), _start(text_in(answer, "start"))
    except OtherCodeError as why:
        raise NotJoinedError(
            Sentence("The table at this address has another code: check the code and the address.")
        ) from why
    except HallRefusesError as why:
        raise NotJoinedError(REFUSALS.get(why.why, NOBODY)) from why
    except FAILED as why:
        raise NotJoinedError(NOBODY) from why


def join_in_hall(membership: Membership, code: str) -> tuple[SharedLine, dict[str, Any]]:
    """Join the match of another table of one's hall by its code; return the line, and how the match begins.

    Raises:
        NotJoinedError: it has not joined; the text says why.
    """
    if (read := read_code(code)) is None:
        raise NotJoinedError(NO_CODE)
    try:
        connection = PinnedConnection(membership.host, membership.port, membership.fingerprint)
        try:
            answer = connection.ask("/relay/join", msgspec.json.encode(RelayJoining(read)), key=membership.key)
            return msgspec.structs.replace(new_line(), hall=True), _start(text_in(answer, "start"))
        finally:
            connection.close()
    except HallRefusesError as why:
        raise NotJoinedError(IN_HALL.get(why.why, NO_HALL)) from why
    except FAILED as why:
        raise NotJoinedError(NO_HALL) from why


def _start(text: str) -> dict[str, Any]:
    """Return how a match begins.

    Raises:
        ValueError: this is no such thing.
    """
    start = read_json(text.encode())
    if not isinstance(start, dict) or not isinstance(start.get("match"), str) or len(start["match"]) > LONGEST_NAME:
        raise ValueError("the answer is not understood")
    return start


class RemoteLine:
    """Carries the match between this table and another one in a thread, from `start` to `stop`."""

    def __init__(self, remote: RemoteTable, match: str) -> None:
        """``match``: what both tables call the match."""
        self._remote, self._match = remote, match
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="line to the other table", daemon=True)
        self.trouble: Sentence | None = None
        """Why the other table does not answer; None while it does."""

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def seen(self) -> OtherTableSeen:
        """Return what the owner's page says."""
        return OtherTableSeen(joined=True, trouble=self.trouble)

    def stop(self) -> None:
        """End the line."""
        self._ends.set()
        self._thread.join(5)

    def connected(self) -> PinnedConnection:
        """Return a new connection to where the other table's messages are.

        Raises:
            OSError, http.client.HTTPException: there is none now.
        """
        raise NotImplementedError

    def exchanged(self, connection: PinnedConnection, going: Sync) -> Sync | None:
        """Send a message and return the newest of the other table, None for none.

        Raises:
            HallRefusesError, OSError, http.client.HTTPException, ValueError: as `PinnedConnection.ask`.
        """
        raise NotImplementedError

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                connection = self.connected()
                try:
                    self._carry(connection)
                finally:
                    connection.close()
            except HallRefusesError as why:
                gone = why.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.GONE)
                self._failed(REFUSALS["over"] if gone else NOBODY, why)
            except FAILED as why:
                self._failed(NOBODY, why)
            self._ends.wait(AGAIN_SECONDS)

    def _failed(self, trouble: Sentence, why: Exception) -> None:
        if self.trouble is None:
            log.warning("the other table cannot be reached: %s", why)
        self.trouble = trouble

    def _carry(self, connection: PinnedConnection) -> None:
        while not self._ends.is_set():
            going = self._remote.newest(self._match)
            if going is None:
                return
            came = self.exchanged(connection, going)
            if came is not None:
                self._remote.deliver(came)
            self.trouble = None
            self._remote.wait(going, ASK_EVERY_SECONDS)


class DirectLine(RemoteLine):
    """The line to a table that this one joined by its address."""

    def __init__(self, remote: RemoteTable, match: str, line: SharedLine) -> None:
        super().__init__(remote, match)
        self._line = line

    def connected(self) -> PinnedConnection:
        """Return a new connection to the other table."""
        return PinnedConnection(self._line.host, self._line.port, self._line.fingerprint)

    def exchanged(self, connection: PinnedConnection, going: Sync) -> Sync:
        """Send a message and return that of the other table."""
        return msgspec.convert(connection.ask("/sync", msgspec.json.encode(going), key=self._line.key), Sync)


class RelayedLine(RemoteLine):
    """The line over the hall of both tables; the one that shares the match offers it there."""

    def __init__(self, remote: RemoteTable, match: str, membership: Membership, *, offers: bool) -> None:
        """``offers``: whether this table shares the match, and has not joined it."""
        super().__init__(remote, match)
        self._membership, self._offers = membership, offers

    def connected(self) -> PinnedConnection:
        """Return a new connection to the hall, which knows of the match."""
        place = self._membership
        connection = PinnedConnection(place.host, place.port, place.fingerprint)
        line, start = self._remote.lines.line(self._match), self._remote.start_for_other(self._match)
        if self._offers and line is not None and start is not None:
            asked = RelayOffer(self._match, line.code, json.dumps(start), line.guest)
            try:
                connection.ask("/relay/offer", msgspec.json.encode(asked), key=place.key)
            except BaseException:
                connection.close()
                raise
        return connection

    def exchanged(self, connection: PinnedConnection, going: Sync) -> Sync | None:
        """Send a message and return the newest of the other table; end once a table came by the address."""
        line = self._remote.lines.line(self._match)
        if self._offers and (line is None or line.joined):
            self._ends.set()
            return None
        asked = RelayMessage(self._match, msgspec.json.encode(going).decode())
        said = connection.ask("/relay/sync", msgspec.json.encode(asked), key=self._membership.key)
        answer = msgspec.convert(said, RelayAnswer)
        if self._offers and line is not None and answer.other and line.guest != answer.other:
            self._remote.lines.keep(self._match, msgspec.structs.replace(line, guest=answer.other))
        return msgspec.json.decode(answer.text, type=Sync) if answer.text else None
