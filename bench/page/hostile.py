"""A hostile program before a real table: everything that the described interface accepts, wrong PINs, hostile requests.

The requests are those of `tests.web.hostile_requests`, sent over loopback to a table, a kiosk and a laboratory that run
in this process, one after the other. Bars: no answer 5xx, memory grows by less than 10 percent after the first fifth of
the requests, and a stranger decides nothing.
"""

import argparse
import gc
import http.client
import json
import logging
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.page.served import served
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from companion.web.streams import STREAMS, Streams
from tests.web.attacking import attack
from tests.web.test_hostile_requests import attacked

PIN = "271828"
KINDS = ("table", "kiosk", "laboratory")


def asked(examples: int) -> dict[str, Any]:
    """Ask a table in this process for every operation with right and wrong data; raise at the first fault."""
    with tempfile.TemporaryDirectory() as folder:
        table = LiveTable(Path(folder) / "journal.db", Seeing(PushedSource()))
        table.start()
        match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
        assert table.command("new_match", match, "bench").ok
        app = create_app(table, trusted_hosts=["localhost"])
        STREAMS.put(app, Streams(table, life=0.02))
        began = time.monotonic()
        count = attack(app, examples)
        seconds = time.monotonic() - began
        table.stop()
    return {"requests": count, "server_errors": 0, "not_as_described": 0, "seconds": round(seconds)}


def guessed(tries: int, seconds: float) -> dict[str, Any]:
    """Try wrong PINs over HTTP as fast as they are answered, the right one last: the table must not check that one."""
    statuses: Counter[int] = Counter()
    times = []
    with served("--pin", PIN) as (address, _):
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=15)

        def post(pin: str) -> int:
            body = json.dumps({"pin": pin})
            connection.request("POST", "/api/owner", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status

        until, number = time.monotonic() + seconds, 0
        began = time.monotonic()
        while number < tries and time.monotonic() < until:
            started = time.perf_counter()
            statuses[post(f"{number:06d}")] += 1
            times.append(time.perf_counter() - started)
            number += 1
        lasted = time.monotonic() - began
        right_after = post(PIN)
        connection.request("GET", "/api/owner/health")
        health = connection.getresponse().status
        connection.close()
    times.sort()
    return {
        "tries": number,
        "seconds": round(lasted, 1),
        "looked_at": statuses[http.HTTPStatus.FORBIDDEN],
        "told_to_wait": statuses[http.HTTPStatus.TOO_MANY_REQUESTS],
        "got_in": statuses[http.HTTPStatus.OK],
        "right_pin_while_waiting": right_after,
        "owners_page": health,
        "p95_ms": round(1000 * times[int(len(times) * 0.95)], 1),
    }


def requested(requests: int, seconds: float) -> dict[str, Any]:
    """Send hostile requests to each kind of app, a third to each; stop at the end of the time."""
    logging.disable(logging.CRITICAL)  # the answer already shows a fault
    try:
        return {kind: _requested(kind, requests // len(KINDS), seconds / len(KINDS)) for kind in KINDS}
    finally:
        logging.disable(logging.NOTSET)


def _requested(kind: str, requests: int, seconds: float) -> dict[str, Any]:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, attacked(kind, Path(folder)) as attack:
        attack.run(requests // 5, began + seconds / 5)
        warm, first = _resident(), attack.found.requests
        found = attack.run(requests - first, began + seconds)
        grown = _resident()
    return {
        **found.to_json(),
        "seconds": round(time.monotonic() - began),
        "memory_mb": [round(warm / 2**20, 1), round(grown / 2**20, 1)],
        "memory_after": first,
        "growth": round(grown / warm - 1, 3),
    }


def _resident() -> int:
    """Return the resident memory of this process in bytes, as Linux reports it."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Run the three attacks and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="of right and of wrong data, an operation")
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=120, help="at most, for the PINs")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--requests", type=int, default=100_000, help="hostile ones, over loopback")
    parser.add_argument("--at-most", type=float, default=1800, help="seconds, for the hostile requests")
    parser.add_argument("--only-requests", action="store_true", help="leave the other two attacks out")
    given = parser.parse_args()
    hostile = requested(given.requests, given.at_most)
    if given.only_requests:
        print(json.dumps({"requests": hostile}))
        return
    pins = guessed(given.tries, given.seconds)
    print(json.dumps({"interface": asked(given.examples), "pins": pins, "requests": hostile}))


if __name__ == "__main__":
    main()
