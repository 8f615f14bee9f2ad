"""One connection under TLS that never waits: handshake and records come as the server's own loop reads them."""

import errno
import ssl
import threading
from typing import Any, Final, Self

from companion.web.serving.bounded import NothingYetError

LARGEST_RECORD: Final = 16 * 1024
"""Bytes of a record of TLS (RFC 8446, 5.1): who reads so many at a time leaves nothing behind that no poll reports."""


class EncryptedLine(ssl.SSLSocket):
    """A socket as waitress wants one. A thread may send while the server reads; OpenSSL allows one at a time."""

    turn: threading.Lock

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Return a connection with its lock: where the client has gone already, `ssl` reads before it initializes."""
        line = super().__new__(cls, *given, **named)
        line.turn = threading.Lock()
        return line

    def recv(self, buflen: int = LARGEST_RECORD, flags: int = 0) -> bytes:
        """Return what came, b"" at the end.

        Raises:
            NothingYetError: a part of a handshake or of a record, at most.
            ConnectionResetError: the client does not speak TLS, or not the same.
        """
        with self.turn:
            try:
                return super().recv(buflen, flags)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                raise NothingYetError from None
            except (ssl.SSLError, ValueError) as why:
                raise ConnectionResetError(errno.ECONNRESET, str(why)) from why

    def send(self, data: Any, flags: int = 0) -> int:
        """Send what there is room for; return how many bytes that was.

        Raises:
            BlockingIOError: there is no room now.
            ConnectionResetError: the client has gone.
        """
        with self.turn:
            try:
                return super().send(data, flags)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                raise BlockingIOError(errno.EWOULDBLOCK, "no room") from None
            except (ssl.SSLError, ValueError) as why:
                raise ConnectionResetError(errno.ECONNRESET, str(why)) from why

    def close(self) -> None:
        """Hang up; the system says so to the client."""
        with self.turn:
            super().close()
