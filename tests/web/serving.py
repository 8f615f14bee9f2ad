"""An app behind its production server, in a thread of the test's own process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask

from companion.web.serving.server import web_server
from companion.web.streams import STREAMS


@contextmanager
def served(app: Flask, threads: int = 12) -> Iterator[str]:
    """Serve an app while the block runs; yield its address."""
    sockets: dict[int, Any] = {}
    server = web_server(app, threads, sockets, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        STREAMS.get(app).close()
        # The server's thread ends when it has nothing to wait for; if a socket closed while it waits, the thread would
        # fail.
        server.trigger.pull_trigger(sockets.clear)
        thread.join(60)
        server.task_dispatcher.shutdown()
        for channel in list(server.active_channels.values()):
            channel.handle_close()
        server.close()
    assert not thread.is_alive(), "the server did not end"
