"""From an installed companion to twelve tables, one desk and a first round that is played: how long it takes.

The desk is `companion hall serve`, a program of its own; the tables are simulated in this one, with their real pages.
What people do is asked over the pages' own interface: each table joins by the code, the organiser begins a Swiss
tournament, draws, and invites each pairing to a table; each table's players begin on the page that greets them and
play to the end; the desk takes all results from the journals. With ``--hall`` desk and tables are those of a folder
that `companion hall init` wrote, whose broker, and database, run already: no table then joins by a code.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from flask.testing import FlaskClient

from companion.hall.settings import HallSettings, read_settings
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.owner.hall_place import PLACE, HallPlace

GAME: Final = "ludus-regularis"
LONGEST: Final = 300.0  # seconds for each step
ROOT: Final = Path(__file__).resolve().parents[2]


def soon(true: Callable[[], Any]) -> Any:
    """Wait until something is true, and return it."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(0.05)
    raise TimeoutError("it did not come true")


def asked(address: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Ask the desk, and return its JSON."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{address}{path}", data, {"Content-Type": "application/json"}), timeout=60) as answer:
        return json.load(answer)


class Desk:
    """The desk's program in a folder of its own, and what it says on the console."""

    def __init__(self, home: Path, hall: Path | None) -> None:
        folders = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
        command = [sys.executable, "-m", "companion", "hall", "serve", "--port", "0"]
        command += ["--join-port", "0"] if hall is None else [str(hall.absolute() / "book" / "hall.toml")]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, **folders}
        )
        if hall is None:
            port, self.code = self._said(r"address \S+:(\d+) and the code (\S+)").groups()
            self.join_address = f"127.0.0.1:{port}"
        self.address = self._said(r"The desk of \S+ is at (\S+)")[1]

    def _said(self, pattern: str) -> re.Match[str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(pattern, line):
                return found
        raise RuntimeError("the desk ended")

    def close(self) -> None:
        self._process.terminate()
        self._process.communicate()


def table_of(folder: Path, name: str, settings: HallSettings | None, stack: ExitStack) -> FlaskClient:
    """Return the page of a running table; without settings it is in no hall yet."""
    journal = folder / f"{name}.db"
    table = LiveTable(journal)
    table.start()
    stack.callback(table.stop)
    app = create_app(table, trusted_hosts=["localhost"], settings=SettingsFile())
    place = HallPlace(app, table, None, journal, settings)
    place.start()
    PLACE.put(app, place)
    stack.callback(place.stop)
    return app.test_client()


def play(page: FlaskClient) -> None:
    """Begin as the page greets, and throw until the match is over."""
    go = soon(lambda: page.get("/api/invitation").get_json()["go"])
    players = parse_qs(urlsplit(go).query)["player"]
    begun = {"game": GAME, "players": players, "dice_by": "program", "options": {"ending": "throws", "throws": 2}}
    if not page.post("/api/command/new_match", json=begun).get_json()["ok"]:
        raise RuntimeError("the match was not begun")
    while page.get("/api/state").get_json()["outcome"] is None:
        page.post("/api/command/roll", json={})


def main() -> int:
    """Print the seconds of each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=12, help="tables, which are called by their numbers")
    parser.add_argument("--hall", type=Path, metavar="FOLDER", help="as companion hall init wrote it; its broker runs")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    load, began = os.getloadavg()[0], time.monotonic()
    seconds: dict[str, float] = {}

    def done(step: str) -> None:
        seconds[step] = round(time.monotonic() - began, 1)

    with tempfile.TemporaryDirectory() as there, ExitStack() as stack:
        desk = Desk(Path(there), given.hall)
        stack.callback(desk.close)
        done("desk")
        pages = {}
        for name in map(str, range(1, given.n + 1)):
            settings = None if given.hall is None else read_settings(given.hall / name / "hall.toml")
            pages[name] = table_of(Path(there), name, settings, stack)
        done("tables_started")
        for name, page in pages.items() if given.hall is None else ():
            body = {"address": desk.join_address, "code": desk.code, "table": name, "names": True}
            if not page.post("/api/owner/hall/join", json=body).get_json()["ok"]:
                raise RuntimeError("a table did not join")
        soon(lambda: len(asked(desk.address, "api/state")["tables"]) == given.n)
        done("all_joined_and_on_the_desk")
        players = "\n".join(f"P{number}" for number in range(2 * given.n))
        begun = {"name": "First evening", "players": players, "system": "swiss", "game": GAME, "rounds": 3}
        one = asked(desk.address, "api/tournaments", begun)["go"].rpartition("/")[2]
        asked(desk.address, f"api/tournaments/{one}/round", {"after": 0})
        for board, name in enumerate(pages, start=1):
            asked(desk.address, f"api/tournaments/{one}/invite", {"round": 1, "board": board, "table": name})
        done("drawn_and_invited")
        for page in pages.values():
            play(page)
        done("played")
        soon(lambda: results(desk.address, one) == given.n)
        done("results_on_the_desk")
    print(json.dumps({"n": given.n, "seconds": seconds, "load": [round(load, 1), round(os.getloadavg()[0], 1)]}))
    return 0


def results(address: str, tournament: str) -> int:
    """Return how many pairings of the first round have a result."""
    found = asked(address, f"tournaments/{tournament}/standings.json")
    return sum(pairing.get("games") is not None for pairing in found["pairings"])


if __name__ == "__main__":
    sys.exit(main())
