"""What squares alone cannot tell is asked on the page, and the answer is played."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.live.board_uplink import BoardUplink
from companion.live.features import TableFeatures
from companion.live.led_board import Lights
from companion.live.table import LiveTable
from companion.rules.registry import game
from companion.rules.rithmomachia.choices import Move
from companion.web import create_app
from firmware_bridge.wiring import Wiring
from tests.browser.conftest import PATIENCE
from tests.browser.measures import at_sizes
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.simulated.transport import SimulatedTransport
from tests.web.serving import served

pytestmark = pytest.mark.browser
ITALIAN = "rithmomachia/italian"


def until_believed(table: LiveTable, site: str) -> None:
    """Wait until the board has reported how the men stand, that has settled, and was right about this site."""
    squares = next(one.squares for one in table._followers if isinstance(one, BoardUplink))
    late = time.monotonic() + PATIENCE
    while site not in squares._believed:
        assert time.monotonic() < late, f"nothing is known of {site}"
        time.sleep(0.05)


def test_what_squares_cannot_tell_is_asked(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    position = game(ITALIAN).start(2)
    moves = [choice for choice in position.legal() if isinstance(choice, Move)]
    end = next(move.end for move in moves if sum(other.end == move.end for other in moves) > 1)
    to_there = [move for move in moves if move.end == end]
    beside = next(site for site in position.occupancy() if all(site != move.start for move in to_there))
    transport = SimulatedTransport()
    firmware = transport.simulated.firmware
    assert isinstance(firmware, OwnFirmware)
    firmware.occupied = 0b10
    lights = Lights(Wiring("two", "8x14", 1, {end: (0,)}, {end: 0, beside: 1}))
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=transport, lights=lights))
    table.start()
    assert table.command("new_match", {"game": ITALIAN, "players": ["Anna", "Ben"], "dice_by": "tapped"}, "x").ok
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        page = open_page(address)
        expect(page.locator("#lights-line")).to_have_text("The board of lights is on.")
        until_believed(table, end)
        firmware.occupied = 0b11
        expect(page.locator("#headline")).to_have_text("The squares of the board cannot tell which it was:")
        answers = page.locator(".men-ask .ask-answers button")
        expect(answers.nth(len(to_there) - 1)).to_be_attached()
        for width, _ in at_sizes(page, ((1280, 800), (390, 844))):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(f"circle[data-site='{end}']")).to_have_attribute("data-meaning", "asked")
        answers.first.click()
        expect(page.locator(".men-ask")).to_have_count(0)
        page.close()
    played = table.snapshot().data["board"]["last"]
    table.stop()
    assert played[0]["to"] == end
