"""What one client may cost: connections, time and room for bodies, over real sockets."""

import contextlib
import gc
import http.client
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from flask import Flask

from companion.web import create_app, streams
from companion.web.security import LARGEST_IMPORT
from companion.web.serving import bounded, fair_server
from companion.web.serving.body_limits import (
    FREE_BODY_BYTES,
    OF_ADDRESS,
    OF_OWNERS,
    OF_STRANGERS,
    RoomClaim,
    has_room,
    is_known,
)
from companion.web.serving.bounded import BoundedChannel
from companion.web.serving.fair_server import FairServer
from companion.web.serving.server import SERVER_THREADS, web_server
from companion.web.streams import STREAMS
from tests.web.conftest import PIN
from tests.web.fake_table import FakeTable
from tests.web.serving import served

KINDS = ("application/x-ndjson", "image/jpeg", "application/json")
PATHS = {"application/x-ndjson": "/api/matches", "image/jpeg": "/api/frames"}


@pytest.fixture
def network(table: FakeTable) -> Flask:
    return create_app(table, trusted_hosts=["127.0.0.1"], owner_pin=PIN)


@pytest.fixture
def port(network: Flask) -> Iterator[int]:
    with served(network) as address:
        yield int(address.rpartition(":")[2])


def head(size: int, kind: str = "application/json", *more: str) -> bytes:
    lines = [
        f"POST {PATHS.get(kind, '/api/command/roll')} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: {kind}",
        f"Content-Length: {size}",
        *more,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def line(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def answered(one: socket.socket) -> bytes:
    """Return what comes back before the server hangs up."""
    found = b""
    with contextlib.suppress(OSError):
        while part := one.recv(65536):
            found += part
    return found


def signed_in(port: int) -> str:
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    asking.request("POST", "/api/owner", f'{{"pin": "{PIN}"}}', {"Content-Type": "application/json"})
    answer = asking.getresponse()
    answer.read()
    asking.close()
    return str(answer.headers["Set-Cookie"]).split(";")[0]


def still_answers(port: int) -> None:
    """Fail unless it answers at all: where this is asked, nothing that holds it up is given up within an hour."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    asking.request("GET", "/healthz")
    assert asking.getresponse().status == 200
    asking.close()


# Bodies.


@pytest.mark.parametrize(("kind", "size"), [(KINDS[0], LARGEST_IMPORT), (KINDS[0], 300_000), (KINDS[1], 5_000_000)])
def test_a_strangers_large_body_is_refused_by_its_head(port: int, kind: str, size: int) -> None:
    for more in ((), ("Expect: 100-continue",), ("Cookie: alea_owner=forged",)):
        with line(port) as one:
            one.sendall(head(size, kind, *more))
            reply = answered(one)
        assert reply.startswith(b"HTTP/1.1 401")
        assert b"owner's PIN" in reply
    with line(port) as one:
        one.sendall(head(size, kind).replace(f"Content-Length: {size}".encode(), b"Transfer-Encoding: chunked"))
        assert answered(one).startswith(b"HTTP/1.1 401")


def test_the_owners_import_is_taken_whole_and_never_lies_on_the_disk(
    port: int, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *_, **__: pytest.fail("a body went to the disk"))
    lines = b'{"a": 1}\n' * 400_000
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    asking.request("POST", "/api/matches", lines, {"Content-Type": KINDS[0], "Cookie": signed_in(port)})
    assert asking.getresponse().status == 200
    asking.close()
    (name, given, _), *_ = table.events
    assert (name, len(given["lines"])) == ("import", 400_000)


def test_many_strangers_bodies_leave_room_for_every_command(port: int, table: FakeTable) -> None:
    """150 of 64 MB once filled the disk; now each address has its share, and a small body is always taken."""
    size = 200_000
    with contextlib.ExitStack() as open_lines:
        began = [open_lines.enter_context(line(port)) for _ in range(OF_ADDRESS // size + 3)]
        for one in began:
            one.sendall(head(size) + b" " * 100_000)
        refused = [reply for one in began[OF_ADDRESS // size :] if (reply := answered(one))]
        assert len(refused) == 3
        assert all(reply.startswith(b"HTTP/1.1 503") and b"Retry-After: 5" in reply for reply in refused)
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        asking.request("POST", "/api/command/roll", "{}", {"Content-Type": "application/json"})
        assert asking.getresponse().status == 200
        asking.close()
        began[0].sendall(b" " * (size - 100_000 - 2) + b"{}")
        assert began[0].recv(12) == b"HTTP/1.1 200"
    assert [name for name, *_ in table.events] == ["roll", "roll"]


def test_a_live_stream_keeps_nothing_of_what_it_has_sent(
    network: Flask, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its buffer once grew to 16 MB, most of it on the disk that the journal needs."""
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *_, **__: pytest.fail("an answer went to the disk"))
    monkeypatch.setattr(streams, "LEAST_GAP", 0.0)
    watched = STREAMS.get(network)
    monkeypatch.setattr(watched, "text", lambda _: " " * 100_000)
    with served(network) as address, line(int(address.rpartition(":")[2])) as one:
        one.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        read = 0
        while read < 2_000_000:
            read += len(one.recv(65536))
            table.change()
        (channel,) = (found for found in gc.get_objects() if isinstance(found, BoundedChannel) and found.connected)
        with channel.outbuf_lock:
            kept = sum(len(held.getfile().getbuffer()) for held in channel.outbufs)
    assert kept < 1_000_000


def test_room_is_shared_between_addresses_and_kept_for_the_owner() -> None:
    one = RoomClaim(OF_ADDRESS, "10.0.0.1")
    many = [RoomClaim(OF_ADDRESS, f"10.0.0.{number}") for number in range(OF_STRANGERS // OF_ADDRESS)]
    assert has_room(one, [])
    assert not has_room(RoomClaim(FREE_BODY_BYTES + 1, "10.0.0.1"), [one])
    assert has_room(RoomClaim(FREE_BODY_BYTES + 1, "10.0.0.2"), [one])
    assert not has_room(RoomClaim(FREE_BODY_BYTES + 1, "10.0.1.1"), many)
    assert has_room(RoomClaim(FREE_BODY_BYTES, "10.0.1.1"), many)
    owners = RoomClaim(LARGEST_IMPORT, "10.0.0.1", owner=True)
    assert has_room(owners, many)
    assert not has_room(owners, [owners])
    assert OF_OWNERS < 2 * LARGEST_IMPORT


# Connections.


def test_a_newcomer_is_let_in_when_one_address_holds_all_it_may(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """511 lines that said nothing once kept everybody out for two minutes."""
    monkeypatch.setattr(fair_server, "OF_ADDRESS", 20)
    monkeypatch.setattr(bounded, "HEAD_WITHIN", 3600.0)
    with contextlib.ExitStack() as open_lines:
        playing = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        silent = [open_lines.enter_context(line(port)) for _ in range(30)]
        dripping = silent[20:]
        for one in dripping:
            one.sendall(b"GET / HT")
        still_answers(port)
        playing.request("GET", "/healthz")
        assert playing.getresponse().read()
        newer = [open_lines.enter_context(line(port)) for _ in range(15)]
        for one in newer[:3]:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert one.recv(12) == b"HTTP/1.1 200"
        gone = [one for one in silent if closed(one)]
        assert set(silent[:10]) <= set(gone), "who has waited longest goes first"
        playing.request("GET", "/healthz")
        assert playing.getresponse().read(), "who asks now and then stays"
        playing.close()


@contextlib.contextmanager
def running(app: Flask, threads: int) -> Iterator[tuple[FairServer, int]]:
    """Run the server of an app while the block runs; yield it and its port."""
    server = web_server(app, threads, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server, int(server.effective_port)
    server.end()
    thread.join(60)


def test_a_poll_that_meant_another_connection_closes_none(network: Flask) -> None:
    """A number is used again as soon as its connection is closed, and what a poll said of it is old then."""
    with running(network, 4) as (server, port), line(port) as one:
        one.sendall(b"GET /heal")
        while not server.active_channels:
            time.sleep(0.01)
        (channel,) = server.active_channels.values()
        for _ in range(3):
            server.trigger.pull_trigger(channel.handle_read)
        one.sendall(b"thz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert one.recv(12) == b"HTTP/1.1 200"


def test_requests_one_after_the_other_on_a_line_hold_no_thread(network: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five addresses once took all threads of strangers but one: each line's next request began too soon."""
    pull = FairServer.pull_trigger

    def slowly(server: FairServer) -> None:
        time.sleep(0.02)
        pull(server)

    monkeypatch.setattr(FairServer, "pull_trigger", slowly)
    with running(network, SERVER_THREADS) as (server, port):
        for number in range(2, 7):
            with socket.create_connection(("127.0.0.1", port), 10, (f"127.0.0.{number}", 0)) as one:
                one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 4)
                found = b""
                while found.count(b"HTTP/1.1 200") < 4:
                    found += one.recv(65536) or pytest.fail("the server hung up")
        end = time.monotonic() + 10
        while server.task_dispatcher.queue._at_work and time.monotonic() < end:
            time.sleep(0.05)
        assert not server.task_dispatcher.queue._at_work


def test_a_line_whose_request_is_answered_is_kept_and_one_that_reads_nothing_may_go(network: Flask) -> None:
    started, go = threading.Event(), threading.Event()

    def large() -> bytes:
        started.set()
        assert go.wait(60)
        return b" " * 4_000_000

    network.add_url_rule("/large", view_func=large)
    with running(network, SERVER_THREADS) as (server, port), socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", port))
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2)
        one.sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert started.wait(60)
        (channel,) = server.active_channels.values()
        assert not server._let_go()
        go.set()
        while channel.requests:
            time.sleep(0.01)
        assert channel.total_outbufs_len
        assert server._let_go()


def test_who_sends_no_cookie_is_known_only_where_everybody_is_the_owner(table: FakeTable) -> None:
    for pin, scheme, known in ((None, "http", True), (PIN, "http", False), (None, "https", False)):
        app = create_app(table, trusted_hosts=["127.0.0.1"], owner_pin=pin)
        asked = SimpleNamespace(headers={"HOST": "127.0.0.1"}, adj=SimpleNamespace(url_scheme=scheme))
        assert is_known(app, asked) is known


def closed(one: socket.socket) -> bool:
    """Tell whether the server has hung up."""
    one.settimeout(0.05)
    try:
        return one.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_the_address_that_holds_most_loses_first_whatever_others_hold(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_server, "MOST_CONNECTIONS", 12)
    monkeypatch.setattr(bounded, "HEAD_WITHIN", 3600.0)
    with contextlib.ExitStack() as open_lines:
        quiet = [
            open_lines.enter_context(socket.create_connection(("127.0.0.1", port), 10, (f"127.0.0.{number}", 0)))
            for number in (3, 4, 5)
        ]
        greedy = [open_lines.enter_context(line(port)) for _ in range(20)]
        still_answers(port)
        assert not any(closed(one) for one in quiet)
        assert sum(closed(one) for one in greedy) >= 11


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX", head(5_000) + b"{", head(100_000)])
def test_a_request_that_does_not_come_to_its_end_is_given_up(
    port: int, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "HEAD_WITHIN", 0.5)
    monkeypatch.setattr(bounded, "LEAST_RATE", 200_000)
    monkeypatch.setattr(bounded, "READ_WITHIN", 3600.0)
    began = time.monotonic()
    with line(port) as one:
        one.sendall(sent)
        while not closed(one):
            assert time.monotonic() - began < 120, "it is still waited for"
            with contextlib.suppress(OSError):
                one.sendall(b" " if sent else b"")  # a drip keeps nobody's patience alive
            time.sleep(0.1)
        assert time.monotonic() - began > 0.4


def test_who_asks_now_and_then_is_kept_beyond_the_patience_with_heads(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "HEAD_WITHIN", 0.2)
    with line(port) as one:
        for pause in (0, 2.5, 0):
            time.sleep(pause)
            one.sendall(b"HEAD /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert one.recv(65536).startswith(b"HTTP/1.1 200")
