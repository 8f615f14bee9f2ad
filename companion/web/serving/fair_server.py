"""Fair sharing of connections: a new client always gets one, at the cost of the address that holds most."""

import time
from collections import Counter
from collections.abc import Iterator
from socket import socket
from typing import Any, Final

from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]

from companion.web.serving.body_limits import Claim
from companion.web.serving.bounded import ENCODING, BoundedChannel
from companion.web.transfer import LARGEST_IMPORT

CONNECTIONS: Final = 512
"""A browser opens up to six a page; at a limit of 100, fifty pages with four each lost requests (bench `page_load`)."""

OF_ADDRESS: Final = 320
"""The most of these for one address: fifty pages of six, eight streams and a kiosk behind one address still fit."""

MOST_WAITING: Final = 4 * 1024 * 1024
"""Bytes of an answer that may wait in memory for a client; beyond this, the view that makes the answer waits too."""

RESERVE: Final = 64
"""Connections beyond `CONNECTIONS`: the server accepts a new one before it closes another."""


class FairServer(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """A waitress server whose channels are `BoundedChannel`.

    Without it, 511 silent connections keep everybody else out until waitress closes them after two minutes.
    """

    channel_class = BoundedChannel
    active_channels: dict[int, BoundedChannel]

    def __init__(self, app: Flask, sockets: dict[int, Any] | None, listening: socket | None, **adjusted: Any) -> None:
        """``listening``: a bound socket; without one ``adjusted`` has host and port as waitress names them."""
        self.app = app
        adjustments = Adjustments(
            **adjusted,
            ident=None,
            channel_request_lookahead=1,  # a stream then notices a closed page before the next heartbeat
            connection_limit=CONNECTIONS + RESERVE,
            cleanup_interval=1,
            clear_untrusted_proxy_headers=False,  # they only show that the client is behind a proxy
            asyncore_use_poll=True,  # select cannot handle file descriptors above 1023
            inbuf_overflow=LARGEST_IMPORT + 2 * ENCODING,  # no body goes to the disk: the journal needs it
            outbuf_high_watermark=MOST_WAITING,
            outbuf_overflow=2 * MOST_WAITING,  # nor does an answer
        )
        where = None
        if listening is not None:
            where = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(app, sockets, _sock=listening, adj=adjustments, sockinfo=where, bind_socket=listening is None)

    def claims(self) -> Iterator[Claim]:
        """Yield the claims of all bodies that the server receives or works on."""
        for channel in list(self.active_channels.values()):
            for asked in (*channel.requests, channel.request):
                if asked is not None and asked.claim is not None:
                    yield asked.claim

    def handle_accept(self) -> None:
        """Accept a new connection; close another one if there are too many."""
        super().handle_accept()
        while self._too_many() and self._let_go():
            pass

    def maintenance(self, now: float) -> None:
        """Close the connections that keep the server waiting too long."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.overdue(now):
                channel.handle_close()

    def _too_many(self) -> bool:
        return len(self.active_channels) > CONNECTIONS or max(self._held().values(), default=0) > OF_ADDRESS

    def _held(self) -> Counter[str]:
        return Counter(str(channel.addr[0]) for channel in self.active_channels.values())

    def _let_go(self) -> bool:
        """Close one idle connection: of the address that holds most, the one without a request for longest.

        Browsers open another one automatically when they need it. Return False if no connection is idle.
        """
        held = self._held()
        idle = [channel for channel in self.active_channels.values() if channel.idle]
        if not idle:
            return False
        longest = max(idle, key=lambda channel: (held[str(channel.addr[0])], time.time() - channel.since))
        longest.handle_close()
        return True
