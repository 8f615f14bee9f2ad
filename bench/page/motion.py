"""How smoothly dice tumble and men slide in Chromium on a slowed processor, and how far pages shift while they load."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, Server, find_chromium

SMOOTH = 20.0  # ms: a frame that takes longer misses one of sixty a second
SECONDS = 1.2  # of frames after each act
# The times between frames from now on, in ms.
FRAMES = """seconds => new Promise((done) => {
  const times = [];
  const step = (now) => {
    times.push(now);
    if (now - times[0] < seconds * 1000) requestAnimationFrame(step);
    else done(times.slice(1).map((time, n) => time - times[n]));
  };
  requestAnimationFrame(step);
})"""
SHIFTS = """() => {
  window.shifted = 0;
  const add = (one) => { if (!one.hadRecentInput) window.shifted += one.value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add))
    .observe({ type: "layout-shift", buffered: true });
}"""
PATHS = ("/", "/start", "/new", "/matches", "/camera", "/owner")
SIZES = ((1280, 800), (390, 844), (1920, 1080))


def slowed(browser: Browser, address: str, throttle: float) -> Page:
    """Open the table on a processor made so many times slower."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    page.wait_for_timeout(3000)  # what a table seldom needs is loaded by then
    return page


def share_smooth(times: list[float]) -> dict[str, float]:
    """Return the share of smooth frames, and the slowest twentieth's limit in ms."""
    ordered = sorted(times)
    return {
        "frames": len(times),
        "smooth": round(sum(time <= SMOOTH for time in times) / len(times), 3),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
    }


def tumbling(server: Server, browser: Browser, throws: int, throttle: float) -> dict[str, float]:
    """Throw by the program and measure the frames that follow the drawing of each throw."""
    server.new_match("program")
    page = slowed(browser, server.address, throttle)
    times: list[float] = []
    for _ in range(throws):
        page.evaluate("() => document.querySelectorAll('.tumbles').forEach((die) => die.classList.remove('tumbles'))")
        page.wait_for_timeout(1100)
        page.get_by_role("button", name="Throw", exact=True).click()
        page.wait_for_selector(".tumbles")
        times += page.evaluate(FRAMES, SECONDS)
    page.close()
    return share_smooth(times)


def sliding(server: Server, browser: Browser, moves: int, throttle: float) -> dict[str, float]:
    """Move a man and undo it, and measure the frames that follow each move's drawing."""
    server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    server.command("throw", faces={"1": "2", "2": "5", "3": "6"}, dice_set="pips")
    page = slowed(browser, server.address, throttle)
    times: list[float] = []
    for _ in range(moves):
        page.locator("[data-site=a]").click()
        page.locator("[data-site=c]").click()
        page.wait_for_selector("[data-men=c][data-slide]")
        times += page.evaluate(FRAMES, 0.4)
        page.get_by_role("button", name="Undo a-c").click()
        page.wait_for_selector("[data-men=c]", state="detached")
    page.close()
    return share_smooth(times)


def still(browser: Browser, address: str, throttle: float) -> dict[str, float]:
    """Measure as many frames of a page on which nothing moves: what this machine gives at best now."""
    page = slowed(browser, address, throttle)
    times = page.evaluate(FRAMES, 8)
    page.close()
    return share_smooth(times)


def shifts(server: Server, browser: Browser) -> dict[str, float]:
    """Return the sum of the layout shifts of each page while it loads, the most of all window sizes."""
    found: dict[str, float] = {}
    for width, height in SIZES:
        for path in PATHS:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.add_init_script(f"({SHIFTS})()")
            page.goto(f"{server.address}{path}")
            page.wait_for_timeout(2500)
            found[path] = max(found.get(path, 0.0), round(page.evaluate("window.shifted"), 4))
            page.close()
    return found


def main() -> int:
    """Measure all of it and print the figures with the machine's load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="throws, and moves")
    parser.add_argument("--throttle", type=float, default=4.0)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "throttle": given.throttle, "load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        server = Server(Path(folder) / "journal.db")
        server.start()
        figures["shift"] = shifts(server, browser)
        server.new_match()
        figures["shift_of_a_match"] = shifts(server, browser)["/"]
        figures["still"] = still(browser, server.address, given.throttle)
        figures["tumbling"] = tumbling(server, browser, given.n, given.throttle)
        figures["sliding"] = sliding(server, browser, given.n, given.throttle)
        server.stop()
        browser.close()
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
