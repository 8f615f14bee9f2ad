"""Measurements on an open page: contrast of every text, size of every target, everything that exceeds the edge."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((found) => {
  for (const one of found.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""Notes, as an initial script of a page or context, by how much things moved that nobody moved."""

MOST_SHIFTED = 0.05

AXE: str = Axe().axe_script
"""Finds `violations`; a page that leads to many others may have it as an initial script, which is less work."""

SCRIPT = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")

WHEN_SEEN = """async (given) => {{
  const unseen = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [];
  try {{ return await ({measured}); }} finally {{ document.adoptedStyleSheets = unseen; }}
}}"""
"""Measures a page that is not painted (`kept_pages`) as if it were."""
VIOLATIONS = """axe.run(given[0] ?? document, given[1]).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]))"""


def measure(page: Page, what: str) -> Any:
    """Return the result of a function of ``measures.js``."""
    return page.evaluate(WHEN_SEEN.format(measured=f"{SCRIPT.split(chr(10), 1)[1].strip()}.{what}()"))


def at_sizes(page: Page, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Lay the page out at each size, in pixels, and yield it; nothing is painted: that is half of the work."""
    page.evaluate("document.documentElement.style.clipPath = 'inset(100%)'")
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        yield width, height
    page.evaluate("document.documentElement.style.clipPath = ''")


def violations(page: Page, options: dict[str, Any] | None = None, context: dict[str, Any] | None = None) -> list[Any]:
    """Return what axe finds: each rule, and the beginnings of what breaks it; the rest of its result stays there."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[Any] = page.evaluate(
        WHEN_SEEN.format(measured=VIOLATIONS), [context, {"resultTypes": ["violations"]} | (options or {})]
    )
    return found


def stands_still(page: Page) -> bool:
    """Whether little has moved by itself since the page came; it was opened with ``SHIFTS``."""
    return bool(page.evaluate("shifted") <= MOST_SHIFTED)
