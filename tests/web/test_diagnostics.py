"""What may be sent to a helper holds no person: no names, no PIN, no pictures unless they were ticked."""

import io
import json
import logging
import zipfile
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from companion.web import create_app
from companion.web.recent_log import LONGEST_LINE, MOST_LINES, RecentLog, without_persons
from tests.web.conftest import PIN
from tests.web.fake_table import JPEG, FakeTable

LOG = logging.getLogger("tests.a part of the program")


@pytest.fixture
def recent() -> RecentLog:
    return RecentLog()


@pytest.fixture
def owner(table: FakeTable, recent: RecentLog) -> FlaskClient:
    client = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN, log=recent).test_client()
    assert client.post("/api/owner", json={"pin": PIN}).status_code == 200
    return client


def unpacked(client: FlaskClient, query: str = "") -> dict[str, bytes]:
    answer = client.get(f"/api/owner/diagnostics.zip{query}")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_bundle_names_nobody(owner: FlaskClient, recent: RecentLog) -> None:
    LOG.addHandler(recent)
    failed = ValueError(f"Anna could not throw, nor could Berno, in {Path.home()}/matches")
    LOG.error("the match Anna, Berno failed", exc_info=failed)
    LOG.removeHandler(recent)
    parts = unpacked(owner)
    assert set(parts) == {"README.txt", "health.json", "settings.json", "log.txt", "versions.json"}
    inside = b"".join(parts.values()).decode()
    for secret in ("Anna", "Berno", PIN, "scrypt:", str(Path.home())):
        assert secret not in inside
    assert "(a player) could not throw" in parts["log.txt"].decode()
    assert json.loads(parts["versions.json"])["packages"]["Flask"]
    assert json.loads(parts["health.json"])["errors"][0]["level"] == "ERROR"


def test_pictures_go_with_it_only_if_they_were_ticked(owner: FlaskClient) -> None:
    assert unpacked(owner, "?pictures=yes")["pictures/table.jpg"] == JPEG
    assert "pictures/table.jpg" not in unpacked(owner, "?pictures=no")


names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


@given(st.lists(names, min_size=1, max_size=4), st.text(max_size=40))
def test_a_name_is_left_out_wherever_it_stands_as_a_word(players: list[str], around: str) -> None:
    text = without_persons(" ".join([around, *players, "threw"]), players)
    assert not any(word in players for word in text.split() if word not in {"(a", "player)", "threw"})


def test_a_flood_of_lines_is_bounded(recent: RecentLog) -> None:
    for number in range(3 * MOST_LINES):
        recent.handle(logging.LogRecord("part", logging.ERROR, "", 0, f"{number} " + "x" * 100_000, None, None))
    lines = recent.lines()
    assert len(lines) == MOST_LINES
    assert all(len(line.text) <= LONGEST_LINE + 2 for line in lines)


def test_a_line_that_cannot_be_written_harms_nobody(recent: RecentLog) -> None:
    recent.handle(logging.LogRecord("part", logging.ERROR, "", 0, "%d things", ("no number",), None))
    assert recent.lines()[0].text == "%d things"
