"""Pages whose script comes late, as over a slow network: nothing that would be lost can be pressed before."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route


@contextmanager
def held(page: Page, script: str) -> Iterator[None]:
    """Let the page that the block opens wait for a script, given as a pattern of its address, until the block ends."""
    asked: list[Route] = []
    over = False

    def hold(route: Route) -> None:
        if over:
            route.continue_()
        else:
            asked.append(route)

    page.route(script, hold)
    yield
    while not asked:
        page.wait_for_timeout(20)
    over = True
    for route in asked:
        route.continue_()
    page.unroute(script)
