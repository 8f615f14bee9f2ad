"""The encrypted listener beside the table's plain one: a telephone sends its pictures to it."""

import errno
import logging
import socket
import ssl
import threading
from collections.abc import Iterable
from typing import Any, Final

from cheroot import wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter
from flask import Flask

from companion.web.api import LARGEST_FRAME
from companion.web.camera import phone
from companion.web.serving.certificate import Certificate
from companion.web.serving.server import ANYWHERE, AddressError, PortTakenError

log = logging.getLogger(__name__)

THREADS: Final = 4
"""A telephone sends one picture at a time; a second one loads the page; nobody else connects here."""

CLIENT_SILENCE_SECONDS: Final = 8
"""Seconds for which a client may send nothing while a thread waits for it."""

LARGEST_HEADERS: Final = 16 * 1024

WAITING: Final = 16
"""Connections that may wait for a thread."""


class _Adapter(BuiltinSSLAdapter):
    """Leaves the handshake to the thread that reads the request: one that never comes must not block all others."""

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, Any]]:
        """Return the wrapped socket, and the environment variables that tell the app about it."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class _Server(wsgi.Server):
    """Prints nothing about clients that refuse the certificate or hang up."""

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:  # noqa: FBT001, FBT002  (cheroot's own signature)
        """Log what went wrong with a client, at the level debug."""
        log.debug("%s", msg, exc_info=traceback if level >= logging.ERROR else False)


class EncryptedListener:
    """Serves an app over TLS in its own threads, from `start` to `stop`."""

    def __init__(self, app: Flask, port: int, certificate: Certificate, host: str = ANYWHERE) -> None:
        """``port``: 0 for any free port."""

        def marked(environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
            return app.wsgi_app({**environ, phone.LISTENER: True}, respond)

        self._asked = (host, port)
        self._server = _Server(
            (host, port),
            marked,
            numthreads=THREADS,
            max=THREADS,
            timeout=CLIENT_SILENCE_SECONDS,
            shutdown_timeout=1,
            request_queue_size=WAITING,
            accepted_queue_size=WAITING,
            accepted_queue_timeout=1,
        )
        self._server.max_request_body_size = LARGEST_FRAME + 1024
        self._server.max_request_header_size = LARGEST_HEADERS
        adapter = _Adapter(str(certificate.chain), str(certificate.key))
        adapter.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._server.ssl_adapter = adapter
        self._thread = threading.Thread(target=self._serve, name="encrypted listener", daemon=True)

    def start(self) -> int:
        """Take the port and serve; return its number.

        Raises:
            PortTakenError, AddressError: with a sentence on what to do.
        """
        host, port = self._asked
        try:
            if port:  # else cheroot leaves its socket open when another program has the port
                socket.create_server((host, port)).close()
            self._server.prepare()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortTakenError(
                    f"Port {port} is taken by another program; choose another with --phone-port, or --phone-port 0 "
                    "for any free one."
                ) from error
            raise AddressError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from error
        self._thread.start()
        bound: int = self._server.bind_addr[1]
        return bound

    def stop(self) -> None:
        """End the listener; running requests have one second to finish."""
        self._server.stop()
        if self._thread.ident is not None:
            self._thread.join(5)

    def _serve(self) -> None:
        try:
            self._server.serve()
        except Exception:
            log.exception("the encrypted listener ended")
