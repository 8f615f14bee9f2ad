"""The first visit with an empty cache on a processor slowed down four times: bytes, and seconds until it is usable."""

import argparse
import json
import os
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from companion.language import texts
from tests.browser.conftest import ARGUMENTS, Server
from tests.browser.wire import first_visit

SLOWER = 4.0


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="visits in each language")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    arguments = parser.parse_args()
    chromium = os.environ.get("ALEA_CHROMIUM", "/usr/bin/chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "journal.db")
        server.start()
        server.new_match()
        browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        first_visit(browser, server.address)  # the server's own first answer is slower, and no visitor sees it
        figures = {}
        for language in texts.languages():
            costs = [first_visit(browser, server.address, slower=SLOWER, language=language) for _ in range(arguments.n)]
            seconds = sorted(cost.seconds for cost in costs)
            figures[language] = {
                "kB": round(max(cost.bytes_ for cost in costs) / 1000, 1),
                "requests": costs[0].requests,
                "elements": costs[0].elements,
                "work_s": round(statistics.median(cost.work for cost in costs), 3),
                "median_s": round(statistics.median(seconds), 2),
                "p95_s": round(seconds[min(len(seconds) - 1, round(0.95 * len(seconds)))], 2),
            }
        browser.close()
        server.stop()
    print(json.dumps({"n": arguments.n, "slower": SLOWER, "load": os.getloadavg()[0], "languages": figures}))


if __name__ == "__main__":
    main()
