"""What holds for the page at any size: nothing beyond the edge, large targets, names for everything, quick answers."""

import re
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import COMPANION, Server
from tests.browser.measures import at_sizes
from tests.browser.test_match import PAX
from tests.forked import Forked

pytestmark = pytest.mark.browser

SIZES = [(390, 844), (640, 400), (1024, 600), (1280, 800), (1920, 1080)]

SMALL_TARGETS = """() => [...document.querySelectorAll("button, a, select, summary, input:not([type=file])")]
  .filter((element) => element.checkVisibility() && !element.closest(".rim, .skip"))
  .map((element) => [element.closest("label") ?? element, element])
  .filter(([target, element]) => !element.matches(".holdings summary"))
  .map(([target]) => [target.getBoundingClientRect(), target.outerHTML.slice(0, 90)])
  .filter(([box]) => box.height < 47.5 || box.width < 47.5)
  .map(([box, html]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""

NAMELESS = """() => [...document.querySelectorAll(
    "button, a, input, select, summary, img, svg[role=img], [role=radiogroup]")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.getAttribute("aria-label") || element.getAttribute("alt") !== null
    || element.textContent.trim() || element.labels?.length && element.labels[0].textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 120))"""


def test_nothing_reaches_beyond_the_edge_and_fingers_find_what_they_are_to_touch(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    page = open_page(shared_server.address, *SIZES[0])
    fits_and_is_touched(page)
    shared_server.throw(PAX)
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    for view in ("pairs", "rim"):
        page.locator(f"#board-switch input[value={view}]").check(force=True)
        fits_and_is_touched(page)
    # each page comes on a screen of another size, and is then turned and drawn to all others
    for (width, height), path in zip(SIZES[1:], ("/new", "/matches", "/camera", "/calibrate"), strict=True):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(shared_server.address + path)
        page.wait_for_selector("body[data-ready]")
        fits_and_is_touched(page)


def fits_and_is_touched(page: Page) -> None:
    """Fail where, on a screen of any size, something reaches beyond the edge, or a control is too small or nameless."""
    for width, _ in at_sizes(page, SIZES):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)
        assert page.evaluate(SMALL_TARGETS) == [], (page.url, width)
        assert page.evaluate(NAMELESS) == [], (page.url, width)


def test_the_pairs_are_made_of_the_rim_when_they_are_wanted_and_say_who_holds_what(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    page = open_page(shared_server.address)
    assert page.locator(".pair").count() == 0
    free = page.locator(".rim [data-lot='1.2.3'] button")
    expect(free).to_have_accessible_name("Peace Pax 1.2.3")
    expect(free).to_have_accessible_description("free")
    shared_server.throw(PAX)
    won = re.compile(r"Peace .*Anna, throw 1$")
    expect(free).to_have_accessible_name(won)
    expect(free).to_have_accessible_description("")
    page.locator("#board-switch input[value=pairs]").check(force=True)
    expect(page.locator(".pair")).to_have_count(28)
    pair = page.locator(".pair [data-lot='1.2.3']")
    expect(pair).to_have_attribute("data-owner", "1")
    expect(pair.locator("button")).to_have_accessible_name(won)
    assert page.locator(".pair .won").count() == 0  # what is drawn again is not won again
    page.locator(".pairs button").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pairs button").nth(1)).to_be_focused()
    page.reload()
    expect(page.locator(".pair")).to_have_count(28)  # this browser remembers the board


def test_the_state_is_told_to_those_who_listen(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.new_match()
    page = open_page(shared_server.address)
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("main, header, nav, aside").count() >= 4
    assert page.locator("#headline").locator("xpath=..").get_attribute("aria-live") == "polite"
    assert page.locator(".rim .latin:not([lang=la])").count() == 0
    assert page.locator(".rim [data-lot='1.1.1'] .name").text_content() == "Charity"


def test_four_pages_stay_open_and_a_fifth_is_answered(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.new_match()
    pages = [open_page(shared_server.address) for _ in range(4)]
    for _ in range(10):
        with urllib.request.urlopen(f"{shared_server.address}/", timeout=60) as answer:
            assert answer.read()
    shared_server.throw(PAX)
    for page in pages:
        expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")


def test_without_a_stream_the_page_looks_every_two_seconds(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    page = open_page(shared_server.address, quiet=False)

    def refuse(route: Route) -> None:
        route.fulfill(status=503, headers={"Retry-After": "20"}, json={"error": "All live streams are taken."})

    page.route("**/api/events", refuse)
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-link", "polling")
    shared_server.throw(PAX)
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")


def test_the_owner_gives_the_pin_when_the_page_is_open_to_a_network(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server("--host", "0.0.0.0", "--pin", "271828")
    page = open_page(f"{running.address}/new", quiet=False)
    page.get_by_role("button", name="Two here", exact=True).click()
    page.get_by_role("textbox", name="PIN").fill("000000")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#pin-wrong")).to_contain_text("not the owner's PIN")
    page.get_by_role("textbox", name="PIN").fill("271828")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#headline")).to_contain_text("Player 1 throws")


def test_a_browsers_camera_reaches_the_table(server: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    running = server("--camera", "push")
    page = open_page(f"{running.address}/camera")
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#table-picture")).to_be_visible()
    table = open_page(running.address)
    expect(table.locator("#camera-badge")).to_have_text("camera is live")
    assert running.state()["camera"]["status"] == "LIVE"
    page.get_by_role("button", name="Use no camera").click()
    expect(table.locator("#camera-badge")).to_have_text("no camera")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--leds", "yes"], "Expected auto, none, simulated"),
        (["--camera", "nowhere.mp4"], "there is no 'nowhere.mp4'"),
        (["--sample", "nothing"], "sample table"),
        (["--sample", "a", "--camera", "0"], "Expected --camera or --sample"),
        (["--game", "chess"], "There is no game called 'chess'"),
        (["--pin", "1"], "at least 4 characters"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_sentence(tmp_path: Path, arguments: list[str], text: str) -> None:
    program = Forked("serve", "--journal", str(tmp_path / "journal.db"), "--port", "0", *arguments)
    with program.stdout:
        stated = program.stdout.read()
    assert program.wait(300) == 1
    assert text in stated
    assert len(stated.strip().splitlines()) == 1


def test_a_taken_port_is_said_in_one_sentence(tmp_path: Path, shared_server: Server) -> None:
    command = [str(COMPANION), "serve", "--journal", str(tmp_path / "journal.db"), "--port", str(shared_server.port)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 1
    assert f"Port {shared_server.port} is taken" in answer.stderr
