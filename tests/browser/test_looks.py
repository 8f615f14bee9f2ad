"""The looks of the page: chosen in its menu, kept by the browser. That each is legible: `test_accessibility.py`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.states import Hall, hall

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(Path(tmp_path_factory.mktemp("looks"))) as found:
        yield found


def test_a_look_is_chosen_in_the_menu_and_stays(place: Hall, open_page: Callable[..., Page]) -> None:
    page = open_page(place.live_address + "/start")
    root = page.locator("html")
    page.locator("#looks summary").click()
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Large type").click()
    expect(root).to_have_attribute("data-theme", "dark")
    page.goto(place.live_address + "/new")
    page.wait_for_selector("body[data-ready]")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-type", "large")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    page.locator("#looks summary").click()
    page.get_by_role("button", name="Same as the system").click()
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


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", ["/start", "/new", "/"])
def test_large_type_reaches_beyond_no_edge(place: Hall, open_page: Callable[..., Page], path: str, width: int) -> None:
    page = open_page(place.live_address + path, width)
    page.evaluate("() => (document.documentElement.dataset.type = 'large')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
