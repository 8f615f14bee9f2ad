"""The live stream: server-sent events, at most eight at a time, never silent for longer than a heartbeat."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from flask import Blueprint, Response, jsonify, request

from companion.live.snapshot import Snapshot
from companion.rules.strict_json import written_json
from companion.web.app_state import AppKey

MOST_STREAMS = 8
HEARTBEAT_SECONDS = 3.0  # seconds; a closed page releases its thread at the next one
CHECK_EVERY_SECONDS = 0.5  # seconds between two checks whether the page is still there
STREAM_SECONDS = 15 * 60.0  # seconds; then the page asks again
RETRY_AFTER = 20  # seconds that a page polls before it asks for a stream again
BOOT = secrets.token_hex(4)  # versions restart with the server, so the ETags of each start must differ
LEAST_GAP = 0.08  # seconds between two states, so that a game that plays itself does not flood a slow tablet

ONLY_WAITS: Final = "alea.only_waits"
"""The key of what the server lets a view call that keeps its thread and works no more."""

blueprint = Blueprint("streams", __name__)


def only_waits() -> None:
    """Tell the server that this request keeps its thread and works no more, so that another one may begin."""
    request.environ.get(ONLY_WAITS, lambda: None)()


class FollowedState(Protocol):
    """A table or the fairness laboratory: pages follow its state live, and it takes pictures from a page."""

    def snapshot(self) -> Snapshot:
        """Return the newest state."""

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, or None after ``timeout`` seconds."""

    def offer_frame(self, jpeg: bytes) -> None:
        """Take a picture that a browser pushed; raises `ValueError` with a sentence if it is refused."""


class Streams:
    """The open streams of one server."""

    def __init__(
        self,
        table: FollowedState,
        *,
        most: int = MOST_STREAMS,
        heartbeat: float = HEARTBEAT_SECONDS,
        life: float = STREAM_SECONDS,
    ) -> None:
        self._table = table
        self.most = most
        self.open = 0
        """The number of open streams; guarded by the lock."""
        self._lock = threading.Lock()
        self._heartbeat = heartbeat
        self._life = life
        self._closed = threading.Event()
        self._encoded: tuple[int, str] = (-1, "")  # the newest state as JSON, encoded once for all streams

    def follow(self, table: FollowedState) -> None:
        """Show another table from now on; its versions go on after those of the one before."""
        self._table = table

    def take(self) -> bool:
        """Take a place for a stream; return False if all are taken."""
        with self._lock:
            if self._closed.is_set() or self.open >= self.most:
                return False
            self.open += 1
            return True

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed.set()

    def release(self) -> None:
        """Release the place of a stream."""
        with self._lock:
            self.open -= 1

    def events(self, gone: Callable[[], bool] = lambda: False) -> Iterator[str]:
        """Yield the events of one stream.

        Every event is the whole state, so a page that missed some has lost nothing. ``gone`` returns whether the page
        has closed the connection: this notices it sooner than writing a heartbeat does.
        """
        snapshot = self._table.snapshot()
        yield f"retry: 1000\n{self._event(snapshot)}"
        now = time.monotonic()
        end, beat = now + self._life, now + self._heartbeat
        while not self._closed.is_set() and now < end and not gone():
            newer = self._table.wait(snapshot.version, min(CHECK_EVERY_SECONDS, self._heartbeat))
            now = time.monotonic()
            if newer is not None:
                snapshot = newer
                yield self._event(snapshot)
                self._closed.wait(LEAST_GAP)
            elif now >= beat:
                yield "event: beat\ndata: {}\n\n"
            else:
                continue
            beat = now + self._heartbeat

    def text(self, snapshot: Snapshot) -> str:
        """Return a state as JSON; the newest is encoded once, for all streams and for every page that asks."""
        version, text = self._encoded
        if version != snapshot.version:
            text = written_json(snapshot.data, ensure_ascii=False, separators=(",", ":"))
            self._encoded = (snapshot.version, text)
        return text

    def _event(self, snapshot: Snapshot) -> str:
        return f"id: {snapshot.version}\nevent: snapshot\ndata: {self.text(snapshot)}\n\n"


STREAMS = AppKey[Streams]("streams")
WATCHED = AppKey[FollowedState]("watched")


@blueprint.get("/api/events")
def events() -> Response:
    """Open a stream, or say when to ask again."""
    streams = STREAMS.get()
    if not streams.take():
        busy = jsonify({"error": "All live streams are taken; this page asks every two seconds instead."})
        busy.status_code = 503
        busy.headers["Retry-After"] = str(RETRY_AFTER)
        return busy
    only_waits()
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(streams.events(gone), mimetype="text/event-stream")
    response.call_on_close(streams.release)  # also when the page left before the first event
    response.headers["X-Accel-Buffering"] = "no"
    return response
