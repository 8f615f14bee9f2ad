"""The thread that watches the hall's book for the organiser's page."""

import logging
import threading
from typing import Any, Final

from companion.hall.book.database import BookError, Database
from companion.hall.book.outcomes import Judge
from companion.hall.collector import Collector
from companion.hall.desk.now import results_now, tables_now
from companion.hall.tournament.invited import take_results
from companion.hall.tournament.kept import Tournaments
from companion.hall.tournament.records import Tournament
from companion.hall.tournament.standings import standings
from companion.live.snapshot import Snapshot, SnapshotStore

log = logging.getLogger(__name__)

CHECK_EVERY_SECONDS: Final = 0.5
"""Seconds between two checks of the book."""

NEXT_PIECE: Final = 0.1
"""Seconds until the next check while there is more to judge."""

NEWEST_TOURNAMENTS: Final = 4
"""How many tournaments are followed; older ones are shown where somebody asks for them."""

LEADERS_SHOWN: Final = 10
"""How many lines of the standings stand at the wall."""

END_WAIT: Final = 15.0
"""Seconds that stopping waits for the thread: longer than connecting to a database may take."""


class HallWatch:
    """Reads the book and publishes how the hall is. `snapshot` and `wait` may be called from any thread."""

    def __init__(self, book: str, hall: str, collector: Collector | None = None) -> None:
        """``book``: where it is; ``collector``: writes it, None if another program does."""
        self.book = book
        self.hall = hall
        self._collector = collector
        self._store = SnapshotStore(0)
        self._ending = threading.Event()
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall's desk", daemon=True)
        self._known: list[tuple[Any, ...]] = []
        self._judge = Judge()
        self._left = False  # whether there is more to judge
        self._publish()  # a page that comes first finds a hall without tables

    def start(self) -> None:
        """Start the thread; the first state is there when this returns."""
        if (book := self._book_read(None)) is not None:
            book.close()  # an SQLite book is for the thread that opened it
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._ending.set()
        self._woken.set()
        self._store.close()
        if self._thread.ident is not None:
            self._thread.join(END_WAIT)

    def wake(self) -> None:
        """Read the book now: somebody has changed it."""
        self._woken.set()

    def snapshot(self) -> Snapshot:
        """Return the newest state."""
        return self._store.newest()

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, or None after ``timeout`` seconds."""
        return self._store.wait_newer(version, timeout)

    def offer_frame(self, jpeg: bytes) -> None:
        """Refuse a picture: nobody watches a camera here.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"The hall takes no pictures, but got {len(jpeg)} bytes.")

    def _run(self) -> None:
        book: Database | None = None
        while not self._ending.is_set():
            self._woken.wait(NEXT_PIECE if self._left else CHECK_EVERY_SECONDS)
            self._woken.clear()
            book = self._book_read(book)
        if book is not None:
            book.close()

    def _book_read(self, book: Database | None) -> Database | None:
        """Read the book, which is opened if it is not; return it, or None, and closed, if that failed."""
        try:
            book = book or Database(self.book)
            self._refresh(book)
        except BookError as why:
            log.warning("the desk waits: %s", why)
        except Exception:
            log.exception("the desk goes on after this")
        else:
            return book
        self._publish(book_away=True)
        if book is not None:
            book.close()
        return None

    def _refresh(self, database: Database) -> None:
        rows = database.rows("SELECT name, reached, state, status FROM tables WHERE hall = %s ORDER BY name", self.hall)
        if rows != self._known or self._left:
            self._publish(tables=tables_now(database, self.hall))  # first, for judging takes its time
            self._left = self._judge.judge(database, self.hall)
            self._known = rows
        tournaments = Tournaments(database, self.hall).all()[:NEWEST_TOURNAMENTS]
        for one in tournaments:
            take_results(database, one)
        self._publish(
            tables=tables_now(database, self.hall),
            results=results_now(database, self.hall),
            tournaments=[_line(one) for one in tournaments],
        )

    def _publish(self, **new: Any) -> None:
        before = {key: value for key, value in self._store.newest().data.items() if key != "version"}
        usual: dict[str, Any] = {"tables": [], "results": [], "tournaments": []}
        collector = self._collector
        trouble = None if collector is None else collector.trouble
        away = None if trouble is None else trouble.away
        self._store.publish(
            {
                **usual,
                **before,
                "hall": self.hall,
                "book_away": away == "book",
                "broker_away": away == "broker",
                "disk_full": away == "disk",
                "set_aside": [] if collector is None else sorted(collector.set_aside),
                **new,
            }
        )


def _line(tournament: Tournament) -> dict[str, Any]:
    """Return what the wall shows of a tournament."""
    return {
        "id": tournament.id,
        "name": tournament.name,
        "round": tournament.round,
        "rounds": tournament.rounds,
        "undecided": tournament.undecided,
        "over": tournament.over,
        "results": [[one.round, one.board, one.games, one.table] for one in tournament.of_round(tournament.round)],
        "leaders": [
            {"rank": line.rank, "name": line.entrant.name, "points": line.points, "gone": line.entrant.gone}
            for line in standings(tournament)[:LEADERS_SHOWN]
        ],
    }
