"""A WLED strip that is not there: it takes its JSON by real HTTP and keeps what it shows."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class WledStrip:
    """Listens at a free port of this machine. ``segments``: whether each of its segments shines."""

    def __init__(self, segments: int = 1, answers: Callable[[], bytes | None] | None = None) -> None:
        """``answers``: gives another body than WLED's; None closes the connection without a word."""
        self.on = False
        self.segments = [True] * segments
        self.asked: list[dict[str, Any]] = []
        self.answers: Callable[[], bytes | None] = answers or (lambda: b'{"success":true}')
        strip = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                body = strip.take(data) if self.path == "/json/state" else None
                if body is not None:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.port = int(self._server.server_address[1])

    def take(self, sentence: dict[str, Any]) -> bytes | None:
        """Do what WLED does with a state."""
        body = self.answers()
        self.asked.append(sentence)
        if body is not None:
            self.on = sentence.get("on", self.on)
            for segment in sentence.get("seg", []):
                self.segments[segment["id"]] = segment["on"]
        return body

    def shines(self, segment: int = 0) -> bool:
        """Return whether a segment is lit now."""
        return self.on and self.segments[segment]

    def close(self) -> None:
        """Listen no longer."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
