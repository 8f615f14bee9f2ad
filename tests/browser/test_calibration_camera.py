"""The page's steps for the camera itself: its lens is measured, its light held, and a hand in the picture noticed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.vision.boards.board_profile import load
from companion.web import create_app
from tests.browser.measures import violations
from tests.browser.test_page import NAMELESS, SMALL_TARGETS
from tests.browser.test_phone_page import WCAG
from tests.calibration.board.test_guide import Holding, shown, with_arm
from tests.calibration.board.test_lens import VIEWS, view
from tests.calibration.board.test_lens_guide import bent
from tests.web.fake_table import FakeTable
from tests.web.serving import served

pytestmark = pytest.mark.browser

PATIENCE = 120_000  # milliseconds


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.board.kept.folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def seen() -> Iterator[tuple[Holding, str]]:
    table = FakeTable()
    table.camera = camera = Holding(view(0))
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        yield camera, address


def clean(page: Page) -> None:
    """Nobody is kept out of this step."""
    for check in (SMALL_TARGETS, NAMELESS):
        assert page.evaluate(check) == []
    assert violations(page, WCAG) == []


def test_the_lens_is_measured_the_light_held_and_an_arm_in_the_picture_noticed(
    seen: tuple[Holding, str], open_page: Callable[..., Page], folder: Path
) -> None:
    camera, address = seen
    page = open_page(f"{address}/calibrate", 390, 844, quiet=False)
    expect(page.locator("#shown")).to_be_visible()
    page.get_by_role("button", name="Measure the lens").click()
    measure = page.get_by_role("button", name="Measure the lens now")
    expect(measure).to_be_disabled()
    for number in range(len(VIEWS)):
        camera.image = view(number)
        expect(page.locator("body")).to_have_attribute("data-poses", str(number + 1), timeout=PATIENCE)
    expect(page.locator("#poses .pose")).to_have_count(len(VIEWS))
    expect(page.locator("#said")).to_contain_text("measure the lens now")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    clean(page)
    measure.click()
    expect(page.locator("#lens-result")).to_contain_text("measured well", timeout=PATIENCE)
    page.keyboard.press("Enter")  # the way back has the focus
    expect(page.locator("#lens-use")).to_be_checked()
    expect(page.locator("#hold")).to_be_checked()
    camera.image = bent(with_arm(shown().image))
    page.get_by_role("button", name="Take the picture").click()
    expect(page.locator("#notes")).to_contain_text("The exposure is locked at 157.", timeout=PATIENCE)
    camera.image = bent(shown().image)  # the hand has gone to the button
    page.get_by_role("button", name="The outline is right").click()
    expect(page.locator("#wrong")).to_contain_text("does not look as it did", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Only men were moved")).to_be_visible()
    clean(page)
    page.get_by_role("button", name="Take another picture").click()
    expect(page.locator("#wrong")).to_be_empty(timeout=PATIENCE)
    expect(page.locator("body")).not_to_have_attribute("aria-busy", "true", timeout=PATIENCE)
    page.get_by_role("button", name="The outline is right").click()
    expect(page.locator("body")).to_have_attribute("data-step", "colours", timeout=PATIENCE)
    page.get_by_role("button", name="Skip this").click()
    page.get_by_role("button", name="Keep it and use it now").click()
    expect(page.locator("body")).to_have_attribute("data-step", "done", timeout=PATIENCE)
    profile = load(folder / "tables-kit.board")
    assert profile.lens is not None
    assert profile.camera == {"exposure": 157.0, "white balance": 4600.0, "focus": 30.0}
    straight = profile.lens.straighten(profile.corners)
    assert np.ptp(straight - shown().corners, axis=0).max() < 12  # the same board but for what a homography takes up
