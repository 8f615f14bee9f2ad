"""The looks of the page: chosen in its menu, kept by the browser, legible in every one of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.measures import measure
from tests.browser.states import STATES, Hall, hall

pytestmark = pytest.mark.browser
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""A look changes only colours and sizes: everything else is checked on the page as it is by day."""

SEEN = (
    "start",
    "thrown",
    "tables choice",
    "rithmomachia",
    "ludix choice",
    "over",
    "new match",
    "matches",
    "camera",
    "reading",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(Path(tmp_path_factory.mktemp("looks"))) as found:
        yield found


def test_a_look_is_chosen_in_the_menu_and_stays(place: Hall, open_page: Callable[..., Page]) -> None:
    page = open_page(place.live_address + "/start")
    root = page.locator("html")
    page.locator("#languages summary").click()
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Large type").click()
    expect(root).to_have_attribute("data-theme", "dark")
    page.goto(place.live_address + "/new")
    page.wait_for_selector("body[data-ready]")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-type", "large")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    page.locator("#languages summary").click()
    page.get_by_role("button", name="As the system").click()
    page.get_by_role("button", name="Large type").click()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert root.get_attribute("data-theme") is None
    assert root.get_attribute("data-type") is None


def test_the_page_follows_a_dark_system(place: Hall, open_page: Callable[..., Page]) -> None:
    page = open_page(place.live_address + "/start")
    ink = "getComputedStyle(document.body).color"
    by_day = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    by_night = page.evaluate(ink)
    light, dark = (sum(map(int, colour[4:-1].split(","))) for colour in (by_day, by_night))
    assert light < 200
    assert dark > 600


@pytest.mark.parametrize("name", SEEN)
def test_everything_is_legible_in_every_look(place: Hall, open_page: Callable[..., Page], name: str) -> None:
    state = next(one for one in STATES if one.name == name)
    page = state.open(place, open_page)
    for theme in ("dark", "contrast"):
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        found = Axe().run(page, options=CONTRAST).response["violations"]
        assert (theme, [node["html"][:160] for one in found for node in one["nodes"][:4]]) == (theme, [])
        assert (theme, measure(page, "contrast")) == (theme, [])


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", ["/start", "/new", "/"])
def test_large_type_reaches_beyond_no_edge(place: Hall, open_page: Callable[..., Page], path: str, width: int) -> None:
    page = open_page(place.live_address + path, width)
    page.evaluate("() => (document.documentElement.dataset.type = 'large')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
