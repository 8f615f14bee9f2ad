"""Which tables have reported events that the book has not got, and when they are asked for them."""

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
        self._repeating: dict[str, str] = {}  # by table: how far the book was when it was last searched

    def reported(self, table: str, last: str) -> None:
        """Note the hash of the last event that a table tells of."""
        self._newest[table] = last

    def reached(self, table: str, digest: str, now: float) -> None:
        """Note the hash of the event up to which the book has everything of a table."""
        if self._reached.get(table, ("-", 0.0))[0] != digest:
            self._reached[table] = (digest, now)
            self._patience[table] = ASK_AFTER

    def behind(self, table: str) -> bool:
        """Return whether a table tells of more than the book has without a gap."""
        return table in self._newest and self._reached[table][0] != self._newest[table]

    def answered(self) -> list[str]:
        """Return the tables that repeat and of which something has come since the last call."""
        found = [table for table, before in self._repeating.items() if self._reached[table][0] != before]
        self._repeating |= {table: self._reached[table][0] for table in found}
        return found

    def due(self, now: float) -> list[str]:
        """Return the tables to ask now.

        A table that repeats and makes no progress gives up its place to the one that has waited longest.
        """
        behind = [table for table in self._newest if self.behind(table)]
        still = [table for table in behind if now - self._reached[table][1] >= self._patience[table]]
        going = set(behind).difference(still)
        self._repeating = {table: digest for table, digest in self._repeating.items() if table in going}
        still.sort(key=lambda table: self._reached[table][1])
        asked = still[: AT_ONCE - len(self._repeating)]
        for table in asked:
            log.info("of %s something is missing: it is asked for", table)
            digest = self._repeating[table] = self._reached[table][0]
            self._reached[table] = (digest, now)
            self._patience[table] = min(2 * self._patience[table], LONGEST_ASK)
        return asked
