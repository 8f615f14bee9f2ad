"""What a damaged journal lost is said where people look: on the page, to the owner, in the lists of matches."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.ledger.tail import beside, read_tail, write_tail
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from tests.referee.killed import damage_log, killed

Opened = Callable[[], FlaskClient]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return killed(tmp_path, throws=30)


@pytest.fixture
def opened(path: Path, tmp_path: Path) -> Iterator[Opened]:
    tables: list[LiveTable] = []

    def start() -> FlaskClient:
        tables.append(LiveTable(path))
        tables[-1].start()
        settings = SettingsFile(tmp_path / "settings.json")
        return create_app(tables[-1], trusted_hosts=["localhost"], settings=settings).test_client()

    yield start
    for table in tables:
        table.stop()


def state(client: FlaskClient) -> Any:
    return client.get("/api/state").get_json()["health"]


def text(client: FlaskClient, address: str) -> str:
    return client.get(address).get_data(as_text=True)


def test_lost_events_are_named_on_the_page_to_the_owner_on_the_console_and_in_both_lists(
    path: Path, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    tail = read_tail(beside(path))
    assert tail is not None
    write_tail(beside(path), tail.heads, (), ())
    damage_log(path)
    with caplog.at_level(logging.WARNING):
        client = opened()
    lost = client.get("/api/matches").get_json()["matches"][0]["lost"][0]
    assert lost["after"] + lost["events"] == 31
    named = f"These saved events are missing: {lost['events']} of match 1, after event {lost['after']}."
    assert named in caplog.text
    assert named in state(client)["journal"]["text"]
    assert named in text(client, "/owner/health")
    for page in ("/matches", "/owner/matches"):
        assert f"{lost['events']} saved events are missing after event {lost['after']}." in text(client, page)


def test_a_second_copy_that_is_gone_is_said_to_the_owner_and_not_to_the_players(
    path: Path, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    beside(path).unlink()
    with caplog.at_level(logging.WARNING):
        client = opened()
    assert "was not there" in caplog.text
    assert state(client)["journal"] == "ok"
    assert "match.db-tail, was not there" in text(client, "/owner/health")
    assert client.get("/api/owner/health").get_json()["well"] is False
    assert client.get("/api/matches").get_json()["matches"][0]["lost"] == []
