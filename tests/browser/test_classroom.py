"""A pupil's phone joins a class by the code that the teacher shows, taps a throw in, and then only watches."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.live.table import LiveTable
from companion.web import create_app
from tests.browser.conftest import PATIENCE
from tests.browser.kept_pages import SEEN, UNSEEN
from tests.browser.measures import measure, violations
from tests.web.conftest import PIN
from tests.web.serving import served

pytestmark = pytest.mark.browser

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"resultTypes": ["violations"], "runOnly": TAGS, "rules": {"color-contrast": {"enabled": False}}}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve a table that asks for the owner's PIN, with a match whose dice are tapped in."""
    table = LiveTable(tmp_path / "journal.db")
    table.start()
    match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "tapped"}
    assert table.command("new_match", match, "tests").ok
    with served(create_app(table, trusted_hosts=["127.0.0.1"], owner_pin=PIN)) as found:
        yield found
    table.stop()


def judged(page: Page) -> None:
    """Check what keeps people out: axe, contrast, and that nothing is wider than the window."""
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("h1").first).to_be_attached()  # the table draws its own once it knows its state
    assert violations(page, OPTIONS) == []
    for what in ("contrast", "beyond", "smallTargets", "cutOff"):
        assert measure(page, what) == [], what
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def scanned(page: Page) -> str:
    """Return what a phone's camera reads from the teacher's page."""
    picture = page.locator(".class-code img")
    page.evaluate(SEEN)
    picture.evaluate("image => image.decode()")
    shot = cv2.imdecode(np.frombuffer(picture.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert shot is not None
    text, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(cv2.resize(shot, None, fx=3, fy=3))
    return text


def opened(address: str, open_page: Callable[..., Page]) -> tuple[Page, str]:
    """Open a class as its teacher; return the teacher's page and the code."""
    page = open_page(f"{address}/owner/classroom", quiet=False, ready=False)  # it asks for the PIN first
    page.locator("input[name=pin]").fill(PIN)
    page.locator("main button[type=submit]").click()
    page.get_by_role("button", name="Open a class").click()
    expect(page.locator(".class-digits")).to_be_visible()
    return page, page.locator(".class-digits").inner_text().replace(" ", "")


def test_a_phone_joins_taps_a_throw_in_and_then_only_watches(
    address: str, open_page: Callable[..., Page], browser: Browser
) -> None:
    teacher, digits = opened(address, open_page)
    read = scanned(teacher)
    assert read.endswith(f"/join#{digits}")
    judged(teacher)

    context = browser.new_context(viewport={"width": 390, "height": 844})
    phone = context.new_page()
    phone.add_init_script(UNSEEN)
    phone.set_default_timeout(PATIENCE * 1000)
    phone.goto(f"{address}/")
    expect(phone.locator("#class-text")).to_have_text("A class plays at this table. You are watching.")
    expect(phone.locator("#tap")).to_be_hidden()
    expect(phone.locator("#controls > *")).to_have_count(0)
    phone.get_by_role("link", name="Join the class").click()
    phone.goto(f"{address}/join#{digits}")
    expect(phone.locator("body[data-ready]")).to_be_attached()
    expect(phone.locator("input[name=code]")).to_have_value(digits)
    assert "#" not in phone.url, "the code does not stay in the address"
    judged(phone)
    phone.locator("input[name=name]").fill("Lena")
    phone.get_by_role("button", name="Join the class").click()
    expect(phone).to_have_url(f"{address}/")  # the form's own page greets Lena, too, if its next look comes before
    expect(phone.locator("#class-text")).to_contain_text("Lena, you are watching.")
    judged(phone)

    expect(teacher.locator("#pupils")).to_contain_text("Lena")
    teacher.goto(f"{address}/")
    expect(teacher.locator("#class-text")).to_contain_text(f"{digits[:3]} {digits[3:]}")
    expect(teacher.locator("#class-here")).to_have_text("Here: Lena.")
    teacher.locator("#class-scan summary").click()
    teacher.wait_for_function("() => document.querySelector('#class-scan img').naturalWidth > 0")
    judged(teacher)
    teacher.get_by_role("link", name="Class and pupils").click()
    teacher.get_by_role("button", name="Let pupils tap in").click()
    expect(phone.locator("#class-text")).to_contain_text("Lena, you may tap in what lies on the table.")
    for face in ("A", "IO", "AEI", "MNPR"):
        phone.locator(f"#tap input[value={face}]").first.check(force=True)
    judged(phone)
    phone.locator("#tap button[type=submit]").click()
    expect(phone.locator("#log-fold")).to_contain_text("A IO AEI MNPR")
    expect(phone.locator("#menu button[data-focus=reset]")).to_have_count(0)

    teacher.get_by_role("button", name="Let pupils only watch").click()
    status = "fetch('/api/command/pause', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})"
    expect(phone.locator("#class-text")).to_contain_text("Lena, you are watching.")
    expect(phone.locator("#tap")).to_be_hidden()
    assert phone.evaluate(f"{status}.then((answer) => answer.status)") == 403
    teacher.get_by_role("button", name="Remove Lena").click()
    expect(phone.locator("#class-text")).to_have_text("A class plays at this table. You are watching.")
    teacher.get_by_role("button", name="End the class").click()
    expect(phone.locator("#class")).to_have_count(0)
    expect(phone.locator("#tap")).to_be_visible()
    context.close()
