"""Problems of each kind solved by taps and by keys, on each screen and in each language; solved ones are kept."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.lessons.course import THROW
from companion.problems.judging import first_line, step_of
from companion.problems.problem import KINDS, Kind, Problem, shipped
from tests.browser.conftest import Server
from tests.browser.test_lessons import acts, fits_every_screen, press

pytestmark = pytest.mark.browser

TAPPED: tuple[tuple[Kind, tuple[int, int, str]], ...] = (
    ("all", (390, 844, "en")),
    ("best", (1280, 800, "de")),
    ("risk", (390, 844, "es")),
    ("odds", (1080, 1920, "fr")),
)
"""A problem of each board and of each form of answer, on each screen and in each language."""
PRESSED: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in {"all", "best"})
"""The other kinds, and those that alone have their form of answer."""


def first(kind: Kind) -> Problem:
    return next(problem for problem in shipped() if problem.kind == kind)


def address(server: Server, problem: Problem, language: str = "en") -> str:
    return f"{server.address}/problems/{problem.number}?language={language}"


def solved(page: Page, problem: Problem, act: Callable[[str], None]) -> None:
    """Play the right line; the page has thrown already where there is a throw."""
    begun = len(first_line(problem))
    page.wait_for_selector(f'body[data-ready="1 {begun} open"]')
    taps = acts(step_of(problem), (*first_line(problem), *problem.right[0]))
    for done, selectors in enumerate(taps[begun:], start=begun + 1):
        for selector in selectors:
            act(selector)
        page.wait_for_selector(f'body[data-ready="1 {done} {"done" if done == len(taps) else "open"}"]')


@pytest.mark.parametrize(("kind", "screen"), TAPPED, ids=str)
def test_a_problem_is_solved_by_taps(
    shared_server: Server, open_page: Callable[..., Page], kind: Kind, screen: tuple[int, int, str]
) -> None:
    width, height, language = screen
    problem = first(kind)
    page = open_page(address(shared_server, problem, language), width, height)
    assert page.locator("html").get_attribute("lang") == language
    solved(page, problem, page.click)
    expect(page.locator("#lesson-verdict")).to_have_attribute("data-verdict", "done")
    fits_every_screen(page)


def test_a_problem_of_each_other_kind_is_solved_by_keys(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/problems?language=en")
    for kind in PRESSED:
        problem = first(kind)
        page.goto(address(shared_server, problem))
        solved(page, problem, lambda selector: press(page, selector))


def test_from_the_start_page_solved_problems_are_kept_and_passed_over_but_none_that_was_shown(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    problem = first("take")
    page = open_page(f"{shared_server.address}/start?language=en")
    page.click('a[href$="/problems"]')
    page.click("#today")
    page.wait_for_selector('body[data-ready^="1 "]')
    for shown in (first("odds"), problem):
        page.goto(address(shared_server, shown))
        page.click('[data-focus="show"]')
        page.wait_for_selector('body[data-ready$="done"]')
    page.goto(f"{shared_server.address}/problems?language=en")
    expect(page.locator('[data-solved=""]')).to_have_text("0")
    page.goto(address(shared_server, problem))
    solved(page, problem, page.click)
    page.click('[data-focus="play"]')
    page.wait_for_url(lambda url: not url.endswith(f"/problems/{problem.number}"))
    page.wait_for_selector('body[data-ready^="1 "]')
    following = page.locator("#lesson-play").get_attribute("href") or ""
    assert following.rpartition("/")[2] != str(problem.number)
    page.goto(f"{shared_server.address}/problems?language=en")
    expect(page.locator('[data-solved=""]')).to_have_text("1")
    expect(page.locator('[data-solved="take"]')).to_have_text("1")
    page.click("details:has([data-solved='take']) summary")
    expect(page.locator(f'[data-problem="{problem.number}"]')).to_have_text(f"{problem.number} \u2713")


def test_a_wrong_answer_says_why_and_can_be_tried_again(shared_server: Server, open_page: Callable[..., Page]) -> None:
    problem = first("risk")
    page = open_page(address(shared_server, problem))
    wrong = next(text for text in map(problem.asked.text, problem.asked.legal()) if text != problem.right[0][0])
    page.click(f'[data-focus="choice-{wrong}"]')
    expect(page.locator("#lesson-verdict")).to_contain_text(str(step_of(problem).otherwise))
    page.click('[data-focus="retry"]')
    solved(page, problem, page.click)


def test_what_the_rules_forbid_gets_their_reason(shared_server: Server, open_page: Callable[..., Page]) -> None:
    problem = next(one for one in shipped() if one.origin.startswith("agathias"))
    page = open_page(address(shared_server, problem))
    page.wait_for_selector('body[data-ready="1 1 open"]')
    page.click('[data-site="k"]')
    page.click('[data-site="l"]', force=True)  # it is marked as one that no man may go to
    expect(page.locator("#lesson-verdict")).to_have_attribute("data-verdict", "refused")
    assert first_line(problem) == (THROW,)
