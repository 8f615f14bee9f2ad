"""The page draws a board from its name alone: with the sites that the rules know, wherever the board lies."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from companion.referee.board.seating import Seating
from companion.rules.registry import games
from companion.vision.boards.known import plan
from companion.vision.boards.layout import UnknownBoardError
from tests.browser.conftest import Server

pytestmark = pytest.mark.browser

AREAS = """async ([name, lies]) => {
    const { planOf } = await import("/static/js/board/plans.js");
    const plan = planOf(name, { lies });
    return Object.fromEntries(plan.sites.map((site) => [site, Object.values(plan.area(site))]));
}"""


def cameras_know(board: str) -> bool:
    try:
        plan(board)
    except UnknownBoardError:
        return False
    return True


@pytest.mark.parametrize("width", [1280, 390])
def test_every_board_has_its_sites_where_the_referee_expects_them(
    shared_server: Server, open_page: Callable[..., Page], width: int
) -> None:
    page = open_page(shared_server.address, width)
    boards = {game.board.name: game for game in games().values() if game.board.sites and not game.board.holds_tokens}
    assert {"tables", "xii-scripta", "8x16"} <= set(boards)
    assert {"tables", "8x16"} <= set(filter(cameras_know, boards))
    for name, game in boards.items():
        named = page.evaluate(AREAS, [name, "as named"])
        assert set(named) == {site.name for site in game.board.sites}
        for lies in game.board.lies if cameras_know(name) else ():
            seating = Seating(game.slug, lies, ())
            for site, area in page.evaluate(AREAS, [name, lies]).items():
                assert area == named[seating.site(site)], (name, lies, site)
