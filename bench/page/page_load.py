"""Eight live pages and fifty polling every two seconds, while a match is played: the time of each answer."""

import argparse
import gzip
import http.client
import json
import random
import statistics
import threading
import time
from collections import Counter, defaultdict
from typing import Any
from urllib.parse import urlsplit

from bench.page.pages import memory_mb
from bench.page.served import served

LIVE = 8
FILES = ("/static/css/page/base.css", "/static/js/table/table.js", "/static/mark.svg")
KEPT_CONNECTIONS = len(FILES)
BAR_MS = 100.0


class Figures:
    """What the clients saw; safe for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[int] = Counter()
        self.lost: list[str] = []

    def add(self, kind: str, seconds: float, status: int) -> None:
        """Record one answer."""
        with self._lock:
            self.times[kind].append(seconds)
            self.statuses[status] += 1

    def miss(self, what: str) -> None:
        """Record a request that failed."""
        with self._lock:
            self.lost.append(what)


class Client:
    """One browser's connection, kept open between requests as browsers do."""

    def __init__(self, address: str, report: Figures) -> None:
        self._place = urlsplit(address).netloc
        self._figures = report
        self._connection = http.client.HTTPConnection(self._place, timeout=15)

    def ask(
        self, kind: str, method: str, path: str, *, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Ask once and record the time until the whole answer is there; status 0 if it was lost."""
        sent = None if body is None else json.dumps(body).encode()
        named = {"Accept-Encoding": "gzip", **(headers or {})}
        if body is not None:
            named["Content-Type"] = "application/json"
        began = time.perf_counter()
        try:
            self._connection.request(method, path, sent, named)
            answer = self._connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as why:
            self._figures.miss(f"{kind}: {type(why).__name__}")
            self._connection.close()
            self._connection = http.client.HTTPConnection(self._place, timeout=15)
            return 0, {}, b""
        self._figures.add(kind, time.perf_counter() - began, answer.status)
        told = dict(answer.getheaders())
        return answer.status, told, gzip.decompress(data) if told.get("Content-Encoding") == "gzip" else data

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def poll(address: str, report: Figures, stop: threading.Event, number: int, seen: dict[int, int]) -> None:
    """Load the page once, then ask for the state every two seconds, like a page that found no free stream."""
    chance = random.Random(number)
    stop.wait(chance.uniform(0, 6))  # visitors do not all come at the same moment
    client = Client(address, report)
    client.ask("page", "GET", "/")
    client.ask("setup", "GET", "/api/setup")
    # a browser opens several connections for the page's files, and keeps them
    kept = [Client(address, report) for _ in range(KEPT_CONNECTIONS)]
    for one, path in zip(kept, FILES, strict=True):
        one.ask("file", "GET", path)
    tag = ""
    while not stop.is_set():
        status, headers, data = client.ask("poll", "GET", "/api/state", headers={"If-None-Match": tag} if tag else {})
        tag = headers.get("ETag", tag)
        if status == http.HTTPStatus.OK:
            seen[number] = json.loads(data)["version"]
        stop.wait(2.0)
    for one in (client, *kept):
        one.close()


class Stream(threading.Thread):
    """One live page: follows the events until it is stopped; `versions` are the states that it received."""

    def __init__(self, address: str, report: Figures, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._address, self._figures, self._stop_asked = address, report, stop
        self.versions: list[int] = []
        self.taken = threading.Event()

    def run(self) -> None:
        """Read until the end."""
        connection = http.client.HTTPConnection(urlsplit(self._address).netloc, timeout=15)
        try:
            began = time.perf_counter()
            connection.request("GET", "/api/events")
            answer = connection.getresponse()
            self._figures.add("stream opens", time.perf_counter() - began, answer.status)
            while not self._stop_asked.is_set():
                line = answer.readline()
                if not line:
                    self._figures.miss("stream: ended")
                    return
                if line.startswith(b"id: "):
                    self.versions.append(int(line[4:]))
                    self.taken.set()
        except OSError as why:
            self._figures.miss(f"stream: {type(why).__name__}")
        finally:
            connection.close()


def play(address: str, report: Figures, until: float) -> int:
    """Throw the program's dice in a match until the time is up; return how many throws were acknowledged."""
    client = Client(address, report)
    begin = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
    client.ask("command", "POST", "/api/command/new_match", body=begin)
    done = 0
    while time.monotonic() < until:
        status, _, _ = client.ask("command", "POST", "/api/command/roll", body={})
        done += status == http.HTTPStatus.OK
        if status == http.HTTPStatus.CONFLICT:  # the match is over: begin the next
            client.ask("command", "POST", "/api/command/new_match", body=begin)
        time.sleep(0.25)
    client.close()
    return done


def summed(times: list[float]) -> dict[str, float]:
    """Return n and the statistics of some durations, in milliseconds."""
    ordered = sorted(times)
    return {
        "n": len(ordered),
        "median_ms": round(1000 * statistics.median(ordered), 1),
        "p95_ms": round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 1),
        "max_ms": round(1000 * ordered[-1], 1),
    }


def measure(address: str, pages: int, seconds: float) -> dict[str, Any]:
    """Put the load on a running table and return the figures."""
    report, stop = Figures(), threading.Event()
    streams = [Stream(address, report, stop) for _ in range(LIVE)]
    for stream in streams:
        stream.start()
    for stream in streams:
        stream.taken.wait(10)
    ninth = Client(address, report)
    status, headers, _ = ninth.ask("ninth", "GET", "/api/events")
    fallen_back, _, _ = ninth.ask("poll", "GET", "/api/state")
    ninth.close()
    seen: dict[int, int] = {}
    polling = [threading.Thread(target=poll, args=(address, report, stop, n, seen), daemon=True) for n in range(pages)]
    for thread in polling:
        thread.start()
    throws = play(address, report, time.monotonic() + seconds)
    time.sleep(3)  # until everyone has the last throw
    last = Client(address, report)
    newest = json.loads(last.ask("poll", "GET", "/api/state")[2])["version"]
    last.close()
    behind = [n for n, version in seen.items() if version != newest]
    stop.set()
    for thread in polling:
        thread.join(15)
    everything = [one for kind, times in report.times.items() if kind != "ninth" for one in times]
    whole = summed(everything)
    return {
        "live_pages": LIVE,
        "polling_pages": pages,
        "connections": LIVE + pages * (1 + KEPT_CONNECTIONS),
        "seconds": seconds,
        "throws": throws,
        "all_requests": whole,
        "by_kind": {kind: summed(times) for kind, times in report.times.items()},
        "lost": Counter(report.lost),
        "statuses": {str(status): count for status, count in sorted(report.statuses.items())},
        "ninth_stream": {"status": status, "retry_after": headers.get("Retry-After"), "polls": fallen_back},
        "streams_at_last_state": sum(stream.versions[-1:] == [newest] for stream in streams),
        "streams_in_order": all(stream.versions == sorted(stream.versions) for stream in streams),
        "polling_pages_behind": len(behind),
        "bar_met": whole["p95_ms"] < BAR_MS and not report.lost and status == http.HTTPStatus.SERVICE_UNAVAILABLE,
    }


def main() -> None:
    """Serve a table and load it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with served() as (address, pid):
        figures = measure(address, given.pages, given.seconds)
        figures["server_rss_mb"] = round(memory_mb(pid))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
