"""A hostile program before a real table: everything that the described interface takes, and ten thousand wrong PINs."""

import argparse
import http.client
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.kiosk import create_app
from companion.kiosk.streams import Streams
from companion.live.table import LiveTable
from companion.vision.sources import PushedSource
from tests.kiosk.attacking import attack

COMPANION = str(Path(sys.executable).parent / "companion")
PIN = "271828"


def asked(examples: int) -> dict[str, Any]:
    """Ask a table in this process with right and wrong data of every operation; it raises at the first fault."""
    with tempfile.TemporaryDirectory() as folder:
        table = LiveTable(Path(folder) / "journal.db", source=PushedSource())
        table.start()
        match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
        assert table.command("new_match", match, "bench").ok
        app = create_app(table, trusted_hosts=["localhost"])
        app.extensions["alea_streams"] = Streams(table, life=0.02)
        began = time.monotonic()
        count = attack(app, examples)
        seconds = time.monotonic() - began
        table.stop()
    return {"requests": count, "server_errors": 0, "not_as_described": 0, "seconds": round(seconds)}


def guessed(tries: int, seconds: float) -> dict[str, Any]:
    """Try wrong PINs over HTTP as fast as they are answered; the right one is tried last, and must not be looked at."""
    statuses: Counter[int] = Counter()
    times = []
    with tempfile.TemporaryDirectory() as folder:
        command = [COMPANION, "serve", "--port", "0", "--journal", f"{folder}/match.db", "--pin", PIN]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout
            address = next(m[0] for line in server.stdout if (m := re.search(r"http://[\w.:]+", line)))
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
            server.terminate()
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


def main() -> None:
    """Attack twice and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="of right and of wrong data, an operation")
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=120, help="at most, for the PINs")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    pins = guessed(given.tries, given.seconds)
    print(json.dumps({"interface": asked(given.examples), "pins": pins}))


if __name__ == "__main__":
    main()
