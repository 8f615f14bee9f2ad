"""What happened: a match gone through by keys, a disputed move, a correction, an undoing, a match taken up."""

import re
import struct
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.test_match import BENIGNITAS, MISSED, PAX
from tests.browser.test_page import NAMELESS, SMALL_TARGETS

pytestmark = pytest.mark.browser


def ludus(running: Server) -> int:
    """Play four throws of which the second was left out; return the match."""
    running.new_match()
    for faces in (PAX, MISSED, BENIGNITAS, MISSED):
        running.throw(faces)
    data = {"event": 3, "faces": None, "reason": "A die fell off the table."}
    token = running.command("preview_correction", **data)["data"]["token"]
    running.command("correct", **data, token=token, keep="all")
    return int(running.state()["match"]["id"])


def zeno(running: Server) -> int:
    """Throw and move two men of a game of tables; return the match."""
    running.command("new_match", game="tables/zeno", players=["Zeno", "Agathias"], dice_by="tapped")
    running.command("throw", faces={"1": "2", "2": "5", "3": "6"})
    running.command("choose", text="a-c")
    running.command("choose", text="a-f")
    return int(running.state()["match"]["id"])


def test_a_match_is_gone_through_with_the_keyboard(shared_server: Server, open_page: Callable[..., Page]) -> None:
    match = ludus(shared_server)
    page = open_page(f"{shared_server.address}/matches")
    page.get_by_role("link", name="Replay Anna, Berno").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/matches/{match}**")
    page.wait_for_selector("body[data-ready]")
    sentence, pax = page.locator("#replay-sentence"), page.locator(".rim [data-lot='1.2.3']")
    expect(sentence).to_have_text("Throw 2 of Berno was left out: A die fell off the table.")
    slider = page.get_by_role("slider", name="Which event")
    slider.focus()
    page.keyboard.press("Home")
    expect(sentence).to_have_text("The match began.")
    expect(pax).not_to_have_attribute("data-owner", "1")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text("Pax")
    expect(pax).to_have_attribute("data-owner", "1")
    expect(page.locator(".player[data-player='1'] .score")).to_contain_text("1")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Event 2 of 6"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay-since")).to_contain_text("It was left out later.")
    expect(page.locator("#replay-since")).to_contain_text("A die fell off the table.")
    page.wait_for_url("**?event=3")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(slider).to_have_value("3")  # the address says where one was
    with page.expect_download() as kept:  # headless Chromium shares no files, so the picture is kept
        page.get_by_role("button", name="Save or share the result as a picture").click()
    png = kept.value.path().read_bytes()
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (1200, 630)
    page.get_by_role("button", name="One event back").press("Enter")
    expect(slider).to_have_value("2")
    page.get_by_label("Pace").select_option("fast")
    page.get_by_role("button", name="Play").press("Space")
    expect(slider).to_have_value("6")
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Go to event 3").press("Enter")
    expect(slider).to_have_value("3")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL_TARGETS) == []
        assert page.evaluate(NAMELESS) == []


def test_the_men_stand_in_the_replay_as_they_stood(shared_server: Server, open_page: Callable[..., Page]) -> None:
    match = zeno(shared_server)
    page = open_page(f"{shared_server.address}/matches/{match}?event=3")
    board = page.locator("#replay-men .men-board")
    expect(board).to_have_attribute("aria-label", "a: 14 light; c: 1 light; z: 15 dark")
    page.get_by_role("button", name="To the end").click()
    expect(board).to_have_attribute("aria-label", "a: 13 light; c: 1 light; f: 1 light; z: 15 dark")
    expect(board.locator(".arrow.last")).to_have_count(2)
    with page.expect_download() as started:
        page.get_by_role("button", name="Export").click()
    assert started.value.suggested_filename == f"Zeno-Agathias-{match}.jsonl"
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#looked svg path.actual")).to_have_attribute("d", re.compile("^M"))
    expect(page.locator("#looked")).to_contain_text("Zeno: luck with the dice")
    expect(page.locator("#look-progress")).to_be_hidden()


def test_a_disputed_move_is_judged_by_the_rules_and_corrected(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    zeno(shared_server)
    page = open_page(shared_server.address)
    page.get_by_text("What happened").click()
    page.locator(".log-what").nth(1).press("Enter")
    dialog = page.locator("#dispute")
    expect(dialog).to_contain_text("No camera saw it")
    claim = dialog.get_by_role("textbox")
    claim.fill("a-e")
    claim.press("Enter")
    expect(dialog.get_by_role("status")).to_contain_text("It would not have been allowed.")
    claim.fill("a-g")
    claim.press("Enter")
    expect(dialog.get_by_role("status")).to_contain_text("It would have been allowed.")
    dialog.get_by_role("button", name="Correct it to a-g").click()
    correct = page.locator("#correct")
    correct.get_by_label("Reason").fill("It was the six.")
    correct.get_by_role("button", name="Show what this changes").click()
    expect(correct.locator(".effects")).to_contain_text("c: 1 → empty")
    assert shared_server.state()["board"]["men"]["c"] == {"1": 1}, "nothing has changed yet"
    correct.get_by_role("button", name="Apply the correction").click()
    expect(correct).to_be_hidden()
    expect(page.locator("#log")).to_contain_text("A move of Zeno was changed to a-g: It was the six.")
    assert shared_server.state()["board"]["men"]["g"] == {"1": 1}


def test_what_was_tapped_is_undone_by_one_tap_and_restored_by_another(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    zeno(shared_server)
    page = open_page(shared_server.address)
    used = page.locator(".die-seen.used .die-words")
    expect(used).to_have_text(["used", "used"])  # of three dice
    page.get_by_role("button", name="Undo a-f").click()
    expect(page.locator("#log")).to_contain_text("The move a-f of Zeno was taken back: Tapped by mistake.")
    expect(used).to_have_text(["used"])
    page.locator(".notice").get_by_role("button", name="Restore").click()
    expect(used).to_have_text(["used", "used"])
    shared_server.new_match()
    shared_server.throw(PAX)
    page.get_by_role("button", name="Undo throw 1").click()
    expect(page.locator("#log")).to_contain_text("Throw 1 of Anna was left out: Tapped by mistake.")
    page.locator(".notice").get_by_role("button", name="Restore").click()
    expect(page.locator(".leads-virtue strong")).to_have_text("Peace")
    for die, face in (("1", "A"), ("2", "IO")):
        page.locator(f"#tap input[data-die='{die}'][value='{face}']").check(force=True)
    page.locator("#tap").get_by_role("button", name="Undo").click()
    assert page.locator("#tap input:checked").evaluate_all("boxes => boxes.map(box => box.dataset.die)") == ["1"]
    page.keyboard.press("Backspace")  # the focus is on the button, so nothing happens
    page.locator("#tap input:checked").press("Backspace")
    expect(page.locator("#tap input:checked")).to_have_count(0)


def test_nobody_makes_the_program_throw_twice(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.new_match("program")
    shared_server.command("roll")
    page = open_page(shared_server.address)
    expect(page.locator("#log")).to_contain_text("Throw 1")
    expect(page.get_by_role("button", name=re.compile("Undo|Take back"))).to_have_count(0)


def test_a_match_that_was_left_is_taken_up_where_it_stood(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    left = zeno(shared_server)
    shared_server.new_match()
    page = open_page(f"{shared_server.address}/matches")
    page.locator(f".match[data-match='{left}'] .resume").press("Enter")
    page.wait_for_url(f"{shared_server.address}/")
    expect(page.locator("#headline")).to_contain_text("Zeno")
    expect(page.locator(".men-board").first).to_be_visible()
    assert shared_server.state()["match"]["id"] == left
    assert not shared_server.state()["match"]["paused"]
