"""Fair sharing of connections: a new client always gets one, at the cost of the address that holds most."""

import logging
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from socket import socket
from typing import Any, Final

from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]

from companion.web.camera.phone import LISTENER
from companion.web.security import LARGEST_IMPORT
from companion.web.serving.body_limits import RoomClaim, is_known
from companion.web.serving.bounded import CHUNK_OVERHEAD_BYTES, BoundedChannel
from companion.web.serving.encrypted_line import LARGEST_RECORD
from companion.web.serving.turns import FairDispatcher

log = logging.getLogger(__name__)

MOST_CONNECTIONS: Final = 512
"""A browser opens up to six a page; at a limit of 100, fifty pages with four each lost requests (bench `page_load`)."""

OF_ADDRESS: Final = 320
"""The most of these for one address: fifty pages of six, eight streams and a kiosk behind one address still fit."""

MOST_WAITING: Final = 4 * 1024 * 1024
"""Bytes of an answer that may wait in memory for a client; beyond this, the view that makes the answer waits too."""

RESERVE_CONNECTIONS: Final = 64
"""Connections beyond `MOST_CONNECTIONS`: the server accepts a new one before it closes another."""

AT_A_TIME: Final = 32
"""Connections accepted before the server turns to those that it has: a newcomer does not wait behind a flood."""


class FairServer(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """A waitress server whose channels are `BoundedChannel`.

    Without it, 511 silent connections keep everybody else out until waitress closes them after two minutes.
    """

    channel_class = BoundedChannel
    active_channels: dict[int, BoundedChannel]

    def __init__(
        self,
        app: Flask,
        sockets: dict[int, Any] | None,
        listening: socket | None,
        *,
        threads: int,
        context: ssl.SSLContext | None = None,
        knows: Callable[[Any], bool] | None = None,
        **adjusted: Any,
    ) -> None:
        """``listening``: a bound socket; without one ``adjusted`` has host and port as waitress names them.

        ``context``: encrypts all connections; its sockets are `EncryptedLine`. ``knows``: says of the head of a request
        whether a known device sent it; by default that is the owner, or an admitted phone.
        """
        self.app = app
        self.knows = knows or partial(is_known, app)
        self._context = context
        adjustments = Adjustments(
            **adjusted,
            ident=None,
            url_scheme="http" if context is None else "https",
            recv_bytes=LARGEST_RECORD,
            channel_request_lookahead=1,  # a stream then notices a closed page before the next heartbeat
            connection_limit=MOST_CONNECTIONS + RESERVE_CONNECTIONS,
            cleanup_interval=1,
            clear_untrusted_proxy_headers=False,  # they only show that the client is behind a proxy
            asyncore_use_poll=True,  # select cannot handle file descriptors above 1023
            inbuf_overflow=LARGEST_IMPORT + 2 * CHUNK_OVERHEAD_BYTES,  # no body goes to the disk: the journal needs it
            outbuf_high_watermark=MOST_WAITING,
            outbuf_overflow=2 * MOST_WAITING,  # nor does an answer
        )
        where = None
        if listening is not None:
            where = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(
            self.answer,
            sockets,
            _sock=listening,
            dispatcher=FairDispatcher(threads),
            adj=adjustments,
            sockinfo=where,
            bind_socket=listening is None,
        )

    def answer(self, environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
        """Answer a request in a thread of the server."""
        if self._context is not None:
            environ[LISTENER] = True
        return self.app.wsgi_app(environ, respond)

    def claims(self) -> Iterator[RoomClaim]:
        """Yield the claims of all bodies that the server receives or works on."""
        for channel in list(self.active_channels.values()):
            for asked in (*channel.requests, channel.request):
                if asked is not None and asked.claim is not None:
                    yield asked.claim

    def accept(self) -> Any:
        """Accept a connection if one waits; its handshake begins when the client says something."""
        came = super().accept()
        if came is None or self._context is None:
            return came
        plain, address = came
        try:
            plain.settimeout(0)
            return self._context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False), address
        except OSError:  # the client hung up before it sent anything
            plain.close()
            return None

    def handle_accept(self) -> None:
        """Accept new connections; close others if there are too many."""
        for _ in range(AT_A_TIME):
            before = len(self.active_channels)
            try:
                super().handle_accept()
            except Exception:  # waitress would take no further connection
                log.exception("a connection was not accepted")
            if len(self.active_channels) == before:
                return
            while self._too_many() and self._let_go():
                pass

    def add_task(self, task: BoundedChannel) -> None:
        """Let a complete request wait for a thread."""
        task.known = task.requests[0].known
        super().add_task(task)

    def end(self) -> None:
        """Stop the server that `run` runs in another thread; running requests have some seconds to finish."""
        self.trigger.pull_trigger(self._map.clear)  # a socket that closed while the other thread waits would fail it
        self.task_dispatcher.shutdown()
        for channel in list(self.active_channels.values()):
            channel.handle_close()
        self.close()

    def maintenance(self, now: float) -> None:
        """Close the connections that keep the server waiting too long."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.overdue(now):
                channel.handle_close()

    def _too_many(self) -> bool:
        held = self._held()
        return held.total() > MOST_CONNECTIONS or max(held.values(), default=0) > OF_ADDRESS

    def _open(self) -> list[BoundedChannel]:
        return [channel for channel in self.active_channels.values() if not channel.will_close]

    def _held(self) -> Counter[str]:
        return Counter(channel.address for channel in self._open())

    def _let_go(self) -> bool:
        """Close one connection: of the address that holds most, the one without a request for longest.

        One that only keeps its line open goes before one whose request waits, and a known device goes last. Browsers
        open another one automatically when they need it. Return False if all connections are being answered.
        """
        held = self._held()
        free = [channel for channel in self._open() if channel.idle]
        free = free or [channel for channel in self._open() if not channel.at_work and not channel.known]
        if not free:
            return False
        now = time.time()
        longest = max(free, key=lambda channel: (not channel.known, held[channel.address], now - channel.since))
        longest.will_close = True  # at the next turn: a newcomer in this one must not get its number
        return True
