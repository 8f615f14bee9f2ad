"""Choosing a game and playing it: by keys alone, against the program, with the arithmetic and the odds in words."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.rules.registry import games
from companion.rules.rithmomachia.position import RithmoPosition
from tests.browser.conftest import Server
from tests.browser.playing import by_hand

pytestmark = pytest.mark.browser
BATTLE = "rithmomachia/durnil-guardia"
LETTERS_HAVE_COME = "document.fonts.ready.then(() => true)"  # late ones move the page once


def tab_to(page: Page, reached: str, most: int = 60) -> None:
    """Press Tab until an expression on the focused element `e` is true."""
    for _ in range(most):
        if page.evaluate(f"(e => Boolean({reached}))(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{reached} was not reached")


def test_a_match_of_tables_is_played_by_keys_alone(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/")
    tab_to(page, "e.dataset.die === '1'")
    for key in ("2", "5", "6", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".site.origin")).to_have_count(1)
    tab_to(page, "e.dataset.site === 'a'")
    page.keyboard.press("Enter")
    expect(page.locator(".site.target")).to_have_count(3)
    assert page.evaluate("document.activeElement.dataset.site") == "a", "the focus stays where it was"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "c: nothing, may go here"
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("from a to c")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    expect(page.locator(".site.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".site.chosen")).to_have_count(0)


def test_a_battle_of_numbers_is_played_by_keys_alone(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game=BATTLE, players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/")
    assert page.locator("#tap").is_hidden()
    tab_to(page, "e.dataset.site")
    page.keyboard.press("Enter")
    expect(page.locator(".site.target")).not_to_have_count(0)
    start = page.evaluate("document.activeElement.dataset.site")
    goal = page.locator(".site.target .pick").first.get_attribute("data-site") or ""
    for arrow, steps in (("Down", ord(goal[0]) - ord(start[0])), ("Right", int(goal[1:]) - int(start[1:]))):
        back = {"Down": "Up", "Right": "Left"}[arrow]
        for _ in range(abs(steps)):
            page.keyboard.press(f"Arrow{arrow if steps > 0 else back}")
    assert page.evaluate("document.activeElement.dataset.site") == goal
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text(f"to {goal}")
    tab_to(
        page,
        "e.dataset.focus === 'choice-done' || document.querySelector('.player[data-turn]')?.dataset.player === '2'",
        90,
    )


def test_the_first_throw_takes_two_keys_and_the_next_one_more(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match()
    shared_server.command("finish")
    page = open_page(f"{shared_server.address}/start")
    throw = page.get_by_role("button", name="Throw", exact=True)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{shared_server.address}/")
    expect(throw).to_be_focused()
    page.keyboard.press(" ")
    expect(page.locator("#dice-now .die-seen")).to_have_count(4)
    expect(page.locator("#controls .main-action:focus, #choices:focus, #main:focus")).to_have_count(1)

    shared_server.command("new_match", game="ludus-regularis", players=["Anna", "Berno"], dice_by="program")
    expect(page.locator("#dice-now")).not_to_contain_text("Throw")  # the first throw of the match before has gone
    for number in (1, 2):
        expect(throw).to_be_focused()
        expect(throw).not_to_have_attribute("aria-disabled", "true")  # else the throw before is still on its way
        page.keyboard.press(" ")
        expect(page.locator("#dice-now")).to_contain_text(f"Throw {number}, ")
        if shared_server.state()["awaits"]["kind"] == "recast":
            expect(throw).not_to_have_attribute("aria-disabled", "true")
            page.keyboard.press(" ")
            expect(page.locator("#log")).to_contain_text("second cast")


def test_what_goes_down_on_a_button_or_a_man_goes_up_on_it_though_it_is_drawn_again_meanwhile(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{shared_server.address}/")
    throw = page.get_by_role("button", name="Throw", exact=True)

    def drawn_again(name: str) -> None:
        shared_server.command("reseat", players=["Anna", name])  # elsewhere: the whole page is drawn again
        expect(page.locator("#players")).to_contain_text(name)

    for how, first, second in (("mouse", "Berno", "Berta"), ("keyboard", "Carl", "Clara")):
        shared_server.command("new_match", game="ludus-regularis", players=["Anna", first], dice_by="program")
        expect(page.locator("#players")).to_contain_text(first)
        expect(throw).to_be_focused()
        throw.hover()
        page.mouse.down() if how == "mouse" else page.keyboard.down(" ")
        button = throw.element_handle()
        drawn_again(second)
        assert page.evaluate("button => button === document.activeElement", button), how
        page.mouse.up() if how == "mouse" else page.keyboard.up(" ")
        expect(page.locator("#dice-now")).to_contain_text("Throw 1, ")
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Dora"], dice_by="tapped")
    shared_server.command("throw", faces={"1": "2", "2": "5", "3": "6"})
    expect(page.locator("#dice-now .die-seen")).to_have_count(3)
    place = page.locator("[data-site=a]")
    place.hover()
    page.mouse.down()
    site = place.element_handle()
    drawn_again("Doris")
    assert page.evaluate("site => site.isConnected", site)
    page.mouse.up()
    expect(page.locator(".site.chosen [data-site=a]")).to_be_visible()


def test_ludix_is_played_by_keys_which_choose_take_back_explain_and_may_be_switched_off(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.command("new_match", game="ludix", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/")
    expect(page.locator("#headline")).to_have_text("Anna throws the four dice.")
    expect(page.locator("#dice-now")).to_have_text("")  # it is said once
    expect(page.locator(".numeral")).to_have_count(0)
    expect(page.locator("#ludix")).to_contain_text("Make a Roman numeral. Stop in time. 300 points win.")
    tab_to(page, "e.dataset.die === '1'")
    for key in ("1", "2", "6", "3", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".numeral")).to_have_text("LXVI")
    stated = page.locator(".ludix-said")
    expect(stated).to_have_text("Risk it? 23 of 81 throws make no numeral and lose these points (28 %).")
    expect(page.locator(".ludix-choices.first button")).to_have_text(["Stop (66)", "Risk it"])
    expect(page.locator(".ludix-choices:not(.first)")).to_be_hidden()
    tab_to(page, "e.textContent === 'Risk it'")
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_contain_text("Anna risks 66 points.")
    page.keyboard.press("u")
    expect(page.locator("#headline")).to_contain_text("throws LXVI")
    single_keys_may_be_switched_off(page)
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    shared_server.command("throw", faces={"1": "2", "2": "5", "3": "6"}, dice_set="pips")
    expect(page.locator(".typed-choice")).to_be_attached()  # before that the fold is that of the match before
    page.locator(".all-choices > summary").click()
    page.locator(".typed-choice input").press_sequentially("u?1 ")
    expect(page.locator(".typed-choice input")).to_have_value("u?1 ")
    expect(page.locator("#help")).to_be_hidden()


def single_keys_may_be_switched_off(page: Page) -> None:
    headline, sheet = page.locator("#headline"), page.locator("#help")
    page.keyboard.press("2")  # throw again
    expect(headline).to_contain_text("risks 66 points")
    page.keyboard.press("u")
    expect(headline).to_contain_text("throws LXVI")
    page.keyboard.press("?")
    expect(sheet.locator("li").first).to_be_visible()
    expect(sheet).to_contain_text("Goal: 300 points")
    sheet.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.keyboard.press("2")
    page.keyboard.press("?")
    expect(sheet).to_be_hidden()
    expect(headline).to_contain_text("throws LXVI")
    page.locator("#help-open").click()
    sheet.locator("summary").click()
    sheet.get_by_role("checkbox").check()
    page.keyboard.press("Escape")


def test_the_program_takes_a_place_where_it_knows_the_rules_and_answers(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server("--program-pause", "4")  # long enough to be seen waiting on a busy machine
    page = open_page(f"{running.address}/new?game=tables/xii-scripta")
    by_hand(page)
    expect(page.locator("#ways button[data-way=alone]")).to_be_hidden()
    expect(page.locator("input[name=program]")).to_have_count(0)
    expect(page.locator("#dice-by")).to_be_hidden()
    entries = page.locator(".game-entry:visible")
    page.evaluate(LETTERS_HAVE_COME)
    place = "document.querySelector('#games-found').getBoundingClientRect().y + scrollY"
    top = page.evaluate(place)
    page.get_by_label("Origin").select_option("alfonso")
    page.get_by_label("Difficulty").select_option("easy")
    expect(page.locator("#games-found")).to_have_text("2 games")
    page.get_by_label("Search").fill("brothers canés")
    expect(entries).to_have_count(1)
    page.keyboard.press("Enter")
    page.locator("[data-filter=minutes]").select_option(label="more than 60 minutes")
    expect(page.locator("#games-found")).to_have_text("No game fits.")
    expect(page.locator(".family:visible")).to_have_count(0)
    assert page.evaluate(place) == top, "nothing moves while games are sorted out"
    page.get_by_role("button", name="Show all games").press("Enter")
    expect(entries).to_have_count(len(games()))
    expect(page.get_by_label("Search")).to_be_focused()
    page.keyboard.type("roman numeral")
    expect(entries).to_have_count(1)
    page.locator(".game-card", has_text="Ludix").click()
    expect(page.locator("#chosen-game")).to_contain_text("Roman numeral")
    expect(page.locator("input[name=program]")).to_have_count(2)
    expect(page.locator("#dice-by")).to_be_visible()
    page.get_by_label("Search").fill("twelve dogs")
    page.locator("input[name=game][value='tables/twelve-dogs']").check(force=True)
    page.locator("input[name=dice_by][value=tapped]").check(force=True)
    page.get_by_role("checkbox", name="The program plays: Player 2").check()
    expect(page.get_by_role("textbox", name="Player 2")).to_have_value("The program")
    expect(page.locator("#program-manner")).to_contain_text("every way to play a throw leads to the same position")
    page.get_by_role("button", name="Begin the match").click()
    page.wait_for_url(f"{running.address}/")
    expect(page.locator(".player").nth(1)).to_contain_text("program")
    for die, face in (("1", "1"), ("2", "2")):
        page.locator(f"#tap input[data-die='{die}'][value='{face}']").check(force=True)
    page.locator("#tap button[type=submit]").click()
    for site in ("a", "b"):
        page.locator("[data-site=hand]").click()
        page.locator(f"[data-site={site}]").click()
        expect(page.locator("#log")).to_contain_text(f"on {site} with")
    expect(page.locator("#subline")).to_contain_text("The program")
    expect(page.locator("#tap")).to_be_hidden()
    expect(page.locator("#subline")).to_contain_text("Player 1")
    assert {line["actor"] for line in running.state()["log"] if line["player"] == 2} == {"program"}


def test_a_capture_is_told_in_words_before_and_after_it_is_made(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    options = {"innocent_delivery": False}
    shared_server.command("new_match", game=BATTLE, players=["Anna", "Berno"], dice_by="tapped", options=options)
    chance, position = random.Random(4), games()[BATTLE].start(2, **options)
    assert isinstance(position, RithmoPosition)
    while not position.claims:
        choice = chance.choice(list(position.open_choices()))
        shared_server.command("choose", text=str(choice))
        position = position.after(choice)
        assert isinstance(position, RithmoPosition)
    claim, proof = next(iter(position.claims.items()))
    page = open_page(f"{shared_server.address}/", 390)
    assert proof not in page.locator("#main").inner_text(), "it is for the players to find"
    page.locator(f"[data-site={claim.target.site}]").click()
    wrong = next(kind for kind in ("siege", "encounter") if kind != claim.kind)
    page.locator(f"[data-focus=claim-{wrong}]").click()
    expect(page.locator(".claim-refused")).not_to_be_empty()
    page.locator(f"[data-focus=claim-{claim.kind}]").click()
    expect(page.locator(".claim-told")).to_contain_text(proof)
    assert shared_server.state()["log"][-1]["kind"] == "choice", "nothing has been taken yet"
    page.locator(f'[data-focus="take-{claim}"]').click()
    expect(page.locator("#log")).to_contain_text(proof)
    expect(page.locator("#headline")).to_contain_text("takes the")


def test_both_armies_are_in_sight_on_an_upright_phone(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game=BATTLE, players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/", 390, 844)
    smallest = "nodes => Math.min(...nodes.map(node => node.getBoundingClientRect().height))"
    assert page.eval_on_selector_all(".men-window .number", smallest) >= 11
    assert page.eval_on_selector_all(".pick", smallest) >= 36
    both_armies_are_in_sight(page)
    page.set_viewport_size({"width": 320, "height": 640})
    page.reload()
    page.wait_for_selector("body[data-ready]")
    both_armies_are_in_sight(page)


def both_armies_are_in_sight(page: Page) -> None:
    assert page.locator("#men [data-men]").count() > 40
    expect(page.locator("#choices")).to_be_in_viewport(ratio=1)
    hidden = """nodes => nodes.filter((node) => { const { x, y, width, height } = node.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.dataset.site !== node.dataset.men; })
        .map((node) => node.dataset.men)"""
    assert page.eval_on_selector_all("#men [data-men]", hidden) == []
    board = page.locator(".men-board")
    page.evaluate(LETTERS_HAVE_COME)
    place = board.bounding_box()
    page.locator("[data-site=c4]").click()
    page.locator("[data-site=g8]").click(force=True)
    expect(page.locator("#subline.refused")).to_be_in_viewport(ratio=1)
    assert board.bounding_box() == place, "nothing moves when a sentence comes"
    expect(page.locator(".pyramid-sum").first).to_have_text("36 + 25 + 16 + 9 + 4 + 1 = 91")


def test_the_wheel_is_drawn_and_a_sector_may_be_tapped(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game="ludus-regularis/wheel", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/")
    expect(page.locator(".sector-of")).to_have_count(56)
    page.locator(".sector-of", has_text="Mercy").locator("path").click()
    expect(page.locator("#centre")).not_to_contain_text("dice")
    expect(page.locator("#dice-now")).to_have_text("")
    expect(page.get_by_role("heading", name="Enter where the pointer stopped")).to_be_visible()
    page.get_by_role("button", name="Enter this virtue").click()
    expect(page.locator("#dice-now")).to_contain_text("Spin 1, Anna")
    expect(page.locator(".wheel-drawing")).to_have_attribute("aria-label", re.compile("stopped at Mercy"))
    expect(page.locator(".sector-of[data-owner='1']")).to_contain_text("A")
    shared_server.new_match()
    expect(page.locator("#wheel")).to_be_hidden()
    expect(page.locator(".rim")).to_be_visible()


def test_a_hint_is_drawn_on_the_board_and_says_why_if_asked(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{shared_server.address}/")
    button = page.get_by_role("button", name="Hint")
    arrow = page.locator(".arrow.hinted")
    for width, height, second in ((1280, 800, "Berno"), (390, 844, "Bert")):
        page.set_viewport_size({"width": width, "height": height})
        shared_server.command("new_match", game="rithmomachia/mebben", players=["Anna", second], dice_by="tapped")
        expect(page.locator("#players")).to_contain_text(second)
        origins = page.locator("#men .site.origin")
        expect(origins.first).to_be_attached()
        expect(page.locator("#men .movable")).to_have_count(origins.count())
        before = button.bounding_box()
        button.click()
        expect(arrow).to_be_in_viewport(ratio=1)
        found = page.locator(".why li", has_text="is then 8 moves away instead of 9")
        expect(found).to_be_hidden()
        expect(page.locator(".hinting [role=status]")).to_contain_text("The best turn is")
        page.get_by_text("Why?").click()
        expect(found).to_be_visible()
        after = button.bounding_box()
        assert before is not None
        assert after is not None
        assert after["x"] == pytest.approx(before["x"], abs=1 if width > 767 else width)
        page.get_by_text("Why?").click()
        expect(found).to_be_hidden()
        page.locator("#men .site.origin .pick").first.click()
        page.locator("#men .site.target .pick").first.click()
        expect(arrow).to_have_count(0)
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    shared_server.command("throw", faces={"1": "2", "2": "5", "3": "6"}, dice_set="pips")
    # Rithmomachia lists all choices too: only the dice show that the page has the new match.
    expect(page.locator("#dice-now .die-seen")).to_have_count(3)
    expect(page.locator(".all-choices > summary")).to_be_visible()
    button.click()
    expect(arrow).to_have_count(3)
    page.locator(".all-choices > summary").click()
    for left in (2, 1, 0):
        page.locator(".choice-buttons .hinted").click()
        expect(arrow).to_have_count(left)
