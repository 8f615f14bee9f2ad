"""The encrypted listener beside the table's plain one, for a phone's pictures; it opens when an owner asks for it."""

import logging
import ssl
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

from companion.web.addresses import ANYWHERE, outside_addresses, trusted_names
from companion.web.camera.phone import Opened
from companion.web.serving.bounded import EncryptedLine
from companion.web.serving.fair_server import FairServer
from companion.web.serving.server import listen

if TYPE_CHECKING:
    from companion.web.camera.certificate import Certificate

log = logging.getLogger(__name__)

CHECK_EVERY_SECONDS: Final = 10.0
"""Seconds between two checks of the clock."""

CLOCK_SET_SECONDS: Final = 60.0
"""Seconds by which a clock is set rather than corrected."""

AGAIN_AFTER: Final = 86_400.0
"""Seconds after which what depends on the date is checked again without a jump."""


class DateWatch(threading.Thread):
    """Calls a function again when the clock has jumped, and once a day; one that fails is called at the next check.

    A small computer without a battery begins in 1970, and its clock is set when it finds a network.
    """

    def __init__(
        self,
        check: Callable[[], object],
        *,
        now: Callable[[], float] = time.time,
        passed: Callable[[], float] = time.monotonic,
    ) -> None:
        """``now`` and ``passed``: a clock that may be set, and one that only runs on, in seconds."""
        super().__init__(name="date watch", daemon=True)
        self._check, self._now, self._passed = check, now, passed
        self._ending = threading.Event()
        self._checked: tuple[float, float] | None = (now(), passed())

    def run(self) -> None:
        """Check the clock until `end`."""
        while not self._ending.wait(CHECK_EVERY_SECONDS):
            self.step()

    def step(self) -> None:
        """Check the clock once."""
        now, passed = self._now(), self._passed()
        if self._checked is not None:
            since = passed - self._checked[1]
            if abs(now - self._checked[0] - since) < CLOCK_SET_SECONDS and since < AGAIN_AFTER:
                return
        self._checked = None
        try:
            self._check()
        except Exception:
            log.exception("what depends on the date could not be looked at again")
        else:
            self._checked = now, passed

    def end(self) -> None:
        """Stop checking."""
        self._ending.set()


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
        from companion.web.camera.certificate import of_this_machine  # noqa: PLC0415  (only a phone needs encryption)

        return of_this_machine([name for name in trusted_names(ANYWHERE, self._names) if name.isascii()])

    def _renew(self, listener: EncryptedListener, bound: int) -> None:
        certificate = self._certificate()
        listener.show(certificate)
        self.opened = self._shown(certificate, bound)

    def _shown(self, certificate: "Certificate", bound: int) -> Opened:
        addresses = [f"https://{address}:{bound}/" for address in (*self._names, *outside_addresses())]
        return Opened(addresses, certificate.fingerprint, certificate.root)
