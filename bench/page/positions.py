"""Positions set up through the page's interface: ``python -m bench.page.positions -n 2000 --seed 1``.

Each is a position of play at random, most of them disturbed as by a person's hand, in every game in turn. The page's
route judges it, and its button asks the table for a match from it: the match must begin exactly where no fault was
named and the game is not over, with the same men and choices, and then play on. With ``--browser`` a real browser opens
the first few of them by their links, and what it shows must be the same.
"""

import argparse
import base64
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from flask.testing import FlaskClient
from playwright.sync_api import Page, sync_playwright

from companion.live.table import LiveTable
from companion.odds.intervals import share
from companion.web import create_app
from companion.web.learning.positions import with_men
from tests.browser.conftest import ARGUMENTS, find_chromium
from tests.web.serving import served
from tests.web.test_positions import disturbed, played_on

ACTS: Final = 6
"""So many acts are played on from each match that begins."""

DISTURBED_SHARE: Final = 0.7
MATCHES_PER_JOURNAL: Final = 100


def positions(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield positions in the form that the page sends."""
    slugs = list(with_men())
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        position = played_on(slugs[number % len(slugs)], chance)
        while chance.random() < DISTURBED_SHARE:
            position = disturbed(position, chance)
        yield position


def judged(client: FlaskClient, table: LiveTable, position: dict[str, Any], chance: random.Random) -> tuple[str, str]:
    """Return what became of a position, and what is wrong with that; empty if nothing is."""
    answer = client.post("/api/positions", json={"position": position})
    found = json.loads(answer.text)
    seats = {"game": position["game"], "players": ["", ""], "position": position, "men_by": "tapped"}
    reply = client.post("/api/command/new_match", json={**seats, "dice_by": "program"})
    begun = reply.status_code == 200
    if answer.status_code == 400:
        return "not set up, with a sentence", "a match began" if begun or not found["error"] else ""
    if found["faults"]:
        named = json.loads(reply.text).get("error", "") in found["faults"]
        return "faults named", "" if not begun and named else f"{reply.text} for {found['faults']}"
    if found["outcome"] is not None:
        return "over", "a match began" if begun else ""
    if not begun:
        return "began", f"refused: {reply.text}"
    state = table.snapshot().data
    alike = state["board"]["men"] == found["board"]["men"]
    alike = alike and [one["text"] for one in state["choices"]] == [one["text"] for one in found["choices"]]
    return "began", (refused_act(client, table, chance) if alike else "the match has other men or choices")


def refused_act(client: FlaskClient, table: LiveTable, chance: random.Random) -> str:
    """Play some acts at random; return the answer to the first that is refused, empty if none is."""
    for _ in range(ACTS):
        state = table.snapshot().data
        kind = state["awaits"]["kind"]
        if kind == "over":
            break
        name, data = "roll", {}
        if kind == "choice":
            name, data = "choose", {"text": chance.choice(state["choices"])["text"]}
        answer = client.post(f"/api/command/{name}", json=data)
        if answer.status_code != 200:
            return f"{name} {data}: {answer.text}"
    return ""


def by_interface(count: int, seed: int) -> dict[str, Any]:
    """Return what became of so many positions."""
    became: Counter[str] = Counter()
    wrong: list[str] = []
    every = list(positions(count, seed))
    for first in range(0, count, MATCHES_PER_JOURNAL):
        with tempfile.TemporaryDirectory() as folder:
            table = LiveTable(Path(folder) / "journal.db")
            table.start()
            client = create_app(table, trusted_hosts=["localhost"]).test_client()
            for number, position in enumerate(every[first : first + MATCHES_PER_JOURNAL], start=first):
                kind, why = judged(client, table, position, random.Random(number))
                became[kind] += 1
                if why:
                    wrong.append(f"{number} {json.dumps(position)}: {why}")
            table.stop()
    return {"positions": count, "became": dict(became), "wrong": wrong, "of": share(len(wrong), count).to_json()}


def shown(page: Page, address: str, position: dict[str, Any]) -> str:
    """Return what the page shows otherwise than the route says; empty if nothing."""
    if position["game"].startswith("rithmomachia/"):  # the page takes only the men on the board into play
        position = {name: value for name, value in position.items() if name not in ("captured", "study")}
    link = base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")
    answer = page.request.post(f"{address}/api/positions", data={"position": position})
    page.goto(f"{address}/position?game={position['game']}#{link}", wait_until="load")
    page.reload()  # another link to the same page is no new page
    if answer.status == 400:
        page.get_by_text(answer.json()["error"]).first.wait_for()
        return ""
    found = answer.json()
    page.locator("#lesson-board svg").wait_for()
    faults = page.locator("#position-faults li").all_inner_texts()
    playable = page.locator("[data-focus=two]").count() == 1
    if faults == found["faults"] and playable == (not faults and found["outcome"] is None):
        if not playable:
            return ""
        page.locator("[data-focus=two]").click()
        page.wait_for_url(f"{address}/")
        state = page.request.get(f"{address}/api/state").json()
        return "" if state["board"]["men"] == found["board"]["men"] else "the match has other men"
    return f"shows {faults}, play {playable}"


def by_browser(count: int, seed: int) -> dict[str, Any]:
    """Return how many positions a browser shows otherwise than the route says."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = LiveTable(Path(folder) / "journal.db")
        table.start()
        with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
            for position in positions(count, seed):
                page = browser.new_page()
                why = shown(page, address, position)
                page.close()
                wrong += [f"{json.dumps(position)}: {why}"] if why else []
            browser.close()
        table.stop()
    return {"in_browser": count, "wrong_in_browser": wrong}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--browser", type=int, default=0, help="so many of the first in a real browser, too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun = time.monotonic()
    figures = by_browser(given.browser, given.seed) if given.browser else {}
    figures |= by_interface(given.n, given.seed)
    print(json.dumps(figures | {"seconds": round(time.monotonic() - begun)}))


if __name__ == "__main__":
    main()
