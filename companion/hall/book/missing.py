"""Which tables have told of events that the book has not got, and when they are asked for them."""

import logging
from typing import Final

log = logging.getLogger(__name__)

ASK_AFTER, LONGEST_ASK = 1.5, 60.0
"""Seconds without progress after which a table is asked for what is missing; doubled each time, at most so long: what
is on its way must not be asked for so often that it crowds out itself."""

AT_ONCE: Final = 20
"""Tables that repeat at a time: if all of a large hall did, the broker's queue would be full and drop most of it."""


class Missing:
    """Keeps for each table how far it says it is, how far the book is, and since when. Times are of a steady clock."""

    def __init__(self) -> None:
        self._newest: dict[str, str] = {}  # by table: the hash of the last event that its state tells of
        self._reached: dict[str, tuple[str, float]] = {}
        self._patience: dict[str, float] = {}
        self._repeating: set[str] = set()

    def told(self, table: str, last: str) -> None:
        """Note the hash of the last event that a table tells of."""
        self._newest[table] = last

    def reached(self, table: str, digest: str, now: float) -> None:
        """Note the hash of the event up to which the book has everything of a table."""
        if self._reached.get(table, ("-", 0.0))[0] != digest:
            self._reached[table] = (digest, now)
            self._patience[table] = ASK_AFTER

    def due(self, now: float) -> list[tuple[str, str]]:
        """Return the tables to ask now, with the hash after which each is to repeat its events.

        A table that repeats and makes no progress gives up its place to the one that has waited longest.
        """
        behind = [table for table, last in self._newest.items() if self._reached[table][0] != last]
        still = [table for table in behind if now - self._reached[table][1] >= self._patience[table]]
        self._repeating = self._repeating.intersection(behind).difference(still)
        still.sort(key=lambda table: self._reached[table][1])
        asked = [(table, self._reached[table][0]) for table in still[: AT_ONCE - len(self._repeating)]]
        for table, digest in asked:
            log.info("of %s something is missing: it is asked for", table)
            self._repeating.add(table)
            self._reached[table] = (digest, now)
            self._patience[table] = min(2 * self._patience[table], LONGEST_ASK)
        return asked
