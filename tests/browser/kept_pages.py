"""Pages that one test after another uses: a page in a new context starts a process and loads everything again.

Nothing of them is painted, but what a test shows (`SEEN`).
"""

from contextlib import suppress
from dataclasses import dataclass, field

from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Page
from playwright.sync_api import Error as PlaywrightError

from tests.shapes import watcher

MOST = 4  # pages at once that later tests use again
SIZE = (1280, 800)
ELSEWHERE = "asked elsewhere"
# What a page asks of another server than its own; Playwright's events for each request cost a tenth of a page.
OWN_SERVER = f"""
new PerformanceObserver((found) => {{
  for (const {{ name }} of found.getEntries())
    if (/^(http|ws)/.test(name) && new URL(name).origin !== location.origin) console.error(`{ELSEWHERE}: ${{name}}`);
}}).observe({{ type: "resource", buffered: true }});
"""
WATCHER = watcher() + OWN_SERVER
# What nobody sees is laid out and can be clicked, and is not painted: a seventh of a page's work.
UNSEEN = """{
  const unseen = new CSSStyleSheet();
  unseen.replaceSync("html { opacity: 0 !important }");
  document.adoptedStyleSheets = [unseen];
}"""
SEEN = "document.adoptedStyleSheets = []"
"""Paints a page from now on: for a picture of it."""
# As in a network without encryption, where a browser keeps no page for when the table is away: a tenth of its work.
KEEPS_NOTHING = "delete Navigator.prototype.serviceWorker;"
# The page starts this itself: a page that the browser opened would come from another process.
LEAVE = """() => {
  sessionStorage.clear();
  setTimeout(() => location.replace("about:blank"));
}"""
SETTLED = "() => new Promise((seen) => setTimeout(() => seen([location.origin, matchMedia('(hover)').matches])))"


@dataclass
class Watched:
    """A page, and what it should not have done since its test opened it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    own: str = ""
    """The one server that it may ask, as the beginning of an address."""
    quiet: bool = True
    """Whether its console is to stay empty."""
    ends: bool = False
    """Whether the test has ended, and whatever the page did is cut short."""

    def __post_init__(self) -> None:
        self.page.on("pageerror", self._failed)
        self.page.on("console", self._stated)
        self.page.on("framenavigated", lambda frame: self._went(frame.url))

    def _failed(self, error: PlaywrightError) -> None:
        if not self.ends:
            self.complaints.append(f"error: {error}")

    def _stated(self, stated: ConsoleMessage) -> None:
        if (self.quiet and not self.ends and stated.type in {"error", "warning"}) or stated.text.startswith(ELSEWHERE):
            self.complaints.append(stated.text)

    def _went(self, address: str) -> None:
        if address.startswith("http") and not address.startswith(self.own):
            self.complaints.append(f"{ELSEWHERE}: {address}")


class KeptPage(Watched):
    """A page in a context of its own, which comes to each test as if it were new, but for a warm cache."""

    def __init__(self, browser: Browser) -> None:
        super().__init__(browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}))
        self.page.add_init_script(WATCHER + KEEPS_NOTHING + UNSEEN)
        self._protocol: CDPSession = self.page.context.new_cdp_session(self.page)

    def left(self) -> bool:
        """Leave the test's page, forget what it kept, and undo how the test set the browser.

        Return whether another test may use it.
        """
        if self.page.is_closed() or self.page.evaluate(SETTLED) != [self.own, True]:  # after fingers it has no mouse
            return False
        self.ends = True
        self.page.unroute_all()
        self.page.evaluate(LEAVE)
        self.page.wait_for_url("about:blank")
        self.page.mouse.move(-1, -1)
        self.page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        self.page.context.clear_cookies()
        self._protocol.send("Storage.clearDataForOrigin", {"origin": self.own, "storageTypes": "all"})
        return True


class KeptPages:
    """Pages that no test uses now."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[KeptPage] = []

    def take(self) -> KeptPage:
        """Return a page that shows nothing yet."""
        kept = self._idle.pop() if self._idle else KeptPage(self._browser)
        kept.complaints, kept.ends = [], False
        return kept

    def give_back(self, kept: KeptPage) -> None:
        """Take back a page, and close it if it cannot be used again."""
        again = False
        if len(self._idle) < MOST:
            with suppress(PlaywrightError):  # it has crashed, or is on its way to another page
                again = kept.left()
        if again:
            self._idle.append(kept)
        else:
            kept.page.context.close()
