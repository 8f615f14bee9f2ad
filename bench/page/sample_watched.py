"""A sample table watched in a browser without a touch: each state that the page shows, its duration, and all faults."""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, Server

SHORTEST = 0.8  # seconds for which a state must be readable
LONGEST = 30.0  # seconds without a change after which a viewer takes it for stuck

RECORDER = """() => {
  window.seen = [];
  const text = (id) => document.getElementById(id).textContent.trim();
  const note = () => {
    const word = document.getElementById("status").dataset.state;
    const state = [word, text("headline"), text("subline"), text("demonstration-note"), text("status-note")];
    const last = window.seen.at(-1);
    if (!last || last.state.join("|") !== state.join("|")) window.seen.push({ at: performance.now() / 1000, state });
  };
  note();
  new MutationObserver(note).observe(document.getElementById("status"),
    { subtree: true, childList: true, characterData: true, attributes: true });
}"""
"""Records every change of the page's words about the table, once the browser has drawn it."""


def watch(page: Page, seconds: float, enough: Callable[[], bool], pictures: Path | None) -> list[dict[str, Any]]:
    """Return the states that the page showed, with their durations; the watch cuts off the first and the last."""
    page.evaluate(RECORDER)
    until, number = time.monotonic() + seconds, 0
    while time.monotonic() < until and not enough():
        page.wait_for_timeout(1000)
        if pictures is not None and number % 10 == 0:
            page.screenshot(path=pictures / f"{number:04d}.png")
        number += 1
    end = page.evaluate("performance.now() / 1000")
    seen = page.evaluate("window.seen")
    times = [entry["at"] for entry in seen] + [end]
    return [
        {"at": round(entry["at"], 2), "seconds": round(after - entry["at"], 3), "state": entry["state"]}
        for entry, after in zip(seen, times[1:], strict=True)
    ]


def figures(states: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of the durations, without the first and last state, which the watch cuts off."""
    whole = states[1:-1]
    return {
        "states": len(states),
        "shortest_s": min((one["seconds"] for one in whole), default=None),
        "longest_s": max((one["seconds"] for one in whole), default=None),
        "too_short": [one for one in whole if one["seconds"] < SHORTEST],
        "stalls": [one for one in states if one["seconds"] > LONGEST],
        "asked": sum(one["state"][0] == "PROPOSED" for one in states),
        "did_not_fit": sum(one["state"][0] == "MISMATCH" for one in states),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", default="ludus-regularis")
    parser.add_argument("--seconds", type=float, default=300, help="how long it is watched at most")
    parser.add_argument("--end", action="store_true", help="stop once the match has ended and the next one has begun")
    parser.add_argument("--pace", default="1")
    parser.add_argument("--out", type=Path, help="a folder for all states and a picture every ten seconds")
    parser.add_argument("--json", action="store_true", help="taken for the sake of the other measurements")
    given = parser.parse_args()
    chromium = os.environ.get("ALEA_CHROMIUM", "/usr/bin/chromium")
    complaints: list[str] = []
    ended: list[int] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "journal.db", ("--sample", given.sample, "--pace", given.pace))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console", lambda seconds: complaints.append(seconds.text) if seconds.type in {"error", "warning"} else None
        )

        def enough() -> bool:
            state = server.state()
            match = state["match"]["id"]
            if state["outcome"] is not None and match not in ended:
                ended.append(match)
            return given.end and bool(ended) and match not in ended

        try:
            page.goto(server.address)
            page.wait_for_selector("body[data-ready]")
            if given.out is not None:
                given.out.mkdir(parents=True, exist_ok=True)
            states = watch(page, given.seconds, enough, given.out)
            throws = server.state()["match"]["throws"]
        finally:
            browser.close()
            server.stop()
    if given.out is not None:
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in states)
        (given.out / "states.jsonl").write_text(text, encoding="utf-8")
    report = {"sample": given.sample, "watched_s": round(states[-1]["at"] + states[-1]["seconds"], 1), "throws": throws}
    print(
        json.dumps(
            report | {"matches_ended": len(ended), "load": os.getloadavg()[0], "console": complaints} | figures(states)
        )
    )


if __name__ == "__main__":
    main()
