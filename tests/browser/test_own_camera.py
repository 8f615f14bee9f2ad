"""From the start page to the first throw that one's own camera reads: by taps alone, and again after a restart."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.language.sentence import Sentence
from companion.settings.file import SettingsFile
from companion.vision import sources
from companion.vision.images import load_image
from companion.vision.readings import Image
from companion.vision.sources.source import SourceBusyError
from companion.web import pages
from companion.web.camera.preview import PREVIEW, Attached, CameraPreview
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import Server
from tests.browser.filmed_match import picture, play_ludus, script
from tests.browser.measures import SHIFTS, stands_still
from tests.commands.test_serve_settings import Running
from tests.web.serving import served

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
        context = other.new_context(permissions=["camera"], viewport={"width": 768, "height": 1024})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(SHIFTS)
        yield context


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
    assert stands_still(person.page)
    person.tap("button", "This is my table")
    person.page.wait_for_url("**/new**")
    person.tap("button", "^With my dice and camera")
    expect(person.page.locator("body[data-ready]")).to_be_attached()
    assert running.state()["match"]["dice_by"] == "camera"
    play_ludus(running, film, 1)
    assert person.taps <= MOST_TAPS
    assert stands_still(person.page)
    person.page.get_by_role("button", name="Undo throw 1").click()
    person.page.locator("#confirm").get_by_role("textbox").fill("The dog ran over the table.")
    person.page.keyboard.press("Enter")
    stated = "was left out: The dog ran over the table."
    expect(person.page.locator("#log")).to_contain_text(stated, timeout=PATIENCE)
    running.stop()
    running.start()
    until(lambda: running.state()["camera"]["status"] == "LIVE")
    play_ludus(running, film, 2)
    assert person.taps <= MOST_TAPS, "after the restart nobody tapped anything"


class Plugged:
    """A grabber of a camera that is plugged into this computer: it gives the picture that lies before it."""

    frozen_after = None

    def __init__(self) -> None:
        self.image = load_image(picture(SAMPLE, script(SAMPLE)["timeline"][0]["image"]))
        self.opened = 0
        self.busy = False

    def __call__(self, device: str, **_: object) -> "Plugged":
        assert device == "0"
        return self

    def open(self) -> None:
        if self.busy:
            raise SourceBusyError(Sentence("Another program uses it: close that one."))
        self.opened += 1
        assert self.opened == 1, "one reader at a time"

    def grab(self, wait: Callable[[float], bool]) -> Image:
        wait(1 / 15)
        return self.image.copy()

    def close(self) -> None:
        self.opened = 0


def test_a_camera_of_this_computer_shows_before_it_is_tapped_and_is_read_by_the_same_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: Callable[..., Page]
) -> None:
    camera = Plugged()
    camera.busy = True
    monkeypatch.setattr(sources, "DeviceGrabber", camera)
    monkeypatch.setattr(pages, "attached_cameras", lambda: [Attached(0, "Desk camera")])
    running = Running(tmp_path)
    PREVIEW.put(running.app, CameraPreview(lambda: [Attached(0, "Desk camera")]))
    with served(running.app) as address:
        page = open_page(f"{address}/camera?game=ludus-regularis")
        tile = page.locator("[data-attached]")
        expect(tile).to_contain_text("Another program uses it: close that one.", timeout=PATIENCE)
        camera.busy = False
        expect(tile.locator("img")).to_be_visible(timeout=PATIENCE)
        expect(tile.locator(".tile-said")).to_be_empty(timeout=PATIENCE)
        tile.click()
        expect(page.locator("#table-picture")).to_be_visible(timeout=PATIENCE)
        still = next(one["image"] for one in script(SAMPLE)["timeline"] if one["phase"] == "still")
        camera.image = load_image(picture(SAMPLE, still))
        expect(page.locator("#read-said")).to_contain_text("I read", timeout=PATIENCE)
        page.get_by_role("button", name="This is my table").click()
        expect(page.locator("#headline")).to_be_visible(timeout=PATIENCE)
        assert running.state()["match"]["dice_by"] == "camera", "two taps: the camera, and the button that begins"
        page.goto("about:blank")
    running.host.table.stop()
    assert SettingsFile(running.file.path).now.camera == "0"


def until(true: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)
