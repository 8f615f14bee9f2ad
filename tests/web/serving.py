"""An app behind its production server, in a thread of the test's own process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask

from companion.web.serving.server import web_server
from companion.web.streams import STREAMS


@contextmanager
def served(app: Flask, threads: int = 12, base_path: str = "") -> Iterator[str]:
    """Serve an app while the block runs; yield its address, without the base path."""
    server = web_server(app, threads, host="127.0.0.1", port=0, url_prefix=base_path)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        STREAMS.get(app).close()
        server.end()
        thread.join(60)
    assert not thread.is_alive(), "the server did not end"


def under(app: Flask, path: str) -> None:
    """Let an app's test clients ask under a path, as the server with this base path does."""
    inner = app.wsgi_app

    def outer(environ: dict[str, Any], respond: Any) -> Any:
        rest = environ["PATH_INFO"].removeprefix(path)
        if rest[:1] in {"", "/"}:
            environ["PATH_INFO"] = rest
        environ["SCRIPT_NAME"] = path
        return inner(environ, respond)

    app.wsgi_app = outer  # type: ignore[method-assign, assignment]
