"""The web server itself: names it is asked under, streams over real sockets, threads that come back."""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator

import pytest

from companion.web import create_app
from companion.web.addresses import is_loopback, trusted_names
from companion.web.serving.server import SERVER_THREADS, AddressError, PortTakenError, serve
from companion.web.streams import HEARTBEAT_SECONDS, MOST_STREAMS
from tests.web.fake_table import FakeTable
from tests.web.serving import served


@pytest.fixture
def port(table: FakeTable) -> Iterator[int]:
    app = create_app(table, trusted_hosts=["127.0.0.1"])
    with served(app, SERVER_THREADS) as address:
        yield int(address.rpartition(":")[2])


def stream(port: int) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
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
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    asking.request("GET", "/healthz")
    assert asking.getresponse().status == 200
    asking.close()
    table.change()
    for _, response in opened:
        lines = iter(response.readline, b"")
        assert any(line == b"id: 8\n" for line in lines)
    leave(opened.pop())
    freed = time.monotonic() + HEARTBEAT_SECONDS + 60  # a heartbeat on a machine with nothing else to do
    while (tenth := stream(port))[1].status == 503:
        leave(tenth)
        assert time.monotonic() < freed, "a closed page does not give its place back"
        time.sleep(0.1)
    for one in [*opened, tenth]:
        leave(one)


def test_a_silent_table_still_sends_heartbeats(port: int) -> None:
    begun = time.monotonic()
    opened = stream(port)
    for line in iter(opened[1].readline, b""):
        if line == b"event: beat\n":
            break
    assert time.monotonic() - begun >= HEARTBEAT_SECONDS
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


def sent(port: int, head: str, body: bytes = b"", *, rest: bytes = b"") -> bytes:
    """Send a request as it stands and return everything that comes back before the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(head.replace("\n", "\r\n").encode() + body)
        with contextlib.suppress(OSError):  # whoever is refused may find the line closed already
            line.sendall(rest)
        answer = b""
        with contextlib.suppress(OSError):
            while part := line.recv(65536):
                answer += part
        return answer


HEAD = "POST /api/command/roll HTTP/1.1\nHost: 127.0.0.1\nConnection: close\nContent-Type: {kind}\n"


@pytest.mark.parametrize(
    ("kind", "size"),
    [("application/json", 300_000_000), ("image/jpeg", 100_000_000), ("application/x-ndjson", 2**40), ("", 10**9)],
)
def test_a_body_that_is_announced_too_large_is_refused_before_it_is_sent(port: int, kind: str, size: int) -> None:
    answer = sent(port, f"{HEAD.format(kind=kind)}Content-Length: {size}\n\n", b"{")
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'{"error": "This is larger than the table accepts."}' in answer
    assert b"Content-Security-Policy: default-src 'self'" in answer
    assert b"waitress" not in answer


def test_a_body_that_comes_in_chunks_is_cut_off_when_it_has_grown_too_large(port: int, table: FakeTable) -> None:
    chunk = b"%x\r\n%s\r\n" % (50_000, b" " * 50_000)
    head = f"{HEAD.format(kind='application/json')}Transfer-Encoding: chunked\n\n"
    answer = sent(port, head, chunk, rest=chunk * 20)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 413")
    assert table.events == []


@pytest.mark.parametrize("head", ["NONSENSE\n", "GET / HTTP/1.1\nHost: a\nHost: b\n", "GET /\0 HTTP/1.1\n"])
def test_what_is_no_request_is_answered_in_a_sentence(port: int, head: str) -> None:
    answer = sent(port, f"{head}Connection: close\n\n")
    assert b" 400 " in answer.split(b"\r\n")[0]
    assert b"Traceback" not in answer


def test_more_pages_than_the_server_has_threads_are_all_answered(port: int) -> None:
    """Browsers keep several connections a page; beyond a hundred the server once took no more."""
    kept = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(130)]
    for connection in kept:
        connection.request("GET", "/static/mark.svg")
        answer = connection.getresponse()
        assert answer.status == 200
        answer.read()
    for connection in kept:
        connection.close()
