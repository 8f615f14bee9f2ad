"""The use of the kiosk, day by day: counts and minutes. No names, no addresses, nothing about a single visit."""

import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from companion.rules.strict_json import read_json
from companion.whole_file import write_whole

log = logging.getLogger(__name__)

FORM: Final = "alea-kiosk-statistics"
FILE_REVISION: Final = 1
UNKNOWN_DAY: Final = "unknown"
"""The name of the day for events while the machine did not know the date."""

COUNTS: Final = ("begun", "ended", "left")
GROUPS: Final = ("games", "languages")


class StatisticsError(Exception):
    """The file exists but cannot be read; the text is one sentence."""


@dataclass
class Day:
    """Matches begun, ended and left, minutes played, and how often each game and language was chosen."""

    begun: int = 0
    ended: int = 0
    left: int = 0
    minutes: float = 0.0
    games: dict[str, int] = field(default_factory=dict)
    languages: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the day as the file stores it."""
        return {**vars(self), "minutes": round(self.minutes, 1)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Day":
        """Read a stored day; raises `ValueError` or `TypeError` if the data is no day."""
        day = cls(**data)
        counts = [day.begun, day.ended, day.left, *day.games.values(), *day.languages.values()]
        if not all(isinstance(one, int) and one >= 0 for one in counts) or not float(day.minutes) >= 0:
            raise ValueError("a count is no whole number")
        return day


class KioskStatistics:
    """Counts into its own file, which is always whole. Thread-safe.

    Counting never disturbs a match: counts that could not be written stay in memory until the next write.
    """

    def __init__(self, path: Path) -> None:
        """Continue the file's counts; set aside a file that cannot be read."""
        self._path = path
        self._lock = threading.Lock()
        self._unwritten = False
        try:
            self._days = read_statistics(path)
        except StatisticsError as why:
            log.warning("%s", why)
            self._days = {}
            self._set_aside()

    @property
    def days(self) -> dict[str, dict[str, Any]]:
        """Every day's counts, the earliest day first."""
        with self._lock:
            return {name: self._days[name].to_json() for name in sorted(self._days)}

    def begun(self, moment: datetime | None, game: str, language: str) -> None:
        """Count a match that visitors began."""
        with self._lock:
            day = self._day(moment)
            day.begun += 1
            day.games[game] = day.games.get(game, 0) + 1
            day.languages[language] = day.languages.get(language, 0) + 1
            self._write()

    def over(self, moment: datetime | None, *, left: bool) -> None:
        """Count a match that was played to its end, or ``left`` before."""
        with self._lock:
            day = self._day(moment)
            if left:
                day.left += 1
            else:
                day.ended += 1
            self._write()

    def played(self, moment: datetime | None, minutes: float) -> None:
        """Add minutes of play."""
        with self._lock:
            self._day(moment).minutes += minutes
            self._write()

    def _day(self, moment: datetime | None) -> Day:
        name = UNKNOWN_DAY if moment is None else moment.date().isoformat()
        return self._days.setdefault(name, Day())

    def _write(self) -> None:
        data = {
            "format": FORM,
            "revision": FILE_REVISION,
            "days": {name: day.to_json() for name, day in self._days.items()},
        }
        try:
            write_whole(self._path, json.dumps(data, indent=1, sort_keys=True).encode())
        except OSError as why:
            if not self._unwritten:
                log.warning("the statistics could not be written (%s); they are kept and written later", why)
            self._unwritten = True
        else:
            self._unwritten = False

    def _set_aside(self) -> None:
        try:
            self._path.replace(self._path.with_name(f"{self._path.name}.damaged"))
        except OSError as why:
            log.warning("the damaged statistics could not be put aside: %s", why)


def read_statistics(path: Path) -> dict[str, Day]:
    """Return the days of a file; none if the file does not exist.

    Raises:
        StatisticsError: the file cannot be read.
    """
    try:
        return _days(read_json(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as why:
        raise StatisticsError(f"The statistics {path} cannot be read ({why}): move the file away.") from why


def _days(data: Mapping[str, Any]) -> dict[str, Day]:
    if data.get("format") != FORM or data.get("revision") != FILE_REVISION:
        raise ValueError("it is of another kind")
    return {str(name): Day.from_json(day) for name, day in data["days"].items()}
