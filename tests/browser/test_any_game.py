"""Any game can be played on the page: its board as text, a button for each choice, throws tapped, choices undone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.playing import by_hand

pytestmark = pytest.mark.browser


def test_a_tables_match_is_begun_thrown_played_and_taken_back(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server("--game", "tables/zeno")
    page = open_page(f"{running.address}/new")
    assert page.locator("input[name=game]:checked").get_attribute("value") == "tables/zeno"
    by_hand(page)
    page.get_by_role("button", name="Begin the match").click()
    page.wait_for_url(f"{running.address}/")
    expect(page.locator("#drawn")).to_contain_text("15o")
    expect(page.locator("#players .score")).to_have_text(["0 of 15 men home"] * 2)
    for hidden in (".rim", ".pairs", ".curve", "#board-switch"):
        expect(page.locator(hidden)).to_be_hidden()
    for row, face in enumerate(("2", "5", "6")):
        page.locator(".face-row").nth(row).locator(f"input[value='{face}']").check(force=True)
    page.get_by_role("button", name="Enter this throw").click()
    page.get_by_text("Moves in writing").click()
    page.get_by_role("button", name="a-c", exact=True).click()
    expect(page.locator("#drawn")).to_contain_text("14x")
    page.get_by_role("button", name="Undo a-c").click()
    expect(page.locator("#drawn")).to_contain_text("15x")
    expect(page.locator("#log")).to_contain_text("was taken back")
    for step, then in (("a-c", "14x"), ("a-f", "13x"), ("a-g", "12x")):
        page.get_by_role("button", name=step, exact=True).click()
        expect(page.locator("#drawn")).to_contain_text(then)  # the next button has its place
    expect(page.locator("#subline")).to_contain_text("Player 2")
    state = running.state()
    assert state["match"]["throws"] == 1
    assert state["awaits"]["kind"] == "throw"


def test_the_wheel_is_tapped_by_the_names_of_its_virtues(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game="ludus-regularis/wheel", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/")
    page.get_by_role("radio", name="Mercy").check(force=True)
    page.get_by_role("button", name="Enter this virtue").click()
    expect(page.locator(".player .score").first).to_contain_text("1")
    assert {virtue["id"]: virtue["owner"] for virtue in shared_server.state()["virtues"]}["1.2.5"] == 1


def test_a_page_that_follows_the_table_goes_from_one_game_to_another(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    page = open_page(f"{shared_server.address}/")
    expect(page.locator("#drawn")).to_be_hidden()
    shared_server.command("new_match", game="ludix", players=["Anna", "Berno"], dice_by="program")
    expect(page.locator("#ludix")).to_be_visible()
    expect(page.locator(".curve")).to_be_hidden()
    shared_server.new_match()
    expect(page.locator("#ludix")).to_be_hidden()
    expect(page.locator("#drawn")).to_be_hidden()
    expect(page.locator(".curve")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_game_without_dice_is_typed_or_tapped_and_tells_no_capture(
    shared_server: Server, open_page: Callable[..., Page], width: int
) -> None:
    shared_server.command("new_match", game="rithmomachia/mebben", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/", width, quiet=False)  # the console tells of the refusal
    for hidden in ("#dice-now", "#tap", ".curve"):
        expect(page.locator(hidden)).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator("#players .score")).to_have_text(["0 points"] * 2)
    page.get_by_text("Moves in writing").click()
    page.get_by_label("Type the move").fill("c13-c12")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#headline")).to_contain_text("from c13 to c12")
    expect(page.locator(".choice-buttons button")).to_have_text(["Done"])
    page.get_by_label("Type the move").fill("nonsense")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("body")).to_contain_text("'nonsense'")
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator("#subline")).to_contain_text("Anna")


def test_an_earlier_choice_is_left_out_with_a_reason(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    shared_server.command("throw", faces={"1": "2", "2": "5", "3": "6"})
    for step in ("a-c", "a-f", "a-g"):
        shared_server.command("choose", text=step)
    page = open_page(f"{shared_server.address}/")
    page.get_by_text("What happened").click()
    page.get_by_role("button", name="Correct a-f").click()
    dialog = page.locator("#correct")
    expect(dialog).to_contain_text("It was not played: leave it out")
    dialog.get_by_label("Reason").fill("That man was not moved.")
    dialog.get_by_role("button", name="Show what this changes").click()
    expect(dialog).to_contain_text("2 places on the board would change")
    dialog.get_by_role("button", name="Apply the correction").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#drawn")).to_contain_text("13x")
    assert shared_server.state()["awaits"]["player"] == 1
