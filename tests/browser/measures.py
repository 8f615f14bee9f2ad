"""Measurements on an open page: contrast of every text, size of every target, everything that exceeds the edge."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")


def measure(page: Page, what: str) -> Any:
    """Return the result of a function of ``measures.js``."""
    return page.evaluate(f"{SCRIPT.split(chr(10), 1)[1].strip()}.{what}()")
