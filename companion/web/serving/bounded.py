"""One connection with limits for its requests: head and body in time, the body also in size before it arrives."""

import contextlib
import json
import time
from functools import partial
from typing import Any, Final

from waitress.buffers import OverflowableBuffer  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.task import WSGITask  # type: ignore[import-untyped]
from waitress.utilities import Error  # type: ignore[import-untyped]

from companion.web.access.tries import network_of
from companion.web.errors import SENTENCES
from companion.web.security import HEADERS, largest
from companion.web.serving.body_limits import ClaimRefusedError, RoomClaim, claim, has_room
from companion.web.streams import ONLY_WAITS

CHUNK_OVERHEAD_BYTES: Final = 64 * 1024
"""Extra bytes for a body sent in chunks: waitress counts the chunks' length fields too."""

HEAD_WITHIN: Final = 10.0
"""Seconds for the head of a request, and for a connection before its first request."""

LEAST_RATE: Final = 16 * 1024
"""The least rate of a body in bytes per second: a weak wireless network still has several times as much."""

READ_WITHIN: Final = 30.0
"""Seconds for which a client may read nothing of an answer that waits for it."""

AGAIN_IN: Final = 5
"""Seconds after which a client may send a body again that found no room."""


class NothingYetError(Exception):
    """What has come of an encrypted connection is not enough to read anything of it."""


class ServerRefusalError(Error):  # type: ignore[misc]  # waitress has no types
    """A refusal by the server itself, in the form of all refusals: one sentence, and the headers of every response."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return status, headers and body."""
        del ident
        sentence = SENTENCES.get(self.code, SENTENCES[400])
        headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store"), *HEADERS.items()]
        if self.code == 503:  # noqa: PLR2004
            headers.append(("Retry-After", str(AGAIN_IN)))
        return f"{self.code} {self.reason}", headers, json.dumps({"error": str(sentence)}).encode()


class _Limited:
    """The server's adjustments with a limit for this one request."""

    def __init__(self, adjustments: Any, most: int) -> None:
        self._adjustments = adjustments
        self.max_request_body_size = most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._adjustments, name)


class BoundedParser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Refuses a body because of its head, or as soon as it grows too long."""

    adj: Any
    error: Any

    def __init__(self, adj: Any, channel: "BoundedChannel") -> None:
        super().__init__(adj)
        self._channel = channel
        self.address: str = channel.address
        self.claim: RoomClaim | None = None
        self.known = False
        """Whether the owner or an admitted phone asks."""
        self.counted = False
        """Whether `FairQueue` counts it among those that hold a thread."""

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head, which shows the type and the sender of the body, and check the body's claim."""
        super().parse_header(header_plus)
        most = largest(self.headers.get("CONTENT_TYPE", "").partition(";")[0].strip().lower())
        self.adj = _Limited(self.adj, most + CHUNK_OVERHEAD_BYTES)
        size = most if self.chunked else self.content_length
        server = self._channel.server
        self.known = server.knows(self)
        if not size:
            return
        try:
            self.claim = claim(self, self.address, size, owner=self.known)
        except ClaimRefusedError as why:
            self._refuse(ServerRefusalError(why.status, why.reason))
            return
        if not has_room(self.claim, server.claims()):
            self._refuse(ServerRefusalError(503, "Service Unavailable"))

    def _refuse(self, error: ServerRefusalError) -> None:
        self.claim = None
        self.error, self.completed = error, True
        self.expect_continue = False  # a refused client gets no "100 Continue"

    def received(self, data: bytes) -> int:
        """Take received data; return how many bytes of it belong to this request."""
        consumed: int = super().received(data)
        if self.error is not None and not isinstance(self.error, ServerRefusalError):
            self.error = ServerRefusalError(self.error.code, self.error.reason)
        return consumed

    def close(self) -> None:
        """Release the body's room."""
        super().close()
        self.claim = None


class BoundedTask(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request in its thread: its view can say that it only waits from now on."""

    def get_environment(self) -> dict[str, Any]:
        """Return what waitress tells of the request, and the way to say so."""
        given: dict[str, Any] = super().get_environment()
        given[ONLY_WAITS] = partial(self.channel.server.task_dispatcher.done, self.request)
        return given


class BoundedChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """One connection: it limits what the client sends, and knows since when the server waits for it."""

    task_class = BoundedTask
    request: BoundedParser | None
    requests: list[BoundedParser]
    outbufs: list[Any]
    current_outbuf_count: int
    adj: Any

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.since: float = self.creation_time
        """When the incomplete request began, or when the last one was complete (seconds since 1970)."""
        self.asked = False
        """Whether a complete request has arrived."""
        self.known = False
        """Whether its newest complete request came from the owner or an admitted phone."""
        self.waits = False
        """Whether a request of it waits for a thread."""
        self.address = network_of(str(self.addr[0]))
        """Whose connection it is, as far as limits can tell."""

    def parser_class(self, adj: Any) -> BoundedParser:
        """Return the parser of the next request."""
        return BoundedParser(adj, self)

    def received(self, data: bytes) -> bool:
        """Take received data, and note when its request began."""
        before = self.request
        taken: bool = super().received(data)
        if self.request is not before or before is None:
            self.since = time.time()
            self.asked = self.asked or before is not None or self.request is None
        return taken

    def handle_read(self) -> None:
        """Take what has come; of an encrypted connection that may be too little to show anything yet."""
        with contextlib.suppress(NothingYetError):
            super().handle_read()

    def recv(self, buffer_size: int) -> bytes:
        """Return what has come; a poll may have meant a connection that had this one's number before."""
        try:
            return bytes(super().recv(buffer_size))
        except BlockingIOError:
            raise NothingYetError from None

    def service(self) -> None:
        """Answer one request in a thread of the server."""
        asked = self.requests[0]  # before it ends, another thread may have the next one
        try:
            super().service()
        finally:
            self.server.task_dispatcher.done(asked)

    def _flush_some(self, do_close: bool = True) -> Any:  # noqa: FBT001, FBT002  (waitress's own signature)
        """Send what can be sent; once everything is sent, drop the buffers.

        Otherwise a live stream keeps the last 16 MB that it has sent, most of it on the disk.
        """
        with self.outbuf_lock:
            sent = super()._flush_some(do_close)
            if self.connected and self.current_outbuf_count and not self.total_outbufs_len:
                for buffer in self.outbufs:
                    buffer.close()
                self.outbufs = [OverflowableBuffer(self.adj.outbuf_overflow)]
                self.current_outbuf_count = 0
        return sent

    @property
    def at_work(self) -> bool:
        """Whether a thread answers its request now."""
        return bool(self.requests) and not self.waits

    @property
    def idle(self) -> bool:
        """Whether closing the connection loses no complete request."""
        return not self.requests and not self.total_outbufs_len

    def overdue(self, now: float) -> bool:
        """Return whether the client has kept the server waiting too long (``now`` in seconds since 1970)."""
        if self.total_outbufs_len:
            return bool(now - self.last_activity > READ_WITHIN)
        if self.requests:
            return False
        if self.request is None:
            return not self.asked and now - self.since > HEAD_WITHIN
        size = 0 if self.request.claim is None else self.request.claim.size
        return now - self.since > HEAD_WITHIN + size / LEAST_RATE
