"""The encrypted page on which a phone is the camera: it opens when an owner asks for it, and stays open."""

import threading

from flask import Flask

from companion.web.camera.certificate import Certificate, of_this_machine
from companion.web.camera.phone import Opened
from companion.web.serving.clock import DateWatch
from companion.web.serving.encrypted import EncryptedListener
from companion.web.serving.server import ANYWHERE, outside_addresses, trusted_names


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

    def _certificate(self) -> Certificate:
        return of_this_machine([name for name in trusted_names(ANYWHERE, self._names) if name.isascii()])

    def _renew(self, listener: EncryptedListener, bound: int) -> None:
        certificate = self._certificate()
        listener.show(certificate)
        self.opened = self._shown(certificate, bound)

    def _shown(self, certificate: Certificate, bound: int) -> Opened:
        addresses = [f"https://{address}:{bound}/" for address in (*self._names, *outside_addresses())]
        return Opened(addresses, certificate.fingerprint, certificate.root)
