"""When the kiosk is open: spans of the week, by the wall clock; everything that lasts goes by another clock."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY: Final = 24 * 60
"""Minutes."""

SET_AFTER: Final = datetime(2025, 1, 1).astimezone().timestamp()
"""A machine without a battery begins in 1970 or so until the network tells it the time: before this it knows none."""

JUMP: Final = 30.0
"""Seconds by which the wall clock may run apart from the steady one between two looks without having been set."""

HOLD: Final = 5.0
"""Seconds that a clock must have run steadily before a change of the hours is believed after it was set."""


@dataclass(frozen=True)
class Span:
    """From ``begins`` to ``ends``, in minutes since midnight; ``ends`` is at most 1440."""

    begins: int
    ends: int


@dataclass(frozen=True)
class Opening:
    """Whether it is open; ``closes_in``: seconds until it closes; ``opens``: when it opens next. None: never."""

    open: bool
    closes_in: float | None = None
    opens: datetime | None = None


ALWAYS: Final = Opening(open=True)


@dataclass(frozen=True)
class Hours:
    """The spans of each day from Monday to Sunday, in order and apart from each other; None: always open."""

    days: tuple[tuple[Span, ...], ...] | None = None

    def at(self, moment: datetime) -> Opening:
        """Say how it stands at a moment of local time."""
        if self.days is None:
            return ALWAYS
        midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
        now = (moment - midnight).total_seconds() / 60
        spans = self._from(moment.weekday(), self.days)
        for begins, ends in spans:
            if ends <= now:
                continue
            if begins > now:
                return Opening(open=False, opens=midnight + timedelta(minutes=begins))
            return Opening(open=True, closes_in=None if ends - begins >= 7 * DAY else (ends - now) * 60)
        return Opening(open=False)

    @staticmethod
    def _from(weekday: int, days: Sequence[Sequence[Span]]) -> list[tuple[int, int]]:
        """Return the spans of eight days in minutes from today's midnight; those that touch at midnight are one."""
        joined: list[tuple[int, int]] = []
        for ahead in range(9):
            for span in days[(weekday + ahead) % 7]:
                begins, ends = span.begins + ahead * DAY, span.ends + ahead * DAY
                if joined and joined[-1][1] == begins:
                    joined[-1] = (joined[-1][0], ends)
                else:
                    joined.append((begins, ends))
        return joined


class WallClock:
    """The wall clock with its jumps noticed: NTP sets it, and so does a person. Used by one thread."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        """``wall``: seconds since 1970; ``steady``: seconds that nobody sets."""
        self._wall, self._steady = wall, steady
        self._last: tuple[float, float] | None = None
        self._set_at: float | None = None
        self.jumps = 0
        """How often it was set since the start."""

    def tick(self) -> None:
        """Compare both clocks; to be called every second or so."""
        now = self._wall(), self._steady()
        if self._last is not None:
            apart = (now[0] - self._last[0]) - (now[1] - self._last[1])
            if abs(apart) > JUMP:
                self.jumps, self._set_at = self.jumps + 1, now[1]
        self._last = now

    def settled(self) -> bool:
        """Whether it was not set just now."""
        return self._set_at is None or self._steady() - self._set_at >= HOLD

    @property
    def moment(self) -> datetime | None:
        """The local time; None while this machine does not know it."""
        now = self._wall()
        return None if now < SET_AFTER else datetime.fromtimestamp(now).astimezone().replace(tzinfo=None)
