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
from companion.hall.match_post import MatchPost
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
IN_HALL: Final = Sentence(
    "No table of the hall shares a match with this code: check it, or type the other table's address."
)
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


def join_in_hall(post: MatchPost, code: str) -> tuple[SharedLine, dict[str, Any]]:
    """Join the match of another table of one's hall by its code; return the line, and how the match begins.

    Raises:
        NotJoinedError: it has not joined; the text says why.
    """
    if (read := read_code(code)) is None:
        raise NotJoinedError(NO_CODE)
    found = post.join(read)
    if found is None:
        raise NotJoinedError(IN_HALL if post.there else NO_HALL)
    try:
        return msgspec.structs.replace(new_line(), hall=True, guest=found[0]), _start(found[1])
    except ValueError as why:
        raise NotJoinedError(IN_HALL) from why


def _start(text: str) -> dict[str, Any]:
    """Return how a match begins.

    Raises:
        ValueError: this is no such thing.
    """
    start = read_json(text.encode())
    if not isinstance(start, dict) or not isinstance(start.get("match"), str) or len(start["match"]) > LONGEST_NAME:
        raise ValueError("the answer is not understood")
    return start


class DirectLine:
    """Carries the match between this table and one that it joined by its address, from `start` to `stop`."""

    def __init__(self, remote: RemoteTable, match: str, line: SharedLine) -> None:
        """``match``: what both tables call the match."""
        self._remote, self._match, self._line = remote, match, line
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

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                connection = PinnedConnection(self._line.host, self._line.port, self._line.fingerprint)
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
            came = connection.ask("/sync", msgspec.json.encode(going), key=self._line.key)
            self._remote.deliver(msgspec.convert(came, Sync))
            self.trouble = None
            self._remote.wait(going, ASK_EVERY_SECONDS)
