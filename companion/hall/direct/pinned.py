"""A connection to a hall's server that goes on only with the one certificate that it was pinned to."""

import hashlib
import http.client
import ssl
from http import HTTPStatus
from typing import Any, Final

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
