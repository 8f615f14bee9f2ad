"""What a killed program leaves of a match, and damage to it."""

import shutil
from pathlib import Path

from companion.referee.events import Event
from tests.referee.build import MISERICORDIA, NOTHING, Table, started


class Clocked(Table):
    """A match whose events come one second after the other."""

    def record(self, *events: Event) -> int:
        for entry in self.journal.append(self.match.id, events, 1000.0 + len(self.match.entries), "tests"):
            self.match = self.match.after(entry)
        return self.match.entries[-1].number


def killed(folder: Path, throws: int = 40, name: str = "match.db") -> Path:
    """Write a match and leave the files as a killed program does; return the journal's."""
    folder.mkdir(exist_ok=True)
    table = Clocked(folder / "alive.db", started("Anna", "Ben", ending="throws", throws=10_000))
    for number in range(throws):
        table.throw(NOTHING if number % 2 else MISERICORDIA)
    for end in ("", "-wal", "-shm", "-tail"):
        shutil.copyfile(folder / f"alive.db{end}", folder / f"{name}{end}")
    table.journal.close()
    return folder / name


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def damage_log(path: Path, share: float = 0.5) -> None:
    """Turn one bit in the middle of the log: SQLite drops what stands behind."""
    data = bytearray(log_of(path).read_bytes())
    data[int(len(data) * share)] ^= 4
    log_of(path).write_bytes(data)
