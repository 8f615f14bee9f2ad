"""The server of a table that shares a match: the other table joins by the code, then sends how the match stands there.

It is an application of its own, so that nothing else of the table can be reached over its port.
"""

import hmac
import json
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Flask, Response, jsonify, request

from companion.hall.direct.code import digest_of, read_code
from companion.hall.direct.proving import Prover
from companion.live.remote_table import RemoteTable, Sync
from companion.live.shared_matches import SharedLine
from companion.web.access.tries import Tries
from companion.web.addresses import outside_addresses
from companion.web.app_state import AppKey
from companion.web.machine_answers import key_in, machine_app, refused_as
from companion.web.owner.other_table import OtherTableSeen
from companion.web.serving.encrypted import EncryptedListener
from companion.web.serving.server import PortTakenError

MATCH_PORT: Final = 8644
"""Where a table listens for another one by default."""

MATCH_THREADS: Final = 4
"""One other table asks, a few times a second; strangers may hold the other threads."""

ANSWER_WITHIN_SECONDS: Final = 0.25
"""Seconds that a request waits for the writer to take it in, so that its answer comes with the same request."""

NAMES: Final = ("alea-table",)
"""What the certificate names: no address, since the other table compares the certificate itself."""


class MatchJoining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table asks to play the shared match; from then on it shows its key."""

    code: Annotated[str, msgspec.Meta(max_length=40)]
    key: Annotated[str, msgspec.Meta(min_length=32, max_length=200)]


class SharedHere:
    """The match that this table shares now, and its line. Thread-safe."""

    def __init__(self, remote: RemoteTable, match: str, fingerprint: str) -> None:
        """``match``: what both tables call the match; ``fingerprint``: of the certificate, hexadecimal."""
        self.remote, self.match = remote, match
        self.tries, self.prover = Tries(), Prover(fingerprint)

    @property
    def line(self) -> SharedLine | None:
        """The line as it is kept."""
        return self.remote.lines.line(self.match)

    def admits(self, key: str) -> bool:
        """Whether this is the key of the table that has joined."""
        line = self.line
        return line is not None and bool(line.joined) and hmac.compare_digest(line.joined, digest_of(key))

    def join(self, key: str) -> bool:
        """Let the table with this key in, unless another one is; return whether it is in.

        Raises:
            OSError: it cannot be kept, and the table is not in.
        """
        line = self.line
        if line is None or line.guest or (line.joined and not self.admits(key)):
            return False
        self.remote.lines.keep(self.match, msgspec.structs.replace(line, joined=digest_of(key)))
        return True


HERE = AppKey[SharedHere]("shared_match")

blueprint = Blueprint("shared_match", __name__)


def create_match_app(here: SharedHere) -> Flask:
    """Make the application that answers the other table."""
    app = machine_app("companion.web.remote.match_server", blueprint, "application/json", OSError)
    HERE.put(app, here)
    return app


@blueprint.post("/hello")
def hello() -> Response:
    """Prove to a table that this server knows the code."""
    here = HERE.get()
    line = here.line
    if line is None or not line.code:
        return refused_as(HTTPStatus.GONE, "over")
    return jsonify(here.prover.answer(request.get_data(), line.code))


@blueprint.post("/join")
def join() -> Response:
    """Let the other table in by the code, and say how the match began."""
    here, address = HERE.get(), request.remote_addr or ""
    if here.tries.wait(address) > 0:
        return refused_as(HTTPStatus.TOO_MANY_REQUESTS, "wait")
    asked = msgspec.json.decode(request.get_data(), type=MatchJoining)
    line, start = here.line, here.remote.start_for_other(here.match)
    if line is None or start is None:
        return refused_as(HTTPStatus.GONE, "over")
    if not hmac.compare_digest((read_code(asked.code) or "").encode(), line.code.encode()):
        here.tries.wrong(address)
        return refused_as(HTTPStatus.FORBIDDEN, "code")
    if not here.join(asked.key):
        return refused_as(HTTPStatus.CONFLICT, "taken")
    here.tries.right(address)
    return jsonify({"start": json.dumps(start)})


@blueprint.post("/sync")
def sync() -> Response:
    """Take how the match stands at the other table, and return how it stands here."""
    here = HERE.get()
    if not here.admits(key_in(request.headers.get("Authorization"))):
        return refused_as(HTTPStatus.UNAUTHORIZED, "key")
    came = msgspec.json.decode(request.get_data(), type=Sync)
    before = here.remote.newest(here.match)
    if before is None or came.match != here.match:
        return refused_as(HTTPStatus.GONE, "over")
    here.remote.deliver(came)
    if came.count != before.count or came.dice is not None:
        here.remote.wait(before, ANSWER_WITHIN_SECONDS)
    return jsonify(msgspec.to_builtins(here.remote.newest(here.match) or before))


class MatchServer:
    """Listens for the other table in its own threads, from `start` to `stop`."""

    def __init__(self, remote: RemoteTable, match: str, folder: Path) -> None:
        """``folder``: where the server's key and certificate are kept.

        Raises:
            CertificateError: they cannot be made or kept.
        """
        from companion.certificate import of_this_machine  # noqa: PLC0415  (only a shared match needs it)

        certificate = of_this_machine(NAMES, folder, renews=False)
        here = SharedHere(remote, match, certificate.fingerprint.replace(":", "").lower())
        line = here.line
        asked = (line.port if line is not None and line.port else MATCH_PORT, 0)
        app = create_match_app(here)
        knows = _knows(here)
        self._listeners = [
            EncryptedListener(app, port, certificate, option="", threads=MATCH_THREADS, knows=knows) for port in asked
        ]
        self._here = here
        self.address = ""
        """What the owner of the other table types to reach it, once it has started."""

    def start(self) -> None:
        """Listen: on the port of before or the usual one, or on any other where that is taken.

        Raises:
            PortTakenError, AddressError: with a sentence on what to do.
        """
        try:
            port = self._listeners[0].start()
            self._listener = self._listeners[0]
        except PortTakenError:
            port = self._listeners[1].start()
            self._listener = self._listeners[1]
        self.address = f"{outside_addresses()[0]}:{port}"
        line = self._here.line
        if line is not None and line.port != port:
            self._here.remote.lines.keep(self._here.match, msgspec.structs.replace(line, port=port))

    def seen(self) -> OtherTableSeen:
        """Return what the owner's page says."""
        line = self._here.line
        return (
            OtherTableSeen(self.address)
            if line is None
            else OtherTableSeen(self.address, line.code, bool(line.joined or line.guest))
        )

    def stop(self) -> None:
        """End the listener."""
        self._listener.stop()


def _knows(here: SharedHere) -> Callable[[Any], bool]:
    """Return what says of the head of a request whether the other table sent it."""
    return lambda asked: here.admits(key_in(asked.headers.get("AUTHORIZATION")))
