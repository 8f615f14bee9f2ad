"""The thread that tells a broker what a table's journal holds and how the table is. Nothing waits for it."""

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.hall.discovery import birth_topic, discovery_message
from companion.hall.follower import READING_FAILED, JournalFollower
from companion.hall.line import HallLine, LineLostError, Received, UnreachableError, Waker, Will
from companion.hall.match_post import MatchPost
from companion.hall.outbox import AcknowledgedFile, Outbox
from companion.hall.outside import OutsideCommands
from companion.hall.settings import HallSettings
from companion.hall.table_seen import HOUR_SECONDS, MOST_IN_AN_HOUR, Doors, HallTable, state_of
from companion.hall.topics import (
    MOST_MATCH_BYTES,
    OFFLINE,
    ONLINE,
    Again,
    MessageError,
    Topics,
    read_invitation,
    read_message,
)
from companion.hall.ways import line_opener, way_of
from companion.ledger.entries import JournalError

log = logging.getLogger(__name__)

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds before a lost line is opened again: at first, and at most after doubling."""

STATE_GAP: Final = 0.3
"""Least seconds between two states, so that a game that plays itself does not flood the hall."""

HOUR_EVERY: Final = 20.0
"""Seconds between two counts of the last hour."""

KEEP_EVERY: Final = 1.0
"""Seconds between two writes of how far the broker has acknowledged; a power cut repeats no more than that."""

ACKNOWLEDGED_WITHIN: Final = 30.0
"""Seconds after which a broker that acknowledges nothing is given up, and asked again."""

REPEATS_EVERY: Final = 1.0
"""Least seconds between two times that a table starts again for the book; a gap is repeated at once."""

STEADY_LINE_SECONDS: Final = 10.0
"""Seconds that a line must last; one that ends sooner was perhaps taken by another client of the same name."""

SOON_LOST: Final = 3
"""Lines in a row that end so soon before it is reported that the name may be taken."""

TAKEN_WAIT: Final = 4.0
"""Seconds, at most, before a line is opened again whose name may be taken."""

MATCH_WAIT: Final = 2.0
"""Seconds, at most, before a lost line is opened again while another table plays the open match over it."""

END_WAIT: Final = 8.0
"""Seconds that stopping waits for the thread: longer than connecting may take."""


class Publisher:
    """Publishes one table in a thread of its own; `start`, `stop` and `wake` may be called from any thread."""

    def __init__(
        self,
        settings: HallSettings,
        journal: Path,
        table: HallTable,
        doors: Doors,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``journal``: the file that the running table writes; ``clock``: seconds since 1970, as in the journal."""
        self._settings = settings
        self._open = line_opener(settings)
        self._topics = Topics.of(settings)
        self._journal = journal
        self._table = table
        self._doors = doors
        self._clock = clock
        self._outside = OutsideCommands(table, doors, settings.outside)
        self._waker = Waker()
        self.matches = MatchPost(settings, table.remote, self._waker.wake)
        """What goes to other tables of the hall."""
        self._birth = birth_topic(settings)
        self._ending = threading.Event()
        self._asked: deque[Received] = deque()
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._reported: str | None = None  # what was published of it last
        self._soon_lost = 0
        self.trouble: str | None = None
        """Why the broker is away, None while it is there."""
        self._file = AcknowledgedFile(journal, f"{way_of(settings)} {settings.hall}/{settings.table}")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; the broker learns that the table is offline, and what it acknowledged is kept."""
        self._ending.set()
        self._waker.wake()
        if self._thread.ident is not None:
            self._thread.join(END_WAIT)
        if not self._thread.is_alive():
            self._waker.close()

    def wake(self) -> None:
        """Read the journal and the table now."""
        self._waker.wake()

    def _run(self) -> None:
        wait = FIRST_WAIT
        while not self._ending.is_set():
            try:
                follower = JournalFollower(self._journal, names=self._settings.names)
                try:
                    visit = _Visit(Outbox(follower, self._file.read()), follower)
                    self._serve(visit)
                finally:
                    follower.close()
                wait = FIRST_WAIT
            except (LineLostError, JournalError, OSError, *READING_FAILED) as why:
                again = self._soon_lost >= SOON_LOST
                most = MATCH_WAIT if self.matches.plays else TAKEN_WAIT if again else LONGEST_WAIT
                wait = FIRST_WAIT if self.trouble is None and not again else min(2 * wait, most)
                self._away(str(why), of_line=isinstance(why, LineLostError))
            except Exception as why:
                log.exception("the hall's thread goes on after this")
                self._away(type(why).__name__)
            self._ending.wait(wait)

    def _away(self, why: str, *, of_line: bool = False) -> None:
        if of_line and self._soon_lost >= SOON_LOST:
            why = (
                f"the line ends soon after it began, {SOON_LOST} times or more: another table may use the name "
                f"{self._settings.table!r} too, so give every table of the hall its own ({why})"
            )
        if why != self._reported:
            log.warning("the hall is away: %s", why)
        self.trouble = self._reported = why

    def _serve(self, visit: "_Visit") -> None:
        """Publish over one line until it is lost or the thread ends.

        Raises:
            LineLostError, sqlite3.Error, ValueError, IndexError
        """
        settings, topics = self._settings, self._topics
        self._asked.clear()
        try:
            line = self._open(
                f"alea-{settings.hall}-{settings.table}",
                self._waker,
                will=Will(topics.status, OFFLINE),
                on_acknowledged=visit.acknowledged,
                on_message=self._asked.append,
                most_bytes=MOST_MATCH_BYTES,
                ending=self._ending,
            )
        except UnreachableError:
            self._soon_lost = 0  # the broker itself is away
            raise
        entered = time.monotonic()
        try:
            self.trouble, self.matches.there = None, True
            log.info("the hall is there: %s", way_of(settings))
            asked = [topics.command] * bool(settings.outside) + [topics.invitation] * settings.invitations
            line.subscribe(topics.again, *asked)
            line.publish(topics.status, ONLINE, retain=True)
            line.subscribe(*self.matches.topics, needed=False)  # an older access list does not know them
            if self._birth:
                line.subscribe(self._birth, needed=False)
                line.publish(*discovery_message(settings), retain=True)
            while not self._ending.is_set():
                self._publish_events(line, visit)
                self._publish_state(line, visit)
                for topic, payload in self.matches.due():
                    line.publish(topic, payload, qos=0)
                line.turn(STATE_GAP if visit.state_waits else self.matches.pause)
                self._answer(line, visit)
                self._keep(visit)
                if time.monotonic() - entered > STEADY_LINE_SECONDS:
                    self._soon_lost, self._reported = 0, None
        except LineLostError:
            self._soon_lost += time.monotonic() - entered <= STEADY_LINE_SECONDS
            raise
        finally:
            self.matches.there = False
            self._file.keep(visit.outbox.acknowledged)
            line.close((topics.status, OFFLINE))

    def _publish_events(self, line: HallLine, visit: "_Visit") -> None:
        while (written := visit.outbox.due()) is not None:
            visit.outbox.published(line.publish(self._topics.event, written.message.written()))
        now = time.monotonic()
        if visit.outbox.idle:
            visit.progress = now
        elif now - visit.progress > ACKNOWLEDGED_WITHIN:
            raise LineLostError("the broker acknowledges nothing")

    def _publish_state(self, line: HallLine, visit: "_Visit") -> None:
        """Publish how the table is, if that has changed; only when the broker has what led to it."""
        now = time.monotonic()
        if now - visit.hour_counted > HOUR_EVERY:
            visit.hour, visit.hour_counted = visit.follower.since(self._clock() - HOUR_SECONDS, MOST_IN_AN_HOUR), now
        state = state_of(
            self._table.snapshot().data,
            self._doors.screen(),
            visit.hour,
            visit.outbox.acknowledged.hash,
            names=self._settings.names,
            watch=self._doors.watch(),
        )
        payload = json.dumps(state, ensure_ascii=False).encode()
        visit.state_waits = payload != visit.state and now - visit.state_sent < STATE_GAP
        if payload != visit.state and not visit.state_waits:
            line.publish(self._topics.state, payload, retain=True)
            visit.state, visit.state_sent = payload, now

    def _answer(self, line: HallLine, visit: "_Visit") -> None:
        while self._asked:
            message = self._asked.popleft()
            line.received(message)
            if self.matches.take(message):
                continue
            if message.topic == self._topics.command:
                answer = self._outside.do(message.payload, retained=message.retained)
                line.publish(self._topics.answer, answer, qos=0)
            elif message.topic == self._topics.invitation:
                self._greet(message.payload)
            elif message.topic == self._birth:
                if message.payload == ONLINE:  # it has started, perhaps without what was published before
                    line.publish(*discovery_message(self._settings), retain=True)
            elif not message.retained:
                self._repeat(message.payload, visit)

    def _greet(self, payload: bytes) -> None:
        """Show who is invited. The topic is retained, so that a table that starts later greets too."""
        try:
            self._doors.greet(read_invitation(payload) if payload else None)
        except MessageError as why:
            log.warning("%s", why)

    def _repeat(self, payload: bytes, visit: "_Visit") -> None:
        try:
            wanted = read_message(payload, Again)
        except MessageError as why:
            log.warning("%s", why)
            return
        if visit.outbox.repeat(wanted.after, wanted.until):
            log.info("the book wants events after %s again", wanted.after[:8] or "the beginning")
        elif time.monotonic() - visit.repeated > REPEATS_EVERY:
            log.info("the book wants everything after %s again", wanted.after[:8] or "the beginning")
            visit.outbox.repeat_after(wanted.after)
            visit.repeated = time.monotonic()

    def _keep(self, visit: "_Visit") -> None:
        now = time.monotonic()
        if now - visit.kept >= KEEP_EVERY:
            self._file.keep(visit.outbox.acknowledged)
            visit.kept = now


class _Visit:
    """What holds for one line to the broker. Times are those of the steady clock."""

    def __init__(self, outbox: Outbox, follower: JournalFollower) -> None:
        self.outbox = outbox
        self.follower = follower
        self.progress = time.monotonic()
        self.repeated = self.state_sent = self.kept = 0.0
        self.hour_counted = -HOUR_EVERY
        self.state, self.state_waits = b"", False
        self.hour = (0, 0)

    def acknowledged(self, message: int) -> None:
        """Take the broker's acknowledgement of a message."""
        self.outbox.acknowledge(message)
        self.progress = time.monotonic()
