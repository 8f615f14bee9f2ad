"""The encrypted listener beside the table's plain one: a phone sends its pictures to it."""

import ssl
import threading
from typing import Final

from flask import Flask

from companion.web.camera.certificate import Certificate
from companion.web.serving.encrypted_line import EncryptedLine
from companion.web.serving.fair_server import FairServer
from companion.web.serving.server import ANYWHERE, listen

ENCRYPTED_THREADS: Final = 4
"""A phone sends one picture at a time; another one loads the page meanwhile."""


class EncryptedListener:
    """Serves an app over TLS in its own threads, from `start` to `stop`, by the same rules as the plain page."""

    def __init__(self, app: Flask, port: int, certificate: Certificate, host: str = ANYWHERE) -> None:
        """``port``: 0 for any free port."""
        self._app, self._asked = app, (host, port)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.sslsocket_class = EncryptedLine
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.show(certificate)

    def show(self, certificate: Certificate) -> None:
        """Show this certificate to everybody who connects from now on."""
        self._context.load_cert_chain(certificate.chain, certificate.key)

    def start(self) -> int:
        """Take the port and serve; return its number.

        Raises:
            PortTakenError, AddressError: with a sentence on what to do.
        """
        listening = listen(*self._asked, option="--phone-port")
        self._server = FairServer(self._app, None, listening, threads=ENCRYPTED_THREADS, context=self._context)
        self._thread = threading.Thread(target=self._server.run, name="encrypted listener", daemon=True)
        self._thread.start()
        return int(listening.getsockname()[1])

    def stop(self) -> None:
        """End the listener; running requests have some seconds to finish."""
        self._server.end()
        self._thread.join(5)
