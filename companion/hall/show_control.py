"""OSC for lights and sound of an exhibition: a throw, a win, attract, closing. It is sent and forgotten."""

import logging
import math
import time
from collections.abc import Mapping
from typing import Any, Final

from pythonosc.osc_message_builder import ArgValue
from pythonosc.udp_client import SimpleUDPClient

log = logging.getLogger(__name__)

ROOT: Final = "alea"

CHECK_EVERY_SECONDS: Final = 10.0
"""Seconds between two checks for a receiver whose name is not known yet."""


class ShowControl:
    """Tells a receiver what has just happened at a table. For one thread; the first state that it sees says nothing."""

    def __init__(self, to: tuple[str, int], table: str) -> None:
        """``to``: host and port of the receiver; its name is looked up by `resolve`."""
        self._to = to
        self._client: SimpleUDPClient | None = None
        self._asked = -math.inf
        self._table = table
        self._throw: tuple[Any, ...] | None = None
        self._over: tuple[Any, ...] | None = None
        self._screen: str | None = None

    def close(self) -> None:
        """Send nothing more."""
        if self._client is not None:
            self._client._sock.close()  # noqa: SLF001  (the package offers no other way)
        self._client = None

    def show(self, data: Mapping[str, Any], screen: str) -> None:
        """Tell what is new in a snapshot: ``/alea/TABLE/throw`` with player and faces, and so on."""
        match, throw, outcome = data.get("match"), data.get("throw"), data.get("outcome")
        first, number = self._screen is None, None if match is None else match["id"]
        thrown = (number, None if throw is None else throw["event"])
        over = (number, outcome is not None)
        if not first and throw is not None and thrown != self._throw and (self._throw or (None,))[0] == number:
            self._send("throw", [throw["player"], *throw["faces"].values()])
        if not first and outcome is not None and over != self._over:
            self._send("win", list(outcome["winners"]))
        if not first and screen != self._screen and screen in ("attract", "closed"):
            self._send({"attract": "attract", "closed": "closing"}[screen], [])
        self._throw, self._over, self._screen = thrown, over, screen

    def resolve(self) -> None:
        """Look the receiver's name up, now and then until it is known: a name server may start later than the table."""
        now = time.monotonic()
        if self._client is not None or now - self._asked < CHECK_EVERY_SECONDS:
            return
        try:
            self._client = SimpleUDPClient(*self._to)
        except (OSError, ValueError) as why:  # ValueError: it can be no name
            if self._asked < 0:
                log.warning("the receiver of lights and sounds, %s, cannot be found yet (%s)", self._to[0], why)
        self._asked = time.monotonic()

    def _send(self, what: str, values: list[ArgValue]) -> None:
        if self._client is None:
            return
        try:
            self._client.send_message(f"/{ROOT}/{self._table}/{what}", values)
        except OSError as why:
            log.warning("the lights and sounds did not get the message (%s)", why)
