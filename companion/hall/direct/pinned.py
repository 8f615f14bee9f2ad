"""A connection to a server that goes on only with the one certificate that it was pinned to.

A server proves to who wants to join that it knows the code, before the code is sent to it.
"""

import hashlib
import hmac
import http.client
import json
import secrets
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Annotated, Any, Final

import msgspec

from companion.hall.direct.code import NONCE_BYTES, proof, proving_key
from companion.rules.strict_json import read_json

CONNECT_WAIT: Final = 5.0
"""Seconds that connecting may take, and an answer; the server answers within half a second."""

MOST_ANSWER_BYTES: Final = 8 * 1024 * 1024
"""The most bytes of an answer: a thousand invitations and wishes have a few hundred thousand."""

JSON, LINES = "application/json", "application/x-ndjson"


class HallRefusesError(Exception):
    """The server refused a request; ``status`` is HTTP's, ``why`` its one word."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"{status} {why}")
        self.status, self.why = status, why


class PinnedConnection:
    """A connection that is kept open from request to request. For one thread.

    Its methods raise `OSError` or `http.client.HTTPException` where the server is away or is another one.
    """

    def __init__(self, host: str, port: int, fingerprint: str | None) -> None:
        """Connect; ``fingerprint``: SHA-256 of the server's certificate, hexadecimal, None to take any."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # the certificate is compared itself: nobody vouches for it, and the hall may have any address
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._http = http.client.HTTPSConnection(host, port, timeout=CONNECT_WAIT, context=context)
        self._http.connect()
        assert isinstance(self._http.sock, ssl.SSLSocket)
        self.fingerprint = hashlib.sha256(self._http.sock.getpeercert(binary_form=True) or b"").hexdigest()
        """That of the certificate which the server shows."""
        if fingerprint is not None and self.fingerprint != fingerprint:
            self.close()
            raise ConnectionRefusedError("another server answers at the hall's address")

    def ask(self, path: str, body: bytes, *, kind: str = JSON, key: str = "") -> Any:
        """Send a body and return the answer's JSON; ``key``: that of the table which asks.

        Raises:
            HallRefusesError: the server refuses the request.
            ValueError: the answer is no JSON, or too long.
        """
        headers = {"Content-Type": kind, **({"Authorization": f"Bearer {key}"} if key else {})}
        if self._http.sock is None:
            raise ConnectionResetError("the line ended")
        self._http.request("POST", path, body, headers)
        with self._http.getresponse() as answer:
            got = answer.read(MOST_ANSWER_BYTES + 1)
            if answer.will_close:
                self.close()
        if len(got) > MOST_ANSWER_BYTES:
            raise ValueError("the hall's answer is too long")
        answered = read_json(got)
        if answer.status != HTTPStatus.OK:
            raise HallRefusesError(answer.status, str(answered.get("why", "")) if isinstance(answered, dict) else "")
        return answered

    def close(self) -> None:
        """End the connection."""
        self._http.close()


class OtherCodeError(ValueError):
    """The server at the address does not know the code."""


class ProofAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody asks the server to prove that it knows the code."""

    nonce: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{{2 * NONCE_BYTES}}}$")]


class Prover:
    """The server's side."""

    def __init__(self, fingerprint: str) -> None:
        """``fingerprint``: SHA-256 of the certificate that the other side sees, hexadecimal."""
        self._key_of = lru_cache(maxsize=1)(partial(proving_key, fingerprint=fingerprint))

    def answer(self, asked: bytes, code: str) -> dict[str, str]:
        """Return the answer to the body of a request.

        Raises:
            msgspec.MsgspecError: it is no such request.
        """
        nonce = bytes.fromhex(msgspec.json.decode(asked, type=ProofAsked).nonce)
        return {"proof": proof(self._key_of(code), nonce)}


@contextmanager
def proven(host: str, port: int, code: str) -> Iterator[PinnedConnection]:
    """Connect to a server that proves that it knows the code; close the connection after the block.

    Raises:
        OtherCodeError: it proves nothing.
        HallRefusesError, OSError, http.client.HTTPException, ValueError: as `PinnedConnection.ask`.
    """
    connection = PinnedConnection(host, port, None)
    try:
        nonce = secrets.token_bytes(NONCE_BYTES)
        shown = text_in(connection.ask("/hello", json.dumps({"nonce": nonce.hex()}).encode()), "proof")
        expected = proof(proving_key(code, connection.fingerprint), nonce)
        if not hmac.compare_digest(shown.encode(), expected.encode()):
            raise OtherCodeError("the server has another code")
        yield connection
    finally:
        connection.close()


def text_in(answer: object, name: str) -> str:
    """Return a text of an answer.

    Raises:
        ValueError: it has none of this name.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get(name), str):
        raise ValueError("the answer is not understood")  # noqa: TRY004  (what came is wrong, not its caller)
    return str(answer[name])
