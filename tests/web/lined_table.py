"""A table with its line to other ones, and its owner's page."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.hall.member import Member
from companion.hall.settings import HallSettings
from companion.live.features import TableFeatures
from companion.live.table import LiveTable
from companion.web import create_app
from companion.web.owner.doors import TableDoors
from companion.web.owner.other_table import LINE
from companion.web.remote.place import OtherTable

PATIENCE_SECONDS = 30.0


class LinedTable:
    """A running table as its owner has it; ``settings``: its place in a hall, None without one."""

    def __init__(self, folder: Path, seed: int, settings: HallSettings | None = None) -> None:
        folder.mkdir(exist_ok=True)
        self.table = LiveTable(folder / "match.db", features=TableFeatures(program_pause=0.0), chance=Random(seed))
        self.table.start()
        self.app = create_app(self.table, trusted_hosts=["localhost", "127.0.0.1"])
        self.member = None
        if settings is not None:
            self.member = Member(settings, folder / "match.db", self.table, TableDoors(self.app, self.table, None))
            self.member.start()
        post = None if self.member is None else self.member.publisher.matches
        self.line = OtherTable(self.table, folder / "line", lambda: post)
        self.line.start()
        LINE.put(self.app, self.line)
        self.page = self.app.test_client()

    def ask(self, name: str, **data: Any) -> None:
        answer = self.page.post(f"/api/command/{name}", json=data)
        assert answer.status_code == 200, answer.text

    def join(self, address: str, code: str) -> tuple[int, str]:
        answer = self.page.post("/api/owner/other-table/join", json={"address": address, "code": code})
        return answer.status_code, str((answer.json or {}).get("error", ""))

    def until(self, true: Callable[[Any], bool]) -> Any:
        snapshot, end = self.table.snapshot(), time.monotonic() + PATIENCE_SECONDS
        while not true(snapshot.data):
            assert time.monotonic() < end, (snapshot.data["awaits"], snapshot.data["other_table"])
            snapshot = self.table.wait(snapshot.version, 1.0) or self.table.snapshot()
        return snapshot.data

    def stop(self) -> None:
        self.line.stop()
        if self.member is not None:
            self.member.stop()
        self.table.stop()
