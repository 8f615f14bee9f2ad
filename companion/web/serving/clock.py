"""A clock that may be wrong: a small computer without a battery begins in 1970, and is set when it finds a network."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

CHECK_EVERY_SECONDS: Final = 10.0
"""Seconds between two checks of the clock."""

CLOCK_SET_SECONDS: Final = 60.0
"""Seconds by which a clock is set rather than corrected."""

AGAIN_AFTER: Final = 86_400.0
"""Seconds after which what depends on the date is checked again without a jump."""


class DateWatch(threading.Thread):
    """Calls a function again when the clock has jumped, and once a day; one that fails is called at the next check."""

    def __init__(
        self,
        check: Callable[[], object],
        *,
        now: Callable[[], float] = time.time,
        passed: Callable[[], float] = time.monotonic,
    ) -> None:
        """``now`` and ``passed``: a clock that may be set, and one that only runs on, in seconds."""
        super().__init__(name="date watch", daemon=True)
        self._check, self._now, self._passed = check, now, passed
        self._ending = threading.Event()
        self._checked: tuple[float, float] | None = (now(), passed())

    def run(self) -> None:
        """Check the clock until `end`."""
        while not self._ending.wait(CHECK_EVERY_SECONDS):
            self.step()

    def step(self) -> None:
        """Check the clock once."""
        now, passed = self._now(), self._passed()
        if self._checked is not None:
            since = passed - self._checked[1]
            if abs(now - self._checked[0] - since) < CLOCK_SET_SECONDS and since < AGAIN_AFTER:
                return
        self._checked = None
        try:
            self._check()
        except Exception:
            log.exception("what depends on the date could not be looked at again")
        else:
            self._checked = now, passed

    def end(self) -> None:
        """Stop checking."""
        self._ending.set()
