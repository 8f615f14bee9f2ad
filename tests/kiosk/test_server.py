"""The web server itself: names it is asked under, streams over real sockets, threads that come back."""

import http.client
import socket
import time
from collections.abc import Iterator

import pytest

from companion.kiosk import create_app
from companion.kiosk.server import THREADS, AddressError, PortTakenError, is_loopback, serve, trusted_names
from companion.kiosk.streams import HEARTBEAT, MOST_STREAMS
from tests.kiosk.fake_table import FakeTable
from tests.kiosk.serving import served


@pytest.fixture
def port(table: FakeTable) -> Iterator[int]:
    app = create_app(table, trusted_hosts=["127.0.0.1"])
    with served(app, THREADS) as address:
        yield int(address.rpartition(":")[2])


def stream(port: int) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/api/events")
    return connection, connection.getresponse()


def leave(opened: tuple[http.client.HTTPConnection, http.client.HTTPResponse]) -> None:
    opened[1].close()
    opened[0].close()


def test_eight_pages_are_live_a_ninth_is_told_to_look_and_all_are_answered(port: int, table: FakeTable) -> None:
    opened = [stream(port) for _ in range(MOST_STREAMS)]
    assert {response.status for _, response in opened} == {200}
    ninth = stream(port)
    assert ninth[1].status == 503
    leave(ninth)
    begun = time.monotonic()
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    asking.request("GET", "/healthz")
    assert asking.getresponse().status == 200
    asking.close()
    assert time.monotonic() - begun < 0.5
    table.change()
    for _, response in opened:
        lines = iter(response.readline, b"")
        assert any(line == b"id: 8\n" for line in lines)
    leave(opened.pop())
    freed = time.monotonic() + HEARTBEAT + 2
    while (tenth := stream(port))[1].status == 503:
        leave(tenth)
        assert time.monotonic() < freed, "a closed page gives its place back within a heartbeat"
        time.sleep(0.1)
    for one in [*opened, tenth]:
        leave(one)


def test_a_silent_table_still_sends_heartbeats(port: int) -> None:
    opened = stream(port)
    begun = time.monotonic()
    for line in iter(opened[1].readline, b""):
        if line == b"event: beat\n":
            break
    assert HEARTBEAT - 0.5 < time.monotonic() - begun < HEARTBEAT + 1.5
    leave(opened)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost"])
def test_loopback_is_known(host: str) -> None:
    assert is_loopback(host)
    assert set(trusted_names(host)) == {"localhost", "127.0.0.1", host}


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "kiosk.local"])
def test_a_network_is_known(host: str) -> None:
    assert not is_loopback(host)
    names = trusted_names(host, ("museum.example",))
    assert "museum.example" in names
    assert socket.gethostname() in names
    assert "0.0.0.0" not in names
    assert "evil.example" not in names


def test_a_taken_port_and_a_foreign_address_are_said(table: FakeTable) -> None:
    app = create_app(table, trusted_hosts=["127.0.0.1"])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(PortTakenError, match=f"Port {number} is taken"):
            serve(app, "127.0.0.1", number, announce=print)
    with pytest.raises(AddressError, match=r"Cannot listen on 203\.0\.113\.7"):
        serve(app, "203.0.113.7", 0, announce=print)
    with pytest.raises(AddressError, match="but got ::1"):  # its Host header cannot be told from a stranger's
        serve(app, "::1", 0, announce=print)
