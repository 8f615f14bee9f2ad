"""An app behind its production server, in a thread of the test's own process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from companion.web.serving.server import web_server
from companion.web.streams import STREAMS


@contextmanager
def served(app: Flask, threads: int = 12) -> Iterator[str]:
    """Serve an app while the block runs; yield its address."""
    server = web_server(app, threads, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        STREAMS.get(app).close()
        server.end()
        thread.join(60)
    assert not thread.is_alive(), "the server did not end"
