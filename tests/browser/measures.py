"""Measurements on an open page: contrast of every text, size of every target, everything that exceeds the edge."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((found) => {
  for (const one of found.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""Notes, as an initial script of a page or context, by how much things moved that nobody moved."""

MOST_SHIFTED = 0.05

SCRIPT = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")


def measure(page: Page, what: str) -> Any:
    """Return the result of a function of ``measures.js``."""
    return page.evaluate(f"{SCRIPT.split(chr(10), 1)[1].strip()}.{what}()")


def stands_still(page: Page) -> bool:
    """Whether little has moved by itself since the page came; it was opened with ``SHIFTS``."""
    return bool(page.evaluate("shifted") <= MOST_SHIFTED)
