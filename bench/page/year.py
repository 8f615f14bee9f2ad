"""A year of a museum's kiosk by an injected clock: nights, holidays, summer time, wrong clocks, full disks, log files.

A real table with its journal, and the attendant that opens and closes the kiosk, get their clocks from here. Whether
the kiosk must be open comes from a second, plain reading of the hours (`must_be_open`), and the counts of each day
are kept here, too. Summer time begins and ends while the kiosk is open. Some days are planted:

- The clock is set back by a day and forward by three, and is right again an hour later, or the computer starts in 1970.
- The disk is full for an hour.
- The curator closes the kiosk over Christmas, and for a week of stocktaking writes a file without hours.

Each Monday the program starts again from its files. What the program logs goes into files that rotate.
"""

import argparse
import json
import logging
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from logging.handlers import MemoryHandler, RotatingFileHandler
from pathlib import Path
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from bench.page.kiosk import HOURS, lost
from bench.page.pages import memory_mb
from companion.live.table import LiveTable
from companion.web.kiosk.attendant import STATISTICS, TICK_SECONDS, VISITOR, Attendant
from companion.web.kiosk.hours import STEADY_CLOCK_SECONDS
from companion.web.kiosk.settings import Offer
from companion.web.kiosk.statistics import UNKNOWN_DAY
from companion.web.recent_log import RecentLog
from tests.web.kiosk.conftest import Clocks

PLACE: Final = "Europe/Berlin"
FIRST: Final = date(2026, 10, 1)
KNOWN: Final = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
"""Before this a clock was never set, and the kiosk does not know the date."""

STEP: Final = 20 * 60.0
"""Seconds between two looks at the kiosk while nothing happens."""

OFFER: Final = Offer("ludus-regularis", (2,), {"ending": "throws", "throws": 12})
SPANS: Final = {
    1: [(600, 1080)],
    2: [(600, 1080)],
    3: [(600, 1200)],
    4: [(600, 1080)],
    5: [(600, 1080), (1200, 1440)],
    6: [(0, 225), (600, 1080)],
}
"""When the museum is open: minutes of each weekday from Monday, 0. Saturday's night lasts until 3:45 on Sunday."""

SETTINGS: Final = """
idle_seconds = 90
dice = "program"
[[games]]
game = "ludus-regularis"
players = [2]
options = { ending = "throws", throws = 12 }
[hours]
"""
NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
HOLIDAYS: Final = frozenset({(12, 24), (12, 25), (12, 26), (1, 1)})
STOCKTAKING: Final = frozenset((8, day) for day in range(9, 16))
BACK_A_DAY: Final = frozenset({(10, 23), (2, 10), (6, 17)})
FORWARD: Final = frozenset({(10, 27), (3, 4), (7, 21)})
IN_1970: Final = frozenset({(10, 29), (1, 12), (5, 19)})
FULL: Final = frozenset({(10, 22), (4, 15), (9, 9)})
LOG_SIZE, LOG_FILES = 300, 3  # bytes of a file, small enough that the little which is logged fills several


def hours(*, closed: bool) -> str:
    """Return the curator's file; ``closed``: without any hours."""
    rows = {NAMES[day]: [] if closed else spans for day, spans in SPANS.items()}
    lines = [
        f"{name} = {json.dumps([f'{_clock(begins)}-{_clock(ends)}' for begins, ends in spans])}"
        for name, spans in rows.items()
    ]
    return SETTINGS + "\n".join(lines) + "\n"


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def must_be_open(wall: float) -> bool:
    """Return whether the hours on the museum's door say that it is open; always while nobody knows the time."""
    if wall < KNOWN:
        return True
    there = datetime.fromtimestamp(wall, ZoneInfo(PLACE))
    day = (there.month, there.day)
    if day in HOLIDAYS or day in STOCKTAKING:
        return False
    minutes = there.hour * 60 + there.minute
    return any(begins <= minutes < ends for begins, ends in SPANS.get(there.weekday(), []))


@dataclass
class Year:
    """The kiosk, its visitors, and what they saw. ``counted``: by day, as they counted it."""

    folder: Path
    clocks: Clocks
    chance: Random
    acknowledged: list[tuple[int, int]] = field(default_factory=list)
    counted: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        (self.folder / "kiosk.toml").write_text(hours(closed=False), encoding="utf-8")
        self.start()

    def start(self) -> None:
        """Start the program from its files."""
        self.table = LiveTable(self.folder / "journal.db", clock=lambda: self.clocks.wall, chance=Random(1))
        self.table.start()
        self.attendant = Attendant(
            self.folder, self.table, wall=lambda: self.clocks.wall, steady=lambda: self.clocks.steady
        )
        self.attendant.tick()
        self.seen["starts"] += 1

    def restart(self) -> None:
        """End the program as a service does, and start it again."""
        self.table.stop()
        self.start()

    def expect(self, true: object, sentence: str) -> None:
        """Note what is not as it should be."""
        if not true:
            self.wrong.append(f"{datetime.fromtimestamp(self.clocks.wall, ZoneInfo(PLACE)):%Y-%m-%d %H:%M} {sentence}")

    def pass_by(self, seconds: float) -> None:
        """Let time pass, then let the attendant look."""
        self.clocks.pass_by(seconds)
        self.attendant.tick()
        self.seen["ticks"] += 1

    def settle(self) -> None:
        """Let the clock run until its setting counts."""
        for _ in range(int(STEADY_CLOCK_SECONDS / TICK_SECONDS) + 2):
            self.pass_by(TICK_SECONDS)

    def look(self) -> None:
        """Compare what the screen shows with the hours on the door."""
        is_open, must = self.attendant.screen != "closed", must_be_open(self.clocks.wall)
        self.expect(is_open == must, f"it is {'open' if is_open else 'closed'}")
        self.seen["compared"] += 1
        self.seen["open"] += is_open

    def today(self) -> Counter[str]:
        """The counts of the day that the clock shows."""
        wall = self.clocks.wall
        name = UNKNOWN_DAY if wall < KNOWN else datetime.fromtimestamp(wall, ZoneInfo(PLACE)).date().isoformat()
        return self.counted.setdefault(name, Counter())

    def throw(self) -> bool:
        """Let the program throw for the visitors; return whether that was acknowledged."""
        reply = self.table.command("roll", {}, VISITOR)
        if reply.ok:
            self.acknowledged.append((self.table.snapshot().data["match"]["id"], reply.data["event"]))
        return reply.ok

    def visit(self) -> None:
        """Play a match to its end, leave it by the button, or walk away."""
        self.expect(self.attendant.begin(OFFER, 2, "en").ok, "no match could be begun")
        self.today()["begun"] += 1
        how = self.chance.choice(("end", "leave", "walk away"))
        for _ in range(60 if how == "end" else self.chance.randrange(1, 6)):
            self.pass_by(self.chance.uniform(3, 20))
            if not self.throw():
                break
        self.attendant.tick()
        over = self.table.snapshot().data["outcome"] is not None
        if how == "walk away":
            while self.attendant.screen == "table" and not over:
                self.pass_by(30.0)
        self.today()["ended" if over else "left"] += 1
        if how != "walk away" or over:
            self.attendant.leave()
        after = "attract" if must_be_open(self.clocks.wall) else "closed"  # it may have closed during the visit
        self.expect(self.attendant.screen == after, "it does not invite after a visit")
        self.seen["visits"] += 1

    def day(self, today: date) -> None:
        """Let a day pass, from midnight to midnight of the place."""
        self._planted_at_night(today)
        ends = datetime.combine(today + timedelta(days=1), datetime.min.time(), ZoneInfo(PLACE)).timestamp()
        planted, visits = False, 0
        while self.clocks.wall < ends:
            self.look()
            noon = datetime.fromtimestamp(self.clocks.wall, ZoneInfo(PLACE)).hour >= 12
            if noon and not planted and self.attendant.screen != "closed":
                planted = True
                self._planted_at_noon((today.month, today.day))
            elif self.attendant.screen == "attract" and visits < 3 and self.chance.random() < 0.1:
                visits += 1
                self.visit()
            self.pass_by(min(STEP, max(TICK_SECONDS, ends - self.clocks.wall)))

    def _planted_at_night(self, today: date) -> None:
        """Plant what begins with a day: the curator's changes, and the start of each week."""
        day = (today.month, today.day)
        yesterday = today - timedelta(days=1)
        if (day in STOCKTAKING) != ((yesterday.month, yesterday.day) in STOCKTAKING):
            (self.folder / "kiosk.toml").write_text(hours(closed=day in STOCKTAKING), encoding="utf-8")
            self.seen["files"] += 1
        self.attendant.shut(shut=day in HOLIDAYS)
        if today.weekday() == 0:
            self.restart()
        self.attendant.tick()

    def _planted_at_noon(self, day: tuple[int, int]) -> None:
        if day in BACK_A_DAY:
            self._wrong_clock(-24 * HOURS)
        if day in FORWARD:
            self._wrong_clock(72 * HOURS)
        if day in IN_1970:
            self._power_cut()
        if day in FULL:
            self._full_disk()

    def _wrong_clock(self, seconds: float) -> None:
        """Set the clock wrong for an hour; the match goes on, and each clock decides by what it shows."""
        self.expect(self.attendant.begin(OFFER, 2, "en").ok, "no match could be begun")
        self.today()["begun"] += 1
        self.throw()
        self.clocks.wall += seconds
        self.attendant.tick()
        self.expect(self.attendant.screen == "table", "a clock that was set a moment ago closed the kiosk")
        self.settle()
        self.look()
        if self.attendant.screen == "table":
            self.expect(self.throw(), "the match does not go on by a clock that was set")
        self.pass_by(30.0)
        self.clocks.wall -= seconds
        self.settle()
        self.look()
        self._left_by(seconds)
        self.seen["clocks set"] += 2

    def _left_by(self, seconds: float) -> None:
        """End that visit, or see that the wrong clock ended it."""
        if self.attendant.screen == "table":
            self.today()["left"] += 1
            self.attendant.leave()
            return
        name = datetime.fromtimestamp(self.clocks.wall + seconds, ZoneInfo(PLACE)).date().isoformat()
        self.counted.setdefault(name, Counter())["left"] += 1

    def _power_cut(self) -> None:
        """Start in 1970, as a computer without a battery does, and get the time an hour later."""
        right = self.clocks.wall
        self.clocks.wall = 100.0
        self.restart()
        self.expect(self.attendant.screen != "closed", "a clock that nobody has set closed the kiosk")
        self.visit()
        self.pass_by(HOURS)
        self.clocks.wall = right + HOURS
        self.settle()
        self.look()
        self.seen["starts in 1970"] += 1

    def _full_disk(self) -> None:
        """Let no file grow for an hour, in which visitors throw, leave and begin."""
        self.expect(self.attendant.begin(OFFER, 2, "en").ok, "no match could be begun")
        self.today()["begun"] += 1
        self.throw()
        with full_disk():
            self.expect(not self.throw() and not self.throw(), "a throw was acknowledged that cannot be written")
            self.expect(self.table.snapshot().data["health"]["journal"] != "ok", "a full disk is not said")
            self.attendant.leave()
            self.today()["left"] += 1
            self.expect(not self.attendant.begin(OFFER, 2, "en").ok, "a match began that cannot be written")
            self.pass_by(HOURS)
        until = time.monotonic() + 30
        while self.table.snapshot().data["health"]["journal"] != "ok" and time.monotonic() < until:
            time.sleep(0.05)
        self.expect(self.table.snapshot().data["health"]["journal"] == "ok", "the disk has room, and is still full")
        self.visit()
        self.seen["full disks"] += 1

    def compare(self) -> None:
        """Compare the counts of each day with the kiosk's own."""
        kept = json.loads((self.folder / STATISTICS).read_text(encoding="utf-8"))["days"]
        for name in sorted(set(kept) | {name for name, counts in self.counted.items() if counts}):
            theirs = {key: kept.get(name, {}).get(key, 0) for key in ("begun", "ended", "left")}
            ours = {key: self.counted.get(name, Counter())[key] for key in theirs}
            if theirs != ours:
                self.wrong.append(f"{name}: counted {theirs}, but it was {ours}")


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file of this process grow while the block runs."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def run(folder: Path, first: date, days: int, seed: int, each_night: Callable[[], None]) -> dict[str, Any]:
    """Let so many days pass, and call ``each_night`` after each; return the figures."""
    began = datetime.combine(first, datetime.min.time(), ZoneInfo(PLACE)).timestamp()
    year = Year(folder, Clocks(wall=began), Random(seed))
    memory = []
    for number in range(days):
        year.day(first + timedelta(days=number))
        each_night()
        if number % 30 == 29:
            memory.append(round(memory_mb(os.getpid()), 1))
    year.table.stop()
    year.compare()
    missing, broken, events = lost(folder / "journal.db", year.acknowledged)
    return {
        "days": days,
        "first": first.isoformat(),
        **year.seen,
        "acknowledged": len(year.acknowledged),
        "events": events,
        "lost": missing,
        "broken_matches": broken,
        "wrong": year.wrong,
        "memory_mb_each_30_days": memory,
    }


def main() -> int:
    """Print the figures; fail if anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--first", type=date.fromisoformat, default=FIRST, help="the first day")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    os.environ["TZ"] = PLACE
    time.tzset()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        files = RotatingFileHandler(Path(name) / "kiosk.log", maxBytes=LOG_SIZE, backupCount=LOG_FILES)
        kept = MemoryHandler(1000, logging.CRITICAL, files)  # a full disk does not take the log, either
        recent = RecentLog()
        logging.basicConfig(handlers=[kept, recent], level=logging.INFO)
        figures = run(Path(name), given.first, given.days, given.seed, kept.flush)
        logs = sorted(Path(name).glob("kiosk.log*"))
        figures |= {"warnings": len(recent.lines()), "log_files": len(logs)}
    print(json.dumps(figures | {"seconds": round(time.monotonic() - began, 1), "load": round(os.getloadavg()[0], 1)}))
    return int(bool(figures["wrong"] or figures["lost"] or figures["broken_matches"]))


if __name__ == "__main__":
    sys.exit(main())
