"""Waiting for what another thread does."""

import time
from collections.abc import Callable


def until(done: Callable[[], object], seconds: float = 60.0) -> float:
    """Wait until it is done and return how long that took; fail after ``seconds``, which a busy machine may need."""
    began = time.monotonic()
    while not done():
        assert time.monotonic() - began < seconds, "it was not done in time"
        time.sleep(0.002)
    return time.monotonic() - began
