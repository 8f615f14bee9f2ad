"""From the start page to the first throw that one's own camera reads: by taps alone, and again after a restart."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.vision.images import load_image
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import Server
from tests.browser.filmed_match import picture, play_ludus, script

pytestmark = pytest.mark.browser

SAMPLE = "ludus-regularis"
PATIENCE = 120_000  # milliseconds
MOST_TAPS = 5


class Tapping:
    """A person at a page, whose taps are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, role: str, name: str) -> None:
        self.page.wait_for_selector("body[data-ready]")
        self.page.get_by_role(role, name=re.compile(name)).first.click()  # type: ignore[arg-type]
        self.taps += 1


@pytest.fixture
def film(tmp_path: Path) -> ChromiumCamera:
    first = script(SAMPLE)["timeline"][0]["image"]
    return ChromiumCamera(tmp_path / "camera.y4m", load_image(picture(SAMPLE, first)))


@pytest.fixture
def before_a_camera(browser: Browser, chromium: str, film: ChromiumCamera) -> Iterator[BrowserContext]:
    with film.launch(browser, chromium) as other:
        yield other.new_context(permissions=["camera"])


def lay(film: ChromiumCamera) -> None:
    """Show the dice of the sample's first throw at rest."""
    film.film(picture(SAMPLE, next(one["image"] for one in script(SAMPLE)["timeline"] if one["phase"] == "still")))


def test_from_the_sample_to_the_first_throw_of_ones_own_camera_and_again_after_a_restart(
    server: Callable[..., Server], before_a_camera: BrowserContext, film: ChromiumCamera
) -> None:
    running = server("--demo", SAMPLE)
    person = Tapping(before_a_camera.new_page())
    person.page.goto(f"{running.address}/start")
    person.tap("link", "Use my camera")
    person.tap("button", "This device's camera")
    expect(person.page.locator("#table-picture")).to_be_visible(timeout=PATIENCE)
    assert not running.state()["sample"], "the sample ended, the own table begins"
    lay(film)
    expect(person.page.locator("#read-said")).to_contain_text("I read", timeout=PATIENCE)
    expect(person.page.locator("#table-outlines .outline")).to_have_count(4)
    person.tap("button", "This is my table")
    person.page.wait_for_url("**/new**")
    person.tap("button", "^With my dice and camera")
    expect(person.page.locator("body[data-ready]")).to_be_attached()
    assert running.state()["match"]["dice_by"] == "camera"
    play_ludus(running, film, 1)
    assert person.taps <= MOST_TAPS
    running.stop()
    running.start()
    until(lambda: running.state()["camera"]["status"] == "LIVE")
    play_ludus(running, film, 2)
    assert person.taps <= MOST_TAPS, "after the restart nobody tapped anything"


def until(true: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)
