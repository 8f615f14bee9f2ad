"""Real tables that take part in a hall."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.hall.member import Member
from companion.hall.settings import Broker, HallSettings
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.owner.doors import TableDoors

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}


def settings_for(broker: Broker, **more: object) -> HallSettings:
    return HallSettings(**{"hall": "museum", "table": "north", "broker": broker, **more})  # type: ignore[arg-type]


@contextmanager
def table_at(journal: Path) -> Iterator[LiveTable]:
    table = LiveTable(journal)
    table.start()
    try:
        yield table
    finally:
        table.stop()


@contextmanager
def taking_part(table: LiveTable, journal: Path, settings: HallSettings) -> Iterator[Member]:
    app = create_app(table, trusted_hosts=["localhost"], settings=SettingsFile(journal.with_suffix(".settings.json")))
    member = Member(settings, journal, table, TableDoors(app, table, None))
    member.start()
    try:
        yield member
    finally:
        member.stop()


def roll(table: LiveTable, times: int) -> None:
    """Make so many throws; a recast that chance grants is thrown too, also after the last throw, and counts as none."""
    before = _throws(table)
    while _throws(table) - before < times or _awaits_a_recast(table):
        reply = table.command("roll", {}, "tests")
        assert reply.ok, reply.sentence


def _throws(table: LiveTable) -> int:
    return int(table.snapshot().data["match"]["throws"])


def _awaits_a_recast(table: LiveTable) -> bool:
    awaits = table.snapshot().data["awaits"]
    return awaits is not None and awaits["kind"] == "recast"
