"""The line of the match that is open now: it is opened with a shared match, and closed when another one opens.

Neither server nor line is imported before a match is shared.
"""

import logging
import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.language.sentence import Sentence
from companion.live.table import LiveTable
from companion.web.owner.other_table import OtherTableSeen

if TYPE_CHECKING:
    from companion.web.remote.match_line import RemoteLine
    from companion.web.remote.match_server import MatchServer

OWNER: Final = "owner"
"""The actor of a match that was joined: nobody else may join one."""

OPENS_WITHIN_SECONDS: Final = 3.0
"""Seconds that the owner's page waits for the line of a match that was just shared."""

log = logging.getLogger(__name__)


class OtherTable:
    """The lines of one running table to other ones. Thread-safe."""

    def __init__(self, table: LiveTable, folder: Path) -> None:
        """``folder``: where the key and the certificate of this table are kept."""
        self._table, self._folder = table, folder
        self._lock = threading.Lock()
        self._open: MatchServer | RemoteLine | None = None
        self._trouble: Sentence | None = None
        self._at: str | None = None  # the match for which the line was opened, or could not be
        self._settled = threading.Condition(self._lock)
        self._changes: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="shared match", daemon=True)
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
                self._open = self._trouble = None
                if match is not None and not self._ended:
                    self._begin(match)
                self._at = match
                self._settled.notify_all()

    def _begin(self, match: str) -> None:
        import msgspec  # noqa: PLC0415  (only a shared match needs all this)

        from companion.hall.direct.code import new_code  # noqa: PLC0415
        from companion.web.camera.certificate import CertificateError  # noqa: PLC0415
        from companion.web.remote.match_line import RemoteLine  # noqa: PLC0415
        from companion.web.remote.match_server import MatchServer  # noqa: PLC0415

        remote = self._table.remote
        try:
            remote.lines.secret(match)
            line = remote.lines.line(match)
            assert line is not None, "a match with a secret has a line"
            if line.host:
                opened: MatchServer | RemoteLine = RemoteLine(remote, match, line)
            else:
                if not line.code:
                    remote.lines.keep(match, msgspec.structs.replace(line, code=new_code()))
                opened = MatchServer(remote, match, self._folder)
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
        return OtherTableSeen(trouble=trouble) if opened is None else opened.seen()

    def join(self, address: str, code: str) -> Sentence | None:
        """Join the match of another table by its code; return why not, None if it is open here."""
        from companion.web.remote.match_line import NotJoinedError, join_match  # noqa: PLC0415

        try:
            line, start = join_match(address, code)
            self._table.remote.lines.keep(str(start.get("match", "")), line)
        except NotJoinedError as why:
            return why.sentence
        except OSError as why:
            return Sentence("The line cannot be kept ({why}): make room on the disk.", why=str(why))
        reply = self._table.command("join_shared", start, OWNER)
        return None if reply.ok else reply.sentence
