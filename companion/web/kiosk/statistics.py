"""The use of the kiosk, day by day: counts and minutes. No names, no addresses, nothing about a single visit."""

import json
import logging
import threading
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from companion.rules.strict_json import read_json
from companion.whole_file import write_whole

log = logging.getLogger(__name__)

UNKNOWN_DAY: Final = "unknown"
"""The name of the day for events while the machine did not know the date."""


class StatisticsError(Exception):
    """The file exists but cannot be read; the text is one sentence."""


Count = Annotated[int, msgspec.Meta(ge=0)]


class Day(msgspec.Struct, forbid_unknown_fields=True):
    """Matches begun, ended and left, minutes played, and how often each game and language was chosen."""

    begun: Count = 0
    ended: Count = 0
    left: Count = 0
    minutes: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    games: dict[str, Count] = {}
    languages: dict[str, Count] = {}

    def to_json(self) -> dict[str, Any]:
        """Return the day as the file stores it."""
        return {**msgspec.structs.asdict(self), "minutes": round(self.minutes, 1)}


class _Kept(msgspec.Struct):
    """What the file holds."""

    format: Literal["alea-kiosk-statistics"]
    revision: Literal[1]
    days: dict[str, Day]


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
            "format": "alea-kiosk-statistics",
            "revision": 1,
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
        return msgspec.convert(read_json(path.read_text(encoding="utf-8")), _Kept).days
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as why:
        raise StatisticsError(f"The statistics {path} cannot be read ({why}): move the file away.") from why
