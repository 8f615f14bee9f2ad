"""Every course played through by taps and by keys, on each screen and in each language; positions set up by hand."""

import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from companion.lessons.course import THROW, Course, Step, courses
from companion.lessons.study import study
from companion.rules.rithmomachia.choices import Claim
from companion.vision.board_readings import Men
from companion.vision.boards.layout import RITHMOMACHIA
from tests.browser.conftest import Server
from tests.browser.measures import at_sizes
from workshop.board_scenes.filming import BoardFilm
from workshop.scenes.fonts import find_fonts

pytestmark = pytest.mark.browser

SCREENS = ((390, 844, "en"), (1280, 800, "de"), (390, 844, "es"), (1080, 1920, "fr"))
SHOWN = [(name, SCREENS[at % len(SCREENS)]) for at, name in enumerate(courses())]
"""Each course on a screen; each screen, and its language, with some of the courses."""


def right_line(step: Step) -> tuple[str, ...]:
    """Return a line that reaches the goal; of a question, the right answer."""
    if not step.answers:
        return step.right[0]
    thrown = step.start.parse(step.throws[0])
    meant = step.start.account(thrown).details["meant"]
    return (THROW, next(site for site in step.answers if site in meant))


def acts(step: Step, line: tuple[str, ...]) -> list[list[str]]:
    """Return what to tap for each act of a line: the keys of the page's elements, one after another."""
    found, position = [], step.start
    throws = iter(step.throws)
    for text in line:
        if text == THROW:
            position = position.after(position.parse(next(throws)))
            found.append(['[data-focus="throw"]'])
        elif step.answers:
            found.append([f'[data-focus="tap-{text}"]'])
        else:
            move = position.parse(text)
            position = position.after(move)
            written = move.to_json()
            if isinstance(move, Claim):
                found.append([f'[data-site="{move.target.site}"]', f'[data-focus="kind-{move.kind}"]'])
            elif "from" in written:
                found.append([f'[data-site="{written["from"]}"]', f'[data-site="{written["to"]}"]'])
            else:
                found.append([f'[data-focus="choice-{text}"]'])
    return found


def press(page: Page, selector: str) -> None:
    """Press an element by the keyboard alone; on the board, the arrow keys lead to it."""
    if "data-site" in selector:
        page.locator(".picks [tabindex='0']").focus()
        page.evaluate("selector => document.querySelector(`.lesson-board ${selector}`).focus()", selector)
        page.keyboard.press("Enter")
    else:
        page.focus(selector)
        page.keyboard.press("Enter")


def played(page: Page, course: Course) -> None:
    """Play every step to its goal: the first by the keyboard alone, the second by taps, and so on."""
    for number, step in enumerate(course.steps, start=1):
        act = partial(press, page) if number % 2 else page.click
        line = right_line(step)
        for done, selectors in enumerate(acts(step, line), start=1):
            for selector in selectors:
                act(selector)
            verdict = "done" if done == len(line) else "open"
            page.wait_for_selector(f'body[data-ready="{number} {done} {verdict}"]')
        if number < len(course.steps):
            act('[data-focus="next"]')
            page.wait_for_selector(f'body[data-ready^="{number + 1} 0"]')
    expect(page.locator('[data-focus="play"]')).to_be_focused()


def fits_every_screen(page: Page) -> None:
    """Fail where something lies beyond the right edge, on this screen or another."""
    for width, _ in at_sizes(page, (screen[:2] for screen in SCREENS)):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


@pytest.mark.parametrize(("name", "screen"), SHOWN, ids=str)
def test_a_course_is_played_through_by_keys_and_taps(
    shared_server: Server, open_page: Callable[..., Page], name: str, screen: tuple[int, int, str]
) -> None:
    width, height, language = screen
    page = open_page(f"{shared_server.address}/learn/{name}?language={language}", width, height)
    assert page.locator("html").get_attribute("lang") == language
    played(page, courses()[name])
    fits_every_screen(page)


def test_a_wrong_line_is_punished_on_the_board_and_tried_again(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    step = courses()["tables"].steps[0]
    page = open_page(f"{shared_server.address}/learn/tables?language=en")
    for done, selectors in enumerate(acts(step, step.wrong[0].line), start=1):
        for selector in selectors:
            page.click(selector)
        page.wait_for_selector(f'body[data-ready^="1 {done} "]')
    expect(page.locator("#lesson-verdict")).to_contain_text(str(step.wrong[0].why))
    expect(page.locator('[data-men="d"] .man')).to_have_class("man dark")
    page.click('[data-focus="retry"]')
    expect(page.locator('[data-men="d"]')).to_have_count(0)


def test_what_the_rules_forbid_gets_their_reason(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/learn/tables?language=en#3")
    page.click('[data-focus="throw"]')
    page.click('[data-site="hand"]')
    page.click('[data-site="b"]', force=True)  # it is marked as one that no man may go to
    expect(page.locator("#lesson-verdict")).to_contain_text("two men")
    expect(page.locator("#lesson-verdict")).to_have_attribute("data-verdict", "refused")


def test_show_me_plays_the_best_line(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/learn/rithmomachia?language=en#4")
    page.click('[data-focus="show"]')
    page.wait_for_selector('body[data-ready="4 2 done"]')


def test_a_position_is_set_up_tried_out_and_played_on(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server()
    page = open_page(f"{running.address}/position?language=en&game=rithmomachia/durnil-guardia")
    page.click('[data-focus="clear"]')
    expect(page.locator(".lesson-board .man")).to_have_count(0)
    for man, site in (("white-circle-4-", "d2"), ("black-triangle-12-", "c7"), ("black-circle-9-", "h9")):
        page.click(f'[data-focus^="man-{man}"]')
        page.click(f'.lesson-board [data-site="{site}"]')
        page.wait_for_selector(f'[data-men="{site}"]')
    expect(page.locator("#position-taking")).to_contain_text("4 x 3 = 12")
    page.check('#position-mode [value="play"]', force=True)
    page.wait_for_selector('[data-focus="typed"]')
    for selector in ('[data-site="d2"]', '[data-site="c3"]', '[data-site="c7"]', '[data-focus="kind-assault"]'):
        page.click(selector)
    expect(page.locator('[data-men="c7"]')).to_have_count(0)
    for left in ("0 1", "0 0"):
        page.click('[data-focus="undo"]')
        page.wait_for_selector(f'body[data-ready="{left}"]')
    page.click('[data-focus="against"]')
    page.wait_for_url(f"{running.address}/")
    assert running.state()["board"]["men"].keys() == {"d2", "c7", "h9"}


def test_a_link_holds_a_position_and_a_fault_is_named(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/position?language=en&game=tables/zeno")
    page.click('[data-focus="2"], [data-focus="dark"]')
    page.click('[data-site="d"]')
    expect(page.locator("#position-faults")).to_have_text("Side 2 has 16 men, not 15.")
    again = open_page(page.url)
    expect(again.locator("#position-faults")).to_have_text("Side 2 has 16 men, not 15.")
    broken = open_page(page.url.partition("#")[0] + "#nonsense")
    expect(broken.locator("#notices")).to_contain_text("Expected a position")


def test_a_photograph_becomes_the_position_and_can_be_turned(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server()
    page = open_page(f"{running.address}/position?language=en&game=tables/zeno")
    page.click('[data-focus="clear"]')
    expect(page.locator('[data-men="a"]')).to_have_count(0)
    page.set_input_files('[data-focus="photograph"]', "sample_images/zeno/000_ply00_still.jpg")
    page.wait_for_selector('[data-men="a"]', timeout=60_000)
    expect(page.locator("#notices")).to_contain_text("Check these places: a, z.")
    expect(page.locator('[data-men="z"]')).to_have_count(1)
    page.click('[data-focus="other_way"]')
    expect(page.locator("#position-faults")).to_be_empty()
    page.set_input_files('[data-focus="photograph"]', "sample_images/zeno/script.json")
    expect(page.locator("#notices")).to_contain_text("Expected a photograph of the board.")
    page.click('[data-focus="camera"]')
    expect(page.locator("#notices")).to_contain_text("No camera shows a board now")


def test_a_position_is_kept_as_a_picture(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/position?language=en&game=tables/zeno")
    with page.expect_download() as kept:
        page.locator('[data-focus="picture"]').press("Enter")
    assert kept.value.suggested_filename == "position.png"
    width, height = struct.unpack(">II", kept.value.path().read_bytes()[16:24])
    assert width > height > 1000


def test_a_step_is_played_with_ones_own_men(
    shared_server: Server, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    """Two pictures of one drawn board: as the step shows it, and after the right line."""
    course = courses()["rithmomachia"]
    step = course.steps[1]
    film = BoardFilm(RITHMOMACHIA, 7, find_fonts("held-out"), size=(1200, 900), tilt=10.0)
    files = []
    for number, line in enumerate(((), step.right[0])):
        men = study(step, line).position.occupancy().items()
        truth = {site: Men(man["colour"], 1, man["shape"], man["number"]) for site, man in men}
        files.append(tmp_path / f"{number}.jpg")
        cv2.imwrite(str(files[-1]), film.picture(truth, number).image)
    page = open_page(f"{shared_server.address}/learn/rithmomachia?language=en#2")
    page.set_input_files('[data-focus="photograph"]', files[0])
    expect(page.locator("#notices")).to_contain_text("Your board stands as shown.")
    page.set_input_files('[data-focus="photograph"]', files[1])
    expect(page.locator("#lesson-verdict")).to_have_attribute("data-verdict", "done")
    expect(page.locator("#own-board")).to_be_hidden()
