"""A hostile program before a table and a laboratory: as nobody, as a phone, as a player and as the owner."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask

from companion.live.laboratory.laboratory import Laboratory
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from companion.web.app_state import TABLE
from companion.web.kiosk.attendant import Attendant
from companion.web.kiosk.folder import begin_folder
from companion.web.kiosk.pages import prepare
from companion.web.laboratory.app import create_laboratory_app
from tests.web.conftest import PIN
from tests.web.hostile_requests import SENDERS, Asked, Attack, through_listener
from tests.web.serving import served

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}


@contextmanager
def attacked(kind: str, folder: Path, seed: int = 1) -> Iterator[Attack]:
    """Give an attack on a table, a kiosk or a laboratory that runs on loopback with a PIN."""
    table = (
        Laboratory(folder / "events.db")
        if kind == "laboratory"
        else LiveTable(folder / "events.db", Seeing(PushedSource()), chance=random.Random(seed))
    )
    table.start()
    try:
        app = _app(kind, table, folder)
        through_listener(app)
        with served(app) as address:
            attack = Attack(
                app, address, folder / "events.db", chain="series" if kind == "laboratory" else "match", seed=seed
            )
            try:
                yield attack
            finally:
                attack.close()
    finally:
        table.stop()


def _app(kind: str, table: LiveTable | Laboratory, folder: Path) -> Flask:
    settings = SettingsFile(folder / "settings.json")
    if isinstance(table, Laboratory):
        assert table.command("begin", {"dice": [{"set": "d6"}]}, "tests").ok
        return create_laboratory_app(table, trusted_hosts=["localhost"], owner_pin=PIN, settings=settings)
    assert table.command("new_match", MATCH, "tests").ok
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN, settings=settings)
    if kind == "kiosk":
        begin_folder(folder / "kiosk")
        prepare(app, Attendant(folder / "kiosk", table))
    return app


@pytest.mark.parametrize("kind", ["table", "kiosk", "laboratory"])
def test_hostile_requests_find_no_fault_and_strangers_decide_nothing(tmp_path: Path, kind: str) -> None:
    with attacked(kind, tmp_path) as attack:
        found = attack.run(150, time.monotonic() + 300)
        assert found.faults == []
        assert found.decided == []
        assert found.requests == 150
        assert set(found.senders) == set(SENDERS)
        assert {200, 400, 401, 403, 404, 405} <= set(found.statuses)


def test_the_judge_sees_what_a_stranger_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.api.require", lambda _: None)
    with attacked("table", tmp_path) as attack:
        attack._one(Asked("nobody", "POST", "/api/command/reset", "api.command reset", b"{}"))
        assert len(attack.found.decided) == 2  # one match was ended, and another begun


def test_the_judge_sees_a_fault_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with attacked("table", tmp_path) as attack:
        monkeypatch.setattr(TABLE.get(attack._app), "matches", lambda: 1 / 0)
        attack._one(Asked("nobody", "GET", "/api/matches", "transfer.matches"))
        assert len(attack.found.faults) == 1
