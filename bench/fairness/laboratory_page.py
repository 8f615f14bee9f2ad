"""The laboratory's page with 10,000 throws: from a key to the redrawn page, work per throw, the list of all throws."""

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from companion.language.wording import GROUPED_FROM
from companion.live.laboratory.laboratory import Laboratory
from companion.web.laboratory.app import create_laboratory_app
from tests.browser.conftest import ARGUMENTS
from tests.web.serving import served

CHANCES = (0.16, 0.16, 0.16, 0.16, 0.16, 0.20)
WORK = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
LISTEN = """() => {
    window.times = [];
    let pressed = null;
    document.addEventListener("keydown", () => { pressed = performance.now(); }, true);
    document.addEventListener("alea:state", () => requestAnimationFrame(() => {
        if (pressed !== null) window.times.push(performance.now() - pressed);
        pressed = null;
    }));
}"""


def fill(laboratory: Laboratory, throws: int, seed: int) -> float:
    """Record this many throws; return the milliseconds per throw for writing and judging."""
    die = {"set": "pips", "die": "1", "name": "Boxwood"}
    begun = laboratory.command("begin", {"title": "Bench", "dice": [die], "smallest": 0.02}, "bench")
    assert begun.ok, str(begun.sentence)
    faces = np.random.default_rng(seed).choice(6, size=throws, p=CHANCES) + 1
    started = time.perf_counter()
    for face in faces.tolist():
        assert laboratory.command("throw", {"die": "Boxwood", "face": str(face)}, "bench").ok
    return (time.perf_counter() - started) / throws * 1000


def shown_state(count: int) -> str:
    """Return a number as the page writes it."""
    return f"{count:,}" if count >= GROUPED_FROM else str(count)


def typed(page: Page, address: str, keys: int, slower: float, throws: int) -> dict[str, Any]:
    """Type ``keys`` throws one after the other and return the time of each."""
    page.goto(f"{address}/lab")
    page.wait_for_selector("body[data-ready]")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.evaluate(LISTEN)

    def work() -> float:
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        return sum(float(metrics[name]) for name in WORK) * 1000

    before = work()
    for n in range(keys):
        page.keyboard.press("6")
        expect(page.locator("#subline")).to_contain_text(f"{shown_state(throws + n + 1)} throws")
    spent = (work() - before) / keys
    times = sorted(page.evaluate("window.times"))
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return {
        "n": len(times),
        "key_to_drawn_ms": {
            "median": round(statistics.median(times), 1),
            "p95": round(times[int(0.95 * (len(times) - 1))], 1),
        },
        "work_a_throw_ms": round(spent, 1),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10_000, help="throws before the page is opened")
    parser.add_argument("--keys", type=int, default=50, help="throws typed on the page")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    chromium = os.environ.get("ALEA_CHROMIUM", "/usr/bin/chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        laboratory = Laboratory(Path(folder) / "throws.db")
        laboratory.start()
        each = fill(laboratory, given.n, given.seed)
        browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        with served(create_laboratory_app(laboratory, trusted_hosts=["127.0.0.1"])) as address:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            state = len(page.request.get(f"{address}/api/state").body())
            usual = typed(page, address, given.keys, 1.0, given.n)
            slow = typed(page, address, given.keys, 4.0, given.n + given.keys)
            began = time.perf_counter()
            page.locator("#all-throws").click()
            expect(page.locator("#lab-dialog tbody tr").first).to_be_visible()
            listed = time.perf_counter() - began
            browser.close()
        laboratory.stop()
    figures = {
        "throws": given.n,
        "seed": given.seed,
        "load": round(os.getloadavg()[0], 2),
        "server_throw_ms": round(each, 2),
        "state_kB": round(state / 1000, 1),
        "usual": usual,
        "four_times_slower": slow,
        "all_throws_shown_s": round(listed, 2),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
