"""The camera page with Chromium's own fake camera before sample tables: what is committed is what the labels say."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.vision.images import load_image
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import PATIENCE, Server
from tests.browser.filmed_match import committed, picture, play_ludus, play_zeno, script, turns
from tests.browser.kept_pages import UNSEEN

pytestmark = pytest.mark.browser

ZENO_PLIES = 1
LUDUS_CASTS = 2


def test_moves_before_the_browsers_camera_are_committed_as_they_were_played(
    server: Callable[..., Server], browser: Browser, chromium: str, tmp_path: Path
) -> None:
    running = server("--board-camera", "push")
    script_of = script("zeno")
    camera = ChromiumCamera(tmp_path / "camera.y4m", load_image(picture("zeno", script_of["timeline"][0]["image"])))
    with camera.launch(browser, chromium) as other:
        page = other.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(UNSEEN)
        page.goto(f"{running.address}/camera")
        page.wait_for_selector("body[data-ready]")
        page.get_by_role("button", name="Start the camera").click()
        expect(page.locator("#table-picture")).to_be_visible()
        running.command(
            "new_match", game="tables/zeno", players=script_of["players"], dice_by="tapped", men_by="camera"
        )
        true = play_zeno(running, camera, ZENO_PLIES)
        assert turns(script_of, committed(running)) == turns(script_of, true)


def test_throws_before_the_browsers_camera_are_committed_as_they_lie(
    server: Callable[..., Server], browser: Browser, chromium: str, tmp_path: Path
) -> None:
    running = server("--camera", "push")
    script_of = script("ludus-regularis")
    empty = picture("ludus-regularis", script_of["timeline"][0]["image"])
    camera = ChromiumCamera(tmp_path / "camera.y4m", load_image(empty))
    with camera.launch(browser, chromium) as other:
        page = other.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(UNSEEN)
        page.goto(f"{running.address}/camera")
        page.wait_for_selector("body[data-ready]")
        page.get_by_role("button", name="Start the camera").click()
        expect(page.locator("#table-picture")).to_be_visible()
        running.command(
            "new_match",
            game=script_of["game"],
            players=script_of["players"],
            options=script_of["options"],
            dice_by="camera",
        )
        true = play_ludus(running, camera, LUDUS_CASTS)
        assert turns(script_of, committed(running)) == turns(script_of, true)
        dispute_with_evidence(other.new_page(), running.address, len(true[-1]["faces"]))


def dispute_with_evidence(page: Page, address: str, dice: int) -> None:
    """Look closer at the cast of so many dice that was read last: what was seen lies beside the correction."""
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.get_by_text("What happened").click()
    page.locator(".log-what").first.click()
    dialog = page.locator("#dispute")
    expect(dialog.locator(".dispute-dice .die-seen")).to_have_count(4)
    expect(dialog.locator(".dispute-dice")).to_contain_text("certain")
    pictures = dialog.locator(".dispute-pictures img")
    expect(pictures).to_have_count(2)
    for number in range(2):
        assert pictures.nth(number).evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    dialog.get_by_role("button", name="It was read wrongly").click()
    expect(page.locator("#correct .correct-picture")).to_be_visible()
    expect(page.locator("#correct input:checked")).to_have_count(dice)
