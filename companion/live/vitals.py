"""Whether the running table's threads still work, as a watchdog asks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Vitals:
    """``writer``: the one writer answered in time.

    ``frame_age``: seconds since the newest frame was taken that the watching thread has dealt with; None while none is
    to be expected: without a camera, before its first frame, or while the table rests.
    """

    writer: bool
    frame_age: float | None = None
