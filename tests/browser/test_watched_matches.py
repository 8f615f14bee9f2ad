"""A camera is shown only in a match that it watches: beside a sample, a match of one's own shows nothing of it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def sample(server: Callable[..., Server]) -> Server:
    return server("--sample", "ludus-regularis", "--pace", "4")


def own_match(sample: Server, game: str = "ludix", dice_by: str = "program") -> None:
    sample.command("new_match", game=game, players=["Anna", "Berno"], options={}, dice_by=dice_by)


def check_no_camera(page: Page) -> None:
    expect(page.locator("#camera-badge")).to_be_hidden()
    expect(page.locator("#beside-switch")).to_be_hidden()
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.locator("aside.sample:not(.demo)")).to_be_hidden()
    expect(page.locator(".table-picture, .crop")).to_have_count(0)
    expect(page.locator("#main")).not_to_contain_text("camera", ignore_case=True, use_inner_text=True)


def test_in_a_match_beside_the_sample_the_programs_throw_is_shown_and_no_camera_or_its_verdict(
    sample: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(sample.address)
    expect(page.locator("#camera-badge")).to_have_text("camera is live")
    expect(page.locator("#table-picture")).to_be_visible()
    expect(page.locator("aside.sample:not(.demo)")).to_be_visible()
    own_match(sample)
    expect(page.locator("#headline")).to_have_text("Anna throws the four dice.")
    expect(page.locator("#subline")).to_have_text("The program throws the dice of this match.")
    check_no_camera(page)
    page.get_by_role("button", name="Throw", exact=True).click()
    expect(page.locator("#dice-now")).to_contain_text("Throw 1")  # no dice at rest any more
    expect(page.locator("#dice-now .die-seen")).to_have_count(4)
    thrown = sample.state()["throw"]["faces"]
    shown = [die.get_attribute("aria-label") or "" for die in page.locator("#dice-now .die").all()]
    assert sorted(label.split()[-1] for label in shown) == sorted(thrown.values())
    page.wait_for_timeout(1600)  # of the sample, in which its dice would be thrown and read again
    expect(page.locator("#dice-now .die-seen")).to_have_count(4)
    check_no_camera(page)
    page.goto(f"{sample.address}/new?game=ludus-regularis")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("input[name=dice_by][value=camera]")).to_have_count(0)
    expect(page.locator("input[name=dice_by][value=program]")).to_be_checked()
    own_match(sample, "ludus-regularis", "tapped")
    page.goto(sample.address)
    page.wait_for_selector("body[data-ready]")
    check_no_camera(page)
    sample.command("pause")
    expect(page.locator("#headline")).to_contain_text("paused")
    page.wait_for_timeout(1600)  # of the sample
    assert page.locator(".leads, .virtue[data-pointed]").count() == 0
    check_no_camera(page)


def test_what_was_opened_in_one_match_is_closed_in_the_next(sample: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(sample.address, quiet=False)  # a picture of the match before may be gone when it is asked for
    page.get_by_role("button", name="Camera and referee").click()
    expect(page.locator("#beside")).to_be_visible()
    page.reload()
    expect(page.locator("#beside")).to_be_visible()
    sample.command("reset")  # the sample's next match, which its camera watches too
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.get_by_role("button", name="Camera and referee")).to_be_visible()
    page.get_by_role("button", name="Camera and referee").click()
    expect(page.locator("#beside")).to_be_visible()
    own_match(sample, "ludus-regularis", "tapped")
    check_no_camera(page)
    sample.command("resume", match=2)
    expect(page.get_by_role("button", name="Camera and referee")).to_be_visible()
    expect(page.locator("#beside")).to_be_hidden()


def test_a_throw_that_is_lost_is_not_called_won(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.new_match()
    shared_server.throw("A IO AEI BCDF")
    page = open_page(shared_server.address)
    expect(page.locator(".facts")).to_contain_text("It needed a consonant of")
    assert "won" not in page.locator(".facts").inner_text().lower()
