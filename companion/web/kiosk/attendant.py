"""The attendant of the kiosk: what its screen shows, when a visit begins and ends, and what closes at night."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

from companion.desk.table.match_desk import Reply
from companion.language.sentence import Listing, Sentence, SentenceError
from companion.live.table import LiveTable
from companion.rules.registry import game as game_of
from companion.web.kiosk.folder import Curated
from companion.web.kiosk.hours import ALWAYS, Opening, WallClock
from companion.web.kiosk.settings import LONE_PLAYER, Offer
from companion.web.kiosk.statistics import KioskStatistics

log = logging.getLogger(__name__)

Screen = Literal["attract", "table", "closed"]

TICK_SECONDS: Final = 1.0
"""Seconds between two ticks."""

MINUTES_EVERY: Final = 60.0
"""Seconds between two saves of the minutes played: a killed program loses no more than this."""

UNATTENDED_SECONDS: Final = 60.0
"""Seconds beyond both timeouts after which the attendant ends a visit, in case no page is open to do it."""

VISITOR: Final = "visitor"
"""The actor of visitors' commands in the journal."""

STATISTICS: Final = "statistics.json"


@dataclass(frozen=True)
class Visit:
    """The match that visitors play. ``counted``: until when its minutes are counted; ``ended``: its end is counted.

    ``moved``: when something last happened in it; ``mark``: the state whose change shows that something happened.
    Times are those of the steady clock.
    """

    match: int
    counted: float
    moved: float
    mark: object
    ended: bool = False


class UnofferedError(SentenceError):
    """This kiosk does not offer that."""


class Attendant:
    """Checks the kiosk every second in its own thread; its other methods may be called from any thread."""

    def __init__(
        self,
        folder: Path,
        table: LiveTable,
        *,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        texts: Path | None = None,
    ) -> None:
        """``wall`` and ``steady``: the clocks, in seconds; only hours and dates use the first.

        ``texts``: a folder with further languages.
        """
        self.curated = Curated(folder, more=texts)
        self.statistics = KioskStatistics(folder / STATISTICS)
        self._table = table
        self._clock = WallClock(wall, steady)
        self._steady = steady
        self._lock = (
            threading.RLock()
        )  # every change of the attributes below holds it; pages read without it, so they never wait
        self._opening: Opening = ALWAYS
        self._suspended = False
        self._shut = False  # the owner closed the kiosk, whatever its hours say
        self._first_language = ""
        self._visit: Visit | None = None
        self._put_away: int | None = None  # the match that visitors left or finished: the screen hides it
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kiosk", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self.tick()
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join(5)

    def _run(self) -> None:
        while not self._ending.wait(TICK_SECONDS):
            try:
                self.tick()
            except Exception:
                log.exception("the kiosk goes on after this")

    @property
    def screen(self) -> Screen:
        """What the screen shows now."""
        if not self._opening.open:
            return "closed"
        match = self._match()
        if match is None or match["paused"] or match["id"] == self._put_away:
            return "attract"
        return "table"

    @property
    def opening(self) -> Opening:
        """Whether the kiosk was open at the last tick."""
        return self._opening

    @property
    def closing_soon(self) -> bool:
        """Whether to tell visitors that the kiosk closes soon."""
        left = self._opening.closes_in
        return left is not None and left <= self.curated.settings.closing_notice_minutes * 60

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that visitors may choose; the first is spoken until they do."""
        offered, first = self.curated.settings.languages, self._first_language
        return (first, *(one for one in offered if one != first)) if first in offered else offered

    def speak_first(self, language: str) -> bool:
        """Speak this language until a visitor chooses another; return False if the kiosk does not offer it."""
        if language not in self.curated.settings.languages:
            return False
        self._first_language = language
        return True

    def shut(self, *, shut: bool) -> None:
        """Close the kiosk whatever its hours say, or let the hours decide again."""
        with self._lock:
            self._shut = shut
            self._see_hours()

    def begin(self, offer: Offer, players: int, language: str) -> Reply:
        """Begin a match for visitors, with names from the curator's words; a single one plays against the program.

        Raises:
            UnofferedError: the kiosk is closed, or does not offer the game for so many players.
        """
        with self._lock:
            if not self._opening.open:
                raise UnofferedError(Sentence("The table is closed now."))
            words = self.curated.words(language)
            board, names = game_of(offer.game).board, words.players
            if board.sites and not board.holds_tokens and players <= len(words.men):
                names = words.men
            if players not in offer.players or players > len(names):
                counts = Listing(offer.players, "or")
                raise UnofferedError(
                    Sentence("Here this game is for {counts}, not for {players}.", counts=counts, players=players)
                )
            data: dict[str, Any] = {
                "game": offer.game,
                "players": list(names[:players]),
                "options": dict(offer.options),
            }
            if players == LONE_PLAYER:
                data |= {"players": [names[0], words.program], "programs": [2]}
                if game_of(offer.game).chooses:
                    data["men_by"] = "tapped"  # the program cannot move wooden men
            reply = self._begun(data)
            if reply.ok:
                self._put_away = None
                now = self._steady()
                self._visit = Visit(int(reply.data.get("match", 0)), now, now, None)
                self.statistics.begun(self._clock.moment, offer.game, language)
            return reply

    def _begun(self, data: dict[str, Any]) -> Reply:
        dice = self.curated.settings.dice
        if dice == "auto":
            dice = "camera" if self._table.snapshot().data["dice_camera"] is not None else "program"
        reply = self._table.command("new_match", {**data, "dice_by": dice}, VISITOR)
        if not reply.ok and dice == "camera" and self.curated.settings.dice == "auto" and self._writes():
            reply = self._table.command(
                "new_match", {**data, "dice_by": "program"}, VISITOR
            )  # for dice that the reader does not know
        return reply

    def _writes(self) -> bool:
        return bool(self._table.snapshot().data["health"]["journal"] == "ok")

    def leave(self) -> None:
        """Return to the beginning; a match that is not over stays in the journal, and the owner may resume it."""
        with self._lock:
            match = self._match()
            if match is None:
                return
            self._follow()
            away = match["id"]
            if not self._over() and not match["paused"]:
                paused = self._table.command("pause", {}, VISITOR)
                if paused.ok:
                    away = None  # whoever resumes it makes it visible again
                else:  # the disk is full, or a throw no longer fits: hide the match here; the next match pauses it
                    log.info("the match that was left could not be paused: %s", paused.sentence)
                if self._visit is not None:
                    self._count_minutes(self._visit)
                    self.statistics.over(self._clock.moment, left=True)
            self._put_away, self._visit = away, None

    def touched(self) -> None:
        """Note that a page reports somebody there."""
        with self._lock:
            if self._visit is not None:
                self._visit = replace(self._visit, moved=self._steady())

    def tick(self) -> None:
        """Check for changes of files, hours and the match."""
        with self._lock:
            self.curated.refresh()
            self._clock.tick()
            self._see_hours()
            self._follow()
            visit = self._visit
            if visit is None:
                return
            now, settings = self._steady(), self.curated.settings
            if now - visit.counted >= MINUTES_EVERY and not visit.ended:
                self._visit = self._count_minutes(visit)
            if now - visit.moved > settings.idle_seconds + settings.countdown_seconds + UNATTENDED_SECONDS:
                self.leave()

    def _see_hours(self) -> None:
        moment = self._clock.moment
        # a clock that was never set closes nothing, and one that was set just now does not count at once
        opening = ALWAYS if moment is None else self.curated.settings.hours.at(moment)
        if self._shut:
            opening = Opening(open=False)
        elif opening.open != self._opening.open and not self._clock.settled():
            return
        if self._opening.open and not opening.open:
            self.leave()
        self._opening = opening
        if self._suspended == opening.open and self._table.set_suspended(suspended=not opening.open).ok:
            self._suspended = not opening.open

    def _follow(self) -> None:
        """Follow the match of the visitors, or the one that was open when the program restarted."""
        match = self._match()
        if match is None or match["paused"] or match["id"] == self._put_away:
            self._visit = None
            return
        now = self._steady()
        visit = self._visit
        if visit is None or visit.match != match["id"]:
            visit = Visit(match["id"], now, now, None, ended=self._over())
        snapshot = self._table.snapshot().data
        mark = (match["throws"], len(snapshot.get("log") or ()), snapshot.get("ask") is None)
        if mark != visit.mark:
            visit = replace(visit, mark=mark, moved=now)
        if self._over() and not visit.ended:
            visit = replace(self._count_minutes(visit), ended=True)
            self.statistics.over(self._clock.moment, left=False)
        self._visit = visit

    def _count_minutes(self, visit: Visit) -> Visit:
        now = self._steady()
        if not visit.ended:
            self.statistics.played(self._clock.moment, (now - visit.counted) / 60)
        return replace(visit, counted=now)

    def _match(self) -> Mapping[str, Any] | None:
        match: Mapping[str, Any] | None = self._table.snapshot().data.get("match")
        return match

    def _over(self) -> bool:
        return self._table.snapshot().data.get("outcome") is not None

    def health(self) -> dict[str, Any]:
        """Return what the owner should know: faults of the files, the hours, the clock."""
        opening = self._opening
        return {
            "screen": self.screen,
            "faults": [fault.to_json() for fault in self.curated.faults],
            "open": opening.open,
            "opens": None if opening.opens is None else opening.opens.isoformat(timespec="minutes"),
            "clock_known": self._clock.moment is not None,
            "clock_jumps": self._clock.jumps,
        }

    @property
    def today(self) -> date | None:
        """Today's date, or None while the machine does not know it."""
        moment = self._clock.moment
        return None if moment is None else moment.date()

    def closing_sentence(self) -> Sentence:
        """Return a sentence that says in how many minutes the kiosk closes."""
        minutes = max(1, round((self._opening.closes_in or 0) / 60))
        return Sentence("The table closes in {count} minutes.", count=minutes)
