"""The live stream: bounded, never silent, whole after every gap."""

import json
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.web.streams import MOST_STREAMS, Streams
from tests.web.fake_table import FakeTable


def fields(event: str) -> dict[str, Any]:
    return dict(line.split(": ", 1) for line in event.strip().splitlines())


@pytest.fixture
def streams(table: FakeTable) -> Streams:
    return Streams(table, most=2, heartbeat=0.05, life=30)


def test_a_stream_begins_with_the_whole_state(streams: Streams) -> None:
    first = fields(next(streams.events()))
    assert first["id"] == "7"
    assert first["event"] == "snapshot"
    assert json.loads(first["data"])["match"]["name"] == "Anna, Berno"


def test_a_change_comes_at_once_and_silence_is_broken_by_heartbeats(streams: Streams, table: FakeTable) -> None:
    events = streams.events()
    next(events)
    assert fields(next(events))["event"] == "beat"
    patient = Streams(table, heartbeat=3600, life=3600).events()  # nothing comes of it but what changes
    next(patient)
    later = threading.Timer(0.1, table.change)
    later.start()
    assert fields(next(patient))["id"] == "8"
    later.join()


def test_a_page_that_missed_changes_gets_the_newest_state_only(streams: Streams, table: FakeTable) -> None:
    events = streams.events()
    next(events)
    for _ in range(5):
        table.change()
    assert fields(next(events))["id"] == "12"


def test_a_stream_ends_after_its_life(table: FakeTable) -> None:
    streams = Streams(table, heartbeat=0.02, life=0.1)
    assert 0 < len(list(islice(streams.events(), 1000))) < 1000


def test_a_stream_ends_when_its_page_is_gone_or_the_server_stops(streams: Streams) -> None:
    assert len(list(streams.events(lambda: True))) == 1
    events = streams.events()
    next(events)
    streams.close()
    assert list(events) == []
    assert not streams.take()


def test_no_more_streams_than_places(client: FlaskClient) -> None:
    opened = [client.get("/api/events", buffered=False) for _ in range(MOST_STREAMS)]
    assert {response.status_code for response in opened} == {200}
    ninth = client.get("/api/events")
    assert ninth.status_code == 503
    assert int(ninth.headers["Retry-After"]) > 0
    assert ninth.get_json()["error"].endswith(".")
    opened[0].close()
    assert client.get("/api/events", buffered=False).status_code == 200
    for response in opened[1:]:
        response.close()


def test_a_place_is_free_again_even_if_nothing_was_read(client: FlaskClient) -> None:
    for _ in range(3 * MOST_STREAMS):
        response = client.get("/api/events", buffered=False)
        assert response.status_code == 200
        response.close()
        head = client.head("/api/events", buffered=False)
        assert head.status_code == 200
        head.close()


def test_many_streams_write_a_state_as_json_once(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams(table)
    written = []
    original = json.dumps

    def counted(*given: Any, **named: Any) -> str:
        written.append(1)
        return original(*given, **named)

    monkeypatch.setattr(json, "dumps", counted)
    for _ in range(4):
        next(streams.events())
        streams.text(table.snapshot())
    assert len(written) == 1


def test_streams_in_threads_all_see_the_last_state(table: FakeTable) -> None:
    streams = Streams(table, heartbeat=0.05, life=60)
    seen: dict[int, str] = {}

    def follow(number: int, events: Iterator[str]) -> None:
        for event in events:
            data = fields(event)
            if data.get("id"):
                seen[number] = data["id"]
            if data.get("id") == "27":
                return

    threads = [threading.Thread(target=follow, args=(number, streams.events())) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        table.change()
    for thread in threads:
        thread.join(60)
    assert set(seen.values()) == {"27"}
