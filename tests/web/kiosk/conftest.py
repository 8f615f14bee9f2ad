"""A kiosk on a fake table, with clocks that a test turns by hand."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.desk.table.match_desk import Reply
from companion.web import create_app
from companion.web.kiosk.attendant import Attendant
from companion.web.kiosk.folder import begin_folder
from companion.web.kiosk.pages import prepare
from tests.web.fake_table import FakeTable

SATURDAY_NOON = datetime(2026, 11, 21, 12, 0).astimezone().timestamp()


@dataclass
class Clocks:
    """The wall clock and the steady one, in seconds."""

    wall: float = SATURDAY_NOON
    steady: float = 1000.0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


class Pausing(FakeTable):
    """A fake table whose match is paused when it is told to."""

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        reply = super().command(name, data, actor)
        if reply.ok and name == "pause":
            self.change(match={**self.snapshot().data["match"], "paused": True})
        return reply


@pytest.fixture
def table() -> Pausing:
    return Pausing()


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    begin_folder(tmp_path / "kiosk")
    return tmp_path / "kiosk"


@pytest.fixture
def attendant(folder: Path, table: FakeTable, clocks: Clocks) -> Attendant:
    made = Attendant(folder, table, wall=lambda: clocks.wall, steady=lambda: clocks.steady)
    made.tick()
    return made


@pytest.fixture
def visitor(table: FakeTable, attendant: Attendant) -> FlaskClient:
    app = create_app(table, trusted_hosts=["localhost"], owner_pin="314159")
    prepare(app, attendant)
    return app.test_client()
