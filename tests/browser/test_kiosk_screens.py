"""The kiosk on the screens of halls: nothing of any page lies outside, whatever their size."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.web.kiosk.folder import begin_folder
from tests.browser.conftest import Server
from tests.browser.held_scripts import held
from tests.browser.measures import at_sizes

pytestmark = pytest.mark.browser

SCREENS = ((1366, 768), (1280, 1024), (1920, 1080), (3840, 2160), (1080, 1920), (800, 480))

OUTSIDE = """() => {
  const root = document.documentElement, dialog = document.querySelector("dialog[open]"), found = [];
  const over = (what, box) => {
    if (box && (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)) found.push(what);
  };
  if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) found.push("the page scrolls");
  over("the dialog scrolls", dialog);
  for (const name of [".centre", ".side", ".kiosk-dock:not([hidden])"])
    over(`${name} scrolls`, document.querySelector(name));
  const pressed = [...document.querySelectorAll("button, select, .rim .virtue, .dice-row .die, .card-face")];
  for (const one of pressed) {
    if (!one.checkVisibility() || (dialog && !dialog.contains(one))) continue;
    const { left, top, right, bottom, height } = one.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1 || height < 12)
      found.push(`${one.className} ${one.innerText} at ${[left, top, right, bottom].map(Math.round)}`);
  }
  return found.slice(0, 5);
}"""


def fits(page: Page, what: str) -> None:
    """Fail if something lies outside on one of the screens."""
    faults: dict[str, Any] = {}
    for width, height in at_sizes(page, SCREENS):
        page.evaluate("() => new Promise(requestAnimationFrame)")
        if found := page.evaluate(OUTSIDE):
            faults[f"{what} on {width} x {height}"] = found
    assert not faults


def test_every_page_of_the_default_kiosk_fits_every_screen(
    tmp_path: Path, server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    begin_folder(tmp_path / "kiosk")
    kiosk = server("--kiosk", str(tmp_path / "kiosk"), "--program-pause", "0")
    page = open_page(kiosk.address)
    page.emulate_media(reduced_motion="reduce")
    begin = page.locator("#begin-button")
    with held(page, "**/attract.js*"):
        page.goto(kiosk.address, wait_until="commit")
        expect(begin).to_have_count(1)
        expect(begin).to_be_hidden()  # nothing can be touched before the script listens
    expect(begin).to_be_visible()
    page.wait_for_selector("body[data-kiosk=attract][data-ready]")
    fits(page, "the beginning")  # is the same before each game
    for game, count in (("ludus-regularis", 1), ("ludix", 4), ("ludus-regularis", 4), ("ludix", 1)):
        page.get_by_role("button", name="Touch to begin").click()
        page.locator(f"input[name=game][value={game}]").check(force=True)
        if count == 1:
            fits(page, f"the choice of {game}")
        page.locator(f"#counts button[data-count='{count}']").click()
        page.wait_for_selector("body[data-kiosk=table][data-ready]")
        expect(page.locator(".throw-now:not([aria-disabled])")).to_be_visible()
        fits(page, f"{game} of {count} before the throw")
        page.locator(".throw-now").click()
        expect(page.locator("#progress")).to_contain_text("throw")
        expect(page.locator(".dice-row .die").first).to_be_visible()
        fits(page, f"{game} of {count} after a throw")
        if (game, count) == ("ludix", 1):
            a_match_begun_in_english_is_met_in_the_own_language(page, kiosk)
        page.locator("#kiosk-leave").click()
        if (game, count) == ("ludix", 4):
            fits(page, "leaving")
        page.get_by_role("button", name="Yes, we are leaving").click()
        page.wait_for_selector("body[data-kiosk=attract][data-ready]")


def a_match_begun_in_english_is_met_in_the_own_language(page: Page, kiosk: Server) -> None:
    """See that its players are named in the language of whoever comes to it, and go on in English."""
    for language, name, machine in (("fr", "Bleu", "La machine"), ("en", "Blue", "The machine")):
        page.goto(f"{kiosk.address}/?language={language}")
        expect(page.locator(".player-name")).to_contain_text([name, machine])
        page.wait_for_selector("body[data-kiosk=table][data-ready]")
        expect(page.locator("main")).not_to_contain_text("Bleu" if language == "en" else "The machine")
