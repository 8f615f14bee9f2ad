"""A record of dice that no set of ours has: the replay shows it, under a proxy's path too, and complains of nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.live.table import LiveTable
from companion.referee.events import Committed, MatchStarted, Observed
from companion.referee.journal import Journal
from companion.web import create_app
from tests.web.serving import served, under

pytestmark = pytest.mark.browser

BASE = "/alea"
STRANGE: list[dict[str, Any]] = [
    {"set": "wibold", "faces": {"1": "AEIOUAEIOU", "2": "A", "3": "", "consonants": "MNPRSTV"}},
    {"set": "<b>", "faces": {"1": "<img src=x>", "2": "Z"}},
    {"set": "pips", "faces": {"1": "77", "2": "x"}},
]


@contextmanager
def at_table(path: Path) -> Iterator[str]:
    """Serve a table whose pages lie under a path, and nothing outside of it."""
    table = LiveTable(path)
    table.start()
    app = create_app(table, trusted_hosts=["127.0.0.1"])
    under(app, BASE)
    inside = app.wsgi_app

    def proxied(environ: dict[str, Any], respond: Any) -> Any:
        if environ["PATH_INFO"].startswith(f"{BASE}/"):
            return inside(environ, respond)
        respond("404 Not Found", [("Content-Length", "0")])
        return []

    app.wsgi_app = proxied  # type: ignore[method-assign, assignment]
    with served(app) as address:
        yield address + BASE
    table.stop()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with Journal(tmp_path / "journal.db") as journal:
        for throw in STRANGE:
            begun = MatchStarted("A record", "ludus-regularis", ("Anna", "Berno"), {}, "camera", "0" * 64)
            match = journal.begin(begun, 1.7e9, "owner")
            seen = Observed(
                tuple(
                    {
                        "die": die,
                        "set": throw["set"],
                        "face": face,
                        "status": "read",
                        "confidence": 0.5,
                        "candidates": [[face, 0.5], ["", 0.3]],
                        "polygon": [],
                    }
                    for die, face in throw["faces"].items()
                ),
                "read",
                "",
                1.0,
                1,
            )
            journal.append(match, [seen, Committed(1, "throw", throw, "camera", seen=2)], 1.7e9 + 1, "camera")
    with at_table(tmp_path / "journal.db") as served_at:
        yield served_at


def test_a_throw_that_no_die_can_show_is_written_out(address: str, open_page: Callable[..., Page]) -> None:
    """It once stopped the page's script: there is no place for a seventh letter."""
    page = open_page(f"{address}/matches", ready=False)
    for match in range(1, len(STRANGE) + 1):
        page.goto(f"{address}/matches/{match}")
        page.wait_for_selector("#replay-sentence:not(:empty)")
        page.locator("main button:visible").first.click()
        page.wait_for_selector("dialog[open] button")
    page.close()


def test_a_match_is_begun_and_followed_under_a_proxys_path(address: str, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{address}/new")
    page.locator("#ways button:visible").first.click()
    page.wait_for_url(f"{address}/")
    page.wait_for_selector("body[data-link=live]")
    assert page.evaluate("fetch('healthz', {signal: AbortSignal.timeout(20000)}).then((answer) => answer.ok)")
    page.close()
