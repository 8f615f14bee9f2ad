"""Play any game through the page's own controls, and return what the page shows in a form that a test can compare."""

import random
from typing import Any

from playwright.sync_api import Page

from companion.live.table import LiveTable
from companion.odds.playouts import random_move
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.ludus_regularis import LudusPosition
from companion.rules.rithmomachia.choices import Claim, Delivery, Return
from companion.rules.rithmomachia.position import RithmoPosition
from tests.browser.conftest import PATIENCE
from workshop.players.plain_ways import choose

Move = Throw | Choice


def game_of(start: Position, seed: int, longest: int) -> list[Move]:
    """Return a game played at random: whole, or the first ``longest`` throws and choices.

    A battle of numbers is played as the program plays it, because random play hardly ever captures.
    """
    chance, position, moves = random.Random(seed), start, list[Move]()
    while position.outcome is None and len(moves) < longest:
        fights = isinstance(position, RithmoPosition)
        move = choose(position, chance) if fights else random_move(position, chance)
        moves.append(move)
        position = position.after(move)
    return moves


def by_hand(page: Page) -> None:
    """Unfold the form for a new match, and choose to enter the faces of one's own dice."""
    page.locator("#more-choices > summary").click()
    if page.locator("#dice-by").is_visible():
        page.locator("input[name=dice_by][value=tapped]").check(force=True)


def unfold_log(page: Page) -> None:
    """Unfold what happened, if it is not; whether a line of it is drawn already tells nothing of that."""
    log = page.locator("#log-fold")
    if log.get_attribute("open") is None:
        log.locator("summary").first.click()


def settled(page: Page, table: LiveTable) -> None:
    """Wait until the page has drawn the newest state."""
    page.wait_for_function("version => Number(document.body.dataset.ready) >= version", arg=table.snapshot().version)


def on_page(page: Page, table: LiveTable, position: Position, move: Move) -> None:
    """Make one throw or choice through the page's controls, and wait until page and table have it."""
    before = table.snapshot().data["log"][-1]["event"]
    if isinstance(move, Throw):
        _throw(page, move)
    else:
        _choose(page, position, move)
    version = table.snapshot().version
    while table.snapshot().data["log"][-1]["event"] == before:
        assert table.wait(version, PATIENCE), f"{move} did not arrive"
        version = table.snapshot().version
    settled(page, table)


def _throw(page: Page, throw: Throw) -> None:
    chooser = page.locator(f"#tap input[name=dice-set][value='{throw.set_name}']")
    if chooser.count() and not chooser.is_checked():
        chooser.check(force=True)
    for die, face in throw.shown:
        page.locator(f"#tap input[data-die='{die}'][value='{face}']").first.check(force=True)
    page.locator("#tap button[type=submit]").click()


def _choose(page: Page, position: Position, choice: Choice) -> None:
    data = choice.to_json()
    if isinstance(choice, Claim | Delivery):
        page.locator(f"[data-site='{choice.target.site}']").click()
        if choice.target.part:
            page.locator(f"[data-focus='part-{choice.target.part}']").click()
        page.locator(f"[data-focus='claim-{data['by']}']").click()
        page.locator(f'[data-focus="take-{choice}"]').click()
    elif isinstance(choice, Return):
        page.locator(f"[data-focus='held {choice.shape} {choice.number}']").first.click()
        page.locator(f"[data-site='{choice.site}']").click()
    elif "from" in data:
        page.locator(f"[data-site='{data['from']}']").click()
        page.locator(f"[data-site='{data['to']}']").click()
        same = [one for one in position.legal() if {**one.to_json(), "die": 0} == {**data, "die": 0}]
        if len(same) > 1:
            page.locator(f"[data-focus='way-{data['die']}']").click()
    else:
        button = page.locator(f'[data-focus="choice-{position.text(choice)}"]')
        if not button.is_visible():
            page.locator("[data-focus=others]").click()  # a lesser numeral of Ludix
        button.click()


def shown(page: Page, position: Position) -> Any:
    """Return what the page shows of a position, in the form of `expected`."""
    if isinstance(position, LudusPosition):
        return page.eval_on_selector_all(
            ".rim .virtue[data-owner]", "cells => Object.fromEntries(cells.map(c => [c.dataset.lot, c.dataset.owner]))"
        )
    if position.game.board.sites:
        return page.locator(".men-window .men-board").get_attribute("aria-label")
    return page.eval_on_selector_all("#players .score", "all => all.map((score) => score.firstChild.textContent)")


def expected(position: Position) -> Any:
    """Return what the page should show of a position: owners, men site by site, or scores."""
    men = position.occupancy()
    if isinstance(position, LudusPosition):
        return {lot: str(owner) for lot, owner in men.items()}
    if position.game.board.sites:
        return "; ".join(f"{site}: {_said(there)}" for site, there in men.items()) or "No men stand on the board."
    return [str(score) for score in position.scores().values()]


def _said(there: Any) -> str:
    if "shape" in there:
        return f"{there['colour']} {there['shape']} {there['number']}"
    return ", ".join(f"{count} {'light' if side == '1' else 'dark'}" for side, count in there.items())
