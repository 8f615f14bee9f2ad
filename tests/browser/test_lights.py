"""The board of lights on the page: drawn where it is simulated, told in words, and said where it is lost."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.live.features import TableFeatures
from companion.live.table import LiveTable
from companion.web import create_app
from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.wiring import strips
from tests.browser.conftest import Server
from tests.firmware_bridge.recorder import Recorder
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.simulated.transport import SimulatedTransport
from tests.referee.build import MISERICORDIA
from tests.web.serving import served

pytestmark = pytest.mark.browser


class SimulatedBoard(Recorder):
    """A board that the page draws, whose cable can be pulled."""

    away = False

    def shown(self) -> tuple[Colour, ...]:
        return self.frames[-1].colours if self.frames else ()

    def send(self, frame: LedFrame) -> None:
        if self.away:
            raise OSError("The LED board was unplugged; it is looked for.")
        super().send(frame)


class Room:
    def __init__(self, path: Path) -> None:
        self.board = SimulatedBoard()
        self.table = LiveTable(path, features=TableFeatures(leds=self.board))
        self.table.start()

    def done(self, name: str, **data: object) -> None:
        reply = self.table.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[tuple[Room, str]]:
    room = Room(tmp_path / "match.db")
    with served(create_app(room.table, trusted_hosts=["127.0.0.1"])) as address:
        yield room, address
    room.table.stop()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_lights_are_drawn_and_told_in_words(
    room: tuple[Room, str], open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    table, address = room
    table.done("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="tapped", options={})
    page = open_page(address, *size)
    lights = page.locator("#lights")
    expect(lights.locator("circle.light")).to_have_count(24)
    expect(lights.locator("circle.on")).to_have_count(1)
    expect(lights.locator("svg")).to_have_attribute("aria-hidden", "true")
    expect(lights.locator(".lights-legend")).to_contain_text("Anna is to play")
    table.done("throw", faces={"1": "2", "2": "5", "3": "6"}, dice_set="pips")
    expect(lights.locator("circle[data-site='a']")).to_have_attribute("data-meaning", "from")
    expect(lights.locator("circle[data-meaning='to']")).to_have_count(3)
    expect(lights.locator(".lights-legend li")).to_have_text(["a man can go there", "a man can go from there"])
    expect(lights.locator("circle[data-site='a']")).to_have_css("fill", "rgb(204, 204, 204)")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    inside = page.evaluate(
        "[...document.querySelectorAll('.lights-board circle')].every((dot) => {"
        "const one = dot.getBoundingClientRect(), all = dot.ownerSVGElement.getBoundingClientRect();"
        "return one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom})"
    )
    assert inside


def test_a_board_that_is_lost_is_said_and_the_match_goes_on(
    room: tuple[Room, str], open_page: Callable[..., Page]
) -> None:
    table, address = room
    table.done("new_match", game="ludus-regularis", players=["Anna", "Ben"], dice_by="tapped", options={})
    page = open_page(address)
    line = page.locator("#lights-line")
    expect(line).to_have_text("The board of lights is on.")
    table.board.away = True
    faces = dict(zip(("1", "2", "3", "consonants"), MISERICORDIA.split(), strict=True))
    table.done("throw", faces=faces)  # a virtue is won, so a light changes
    expect(line).to_contain_text("the game goes on without it: The LED board was unplugged; it is looked for.")
    table.board.away = False
    expect(line).to_have_text("The board of lights is on.")
    table.done("throw", faces=faces)


def test_without_a_board_of_lights_nothing_is_said_of_one(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    table = LiveTable(tmp_path / "match.db")
    table.start()
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        page = open_page(address)
        expect(page.locator("#lights")).to_be_hidden()
        page.close()
    table.stop()


def test_a_press_of_the_button_is_said(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    transport = SimulatedTransport()
    table = LiveTable(tmp_path / "match.db", features=TableFeatures(leds=transport))
    table.start()
    assert table.command("new_match", {"game": "tables/zeno", "players": ["Anna", "Ben"], "dice_by": "tapped"}, "x").ok
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        page = open_page(address)
        expect(page.locator("#lights-line")).to_have_text("The board of lights is on.")
        firmware = transport.simulated.firmware
        assert isinstance(firmware, OwnFirmware)
        firmware.press()
        expect(page.locator("#lights-press")).to_have_text(
            "The button: There is no turn to end now: Anna throws the three dice."
        )
        page.close()
    table.stop()


def test_serve_draws_the_lights_of_a_simulated_board_in_the_theme_that_was_named(
    server: Callable[..., Server], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    kept = tmp_path / "mine.leds.toml"
    kept.write_text(strips("mine", "rim", [["1.1.1", "1.2.5", "player-1", "player-2"]]).text())
    running = server("--leds", "simulated", "--leds-map", str(kept), "--leds-theme", "colour-blind")
    running.new_match()
    page = open_page(running.address)
    expect(page.locator("circle.light")).to_have_count(4)
    expect(page.locator("circle.on")).to_have_attribute("data-site", "player-1")
    running.throw(MISERICORDIA)
    won = page.locator("circle[data-site='1.2.5']")
    expect(won).to_have_attribute("data-meaning", "last")
    expect(won).to_have_css("fill", re.compile(r"rgb\(25\d, 7\d, \d+\)"))  # as it came over the wire, gamma and back
    expect(page.locator(".lights-legend")).to_contain_text("last played or won")
    expect(page.locator("#lights-line")).to_have_text("The board of lights is on.")
