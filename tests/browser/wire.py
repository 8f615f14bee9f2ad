"""The cost of a page: bytes over the wire, and the time until it is usable, on a slowed processor.

The page's own clock tells when it is usable. For a question from outside, the slowed processor first has to compile the
code that asks: this slows the measured page, and the answer comes some 0.3 s late.
"""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page

# The mark is set once the script has drawn the state and the screen shows it: from then on a touch works.
NOTE_WHEN_USABLE = """
new MutationObserver((_, watch) => {
  if (!document.body || document.body.dataset.ready === undefined) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => performance.mark("usable")));
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
"""
MARKED = "(name) => performance.getEntriesByName(name)[0]?.startTime"
LOOKED_AFTER = 1500  # ms without a question from outside
AT_REST = 1500  # ms without an answer, until nothing more is awaited


@dataclass
class Cost:
    """``bytes_``: everything received, as sent; ``seconds``: from the request until the script's drawing is visible.

    ``requests``: those to the table; drawings within the style sheet are none. ``work``: seconds of processor time of
    the page's main thread until it is at rest, ``elements`` those of the page then.
    """

    bytes_: int = 0
    requests: int = 0
    seconds: float = 0.0
    work: float = 0.0
    elements: int = 0


def first_visit(browser: Browser, address: str, *, slower: float = 1.0, language: str = "en") -> Cost:
    """Return the cost of the table's first visit with an empty cache, until it loads nothing more."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=language)
    page: Page = context.new_page()
    cdp = context.new_cdp_session(page)
    cost = Cost()
    within = set()

    def asked(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("data:"):
            within.add(event["requestId"])

    def came(event: dict[str, Any]) -> None:
        if event["requestId"] not in within:
            cost.bytes_ += round(event["encodedDataLength"])
            cost.requests += 1

    cdp.send("Network.enable")
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    cdp.on("Network.requestWillBeSent", asked)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    cdp.on("Network.loadingFinished", came)
    page.add_init_script(NOTE_WHEN_USABLE)
    page.goto(address, wait_until="commit")
    page.wait_for_timeout(LOOKED_AFTER if slower > 1 else 0)
    usable = page.wait_for_function(MARKED, arg="usable", timeout=120_000)
    cost.seconds = float(usable.json_value()) / 1000
    seen = 0
    while seen < cost.requests:
        seen = cost.requests
        page.wait_for_timeout(AT_REST)
    figures = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    cost.work = figures["TaskDuration"]
    cost.elements = int(page.evaluate("() => document.querySelectorAll('*').length"))
    context.close()
    return cost
