"""Connections shared fairly: a newcomer is always let in, at the cost of whoever holds most."""

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
"""A browser keeps up to six a page; at a limit of 100, fifty pages of four each lost requests (bench `page_load`)."""

OF_ADDRESS: Final = 320
"""Of these one address may hold so many: fifty pages of six, eight streams and a kiosk behind one name still fit."""

MOST_WAITING: Final = 4 * 1024 * 1024
"""Bytes of an answer that wait in memory for a client; with more, what makes the answer waits too."""

RESERVE: Final = 64
"""Connections beyond `CONNECTIONS` for newcomers who are let in before somebody else is let go."""


class FairServer(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """A waitress server whose channels are `BoundedChannel`.

    Without it, 511 connections that say nothing keep everybody else out until waitress closes them after two minutes.
    """

    channel_class = BoundedChannel
    active_channels: dict[int, BoundedChannel]

    def __init__(self, app: Flask, sockets: dict[int, Any] | None, listening: socket | None, **adjusted: Any) -> None:
        """``listening``: a socket that is bound already; else ``adjusted`` names host and port as waitress does."""
        self.app = app
        adjustments = Adjustments(
            **adjusted,
            ident=None,
            channel_request_lookahead=1,  # with it a stream learns that its page is gone before the next heartbeat
            connection_limit=CONNECTIONS + RESERVE,
            cleanup_interval=1,
            clear_untrusted_proxy_headers=False,  # nothing is believed of them but that somebody stands behind a proxy
            asyncore_use_poll=True,  # select knows no file numbers above 1023
            inbuf_overflow=LARGEST_IMPORT + 2 * ENCODING,  # no body goes to the disk, which the journal needs
            outbuf_high_watermark=MOST_WAITING,
            outbuf_overflow=2 * MOST_WAITING,  # no answer either
        )
        where = None
        if listening is not None:
            where = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(app, sockets, _sock=listening, adj=adjustments, sockinfo=where, bind_socket=listening is None)

    def claims(self) -> Iterator[Claim]:
        """Give what the bodies claim that are being taken in or worked on."""
        for channel in list(self.active_channels.values()):
            for asked in (*channel.requests, channel.request):
                if asked is not None and asked.claim is not None:
                    yield asked.claim

    def handle_accept(self) -> None:
        """Let a newcomer in; where there are too many, somebody else is let go."""
        super().handle_accept()
        while self._too_many() and self._let_go():
            pass

    def maintenance(self, now: float) -> None:
        """Let those go who keep the server waiting."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.overdue(now):
                channel.handle_close()

    def _too_many(self) -> bool:
        return len(self.active_channels) > CONNECTIONS or max(self._held().values(), default=0) > OF_ADDRESS

    def _held(self) -> Counter[str]:
        return Counter(str(channel.addr[0]) for channel in self.active_channels.values())

    def _let_go(self) -> bool:
        """Close the connection of the address that holds most which has waited longest for a request.

        Browsers open another one by themselves when they need it. False: every one of them is at work.
        """
        held = self._held()
        idle = [channel for channel in self.active_channels.values() if channel.idle]
        if not idle:
            return False
        longest = max(idle, key=lambda channel: (held[str(channel.addr[0])], time.time() - channel.since))
        longest.handle_close()
        return True
