"""The pace of sources that are not cameras: without it, they would give all their frames at once."""

import time

from companion.vision.sources.grabbed import Waiter


class Pace:
    """Lets one frame pass every ``seconds``. After a delay by the reader, it does not catch up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._due: float | None = None

    def step(self, wait: Waiter) -> bool:
        """Wait until the next frame is due; True if the source is being closed."""
        now = time.monotonic()
        if self._due is None or now - self._due > self.seconds:
            self._due = now
        ended = wait(self._due - now)
        self._due += self.seconds
        return ended
