"""A table's process that is meant to be killed: it writes its journal without rest, and publishes it."""

import sys
import time
from pathlib import Path
from typing import Any

from companion.desk.table.match_desk import Reply
from companion.hall.publisher import Publisher
from companion.hall.settings import Broker, HallSettings
from companion.language.sentence import Sentence
from companion.ledger.rescue import open_ledger
from companion.live.remote_table import RemoteTable
from companion.live.shared_matches import SharedMatches
from companion.live.snapshot import Snapshot, SnapshotStore
from companion.referee.events import MatchStarted, Paused, Resumed
from companion.referee.journal import Journal

STARTED = MatchStarted("A match", "ludix", ("Anna", "Ben"), {}, "tapped", "")


class Bare:
    """What a publisher needs of a table and its screen, and no more."""

    def __init__(self, journal: Path) -> None:
        self.remote = RemoteTable(lambda: None, SharedMatches(journal))
        self._store = SnapshotStore(0)

    def snapshot(self) -> Snapshot:
        return self._store.newest()

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        return self._store.wait_newer(version, timeout)

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        raise NotImplementedError(name, data, actor)

    def set_suspended(self, *, suspended: bool) -> Reply:
        return Reply(ok=suspended, sentence=Sentence(""))

    def screen(self) -> str:
        return "table"

    def watch(self) -> str:
        return ""

    def attract(self) -> str:
        return "-"

    def close(self) -> str:
        return "-"

    def open(self) -> str:
        return "-"

    def language(self, code: str) -> str:
        return code

    def greet(self, invitation: object) -> None:
        raise NotImplementedError(invitation)


def publisher_of(path: Path, settings: HallSettings) -> Publisher:
    """Return a publisher of a journal; the journal must be there."""
    table = Bare(path)
    return Publisher(settings, path, table, table)


def write(journal: Journal, match: int) -> None:
    """Write one more event."""
    number = journal.count("paused").get(match, 0) + journal.count("resumed").get(match, 0)
    journal.append(match, [Resumed() if number % 2 else Paused()], time.time(), "tests")


def main(path: Path, port: int, table: str) -> None:
    """Write and publish until the process is killed."""
    with open_ledger(path, Journal) as journal:
        match = journal.begin(STARTED, time.time(), "tests")
        publisher = publisher_of(path, HallSettings("museum", table, broker=Broker(port=port)))
        publisher.start()
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        while True:
            write(journal, match)
            publisher.wake()
            time.sleep(0.005)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
