"""Whole ways of people through the page: a match tapped in, corrected, taken up again, played by keys and by itself."""

import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import THROW, Server
from tests.browser.playing import by_hand, unfold_log

pytestmark = pytest.mark.browser

PAX = "A IO AEI MNPR"
BENIGNITAS = "A EIOUA IOUAEI BCDF"
THIRD = "A IOUA IOUAE STXZ"
MISSED = "EI IO AEI STXZ"  # Gaudium lacks two U's


def tap(page: Page, faces: str) -> None:
    """Choose a face for each die and enter the throw."""
    for die, face in zip(THROW, faces.split(), strict=False):
        page.locator(f"#tap input[data-die='{die}'][value='{face}']").check(force=True)
    page.get_by_role("button", name="Enter this throw").click()


def test_a_short_match_is_tapped_in_to_its_end(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/new")
    by_hand(page)
    page.get_by_role("textbox", name="Player 1").fill("Wibold")
    page.get_by_role("textbox", name="Player 2").fill("Hucbald")
    page.get_by_role("radio", name="When somebody holds an agreed number").check(force=True)
    page.get_by_role("spinbutton", name="How many virtues").fill("2")
    page.get_by_role("button", name="Begin the match").click()
    expect(page.locator("#headline")).to_contain_text("Wibold throws")
    tap(page, PAX)
    expect(page.locator("#headline")).to_contain_text("wins Peace")
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    expect(page.locator(".rim [data-lot='1.2.3'] .throw-number")).to_have_text("1")
    expect(page.locator(".holdings .held")).to_have_text("Peace")
    expect(page.locator("#subline")).to_contain_text("Hucbald throws")
    tap(page, MISSED)
    expect(page.locator("#headline")).to_contain_text("the cubes lack two U's")
    tap(page, BENIGNITAS)
    expect(page.locator("#outcome")).to_be_visible()
    expect(page.locator(".rank").first).to_contain_text("Wibold")
    expect(page.locator(".rank").first).to_contain_text("Teacher")
    page.locator(".rank summary").nth(1).click()
    pupils = page.locator(".rank").nth(1).locator(".habits li")
    expect(pupils).to_have_count(56)
    expect(pupils.first).to_contain_text("Karitas")


def test_the_second_cast_asks_for_one_cube_and_the_virtues_are_walked_by_arrows(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    shared_server.throw("A E I MNPR")
    page = open_page(shared_server.address)
    expect(page.locator("#tap-heading")).to_have_text("Enter the second cast")
    page.locator("#tap input[data-die='1'][value='EI']").check(force=True)
    page.locator("#tap input[data-die='2'][value='UAE']").check(force=True)
    assert page.locator("#tap input:checked").count() == 1
    page.get_by_role("button", name="Enter this cast").click()
    expect(page.locator(".rim [data-lot='1.1.1']")).to_have_attribute("data-owner", "1")
    page.locator(".rim button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#virtue-details")).to_contain_text("Fides")
    expect(page.locator("#virtue-details")).to_contain_text("Self-control")


def corrected(page: Page, throw: int, reason: str, faces: dict[str, str]) -> Locator:
    """Correct a throw, to be left out if it has no faces, up to what this changes; return the dialog."""
    unfold_log(page)
    page.get_by_role("button", name=f"Correct throw {throw}").click()
    dialog = page.locator("#correct")
    if not faces:
        dialog.get_by_label("It was not a throw").check()
    for die, face in faces.items():
        dialog.locator(f"input[data-die='{die}'][value='{face}']").check(force=True)
    dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name="Show what this changes").click()
    return dialog


def test_a_correction_shows_what_it_changes_before_it_does_leaves_a_throw_out_or_ends_the_match(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    shared_server.throw(PAX)
    shared_server.throw(MISSED)
    page = open_page(shared_server.address, quiet=False)  # what was shown is refused once the match has moved on
    dialog = corrected(page, 1, "The tetrahedron was read wrongly.", {"consonants": "BCDF"})
    expect(dialog.locator(".effects")).to_contain_text("Peace: Anna → free")
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    shared_server.throw(MISSED)
    shared_server.throw(PAX)  # of Berno, whose Pax it would be now
    dialog.get_by_role("button", name="Apply the correction").click()
    expect(dialog.get_by_role("alert").first).to_contain_text("The match has moved on")
    expect(dialog.locator(".effects")).to_contain_text("Peace: Anna → Berno")
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    shared_server.throw(MISSED)  # this changes nothing of the effect
    dialog.get_by_role("button", name="Apply the correction").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "2")
    expect(page.locator("#log")).to_contain_text("corrected")
    expect(page.locator(".player[data-player='1'] .score")).to_contain_text("0")

    shared_server.new_match(ending="first-to", target=2)
    shared_server.throw(PAX)
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    dialog = corrected(page, 1, "A die fell off the table.", {})
    dialog.get_by_role("button", name="Apply the correction").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#headline")).to_contain_text("Anna throws")

    for faces in (PAX, MISSED, MISSED, MISSED):
        shared_server.throw(faces)
    expect(page.locator(".progress-text")).to_contain_text("4 throws")
    dialog = corrected(page, 3, "It was Benignitas.", dict(zip(THROW, BENIGNITAS.split(), strict=True)))
    expect(dialog.locator(".misfits")).to_contain_text("no longer fits")
    dialog.get_by_label("Keep only the throws before").check()
    dialog.get_by_role("button", name="Apply the correction").click()
    expect(page.locator("#outcome")).to_contain_text("Anna is the teacher")


def test_an_open_page_goes_on_after_the_server_was_restarted(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server()
    running.new_match()
    running.throw(PAX)
    page = open_page(running.address, quiet=False)
    expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    for how, faces, lot, owner in ((signal.SIGTERM, BENIGNITAS, "1.5.6", "2"), (signal.SIGKILL, THIRD, "1.4.5", "1")):
        running.stop(how)
        running.start()
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        running.throw(faces)
        expect(page.locator(f".rim [data-lot='{lot}']")).to_have_attribute("data-owner", owner)
        expect(page.locator(".rim [data-lot='1.2.3']")).to_have_attribute("data-owner", "1")
    assert running.state()["match"]["throws"] == 3


def test_everything_that_a_throw_needs_is_on_the_keys(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/new")
    by_hand(page)
    page.get_by_role("textbox", name="Player 1").focus()
    for _ in range(40):
        if page.evaluate("document.activeElement.textContent.trim()") == "Begin the match":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{shared_server.address}/")
    page.wait_for_selector("#tap input[data-die='1']")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.die") == "1":
            break
    for key in "1233":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_contain_text("wins Peace")
    assert page.evaluate("document.activeElement.dataset.die") == "1", "the next player's first cube has the focus"
    for key in "2433":
        page.keyboard.press(key)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".progress-text")).to_contain_text("2 throws")


def test_the_program_plays_and_stops(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.new_match("program")
    page = open_page(shared_server.address)
    page.get_by_role("button", name="Throw", exact=True).click()
    expect(page.locator("#dice-now")).to_contain_text("Throw 1, ")  # the menu was drawn again with it
    page.locator(".more summary").click()
    page.get_by_label("Pace").select_option("fast")
    page.get_by_role("button", name="Auto-play").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-focus=auto]")).to_have_text("Auto-play")  # *Stop* stands in its place until it is done
    throws = shared_server.state()["match"]["throws"]
    page.wait_for_timeout(300)
    assert shared_server.state()["match"]["throws"] == throws > 0
    page.get_by_text("More").click()
    page.get_by_role("button", name="Restart match").click()
    page.locator("#confirm").get_by_role("button", name="Restart match").click()
    expect(page.locator(".progress-text")).to_contain_text("0 throws")


def test_pause_finish_export_import_and_take_up(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.new_match()
    shared_server.throw(PAX)
    page = open_page(shared_server.address, quiet=False)  # a refusal is asked for below
    page.get_by_text("More").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#headline")).to_contain_text("paused")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#subline")).to_contain_text("Berno throws")
    page.get_by_text("More").click()
    with page.expect_download() as started:
        page.get_by_role("button", name="Export").click()
    page.get_by_text("More").click()
    assert started.value.suggested_filename.startswith("Anna-Berno")
    page.get_by_role("button", name="End by agreement").click()
    page.locator("#confirm").get_by_role("button", name="End by agreement").click()
    expect(page.locator("#outcome")).to_be_visible()
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#outcome")).to_be_hidden()
    assert [player["name"] for player in shared_server.state()["match"]["players"]] == ["Berno", "Anna"], (
        "whoever began is last now"
    )
    page.goto(f"{shared_server.address}/matches")
    page.wait_for_selector("body[data-ready]")
    page.locator("#import-file").set_input_files(started.value.path())
    page.get_by_role("button", name="Import a match").click()
    expect(page.locator("#import-wrong")).to_contain_text("already")


def test_a_rematch_keeps_the_names_that_every_reader_meets_in_the_own_language(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.command("new_match", game="ludus-regularis", players=["", "The program"], dice_by="program")
    shared_server.command("finish", reason="late")
    page = open_page(f"{shared_server.address}/?language=fr")
    before = shared_server.state()["match"]["id"]
    expect(page.locator("#match-name")).to_contain_text("Joueur 1, Le programme")
    page.locator("#controls [data-focus=new_match]").click()
    expect(page.locator("#outcome")).to_be_hidden()
    match = shared_server.state()["match"]
    assert match["id"] != before
    assert [player["name"] for player in match["players"]] == ["The program", "Player 1"]
