"""The cost of a page: bytes over the wire, and the time until it is usable, on a slowed processor.

The page's own clock tells when it is usable. For a question from outside, the slowed processor first has to compile the
code that asks: this slows the measured page, and the answer comes some 0.3 s late.
"""

from dataclasses import dataclass

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


@dataclass
class Cost:
    """``bytes_``: everything received, as sent; ``seconds``: from the request until the script's drawing is visible."""

    bytes_: int = 0
    requests: int = 0
    seconds: float = 0.0


def first_visit(browser: Browser, address: str, *, slower: float = 1.0, language: str = "en") -> Cost:
    """Return the cost of the table's first visit with an empty cache, until it loads nothing more."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=language)
    page: Page = context.new_page()
    cdp = context.new_cdp_session(page)
    cost = Cost()

    def came(event: dict[str, float]) -> None:
        cost.bytes_ += round(event["encodedDataLength"])
        cost.requests += 1

    cdp.send("Network.enable")
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    cdp.on("Network.loadingFinished", came)
    page.add_init_script(NOTE_WHEN_USABLE)
    page.goto(address, wait_until="commit")
    page.wait_for_timeout(LOOKED_AFTER if slower > 1 else 0)
    usable = page.wait_for_function(MARKED, arg="usable", timeout=120_000)
    cost.seconds = float(usable.json_value()) / 1000
    page.wait_for_function(MARKED, arg="alea:whole", timeout=120_000)
    page.wait_for_function("() => performance.getEntriesByType('resource').every((one) => one.responseEnd > 0)")
    context.close()
    return cost
