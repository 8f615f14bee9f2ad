"""What a table has reported to the hall: which events are on their way, and how far the broker has acknowledged them.

The journal itself is the queue. Beside it lies only the place up to which everything was acknowledged.
"""

import json
import logging
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from companion.hall.follower import FollowedEvent
from companion.rules.strict_json import read_json
from companion.whole_file import write_whole

log = logging.getLogger(__name__)

END: Final = "-outbox"
"""The ending that the outbox's file adds to the name of the journal's."""

MOST_EVENTS_UNDERWAY: Final = 16
"""Most events on their way at a time: fewer than the 20 that Mosquitto and paho-mqtt allow."""

MOST_REPEATED: Final = 1_000
"""Most events that are repeated between two others."""

READ_AT_ONCE: Final = 64
"""Events read from the journal at a time."""


@dataclass(frozen=True)
class JournalPlace:
    """A place in a journal: the row of an event, and its hash; 0 and "" before the first."""

    row: int = 0
    hash: str = ""


class AcknowledgedFile:
    """How far a broker has acknowledged a journal, in a file beside it.

    A file that is lost or cannot be read only repeats events, which is harmless.
    """

    def __init__(self, journal: Path, to: str) -> None:
        """``to``: names broker, hall and table; what another one has acknowledged does not count."""
        self._path = journal.with_name(f"{journal.name}{END}")
        self._to = to
        self._kept: JournalPlace | None = None

    def read(self) -> JournalPlace:
        """Return the place that was kept last."""
        try:
            match read_json(self._path.read_bytes()):
                case {"to": self._to, "row": int(row), "hash": str(digest)} if row >= 0:
                    self._kept = JournalPlace(row, digest)
                    return self._kept
                case _:
                    log.info("the outbox starts again: its file is of another broker or table")
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as why:
            log.warning("the outbox starts again: its file cannot be read (%s)", why)
        return JournalPlace()

    def keep(self, place: JournalPlace) -> None:
        """Keep a place durably; if the disk does not take it, events are repeated after the next start."""
        if place == self._kept:
            return
        data: dict[str, Any] = {"to": self._to, "row": place.row, "hash": place.hash}
        try:
            write_whole(self._path, json.dumps(data).encode(), mode=0o600, folders=True)
        except OSError as why:
            log.warning("how far the broker has acknowledged could not be kept: %s", why)
            return
        self._kept = place


class Followed(Protocol):
    """A journal as an outbox reads it; `JournalFollower` reads one from its file."""

    def after(self, row: int, most: int, /) -> list[FollowedEvent]:
        """Return at most ``most`` events after a place, in their order."""

    def holds(self, row: int, digest: str, /) -> bool:
        """Return whether the event at this place is the one with this hash."""

    def place_of(self, digest: str, /) -> int | None:
        """Return the place of the event with this hash, None if there is none."""


class Outbox:
    """Gives out events in the order of the journal, and takes acknowledgements in any order. For one thread."""

    def __init__(self, follower: Followed, acknowledged: JournalPlace) -> None:
        """``acknowledged``: the place that was kept; if the journal has changed there, everything is sent again."""
        self._follower = follower
        self.acknowledged = acknowledged if follower.holds(acknowledged.row, acknowledged.hash) else JournalPlace()
        """The place up to which the broker has acknowledged every event."""
        self._read: deque[FollowedEvent] = deque()
        self._last = self.acknowledged.row
        self._on_their_way: dict[int, tuple[JournalPlace, bool]] = {}  # by the number of the message, in order
        self._repeats: deque[FollowedEvent] = deque()  # what the book has lost, before what it has never got
        self._repeated: set[int] = set()  # the numbers of the messages that repeat something

    @property
    def idle(self) -> bool:
        """Whether nothing that was read waits for the broker."""
        return not (self._read or self._on_their_way or self._repeats or self._repeated)

    def due(self) -> FollowedEvent | None:
        """Return the next event to publish, None if there is none now.

        Raises:
            sqlite3.Error, ValueError, IndexError: the journal cannot be read now.
        """
        if len(self._on_their_way) + len(self._repeated) >= MOST_EVENTS_UNDERWAY:
            return None
        if self._repeats:
            return self._repeats[0]
        if not self._read:
            self._read.extend(self._follower.after(self._last, READ_AT_ONCE))
        return self._read[0] if self._read else None

    def published(self, message: int) -> None:
        """Note that the event that was due is on its way, as the message with this number."""
        if self._repeats:
            self._repeats.popleft()
            self._repeated.add(message)
            return
        written = self._read.popleft()
        self._last = written.row
        self._on_their_way[message] = (JournalPlace(written.row, written.message.hash), False)

    def acknowledge(self, message: int) -> None:
        """Take the broker's acknowledgement; of a message that is not on its way it means nothing."""
        self._repeated.discard(message)
        if message not in self._on_their_way:
            return
        self._on_their_way[message] = (self._on_their_way[message][0], True)
        while self._on_their_way:
            first = next(iter(self._on_their_way))
            place, done = self._on_their_way[first]
            if not done:
                return
            self.acknowledged = place
            del self._on_their_way[first]

    def repeat(self, after: str, until: str) -> bool:
        """Publish the events between two hashes once more, the second included, and then go on where it was.

        Return False if there are no such events, or too many: then `repeat_after` is the way.

        Raises:
            sqlite3.Error, ValueError, IndexError: the journal cannot be read now.
        """
        if self._repeats:
            return True  # one gap at a time: the book asks again
        first = self._follower.place_of(after) if after else 0
        last = self._follower.place_of(until) if until else None
        if first is None or last is None or not first < last <= self._last:
            return False
        found = [one for one in self._follower.after(first, MOST_REPEATED) if one.row <= last]
        if not found or found[-1].row < last:
            return False
        self._repeats.extend(found)
        return True

    def repeat_after(self, digest: str) -> None:
        """Publish everything after the event with this hash once more; from the start if there is no such event."""
        row = self._follower.place_of(digest) if digest else None
        place = JournalPlace() if row is None else JournalPlace(row, digest)
        if place.row < self._last:
            self.acknowledged = place
            self._begin()

    def _begin(self) -> None:
        self._read.clear()
        self._on_their_way.clear()
        self._repeats.clear()
        self._repeated.clear()
        self._last = self.acknowledged.row
