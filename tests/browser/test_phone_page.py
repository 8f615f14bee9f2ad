"""A phone becomes the camera: the code is scanned, pictures come encrypted, and two phones are never mixed."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Server
from tests.browser.kept_pages import SEEN
from tests.browser.measures import measure, violations
from tests.browser.test_page import NAMELESS, SMALL_TARGETS

pytestmark = pytest.mark.browser

# Contrast and targets have measures of our own, which are stricter and take a tenth of the time.
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": False}},
}
TURN = """() => {
  const view = document.getElementById("camera-view");
  const [width, height] = [view.videoHeight, view.videoWidth];
  Object.defineProperties(view, { videoWidth: { value: width }, videoHeight: { value: height } });
}"""
PATIENCE = 120_000  # milliseconds


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the certificate away from the user's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def phones(browser: Browser) -> Iterator[Callable[[], Page]]:
    """Return a maker of phones, each a browser of its own that is past the warning about the certificate."""
    opened: list[BrowserContext] = []

    def make() -> Page:
        context = browser.new_context(
            ignore_https_errors=True, viewport={"width": 390, "height": 844}, permissions=["camera"]
        )
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        return context.new_page()

    yield make
    for context in opened:
        context.close()


def scanned(page: Page) -> str:
    """Read the code from the page as a phone's camera does; the network's address becomes this machine's own."""
    picture = page.locator("#code-picture")
    expect(picture).to_be_visible()
    page.evaluate(SEEN)
    picture.evaluate("image => image.decode()")
    shot = cv2.imdecode(np.frombuffer(picture.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert shot is not None
    text, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(cv2.resize(shot, None, fx=3, fy=3))
    found = re.fullmatch(r"https://[^/]+:(\d+)/phone#\S+", text)
    assert found, text
    return re.sub(r"//[^/]+:", "//localhost:", text)


def test_a_phone_is_scanned_in_sends_is_lost_and_is_taken_over_from(
    server: Callable[..., Server], open_page: Callable[..., Page], phones: Callable[[], Page]
) -> None:
    running = server("--phone", "--phone-port", "0")
    table = open_page(f"{running.address}/")
    page = open_page(f"{running.address}/camera")
    page.get_by_role("button", name="Show the code").click()
    expect(page.locator("#code")).to_be_visible()
    expect(page.locator("#telephone-state")).to_have_text("Waiting for the phone.")
    first = phones()
    first.goto(scanned(page))
    expect(first.locator("#camera-status")).to_contain_text("The table knows this phone.")
    assert "#" not in first.url  # the token does not stay in the address
    expect(page.locator("#code")).to_be_hidden()  # it lets nobody in a second time
    for one in (first, page):
        assert one.evaluate(SMALL_TARGETS) == []
        assert one.evaluate(NAMELESS) == []
        assert violations(one, WCAG) == []
        assert measure(one, "contrast") == []
    assert first.evaluate("document.documentElement.scrollWidth") <= 390
    first.keyboard.press("Enter")  # the button has the focus
    expect(first.locator("#camera-status")).to_contain_text(
        re.compile(r"Sending\. \d+ pictures sent"), timeout=PATIENCE
    )
    expect(page.locator("#telephone-state")).to_contain_text("its last picture came 0.", timeout=PATIENCE)
    expect(table.locator("#camera-badge")).to_have_text("phone is live", timeout=PATIENCE)
    page.get_by_role("button", name="Show the code").click()
    expect(page.locator("#code")).to_be_visible()
    second = phones()
    second.goto(scanned(page))
    second.get_by_role("button", name="Start the camera").click()
    expect(second.locator("#camera-status")).to_contain_text("Another device is this table's camera.", timeout=PATIENCE)
    second.get_by_role("button", name="Take over").click()
    expect(second.locator("#camera-status")).to_contain_text("pictures sent", timeout=PATIENCE)
    expect(first.locator("#camera-status")).to_contain_text("Another device is this table's camera.", timeout=PATIENCE)
    second.context.set_offline(True)
    expect(second.locator("#camera-status")).to_contain_text("The table does not answer", timeout=PATIENCE)
    second.context.set_offline(False)
    expect(second.locator("#camera-status")).to_contain_text("pictures sent", timeout=PATIENCE)
    second.evaluate(TURN)
    expect(second.locator("#camera-notes")).to_contain_text("turned sideways", timeout=PATIENCE)
    second.get_by_role("button", name="Stop the camera").click()
    expect(table.locator("#camera-badge")).to_have_text(re.compile(r"phone: last picture \d s ago"), timeout=PATIENCE)
    expect(table.locator("#status")).to_have_attribute("data-state", "BLIND")
    expect(page.locator("#telephone-state")).to_contain_text("The phone is sending nothing")
    page.get_by_role("button", name="Stop this phone from sending").click()
    first.get_by_role("button", name="Take over").click()
    expect(first.locator("#camera-status")).to_contain_text("no longer knows this phone", timeout=PATIENCE)


def test_a_table_opens_to_a_phone_when_its_code_is_asked_for_which_opens_once_and_nothing_without_one(
    server: Callable[..., Server], open_page: Callable[..., Page], phones: Callable[[], Page]
) -> None:
    running = server("--phone-port", "0")
    page = open_page(f"{running.address}/camera")
    page.get_by_role("button", name="A phone").click()
    address = scanned(page)
    stranger = phones()
    stranger.goto(address.partition("#")[0])
    stranger.get_by_role("button", name="Start the camera").click()
    expect(stranger.locator("#camera-status")).to_contain_text("scan the code", timeout=PATIENCE)
    assert running.state()["camera"]["status"] == "STARTING"
    phone = phones()
    phone.goto(address)
    expect(page.locator("#code")).to_be_hidden()
    stranger.goto("about:blank")
    stranger.goto(address)
    expect(stranger.locator("#camera-status")).to_contain_text("used already or has expired")
    expect(stranger.get_by_role("button", name="Start the camera")).to_be_disabled()
    phone.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#table-picture")).to_be_visible(timeout=PATIENCE)
    assert running.state()["camera"]["telephone"]
