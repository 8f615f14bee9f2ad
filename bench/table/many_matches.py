"""Hundreds of short matches of many games in one running server: its memory after each hundred."""

import argparse
import http.client
import json
import random
import statistics
import sys
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from bench.page.pages import listen, memory_mb
from bench.page.served import served

GAMES = (
    "ludus-regularis",
    "ludix",
    "tables/zeno",
    "ludus-regularis/sum",
    "rithmomachia/mebben",
    "tables/doblet",
    "ludus-regularis/wheel",
    "tables/imperial",
)
FIRST, AGAIN = 20, 100
"""Matches after which memory is measured: first when every kind of game has been played, then at these steps."""

MOST_GROWTH = 0.05  # of the memory after `FIRST` matches


class Page:
    """One browser: plays with the program's dice and at random, and looks at what it played."""

    def __init__(self, address: str, seed: int) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        self._chance = random.Random(seed)
        self.answered: list[float] = []
        """Seconds for each throw and choice."""

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        """Return the answer, whatever its status."""
        sent = None if body is None else json.dumps(body)
        self._connection.request(method, path, sent, {"Content-Type": "application/json"})
        return self._connection.getresponse().read()

    def command(self, name: str, **particulars: Any) -> None:
        """Give a command and record the time of its answer."""
        began = time.perf_counter()
        self.ask("POST", f"/api/command/{name}", particulars)
        self.answered.append(time.perf_counter() - began)

    def play(self, game: str, moves: int) -> int:
        """Play a match to its end, or this many moves and agree to stop; return how many moves were made."""
        self.command("new_match", game=game, players=["Anna", "Berno"], dice_by="program")
        for made in range(moves):
            state = json.loads(self.ask("GET", "/api/state"))
            if state["outcome"] is not None:
                return made
            if state["awaits"]["kind"] == "choice":
                self.command("choose", choice=self._chance.choice(state["choices"])["choice"])
            else:
                self.command("roll")
        self.command("finish", reason="long enough")
        return moves

    def read(self, match: int) -> None:
        """Load the pages that a visitor opens after a match."""
        for path in (
            "/",
            "/matches",
            f"/matches/{match}",
            f"/api/matches/{match}/moments",
            f"/api/matches/{match}.jsonl",
        ):
            self.ask("GET", path)


def measure(address: str, pid: int, matches: int, moves: int, seed: int) -> dict[str, Any]:
    """Play this many matches; return the server's memory over time."""
    page = Page(address, seed)
    stop = threading.Event()
    threading.Thread(target=listen, args=(address, stop), daemon=True).start()
    memory: dict[int, float] = {}
    made = 0
    for number in range(1, matches + 1):
        made += page.play(GAMES[number % len(GAMES)], moves)
        page.read(number)
        if number in (FIRST, matches) or number % AGAIN == 0:
            memory[number] = round(memory_mb(pid), 1)
            print(number, memory[number], file=sys.stderr, flush=True)
    stop.set()
    start = memory[min(memory)]
    growth = max(memory.values()) / start - 1
    return {
        "matches": matches,
        "moves": made,
        "rss_mb": memory,
        "growth": round(growth, 3),
        "command_median_ms": round(1000 * statistics.median(page.answered), 1),
        "bar_met": growth < MOST_GROWTH,
    }


def main() -> None:
    """Serve a table and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=500, help="matches")
    parser.add_argument("--moves", type=int, default=40, help="throws and choices in each match at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with served() as (address, pid):
        figures = measure(address, pid, given.n, given.moves, given.seed)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
