"""What a page costs: bytes over the wire, and the time until it can be used, on a processor made slower."""

from dataclasses import dataclass

from playwright.sync_api import Browser, Page


@dataclass
class Cost:
    """``bytes_``: all that came, as it came; ``seconds``: from asking for the page until its script has drawn it."""

    bytes_: int = 0
    requests: int = 0
    seconds: float = 0.0


def first_visit(browser: Browser, address: str, *, slower: float = 1.0, language: str = "en") -> Cost:
    """Return what the first visit of a browser with an empty cache costs."""
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
    page.goto(address, wait_until="commit")
    page.wait_for_selector("body[data-ready]", timeout=30_000)
    cost.seconds = float(page.evaluate("performance.now() / 1000"))
    page.wait_for_function("performance.getEntriesByType('resource').every((one) => one.responseEnd > 0)")
    context.close()
    return cost
