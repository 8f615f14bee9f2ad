"""Kill a serving table at random moments while three clients post; everything that was acknowledged is there.

Each client begins matches under names of its own and has dice thrown. A throw is known by how many its client saw
acknowledged, a match by its name.
"""

import argparse
import http.client
import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

from companion.ledger.rescue import open_ledger
from companion.referee.events import Committed
from companion.referee.journal import Journal
from tests.referee.chain import broken_at

CLIENTS = 3
LONGEST = 2.5  # seconds of posting before a kill at the latest; some kills come while the table starts
GAME = {"game": "ludus-regularis", "dice_by": "program", "options": {"ending": "throws", "throws": 10_000}}


class Posting:
    """What the clients of one table were told, over all its lives."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.names: set[str] = set()
        self.throws = 0
        self.in_flight = 0

    def post(self, port: int, client: int, seed: int, end: threading.Event) -> None:
        """Post until the table dies."""
        chance, number = Random(seed), 0
        while not end.is_set():
            number += 1
            name = f"{seed}-{client}-{number}"
            begins = number == 1 or chance.random() < 0.1
            data = GAME | {"players": ["A", "B"], "name": name} if begins else {}
            with self.lock:
                self.in_flight += 1
            status = posted(port, "new_match" if begins else "roll", data)
            if status is None:
                return  # it may have been done or not: it stays in flight
            with self.lock:
                self.in_flight -= 1
                if status == http.client.OK and begins:
                    self.names.add(name)
                elif status == http.client.OK:
                    self.throws += 1


def posted(port: int, command: str, data: dict[str, Any]) -> int | None:
    """Give a command; return the status of the answer, None if there was none."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        line.request("POST", f"/api/command/{command}", json.dumps(data), {"Content-Type": "application/json"})
        answer = line.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        line.close()
    return answer.status


def one_life(path: Path, seed: int, posting: Posting) -> bool:
    """Start the table, let the clients post, kill it; return whether it was killed before it answered."""
    chance, end = Random(seed), threading.Event()
    run = [sys.executable, "-m", "companion", "serve", "--port", "0", "--journal", str(path)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout
        killer = None
        if chance.random() < 0.1:
            killer = threading.Timer(chance.uniform(0.5, 4.0), child.kill)
            killer.start()
        found = (re.search(r"127\.0\.0\.1:(\d+)/", line) for line in child.stdout)
        port = next((int(one[1]) for one in found if one is not None), None)
        clients = [
            threading.Thread(target=posting.post, args=(port, number, seed, end))
            for number in range(CLIENTS)
            if port is not None
        ]
        for client in clients:
            client.start()
        if port is not None:
            time.sleep(chance.uniform(0.05, LONGEST))
        child.send_signal(signal.SIGKILL)
        end.set()
        for client in clients:
            client.join()
        if killer is not None:
            killer.cancel()
    return port is None


def measure(kills: int, seed: int, seconds: float) -> dict[str, Any]:
    """Kill a table so often, or until the time is up, and compare its journal with what the clients were told."""
    posting, begun, early, done = Posting(), time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        while done < kills and time.monotonic() - begun < seconds:
            early += one_life(path, seed + done, posting)
            done += 1
        with open_ledger(path, Journal) as journal:
            notices = [str(one) for one in (journal.notice, journal.copy_trouble) if one is not None]
            names, throws, broken = found_in(journal)
    return {
        "kills": done,
        "killed_at_start": early,
        "acknowledged": posting.throws + len(posting.names),
        "in_flight": posting.in_flight,
        "lost": len(posting.names - set(names)) + max(0, posting.throws - throws),
        "doubled": len(names) - len(set(names)) + max(0, throws - posting.throws - posting.in_flight),
        "broken": broken,
        "said": notices,
    }


def found_in(journal: Journal) -> tuple[list[str], int, int]:
    """Return the names of the matches, the number of throws, and how many matches have a broken chain."""
    names, throws, broken = [], 0, 0
    for line in journal.matches():
        entries = journal.events(line.id)
        names.append(line.started.name)
        throws += sum(isinstance(entry.event, Committed) for entry in entries)
        broken += broken_at(entries) is not None
    return names, throws, broken


def main() -> int:
    """Print the figures; fail if anything was lost, doubled or broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600, help="The longest that it may take.")
    parser.add_argument("--json", action="store_true", help="As it always is.")
    given = parser.parse_args()
    figures = measure(given.n, given.seed, given.seconds)
    print(json.dumps(figures))
    return int(bool(figures["lost"] or figures["doubled"] or figures["broken"] or figures["said"]))


if __name__ == "__main__":
    sys.exit(main())
