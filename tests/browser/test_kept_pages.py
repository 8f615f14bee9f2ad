from playwright.sync_api import Browser

from tests.browser.conftest import Server
from tests.browser.kept_pages import ELSEWHERE, WATCHER, KeptPages, Watched


def test_a_page_that_was_used_knows_nothing_of_it(browser: Browser, shared_server: Server) -> None:
    pages = KeptPages(browser)
    kept = pages.take()
    kept.own = shared_server.address
    page = kept.page
    page.goto(f"{kept.own}/help")
    page.evaluate("localStorage.x = sessionStorage.x = document.cookie = 'x=1'")
    page.emulate_media(reduced_motion="reduce")
    page.route("**/*", lambda route: route.abort())
    page.evaluate("setTimeout(() => { throw new Error('of the other test'); })")
    pages.give_back(kept)
    assert [complaint for complaint in kept.complaints if "of the other test" in complaint]
    assert pages.take() is kept
    page.goto(f"{kept.own}/help")
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert not page.evaluate("matchMedia('(prefers-reduced-motion)').matches")
    assert kept.complaints == []
    page.context.close()


def test_a_page_that_was_used_with_fingers_is_not_used_again(browser: Browser, shared_server: Server) -> None:
    pages = KeptPages(browser)
    kept = pages.take()
    kept.own = shared_server.address
    kept.page.goto(f"{kept.own}/help")
    fingers = kept.page.context.new_cdp_session(kept.page)
    fingers.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    pages.give_back(kept)
    assert kept.page.is_closed()


def test_what_is_asked_of_another_server_is_noticed(browser: Browser, shared_server: Server) -> None:
    page = browser.new_page(bypass_csp=True)  # the browser alone would refuse it
    watched = Watched(page, own=shared_server.address, quiet=False)
    page.add_init_script(WATCHER)
    page.goto(f"{watched.own}/help")
    assert watched.complaints == []
    with page.expect_console_message(lambda stated: stated.text.startswith(ELSEWHERE)):
        page.evaluate("new Image().src = 'http://127.0.0.1:9/picture.png'")
    page.goto(f"{watched.own.replace('127.0.0.1', 'localhost')}/help")
    assert [complaint.rpartition("/")[2] for complaint in watched.complaints] == ["picture.png", "help"]
    page.context.close()
