"""Reviews of matches, folded once for all pages that ask: a long one is not folded twice at the same time."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.desk.page.library import UnreadableMatchError
from companion.desk.page.match_review import MatchReview
from companion.language.sentence import why_of
from companion.ledger.entries import JournalError, UnknownChainError
from companion.referee.chronicle import Chronicle
from companion.referee.journal import Journal
from companion.referee.match import NoMatchError

MOST_KEPT: Final = 2
"""Matches that are kept folded: one of 10,000 events takes some 50 MB."""

MOST_WAITING: Final = 4
"""Requests that wait while matches are folded: the server needs its threads for the table."""


class BusyError(RuntimeError):
    """Too many long matches are being folded already, so this one has to wait; the text says so."""


class Chronicles:
    """Reads matches of the journal through a connection of its own; any thread."""

    def __init__(self, path: Path, has_picture: Callable[[str], bool]) -> None:
        self._path = path
        self._has_picture = has_picture
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[Chronicle, MatchReview]] = OrderedDict()
        self._folding = threading.Lock()  # pages that ask for the same long match fold it once
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)

    def of(self, match: int) -> MatchReview | None:
        """Return a match as it stands now, None where the journal has none of this number.

        Raises:
            UnreadableMatchError: it cannot be read or played here.
            BusyError: others are being folded; ask again in a moment.
        """
        try:
            journal = Journal(self._path, writable=False)
        except JournalError:
            return None
        with journal:
            try:
                return self._fresh(match, journal) or self._folded(match, journal)
            except UnknownChainError:
                return None
            except (JournalError, NoMatchError, ValueError) as why:
                raise UnreadableMatchError(why_of(why)) from why

    def _fresh(self, match: int, journal: Journal) -> MatchReview | None:
        """Return what is kept of a match if nothing has happened in it since."""
        with self._lock:
            known = self._kept.get(match)
        if known is None:
            return None
        last = known[0].whole.entries[-1]
        later = journal.events(match, last.number - 1)
        return known[1] if len(later) == 1 and later[0].hash == last.hash else None

    def _folded(self, match: int, journal: Journal) -> MatchReview:
        if not self._waiting.acquire(blocking=False):
            raise BusyError("Long matches are being gone through for others: ask again in a moment.")
        try:
            with self._folding:
                review = self._fresh(match, journal)  # another page has asked for it meanwhile
                return review or self._fold(match, journal)
        finally:
            self._waiting.release()

    def _fold(self, match: int, journal: Journal) -> MatchReview:
        with self._lock:
            known = self._kept.get(match)
        chronicle: Chronicle | None = None
        if known is not None:
            last = known[0].whole.entries[-1]
            later = journal.events(match, last.number - 1)
            if later and later[0].hash == last.hash:  # else another match has got the number of a deleted one
                chronicle = known[0].extended(later[1:])
        chronicle = chronicle or Chronicle.of(journal.events(match))
        review = MatchReview(chronicle, self._has_picture)
        with self._lock:
            self._kept[match] = chronicle, review
            self._kept.move_to_end(match)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return review
