"""The first visit to this version and to another checkout, in turn, so that a busy machine burdens both alike.

``python -m bench first_page_pairs`` compares with the checkout that ``--against`` names; both are served with this
environment's packages. A pair is two visits with an empty cache, in an order that chance draws.
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import urllib.request
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from bench.page.served import served
from tests.browser.conftest import ARGUMENTS, find_chromium
from tests.browser.wire import Cost, first_visit

ROOT: Final = Path(__file__).resolve().parents[2]
LANGUAGES: Final = ("en", "de", "es", "fr")
RESAMPLES: Final = 4_000
MATCH: Final = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "tapped"}


def begin(address: str) -> None:
    """Begin a match at a table, so that its first page shows one."""
    asked = urllib.request.Request(
        f"{address}/api/command/new_match", json.dumps(MATCH).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=60):
        pass


def version(folder: Path) -> str:
    """Return the commit of a checkout, short."""
    return subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()


def side(costs: list[Cost]) -> dict[str, Any]:
    """Return what the visits to one version cost."""
    return {
        "kB": round(max(cost.bytes_ for cost in costs) / 1000, 1),
        "requests": max(cost.requests for cost in costs),
        "elements": max(cost.elements for cost in costs),
        "median_s": round(statistics.median(cost.seconds for cost in costs), 2),
        "least_s": round(min(cost.seconds for cost in costs), 2),
        "work_s": round(statistics.median(cost.work for cost in costs), 3),
    }


def compared(browser: Browser, here: str, there: str, *, pairs: int, slower: float, seed: int) -> dict[str, Any]:
    """Visit both addresses ``pairs`` times, in each language in turn; return the costs and the ratio of their times."""
    chance = random.Random(seed)
    costs: dict[str, list[Cost]] = {here: [], there: []}
    for address in costs:
        first_visit(browser, address)  # a server's own first answer is slower, and no visitor sees it
    for number in range(pairs):
        for address in chance.sample([here, there], 2):
            costs[address].append(
                first_visit(browser, address, slower=slower, language=LANGUAGES[number % len(LANGUAGES)])
            )
    both = list(zip(costs[here], costs[there], strict=True))
    ratio, ratio_95 = in_between([one.seconds / other.seconds for one, other in both], chance)
    work, work_95 = in_between([one.work / other.work for one, other in both], chance)
    return {
        "pairs": pairs,
        "slower": slower,
        "seed": seed,
        "in": ", ".join(LANGUAGES),
        "here": side(costs[here]),
        "there": side(costs[there]),
        "ratio": ratio,
        "ratio_95": ratio_95,
        "work_ratio": work,
        "work_ratio_95": work_95,
        "faster": sum(one.seconds < other.seconds for one, other in both),
    }


def in_between(ratios: list[float], chance: random.Random) -> tuple[float, list[float]]:
    """Return the median of some ratios, and between what it lies (95 %, bootstrap)."""
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    ends = [round(medians[RESAMPLES // 40], 3), round(medians[-RESAMPLES // 40], 3)]
    return round(statistics.median(ratios), 3), ends


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, required=True, help="the other checkout")
    parser.add_argument("-n", type=int, default=40, help="pairs")
    parser.add_argument("--slower", type=float, default=4.0, help="how much the processor is slowed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    with contextlib.ExitStack() as held:
        here, _ = held.enter_context(served(of=ROOT))
        there, _ = held.enter_context(served(of=given.against.resolve()))
        begin(here)
        begin(there)
        playwright = held.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        figures = compared(browser, here, there, pairs=given.n, slower=given.slower, seed=given.seed)
        browser.close()
    print(json.dumps({**figures, "against": version(given.against), "load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main()
