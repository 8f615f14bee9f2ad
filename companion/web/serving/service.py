"""The table as a systemd service: it reports when it is ready, its status, and that it is alive, and nothing more.

The protocol is a datagram of ``NAME=value`` lines to the socket that the environment names (sd_notify(3)).
"""

import logging
import os
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from typing import Final
from urllib.error import URLError
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

from companion.live.table import LiveTable

log = logging.getLogger(__name__)

FRESH_WITHIN: Final = 20.0
"""The most seconds since the newest frame: a lost source reopens every five, one that hangs after twelve."""

PROBED_WITHIN: Final = 5.0
"""Seconds in which the server must answer the watchdog's probe."""

STATUS_SECONDS: Final = 10.0
"""Seconds between two checks if systemd asks for no watchdog: it still gets the status."""


class Notifier:
    """Sends messages to systemd; does nothing if systemd does not listen."""

    def __init__(self, address: str | None) -> None:
        """``address``: of the socket, a path, or a name that begins with @; None without a socket."""
        self._address = None if not address else f"\0{address[1:]}" if address.startswith("@") else address

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> "Notifier":
        """Return the notifier for the socket that systemd names in the environment."""
        return cls(environment.get("NOTIFY_SOCKET"))

    def __bool__(self) -> bool:
        return self._address is not None

    def notify(self, **lines: str) -> bool:
        """Send lines, e.g. ``READY="1", STATUS="..."``; return whether they were sent."""
        if self._address is None:
            return False
        text = "\n".join(f"{name}={value.replace(chr(10), ' ')}" for name, value in lines.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.connect(self._address)
                out.sendall(text.encode())
        except OSError as why:
            log.warning("systemd could not be told: %s", why)
            return False
        return True


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds within which systemd expects a sign of life from this process, or None if it expects none."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    try:
        seconds = int(environment.get("WATCHDOG_USEC", "0")) / 1e6
    except ValueError:
        return None
    return seconds if seconds > 0 else None


class Watchdog(threading.Thread):
    """Gives a sign of life only while the writer answers, frames are fresh and the web server answers.

    A camera that stops after delivering frames justifies one restart of the program. A camera without any frame since
    the start does not, because a restart would change nothing; neither does a full disk.
    """

    def __init__(
        self, notifier: Notifier, table: Callable[[], LiveTable], address: str, every: float | None = None
    ) -> None:
        """``table``: returns the one that runs now; ``address``: of its page here; ``every``: in seconds."""
        super().__init__(name="watchdog", daemon=True)
        self._notifier = notifier
        self._table = table
        self._probe = address.rstrip("/") + "/healthz"
        self._every = every or (watchdog_seconds() or 3 * STATUS_SECONDS) / 3
        self._ending = threading.Event()

    def run(self) -> None:
        """Check again and again until `end`."""
        while True:
            self.check()
            if self._ending.wait(self._every):
                return

    def check(self) -> str | None:
        """Check once and report to systemd; return what is wrong, or None if nothing is."""
        try:
            wrong = self.wrong()
        except Exception as error:
            log.exception("the watchdog could not look")
            wrong = f"the watchdog failed ({type(error).__name__})"
        if wrong is None:
            self._notifier.notify(WATCHDOG="1", STATUS=self._status())
        else:
            log.error("no sign of life is given: %s", wrong)
            self._notifier.notify(STATUS=f"Not well: {wrong}")
        return wrong

    def wrong(self) -> str | None:
        """Return which of the three is not alive, or None if all are."""
        vitals = self._table().vitals()
        if not vitals.writer:
            return "the writer of the journal does not answer"
        if vitals.frame_age is not None and vitals.frame_age > FRESH_WITHIN:
            return f"the last picture of the camera is {vitals.frame_age:.0f} seconds old"
        if not answers(self._probe):
            return "the web server does not answer"
        return None

    def _status(self) -> str:
        data = self._table().snapshot().data
        match = data.get("match")
        return f"Camera {data['camera']['status']}; " + ("no match" if match is None else f"match {match['id']}")

    def end(self) -> None:
        """Stop giving signs of life."""
        self._ending.set()


def answers(probe: str, within: float = PROBED_WITHIN) -> bool:
    """Return whether the page's own server answers."""
    own = ssl.create_default_context()
    own.check_hostname, own.verify_mode = False, ssl.CERT_NONE  # no authority signs the machine's own certificate
    # no proxy for this machine's own address
    direct = build_opener(ProxyHandler({}), HTTPSHandler(context=own))
    try:
        with direct.open(probe, timeout=within) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004  (OK)
    except (URLError, OSError):
        return False


def watched(table: Callable[[], LiveTable], notifier: Notifier | None = None) -> Callable[[str], None]:
    """Return the function to call with the page's address once it answers: it tells systemd and starts the watchdog."""
    notify = notifier or Notifier.of_environment()

    def ready(address: str) -> None:
        if notify:
            notify.notify(READY="1", STATUS=f"The table is at {address}", MAINPID=str(os.getpid()))
            Watchdog(notify, table, address).start()

    return ready
