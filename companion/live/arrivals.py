"""Matches from elsewhere: checked and played in the asking thread, then written by the writer piece by piece."""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence, why_of
from companion.ledger.entries import JournalError
from companion.live.inbox import Task
from companion.live.writer import Writer
from companion.referee.journal import Entry, Journal
from companion.referee.transfer import AlreadyHereError, ImportRefusedError, arriving, in_pieces


class Arrivals:
    """Takes exported matches in, one at a time, while the table goes on."""

    def __init__(self, journal: Path, ask: Callable[[Task], Reply], writer: Writer) -> None:
        """``ask`` lets the writer's thread do something, and waits for its answer."""
        self._journal = journal
        self._ask = ask
        self._writer = writer
        self._busy = threading.Lock()

    def take_in(self, lines: Sequence[str]) -> Reply:
        """Write what a file holds into the journal, each match whole or not at all."""
        if not self._busy.acquire(blocking=False):
            return Reply(ok=False, sentence=Sentence("Another match is being imported: wait until that is done."))
        try:
            with Journal(self._journal, writable=False) as journal:
                matches = arriving(journal, lines, time.time())
            return self._written(matches)
        except AlreadyHereError as why:
            return Reply(ok=False, sentence=why_of(why), data={"match": why.match})
        except (ImportRefusedError, JournalError) as why:
            return Reply(ok=False, sentence=why_of(why))
        finally:
            self._busy.release()

    def _written(self, matches: Sequence[Sequence[Entry]]) -> Reply:
        for entries in matches:
            for piece in in_pieces(entries):
                reply = self._ask(partial(self._writer.take_in, piece))
                if not reply.ok:  # a piece whose answer comes too late is still written, so what came is taken away
                    break
            ended = self._ask(partial(self._writer.taken_in, whole=reply.ok))
            if not (reply.ok and ended.ok):
                return ended if reply.ok else reply
        return ended
