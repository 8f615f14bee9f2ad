"""When the kiosk is open: spans of the week, by the wall clock; durations use the steady clock."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY_MINUTES: Final = 24 * 60
"""Minutes."""

SET_AFTER: Final = datetime(2025, 1, 1).astimezone().timestamp()
"""Before this the time counts as unknown: a machine without a clock battery starts around 1970 until NTP sets it."""

CLOCK_JUMP_SECONDS: Final = 30.0
"""Seconds by which wall and steady clock may differ between two ticks; a larger difference means that it was set."""

STEADY_CLOCK_SECONDS: Final = 5.0
"""Seconds that the clock must run steadily after it was set before it may open or close the kiosk."""


@dataclass(frozen=True)
class Span:
    """A time from ``begins`` to ``ends``, in minutes since midnight; ``ends`` is at most 1440."""

    begins: int
    ends: int


@dataclass(frozen=True)
class Opening:
    """Whether the kiosk is open; ``closes_in``: seconds until it closes; ``opens``: when it opens next. None: never."""

    open: bool
    closes_in: float | None = None
    opens: datetime | None = None


ALWAYS: Final = Opening(open=True)


@dataclass(frozen=True)
class Hours:
    """The spans of each day from Monday to Sunday, in order and without overlap; None: always open."""

    days: tuple[tuple[Span, ...], ...] | None = None

    def at(self, moment: datetime) -> Opening:
        """Return whether the kiosk is open at a moment of local time."""
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
            return Opening(open=True, closes_in=None if ends - begins >= 7 * DAY_MINUTES else (ends - now) * 60)
        return Opening(open=False)

    @staticmethod
    def _from(weekday: int, days: Sequence[Sequence[Span]]) -> list[tuple[int, int]]:
        """Return the spans of eight days in minutes from today's midnight; join spans that touch at midnight."""
        joined: list[tuple[int, int]] = []
        for ahead in range(9):
            for span in days[(weekday + ahead) % 7]:
                begins, ends = span.begins + ahead * DAY_MINUTES, span.ends + ahead * DAY_MINUTES
                if joined and joined[-1][1] == begins:
                    joined[-1] = (joined[-1][0], ends)
                else:
                    joined.append((begins, ends))
        return joined


class WallClock:
    """The wall clock, with its jumps counted: NTP or a person sets it. For one thread."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        """``wall``: seconds since 1970; ``steady``: seconds of a clock that nobody sets."""
        self._wall, self._steady = wall, steady
        self._last: tuple[float, float] | None = None
        self._set_at: float | None = None
        self.jumps = 0
        """How often the clock was set since the start."""

    def tick(self) -> None:
        """Compare both clocks; call this about once a second."""
        now = self._wall(), self._steady()
        if self._last is not None:
            jumped = (now[0] - self._last[0]) - (now[1] - self._last[1])
            if abs(jumped) > CLOCK_JUMP_SECONDS:
                self.jumps, self._set_at = self.jumps + 1, now[1]
        self._last = now

    def settled(self) -> bool:
        """Return whether the clock was not set just now."""
        return self._set_at is None or self._steady() - self._set_at >= STEADY_CLOCK_SECONDS

    @property
    def moment(self) -> datetime | None:
        """The local time, or None while this machine does not know it."""
        now = self._wall()
        return None if now < SET_AFTER else datetime.fromtimestamp(now).astimezone().replace(tzinfo=None)
