"""The line of the match that is open now: it is opened with a shared match, and closed when another one opens.

Neither server nor line is imported before a match is shared.
"""

import logging
import queue
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.language.sentence import Sentence
from companion.live.table import LiveTable
from companion.web.owner.other_table import OtherTableSeen

if TYPE_CHECKING:
    from companion.hall.match_post import MatchPost
    from companion.web.remote.match_line import DirectLine
    from companion.web.remote.match_server import MatchServer

OWNER: Final = "owner"
"""The actor of a match that was joined: nobody else may join one."""

KEY_BYTES: Final = 32

OPENS_WITHIN_SECONDS: Final = 3.0
"""Seconds that the owner's page waits for the line of a match that was just shared."""

NO_LINE: Final = Sentence("The hall does not answer: the match goes on when it does.")

log = logging.getLogger(__name__)


class OtherTable:
    """The lines of one running table to other ones. Thread-safe."""

    def __init__(self, table: LiveTable, folder: Path, hall: Callable[[], "MatchPost | None"] = lambda: None) -> None:
        """``folder``: where the key and the certificate of this table are kept.

        ``hall``: returns the way to other tables of the hall that the table is in, None without one.
        """
        self._table, self._folder, self._hall = table, folder, hall
        self._lock = threading.Lock()
        self._open: MatchServer | DirectLine | None = None
        self._trouble: Sentence | None = None
        self._at: str | None = None  # the match for which the line was opened, or could not be
        self._settled = threading.Condition(self._lock)
        self._changes: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="shared match", daemon=True)
        self._keys: dict[tuple[str, str], str] = {}  # by what was typed: a try again must be known as the same table
        self._ended = False

    def start(self) -> None:
        """Follow the open match from now on."""
        self._table.remote.watch_matches(self._changes.put)
        self._thread.start()

    def stop(self) -> None:
        """End the line."""
        self._ended = True
        self._table.remote.watch_matches(lambda _: None)
        self._changes.put(None)
        self._thread.join(10)

    def move(self, table: LiveTable) -> None:
        """Go on with the table that follows a sample's."""
        self._table.remote.watch_matches(lambda _: None)
        self._changes.put(None)
        self._table = table
        table.remote.watch_matches(self._changes.put)

    def _run(self) -> None:
        while not self._ended:
            match = self._changes.get()
            with self._lock:
                if self._open is not None:
                    self._open.stop()
                self._open, self._trouble = None, None
                if match is not None and not self._ended:
                    self._begin(match)
                self._at = match
                self._settled.notify_all()

    def _begin(self, match: str) -> None:
        import msgspec  # noqa: PLC0415  (only a shared match needs all this)

        from companion.certificate import CertificateError  # noqa: PLC0415
        from companion.hall.direct.code import new_code  # noqa: PLC0415
        from companion.web.remote.match_line import DirectLine  # noqa: PLC0415
        from companion.web.remote.match_server import MatchServer  # noqa: PLC0415

        remote = self._table.remote
        try:
            remote.lines.secret(match)
            line = remote.lines.line(match)
            assert line is not None, "a match with a secret has a line"
            if line.hall:
                return  # the table's line to its hall carries it
            if not line.host and not line.code:
                remote.lines.keep(match, msgspec.structs.replace(line, code=new_code()))
            opened = DirectLine(remote, match, line) if line.host else MatchServer(remote, match, self._folder)
            opened.start()
            self._open = opened
        except (CertificateError, OSError) as why:
            log.warning("no other table can play the match: %s", why)
            self._trouble = Sentence("No other table can reach this one ({why}).", why=str(why))

    def seen(self) -> OtherTableSeen:
        """Return what the owner's page says of it."""
        with self._lock:
            self._settled.wait_for(lambda: self._at == self._table.remote.open_match, OPENS_WITHIN_SECONDS)
            opened, trouble = self._open, self._trouble
        post, match = self._hall(), self._table.remote.open_match
        line = None if match is None else self._table.remote.lines.line(match)
        if opened is not None:
            seen = opened.seen()
        elif line is not None and line.hall:
            seen = OtherTableSeen(joined=True, trouble=None if post is not None and post.there else NO_LINE)
        else:
            seen = OtherTableSeen(trouble=trouble)
        return replace(seen, hall="" if post is None else post.hall)

    def join(self, address: str, code: str) -> Sentence | None:
        """Join the match of another table by its code; return why not, None if it is open here.

        ``address``: of that table; empty where both are in one hall.
        """
        import msgspec  # noqa: PLC0415  (only a shared match needs all this)

        from companion.web.remote.match_line import NotJoinedError, join_in_hall, join_match  # noqa: PLC0415

        post, lines = self._hall(), self._table.remote.lines
        try:
            if post is not None and not address.strip():
                line, start = join_in_hall(post, code)
            else:
                key = self._keys.setdefault((address, code), secrets.token_urlsafe(KEY_BYTES))
                line, start = join_match(address, code, key)
            if (before := lines.line(start["match"])) is not None:  # what it has committed itself to must stay true
                line = msgspec.structs.replace(line, secret=before.secret, unseen=before.unseen)
            lines.keep(start["match"], line)
        except NotJoinedError as why:
            return why.sentence
        except OSError as why:
            return Sentence("The line cannot be kept ({why}): make room on the disk.", why=str(why))
        reply = self._table.command("join_shared", start, OWNER)
        return None if reply.ok else reply.sentence
