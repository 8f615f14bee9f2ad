"""The encrypted listener beside the table's plain one, for a phone's pictures; it opens when an owner asks for it."""

import ssl
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

from companion.web.addresses import ANYWHERE, outside_addresses, trusted_names
from companion.web.camera.phone import Opened
from companion.web.serving.clock import DateWatch
from companion.web.serving.encrypted_line import EncryptedLine
from companion.web.serving.fair_server import FairServer
from companion.web.serving.server import listen

if TYPE_CHECKING:
    from companion.certificate import Certificate


ENCRYPTED_THREADS: Final = 4
"""A phone sends one picture at a time; another one loads the page meanwhile."""


class EncryptedListener:
    """Serves an app over TLS in its own threads, from `start` to `stop`, by the same rules as the plain page."""

    def __init__(
        self,
        app: Flask,
        port: int,
        certificate: "Certificate",
        host: str = ANYWHERE,
        *,
        option: str = "--phone-port",
        threads: int = ENCRYPTED_THREADS,
        knows: Callable[[Any], bool] | None = None,
    ) -> None:
        """``port``: 0 for any free port; ``option``: with which another one is chosen; ``knows``: see `FairServer`."""
        self._app, self._asked, self._option = app, (host, port), option
        self._threads, self._knows = threads, knows
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.sslsocket_class = EncryptedLine
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.show(certificate)

    def show(self, certificate: "Certificate") -> None:
        """Show this certificate to everybody who connects from now on."""
        self._context.load_cert_chain(certificate.chain, certificate.key)

    def start(self) -> int:
        """Take the port and serve; return its number.

        Raises:
            PortTakenError, AddressError: with a sentence on what to do.
        """
        listening = listen(*self._asked, option=self._option)
        self._server = FairServer(
            self._app, None, listening, threads=self._threads, context=self._context, knows=self._knows
        )
        self._thread = threading.Thread(target=self._server.run, name="encrypted listener", daemon=True)
        self._thread.start()
        return int(listening.getsockname()[1])

    def stop(self) -> None:
        """End the listener; running requests have some seconds to finish."""
        self._server.end()
        self._thread.join(5)


class PhoneDoor:
    """Opens the encrypted listener of an app. Thread-safe."""

    def __init__(self, app: Flask, port: int, names: tuple[str, ...]) -> None:
        """``port``: 0 for any free port; ``names``: further host names of this machine."""
        self._app, self._port, self._names = app, port, names
        self._lock = threading.Lock()
        self._open: tuple[EncryptedListener, DateWatch] | None = None
        self.opened: Opened | None = None
        """What phones can reach now; None while it is closed."""

    def open(self) -> Opened:
        """Let phones reach the app, unless they do already.

        Raises:
            CertificateError, PortTakenError, AddressError: with a sentence on what to do.
        """
        with self._lock:
            if self.opened is None:
                certificate = self._certificate()
                listener = EncryptedListener(self._app, self._port, certificate)
                bound = listener.start()
                trusted = self._app.config["TRUSTED_HOSTS"]
                trusted += [name for name in trusted_names(ANYWHERE, self._names) if name not in trusted]
                self.opened = self._shown(certificate, bound)
                watch = DateWatch(lambda: self._renew(listener, bound))
                watch.start()
                self._open = listener, watch
            return self.opened

    def close(self) -> None:
        """End the listener for good."""
        with self._lock:
            if self._open is not None:
                listener, watch = self._open
                watch.end()
                listener.stop()
            self._open = self.opened = None

    def _certificate(self) -> "Certificate":
        from companion.certificate import of_this_machine  # noqa: PLC0415  (only a phone needs encryption)

        return of_this_machine([name for name in trusted_names(ANYWHERE, self._names) if name.isascii()])

    def _renew(self, listener: EncryptedListener, bound: int) -> None:
        certificate = self._certificate()
        listener.show(certificate)
        self.opened = self._shown(certificate, bound)

    def _shown(self, certificate: "Certificate", bound: int) -> Opened:
        addresses = [f"https://{address}:{bound}/" for address in (*self._names, *outside_addresses())]
        return Opened(addresses, certificate.fingerprint, certificate.root)
