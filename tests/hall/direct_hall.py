"""The desk of a hall without a broker, as far as its tables see it."""

import threading
from pathlib import Path

from companion.hall.book.database import BookError, Database
from companion.hall.collector import Collector
from companion.hall.direct.exchange import Exchange
from companion.hall.direct.joining import join
from companion.hall.direct.members import Members
from companion.hall.settings import HallSettings, Membership
from companion.web.hall.tables_server import TablesServer

EVENTS = (
    "SELECT e.hash FROM events e JOIN matches m ON m.id = e.match JOIN tables t ON t.id = m.of_table "
    "WHERE t.name = %s ORDER BY m.number, e.number"
)


class DirectHall:
    """A hall named club in a folder; `stop` and `start` as if its computer were switched off and on."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.book, self.port = folder, str(folder / "hall.db"), port
        self.start()

    def start(self) -> None:
        self.exchange, self.members = Exchange("club"), Members(self.folder / "club-tables.json")
        self.server = TablesServer("club", self.exchange, self.members, self.folder / "server", self.port)
        self.server.start()
        self.port = int(self.server.address.rpartition(":")[2])
        self.begin_book()

    def begin_book(self) -> None:
        self.ending = threading.Event()
        settings = HallSettings("club", "book", book=self.book, join_port=self.port)
        self.collector = Collector(settings, self.ending, self.exchange.open)
        self.thread = threading.Thread(target=self.collector.run)
        self.thread.start()

    def end_book(self) -> None:
        self.ending.set()
        self.thread.join()

    def stop(self) -> None:
        self.end_book()
        self.server.stop()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def join(self, table: str, before: Membership | None = None) -> Membership:
        return join(self.address, self.members.code, table, names=True, before=before)

    def events(self, table: str) -> list[str]:
        """Return the hashes that the book has of a table, in the journal's order."""
        return [str(digest) for (digest,) in self._rows(EVENTS, table)]

    def status(self, table: str) -> str | None:
        found = self._rows("SELECT status FROM tables WHERE name = %s", table)
        return None if not found else found[0][0]  # type: ignore[return-value]

    def _rows(self, asked: str, *values: str) -> list[tuple[object, ...]]:
        try:
            with Database(self.book) as database:
                return database.rows(asked, *values)
        except BookError:  # it is being made
            return []


def place_of(membership: Membership) -> HallSettings:
    """Return the settings of a table that joined, as the owner's page makes them."""
    return HallSettings(
        membership.hall,
        membership.table,
        names=True,
        outside=frozenset({"pause"}),
        prefix="",
        invitations=True,
        membership=membership,
    )
