"""A crowd at the server: silent connections, heads that dribble, and what a newcomer then waits for the state.

Five live streams are open throughout. The crowd comes from `CROWD_ADDRESSES` of loopback, the newcomer from another one
and on a new connection each time. With ``--at`` and ``--process`` it measures any other server of the same pages.
"""

import argparse
import contextlib
import json
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from bench.page.pages import listen, memory_mb
from bench.page.served import served

CROWD_ADDRESSES: Final = tuple(f"127.0.0.{last}" for last in range(11, 16))
NEWCOMER: Final = "127.0.0.9"
STREAMS: Final = 5
WAITS_SECONDS: Final = 20.0
BYTE_EVERY_SECONDS: Final = 0.5
HEAD: Final = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def asked(place: tuple[str, int]) -> float | None:
    """Ask for the state on a new connection; return the seconds to the answer's end, None if there is none."""
    began = time.perf_counter()
    try:
        with socket.create_connection(place, WAITS_SECONDS, (NEWCOMER, 0)) as line:
            line.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            came = b"".join(iter(lambda: line.recv(65536), b""))
    except OSError:
        return None
    return time.perf_counter() - began if came.startswith(b"HTTP/1.1 200") else None


def answers(place: tuple[str, int], process: int, requests: int) -> dict[str, Any]:
    """Return how a newcomer's requests are answered now, one after the other for a minute at most."""
    times, lost, until = [], 0, time.monotonic() + 60
    for _ in range(requests):
        took = asked(place)
        if took is None:
            lost += 1
        else:
            times.append(took)
        if time.monotonic() > until:
            break
    times.sort()
    found: dict[str, Any] = {"answered": len(times), "lost": lost, "server_rss_mb": round(memory_mb(process))}
    if times:
        median, late = statistics.median(times), times[int(len(times) * 0.95)]
        found |= {"median_ms": round(1000 * median, 1), "p95_ms": round(1000 * late, 1)}
    return found


@contextlib.contextmanager
def crowd(place: tuple[str, int], size: int, says: bytes, *, dribbles: bool) -> Iterator[list[socket.socket]]:
    """Hold this many connections that said ``says``; where they dribble, each comes again when it is closed."""
    lines: list[socket.socket] = []
    stop = threading.Event()

    def begun(number: int) -> socket.socket:
        came_from = CROWD_ADDRESSES[number % len(CROWD_ADDRESSES)]
        line = socket.create_connection(place, WAITS_SECONDS, (came_from, 0))
        line.sendall(says)
        return line

    def dribble() -> None:
        while not stop.wait(BYTE_EVERY_SECONDS):
            for number, line in enumerate(lines):
                try:
                    line.send(b"x")
                except OSError:
                    line.close()
                    with contextlib.suppress(OSError):
                        lines[number] = begun(number)

    for number in range(size):
        with contextlib.suppress(OSError):
            lines.append(begun(number))
    thread = threading.Thread(target=dribble, daemon=True)
    if dribbles:
        thread.start()
    try:
        yield lines
    finally:
        stop.set()
        for line in lines:
            line.close()


def measured(address: str, process: int, requests: int, idle: int, slow: int) -> dict[str, Any]:
    """Measure a server in peace, among idle connections and among slow heads."""
    there = urlsplit(address)
    place = (str(there.hostname), int(there.port or 80))
    stop = threading.Event()
    for _ in range(STREAMS):
        threading.Thread(target=listen, args=(address, stop), daemon=True).start()
    time.sleep(2)
    found = {"open_streams": STREAMS, "in_peace": answers(place, process, requests)}
    with crowd(place, idle, b"", dribbles=False) as lines:
        found["idle"] = {"connections": len(lines), **answers(place, process, requests)}
    time.sleep(2)
    with crowd(place, slow, HEAD, dribbles=True) as lines:
        time.sleep(2)
        found["slow_heads"] = {"connections": len(lines), **answers(place, process, requests)}
    stop.set()
    return found


def main() -> None:
    """Measure the table's server, or another one that runs already."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300, help="of the newcomer, in each part")
    parser.add_argument("--idle", type=int, default=1000, help="silent connections")
    parser.add_argument("--slow", type=int, default=200, help="connections whose head never ends")
    parser.add_argument("--at", help="address of a server that runs already")
    parser.add_argument("--process", type=int, help="its process, for its memory")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    sizes = (given.requests, given.idle, given.slow)
    if given.at:
        print(json.dumps(measured(given.at, given.process, *sizes)))
        return
    with served() as (address, process):
        print(json.dumps(measured(address, process, *sizes)))


if __name__ == "__main__":
    main()
