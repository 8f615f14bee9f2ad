"""Sixty pupils, each with an address of their own, join a class and tap: how long joining takes, and each tap.

It runs in a network namespace of its own (Linux, as root), so that the server sees sixty addresses of a network and
serves strangers as it does there. Each pupil opens the page, joins, all at once, keeps the live stream and taps. One
more knows the code and cheats meanwhile: joins again and again under other names, guesses, and gives commands.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

from bench.page.served import served

PIN: Final = "2718"
NETWORK: Final = "10.60.0"
OWNER, CHEAT = f"{NETWORK}.250", f"{NETWORK}.249"
WAIT_SECONDS: Final = 30.0
INSIDE: Final = "--inside"


class Phone:
    """A pupil's phone, or the owner's computer: its address, and its cookie once it has one."""

    def __init__(self, port: int, address: str) -> None:
        self.place = port, address
        self._place, self._from, self._cookie = (OWNER, port), (address, 0), ""

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Ask on a new connection; return status and body."""
        line = http.client.HTTPConnection(*self._place, timeout=WAIT_SECONDS, source_address=self._from)
        headers = {"Content-Type": "application/json", "Cookie": self._cookie}
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        cookies = [one.partition(";")[0] for one in answer.headers.get_all("Set-Cookie", [])]
        self._cookie = "; ".join(cookies) or self._cookie
        got = answer.read()
        line.close()
        return answer.status, got

    def listens(self) -> None:
        """Keep the live stream open until the program ends."""
        line = http.client.HTTPConnection(*self._place, timeout=None, source_address=self._from)
        line.request("GET", "/api/events", headers={"Cookie": self._cookie})
        answer = line.getresponse()
        while answer.readline():
            pass


def pupil(phone: Phone, number: int, code: str, joined: dict[int, float], refused: Counter[str]) -> None:
    """Open the page and join."""
    assert phone.ask("GET", "/join")[0] == 200
    status, got = phone.ask("POST", "/api/classroom/join", {"code": code, "name": f"Pupil {number}"})
    if status == 200:
        joined[number] = time.monotonic()
        phone.ask("GET", "/")
        threading.Thread(target=phone.listens, daemon=True).start()
    else:
        refused[got.decode()[:80]] += 1


def taps(phone: Phone, chance: Random, count: int, took: list[float], statuses: Counter[int]) -> None:
    """Tap so often, with pauses as of children who wait for what comes."""
    for _ in range(count):
        time.sleep(4 * chance.random())
        began = time.perf_counter()
        statuses[phone.ask("POST", "/api/command/roll", {})[0]] += 1
        took.append(time.perf_counter() - began)


CHEATS: Final = (
    *((f"/api/command/{name}", {}) for name in ("pause", "finish", "new_match", "correct", "delete_match", "reset")),
    ("/api/owner/classroom/tapping", {"on": False}),
    ("/api/owner/classroom/remove", {"pupil": None}),
    ("/api/owner/classroom/close", {}),
    ("/api/owner", {"pin": "0000"}),
)


def cheat(phone: Phone, code: str, ending: threading.Event, statuses: Counter[int]) -> None:
    """Join under other names and give commands of the owner's, until the others have done."""
    number = 0
    while not ending.is_set():
        number += 1
        own = Phone(*phone.place)  # without the cookie: another pupil each time
        statuses[own.ask("POST", "/api/classroom/join", {"code": code, "name": f"Cheat {number}"})[0]] += 1
        for path, body in CHEATS:
            statuses[phone.ask("POST", path, body)[0]] += 1


def measured(given: argparse.Namespace) -> dict[str, Any]:
    """Measure one class."""
    with served("--host", "0.0.0.0", "--pin", PIN, "--no-open", "--allow-host", OWNER) as (address, _):
        port = int(urlsplit(address).port or 0)
        owner = Phone(port, OWNER)
        assert owner.ask("POST", "/api/owner", {"pin": PIN})[0] == 200
        begun = {"game": "ludus-regularis/sum", "players": ["Anna", "Bert"], "dice_by": "program"}
        assert owner.ask("POST", "/api/command/new_match", begun)[0] == 200
        assert owner.ask("POST", "/api/owner/classroom/open", {})[0] == 200
        assert owner.ask("POST", "/api/owner/classroom/tapping", {"on": True})[0] == 200
        page = owner.ask("GET", "/owner/classroom")[1].decode()
        code = page.partition('id="class-digits">')[2].partition("<")[0].replace(" ", "")
        phones = [Phone(port, f"{NETWORK}.{number}") for number in range(1, given.pupils + 1)]
        joined: dict[int, float] = {}
        refused: Counter[str] = Counter()
        first = time.monotonic()
        _together(
            [
                threading.Thread(target=pupil, args=(phone, number, code, joined, refused))
                for number, phone in enumerate(phones, start=1)
            ]
        )
        took: list[float] = []
        statuses: Counter[int] = Counter()
        cheated: Counter[int] = Counter()
        ending = threading.Event()
        cheats = threading.Thread(target=cheat, args=(Phone(port, CHEAT), code, ending, cheated))
        cheats.start()
        _together(
            [
                threading.Thread(target=taps, args=(phone, Random(given.seed + number), given.taps, took, statuses))
                for number, phone in enumerate(phones)
            ]
        )
        ending.set()
        cheats.join()
        still = sum(json.loads(phone.ask("GET", "/api/classroom")[1])["part"] == "plays" for phone in phones)
    took.sort()
    return {
        "pupils": given.pupils,
        "joined": len(joined),
        "refused": dict(refused),
        "seconds_until_all_in": round(max(joined.values()) - first, 2),
        "taps": len(took),
        "statuses": dict(statuses),
        "still_in_the_class": still,
        "cheat_statuses": dict(cheated),
        "tap_median_seconds": round(took[len(took) // 2], 3),
        "tap_p95_seconds": round(took[int(len(took) * 0.95)], 3),
        "tap_worst_seconds": round(took[-1], 3),
    }


def _together(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pupils", type=int, default=60)
    parser.add_argument("--taps", type=int, default=10, help="of each pupil")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    parser.add_argument(INSIDE, action="store_true", help="run in this network, whose addresses are there already")
    given = parser.parse_args()
    if not given.inside:
        addresses = " && ".join(
            f"ip address add {NETWORK}.{last}/16 dev lo" for last in (*range(1, given.pupils + 1), 249, 250)
        )
        inside = f"ip link set lo up && {addresses} && exec {sys.executable} -m bench.page.class_of_sixty {INSIDE}"
        options = f" --pupils {given.pupils} --taps {given.taps} --seed {given.seed}"
        return subprocess.call(["unshare", "--net", "sh", "-c", inside + options])
    load = os.getloadavg()[0]
    print(json.dumps({"seed": given.seed, "load": load, **measured(given)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
