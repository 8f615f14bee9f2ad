"""A phone over the table: pictures drawn by a test, pushed to a running table as a browser's camera does."""

import threading
import urllib.error
import urllib.request
from typing import Self

PERIOD = 0.3  # seconds between two pictures; the table works on each


class PushedCamera:
    """Pushes the current picture until it is closed; while ``on`` is False it sends nothing, as if it were gone."""

    def __init__(self, address: str, jpeg: bytes) -> None:
        self._address = address
        self._jpeg = jpeg
        self.on = True
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._push, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join(10)

    def show(self, jpeg: bytes) -> None:
        """Show another picture from now on."""
        self._jpeg = jpeg

    def _push(self) -> None:
        while not self._ending.wait(PERIOD):
            if not self.on:
                continue
            asked = urllib.request.Request(
                f"{self._address}/api/frames", self._jpeg, {"Content-Type": "image/jpeg"}, method="POST"
            )
            try:
                urllib.request.urlopen(asked, timeout=60).close()
            except (urllib.error.URLError, OSError):
                continue
