"""A camera on the network, for tests: HTTP-MJPEG on loopback, with switches to stall and to hang up."""

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class MjpegServer:
    """Sends what ``picture`` gives, ``fps`` times a second, until told to ``stall`` or to ``drop`` the line."""

    def __init__(self, picture: Callable[[], bytes], fps: float = 20.0, port: int = 0, *, single: bool = False) -> None:
        """``single``: each request gets one picture, as from the simplest cameras."""
        self.stall = threading.Event()
        self.drop = threading.Event()
        self.opened = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.opened += 1
                self.send_response(200)
                if single:
                    jpeg = picture()
                    self.send_header("Content-Type", "image/jpeg")
                    self.send_header("Content-Length", str(len(jpeg)))
                    self.end_headers()
                    self.wfile.write(jpeg)
                    return
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while not outer.drop.is_set():
                        if not outer.stall.is_set():
                            jpeg = picture()
                            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                            self.wfile.write(head.encode() + jpeg + b"\r\n")
                        time.sleep(1 / fps)
                except OSError:
                    pass  # the reader hung up

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = int(self._server.server_address[1])
        self.address = f"http://127.0.0.1:{self.port}/{'shot.jpg' if single else 'video'}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.drop.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
