"""Whole matches against the program by taps, at each strength: ``python -m bench.page.against_program``.

A person with real dice chooses the program's strength on the page *New match*, begins, taps in what lies for the dice
and chooses by the page's own controls, in the plain way of `workshop.players.plain_ways`. The program throws for
itself. In the end the page's result and the journal's must agree. Seconds are those from the person's last tap of a
turn until the page has drawn the person's next turn, so they hold everything that the program does and shows in
between.
"""

import argparse
import json
import math
import os
import random
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from companion.live.table import LiveTable
from companion.odds.playouts import random_move
from companion.players.strengths import STRENGTHS
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.game import Position
from companion.web import create_app
from tests.browser.conftest import ARGUMENTS, find_chromium
from tests.browser.playing import expected, on_page, settled, shown
from tests.web.serving import served
from workshop.players.plain_ways import choose

GAMES: Final = ("tables/zeno", "ludix", "rithmomachia/durnil-guardia")
SIZE: Final = (390, 844)
PERSON, PROGRAM = 1, 2
ENOUGH: Final = 600
"""Moves of the person after which a match counts as not finished."""

PATIENCE: Final = 120.0
"""Seconds for the program's turn on a busy machine."""


@dataclass(frozen=True)
class Evening:
    """A table, its page on a phone, and the journal's file."""

    page: Page
    address: str
    table: LiveTable
    journal: Path

    def match(self, number: int) -> Match:
        """Return the match as the journal alone tells it."""
        with Journal(self.journal, writable=False) as journal:
            return Match.of(journal.events(number))

    def begin(self, slug: str, strength: str) -> int:
        """Begin a match against the program by the page's controls; return its number."""
        self.page.goto(f"{self.address}/new?game={slug}")
        self.page.wait_for_selector("body[data-ready]")
        self.page.get_by_role("checkbox", name=f"The program plays: Player {PROGRAM}").check()
        self.page.locator("select[name=strength]").select_option(strength)
        self.page.get_by_role("button", name="Begin the match").click()
        self.page.wait_for_url(f"{self.address}/")
        self.page.wait_for_selector("body[data-ready]")
        settled(self.page, self.table)
        return int(self.table.snapshot().data["match"]["id"])

    def persons_turn(self, number: int) -> Position:
        """Wait until the person is to move, or the match is over; return the position that the page shows then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            position = self.match(number).position
            if position.outcome is not None or position.awaits.player == PERSON:
                self._drawn(position)
                return position
            self.table.wait(self.table.snapshot().version, 0.2)
        raise TimeoutError("the program did not answer")

    def _drawn(self, position: Position) -> None:
        """Wait until the page shows a position of the journal, which has it a moment earlier."""
        end = time.monotonic() + PATIENCE
        while shown(self.page, position) != expected(position):
            assert time.monotonic() < end, "the page shows another position than the journal"
            settled(self.page, self.table)
            time.sleep(0.05)

    def play(self, slug: str, strength: str, seed: int) -> dict[str, Any]:
        """Play one match to its end and return what was seen."""
        number, chance, moves = self.begin(slug, strength), random.Random(f"{seed} {slug} {strength}"), 0
        waited: list[float] = []
        began, left = time.monotonic(), math.nan
        while (position := self.persons_turn(number)).outcome is None and moves < ENOUGH:
            if not math.isnan(left):
                waited.append(time.monotonic() - left)
            move = choose(position, chance) if position.awaits.kind == "choice" else random_move(position, chance)
            on_page(self.page, self.table, position, move)
            moves += 1
            left = time.monotonic() if self.match(number).position.awaits.player == PROGRAM else math.nan
        outcome = position.outcome
        if outcome is not None:
            self.page.locator("#outcome").wait_for(state="visible")
        return {
            "strength": strength,
            "finished": outcome is not None,
            "person_won": outcome is not None and PERSON in outcome.winners,
            "moves": moves,
            "minutes": round((time.monotonic() - began) / 60, 1),
            "program_s": {
                "median": round(statistics.median(waited), 2),
                "worst": round(max(waited), 2),
                "n": len(waited),
            },
        }


def measured(browser: Browser, slugs: list[str], strengths: list[str], seed: int) -> dict[str, Any]:
    """Play every game at every strength."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.db"
        table = LiveTable(path)
        table.start()
        complaints: list[str] = []
        with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
            page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, has_touch=True, is_mobile=True)
            page.set_default_timeout(PATIENCE * 1000)
            page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
            evening = Evening(page, address, table, path)
            for slug in slugs:
                figures[slug] = []
                for strength in strengths:
                    figures[slug].append(evening.play(slug, strength, seed))
                    print(slug, json.dumps(figures[slug][-1]), flush=True)
            page.close()
        table.stop()
    return figures | {"complaints": complaints}


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(GAMES))
    parser.add_argument("--strengths", nargs="+", choices=list(STRENGTHS), default=list(STRENGTHS))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or find_chromium(), args=ARGUMENTS
        )
        figures = measured(browser, given.slugs, given.strengths, given.seed)
        browser.close()
    print(json.dumps(figures | {"seed": given.seed, "load": [round(load, 2), round(os.getloadavg()[0], 2)]}))


if __name__ == "__main__":
    main()
