"""Four addresses attack a table in a network of its own; an honest phone and an honest owner go on beside them.

Each address asks every address of the app's own map, by every method, as nobody, with forged cookies, as a phone,
as a pupil who watches, and as the owner where that changes nothing; and at the same time holds silent connections,
begins heads and handshakes that it never ends, floods the page with what costs most, and guesses PIN and code. Bars: no
answer 5xx but 503, nothing decided, no picture later than a second, no right PIN refused.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import random
import re
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2

from companion.live.table import LiveTable
from companion.web import create_app

PIN: Final = "271828"
HOST: Final = "10.9.0.9"
ATTACKERS: Final = ("10.9.0.1", "10.9.0.2", "10.9.0.3", "10.9.0.4")
PHONE: Final = "10.9.0.7"
OWNER: Final = "10.9.0.8"
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND")
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND"})
BODIES: Final = ("{}", "[]", '{"x": ', '{"pin": 7, "name": "x", "match": 1}', "null")
DEAR: Final = ("/new", "/matches", "/matches/1", "/api/setup", "/api/matches/1/moments", "/api/matches/1/hint", "/")
COMMANDS: Final = ("new_match", "resume", "delete_match", "throw", "roll", "choose", "correct", "finish", "time_up")
EVERY: Final = 0.5
"""Seconds between two pictures of the phone."""


@dataclass(frozen=True)
class Place:
    """The running table: its ports, and the cookies of each kind of sender."""

    plain: int
    secret: int
    cookies: dict[str, str]
    addresses: tuple[str, ...]


def line(place: Place, source: str, *, secret: bool, timeout: float = 60) -> http.client.HTTPConnection:
    """Return a connection to one of the table's two pages from an address of ours."""
    where: Any = {"host": HOST, "timeout": timeout, "source_address": (source, 0)}
    if secret:
        return http.client.HTTPSConnection(port=place.secret, context=ssl._create_unverified_context(), **where)
    return http.client.HTTPConnection(port=place.plain, **where)


def asked(
    one: http.client.HTTPConnection, method: str, path: str, body: str | bytes | None = None, **headers: str
) -> Any:
    """Ask once; return the answer, whose body is read unless it never ends."""
    kind = {"Content-Type": "application/json"} if body is not None else {}
    one.request(method, path, body, kind | headers)
    answer = one.getresponse()
    answer.body = b"" if "event-stream" in (answer.getheader("Content-Type") or "") else answer.read()  # type: ignore[attr-defined]
    return answer


def addresses() -> tuple[str, ...]:
    """Return an address for each rule of the app's own map, and one for each command that decides."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(LiveTable(Path(folder) / "journal.db"), trusted_hosts=["localhost"])
    part = re.compile(r"<(?:(\w+):)?\w+>")
    filled = {part.sub(lambda one: "1" if one[1] == "int" else "table", rule.rule) for rule in app.url_map.iter_rules()}
    return tuple(sorted(filled | {f"/api/command/{name}" for name in COMMANDS}))


def requests(place: Place, seed: int) -> Iterator[tuple[str, str, str, bool]]:
    """Yield address, method, sender and page without end, in an order of one's own."""
    every = [
        (path, method, who, secret)
        for path in place.addresses
        for method in METHODS
        for who in place.cookies.keys() - {"honest"}
        for secret in (False, True)
        # an owner decides, and a phone that is let in takes over: neither is a stranger
        if method in SAFE or who not in {"owner", "phone"}
    ]
    chance = random.Random(seed)
    while True:
        chance.shuffle(every)
        yield from every


def walk(place: Place, source: str, count: int, until: float, statuses: Counter[str]) -> None:
    """Ask ``count`` times as the map says, or until a time (`time.monotonic`)."""
    chance = random.Random(source)
    for path, method, who, secret in islice(requests(place, chance.randrange(2**32)), count):
        if time.monotonic() > until:
            return
        body = chance.choice(BODIES) if method not in SAFE else None
        with contextlib.closing(line(place, source, secret=secret)) as one:
            try:
                status: object = asked(one, method, path, body, Cookie=place.cookies[who], Host="127.0.0.1").status
            except (OSError, http.client.HTTPException) as why:
                status = type(why).__name__
        statuses[f"{status}"] += 1
        if isinstance(status, int) and status >= 500 and status != 503:
            statuses[f"{status} {method} {path} {who}"] += 1


class Attacker:
    """One address: it walks, and meanwhile does everything else that costs a server something."""

    def __init__(self, place: Place, source: str, ending: Any) -> None:
        self._place, self._source, self._ending = place, source, ending
        self.statuses: Counter[str] = Counter()
        self.beside: Counter[str] = Counter()

    def begin(self) -> None:
        """Do all but the walk, in threads of its own."""
        acts = (self._hold, self._flood, self._flood, self._flood_secret, self._flood_secret, self._guess)
        for act in acts:
            threading.Thread(target=self._again, args=(act,), daemon=True).start()

    def _again(self, act: Callable[[], None]) -> None:
        while not self._ending.value:
            with contextlib.suppress(OSError, http.client.HTTPException):
                act()

    def _hold(self) -> None:
        """Hold a hundred connections: silent ones, heads that drip, and handshakes that do not end."""
        with contextlib.ExitStack() as held:
            dripping = []
            for number in range(100):
                secret = bool(number % 2)
                where = (HOST, self._place.secret if secret else self._place.plain)
                one = held.enter_context(socket.create_connection(where, 10, (self._source, 0)))
                if number % 3:
                    one.sendall(b"\x16\x03\x01\x02\x00" if secret else b"GET / HTTP/1.1\r\nX: ")
                    dripping.append(one)
            for _ in range(50):
                time.sleep(0.2)
                for one in dripping:
                    with contextlib.suppress(OSError):
                        one.sendall(b"x")

    def _ask(self, *request: Any, secret: bool = False, label: str = "") -> None:
        with contextlib.closing(line(self._place, self._source, secret=secret)) as one:
            self.beside[f"{label}{asked(one, *request, Host='127.0.0.1').status}"] += 1

    def _flood(self) -> None:
        for path in DEAR:
            self._ask("GET", path)

    def _flood_secret(self) -> None:
        for path in ("/phone", "/api/setup", "/static/js/page/dom.js"):
            self._ask("GET", path, secret=True)

    def _guess(self) -> None:
        self._ask("POST", "/api/owner", '{"pin": "000000"}', label="PIN ")
        self._ask("POST", "/api/classroom/join", '{"code": "000000", "name": "x"}', label="code ")
        time.sleep(0.2)


def attack(place: Place, source: str, walked: tuple[int, float], ending: Any, report: Any) -> None:
    """Attack from one address while it walks (how often, and until when); tell what was answered."""
    attacker = Attacker(place, source, ending)
    attacker.begin()
    walk(place, source, *walked, attacker.statuses)
    report.put((dict(attacker.statuses), dict(attacker.beside)))


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Place]:
    """Serve a table with a class, a paired phone, an attacker's phone and a pupil."""
    command = [sys.executable, "-m", "companion", "serve", "--host", "0.0.0.0", "--port", "0", "--pin", PIN]
    command += ["--phone", "--phone-port", "0", "--journal", str(folder / "match.db"), "--allow-host", HOST]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        ports: list[int] = []
        for printed in server.stdout:
            ports += [int(port) for port in re.findall(r"https?://[\w.-]+:(\d+)/", printed)]
            if "table is at" in printed:
                break
        bare = Place(ports[-1], ports[0], {}, addresses())
        try:
            yield Place(bare.plain, bare.secret, _cookies(bare), bare.addresses)
        finally:
            server.terminate()


def _cookies(place: Place) -> dict[str, str]:
    with contextlib.ExitStack() as open_lines:
        owners, pupils = (open_lines.enter_context(contextlib.closing(line(place, OWNER, secret=False))) for _ in "ab")
        here = {"Host": "127.0.0.1"}

        def owner(path: str, body: dict[str, Any]) -> Any:
            return asked(owners, "POST", path, json.dumps(body), **here)

        here["Cookie"] = owner("/api/owner", {"pin": PIN}).getheader("Set-Cookie").split(";")[0]
        match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "camera"}
        assert owner("/api/command/new_match", match).status == 200
        assert owner("/api/owner/classroom/open", {}).status == 200
        text = json.loads(asked(owners, "GET", "/api/classroom", **here).body)["text"]
        code = "".join(re.findall(r"\d{3}", text)[:2])
        kid = json.dumps({"code": code, "name": "Kid"})
        joined = asked(pupils, "POST", "/api/classroom/join", kid, Host="127.0.0.1")
        keys = []
        for _ in range(2):
            assert owner("/api/phone/invite", {}).status == 200
            with contextlib.closing(line(place, PHONE, secret=True)) as phone:
                token = _scanned(asked(owners, "GET", "/api/phone/code.svg", **here).body.decode())
                paired = asked(phone, "POST", "/api/phone/pair", json.dumps({"token": token}), Host="127.0.0.1")
                keys.append(paired.getheader("Set-Cookie").split(";")[0])
        return {
            "nobody": "",
            "forged": "alea_owner=eyJvd25lciI6ImEifQ.x.y; __Host-alea-phone=zzz",
            "phone": keys[0],
            "pupil": joined.getheader("Set-Cookie").split(";")[0],
            "owner": here["Cookie"],
            "honest": keys[1],
        }


def _scanned(svg: str) -> str:
    """Return the token of the code in a picture to scan, drawn as segno draws it."""
    import numpy as np  # noqa: PLC0415

    side = int(float(re.findall(r'width="(\d+)', svg)[0])) // 6
    grid = np.full((side, side), 255, np.uint8)
    x = y = 0.0
    for sign, numbers in re.findall(r"([Mmh])([^MmhHvVz]*)", re.findall(r'd="([^"]*)"', svg)[-1]):
        found = [float(one) for one in re.findall(r"-?[\d.]+", numbers)]
        if sign == "h":
            grid[int(y), int(x) : int(x + found[0])] = 0
            x += found[0]
        else:
            x, y = (found[0], found[1]) if sign == "M" else (x + found[0], y + found[1])
    large = cv2.resize(grid, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    return cv2.QRCodeDetector().detectAndDecode(large)[0].partition("#")[2]


def pictures(place: Place, ending: Any, took: list[float], refused: Counter[str], *, kept: bool) -> None:
    """Send a picture twice a second, over one connection or each over its own; note how long each takes."""
    still = Path(__file__).parents[2] / "sample_images" / "ludus-regularis" / "004_throw01_still.jpg"
    one: http.client.HTTPConnection | None = None
    headers = {"Content-Type": "image/jpeg", "Cookie": place.cookies["honest"], "Host": "127.0.0.1"}
    while not ending.value:
        began = time.monotonic()
        try:
            one = one or line(place, PHONE, secret=True)
            status = asked(one, "POST", "/api/frames", still.read_bytes(), **headers).status
            refused[str(status)] += status != 204
        except (OSError, http.client.HTTPException) as why:
            refused[type(why).__name__] += 1
            one = None
        took.append(time.monotonic() - began)
        if one is not None and not kept:
            one.close()
            one = None
        time.sleep(max(0.0, EVERY - (time.monotonic() - began)))


def journal(folder: Path) -> list[Any]:
    """Return what the journal holds."""
    with contextlib.closing(sqlite3.connect(f"file:{folder}/match.db?mode=ro", uri=True)) as db:
        kinds = "'observed', 'proposed', 'paused'"  # what a camera sees is no decision
        return db.execute(f"SELECT match, kind, hash FROM events WHERE kind NOT IN ({kinds}) ORDER BY rowid").fetchall()


def measured(count: int, at_most: float) -> dict[str, Any]:
    """Attack until all have asked, ``at_most`` so many seconds; return the figures."""
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as place:
        folder, ending = Path(name), multiprocessing.Value("b", 0, lock=False)
        report: Any = multiprocessing.Queue()
        before, began = journal(folder), time.monotonic()
        each, until = count // len(ATTACKERS), began + at_most
        attackers = [
            multiprocessing.Process(target=attack, args=(place, one, (each, until), ending, report))
            for one in ATTACKERS
        ]
        for one in attackers:
            one.start()
        took: dict[str, list[float]] = {"kept": [], "new": []}
        refused: Counter[str] = Counter()
        for kind, times in took.items():
            given = (place, ending, times, refused)
            threading.Thread(target=pictures, args=given, kwargs={"kept": kind == "kept"}, daemon=True).start()
        pins: list[tuple[int, float]] = []
        while any(one.is_alive() for one in attackers) and report.qsize() < len(attackers):
            time.sleep(5)
            with contextlib.closing(line(place, OWNER, secret=False)) as owner:
                at = time.monotonic()
                status = asked(owner, "POST", "/api/owner", json.dumps({"pin": PIN}), Host="127.0.0.1").status
                pins.append((status, time.monotonic() - at))
        ending.value = 1
        seconds = time.monotonic() - began
        statuses, other = Counter[str](), Counter[str]()
        for _ in attackers:
            of_walk, of_rest = report.get(timeout=120)
            statuses.update(of_walk)
            other.update(of_rest)
        for one in attackers:
            one.join(30)
            one.kill()
        decided = len(journal(folder)) - len(before)
    return {
        "requests": sum(number for status, number in statuses.items() if " " not in status),
        "seconds": round(seconds),
        "server_errors": {why: number for why, number in statuses.items() if why[:1] == "5" and why != "503"},
        "statuses": dict(sorted(statuses.items())),
        "beside_the_walk": dict(sorted(other.items())),
        "decided": decided,
        "pictures": {kind: _spread(times) for kind, times in took.items()},
        "pictures_refused": {why: number for why, number in refused.items() if number},
        "right_pins": dict(Counter(status for status, _ in pins)),
        "right_pin_seconds": _spread([seconds for _, seconds in pins]),
    }


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    middle, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return {"n": len(times), "median": round(middle, 3), "p99": round(most, 3), "most": round(ordered[-1], 3)}


def main() -> None:
    """Make a network of our own, attack in it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--at-most", type=float, default=1800, help="seconds")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--inside", action="store_true", help="this is the network of our own already")
    given = parser.parse_args()
    if not given.inside:
        os.execvp("unshare", ["unshare", "-rn", sys.executable, "-m", "bench.page.stranger", "--inside", *sys.argv[1:]])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for address in (*ATTACKERS, PHONE, OWNER, HOST):
        subprocess.run(["ip", "addr", "add", f"{address}/32", "dev", "lo"], check=True)
    print(json.dumps(measured(given.requests, given.at_most)))


if __name__ == "__main__":
    main()
