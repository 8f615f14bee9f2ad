"""A newcomer calibrates a board by the page alone and plays the first refereed move: with markers, without, by keys."""

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from companion.referee.board.seating import Seating
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.boards.board_profile import BoardProfile, load
from companion.vision.boards.pose import Points
from tests.browser.conftest import Server
from tests.browser.pushed_camera import PushedCamera
from tests.browser.test_page import NAMELESS, SMALL_TARGETS
from tests.calibration.board.printed_board import printed_film
from tests.referee.board.simulated import perfect, seating_of
from workshop.board_scenes.filming import BoardFilm

pytestmark = pytest.mark.browser

ZENO = "tables/zeno"
START = {"a": {"light": 15}, "z": {"dark": 15}}
PATIENCE = 120_000  # milliseconds


class Newcomer:
    """Does what a person does on the page and counts it: clicks, drags, keys."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps: list[tuple[str, float]] = []

    def click(self, name: str, role: Any = "button") -> None:
        self._done(name, self.page.get_by_role(role, name=name).first.click)

    def tick(self, selector: str) -> None:
        self._done(selector, lambda: self.page.locator(selector).check(force=True))

    def drag(self, corner: int, by: tuple[float, float]) -> None:
        """Drag a corner by so many pixels of the picture."""
        self.settled()
        box = self.handle(corner).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        scale = self.page.evaluate("document.querySelector('#shown').getBoundingClientRect().width") / 1280

        def moved() -> None:
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            self.page.mouse.move(x + by[0] * scale, y + by[1] * scale, steps=5)
            expect(self.page.locator(".magnifier")).to_be_visible()
            self.page.mouse.up()

        self._done(f"drag {corner}", moved)

    def press(self, *keys: str) -> None:
        for key in keys:
            self._done(key, partial(self.page.keyboard.press, key))

    def handle(self, corner: int) -> Locator:
        return self.page.locator(f".corner[data-corner='{corner}']")

    def settled(self) -> None:
        """Wait until the table has answered."""
        expect(self.page.locator("body")).not_to_have_attribute("aria-busy", "true", timeout=PATIENCE)

    def at(self, step: str) -> None:
        """Wait until the page has come to a step; the waiting counts for what was done before."""
        begun = time.monotonic()
        expect(self.page.locator("body")).to_have_attribute("data-step", step, timeout=PATIENCE)
        if self.steps:
            name, seconds = self.steps[-1]
            self.steps[-1] = (name, seconds + time.monotonic() - begun)

    def _done(self, name: str, act: Callable[[], None]) -> None:
        begun = time.monotonic()
        act()
        self.steps.append((name, time.monotonic() - begun))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what is calibrated away from the user's own boards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "alea-companion" / "boards"


def newcomer(page: Page) -> Newcomer:
    expect(page.locator("#shown")).to_be_visible()
    return Newcomer(page)


def begin_match(person: Newcomer) -> None:
    """Begin a match from the last step of the page, and say how the men lie; the referee then agrees with the board."""
    page = person.page
    person.click("Begin a match on it", "link")
    page.wait_for_selector("body[data-ready]")
    person.click("With my dice and camera")
    seat = page.locator(".men-ask button").filter(has_text="light is Player 1's").filter(has_text="bottom right")
    expect(seat).to_be_visible(timeout=PATIENCE)
    person.click(seat.inner_text())
    expect(page.locator("#status")).to_have_attribute("data-state", "SYNCED", timeout=PATIENCE)


def play_first_turn(person: Newcomer, server: Server, camera: PushedCamera, film: BoardFilm) -> Match:
    """Begin a match, throw, move the men, and wait for the referee."""
    page = person.page
    begin_match(person)
    person.click("Throw")
    expect(page.locator("#subline")).to_contain_text("Player 1 plays", timeout=PATIENCE)
    before = match_of(server.journal)
    played, number = before.position, before.position.awaits.player
    while played.awaits.kind != "throw" and played.awaits.player == number:
        played = played.after(next(iter(played.legal())))
    still = film.picture(standing(played, seating_of(game(ZENO))), 9).jpeg
    camera.show(with_hand(still))
    time.sleep(1.0)
    camera.show(still)
    expect(page.locator("#subline")).to_contain_text("Player 2", timeout=PATIENCE)
    after = match_of(server.journal)
    assert str(after.position) == str(played)
    return after


def match_of(journal: Path) -> Match:
    with Journal(journal, writable=False) as opened:
        return Match.of(opened.events(opened.matches()[0].id))


def standing(position: Position, seating: Seating) -> dict[str, dict[str, int]]:
    """Return the men as a film is told them; piles whole."""
    found: dict[str, dict[str, int]] = {}
    for name, site in perfect(position, seating).sites.items():
        if site.standing is not None:
            found[name] = {site.standing.colour: site.standing.count}
    for owner in (1, 2):  # a pile's height is known by what lies elsewhere
        colour = seating.colour(owner)
        mine = [name for name, men in found.items() if colour in men]
        largest = max(mine, key=lambda name: found[name][colour])
        found[largest][colour] += 15 - sum(found[name][colour] for name in mine)
    return found


def with_hand(jpeg: bytes) -> bytes:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    image[400:, 500:800] = (120, 150, 200)
    return cv2.imencode(".jpg", image)[1].tobytes()


def fits(page: Page, width: int, step: str) -> None:
    """Fail where a step reaches beyond the edge, or has a control that is too small or has no name."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width, step
    assert page.evaluate(SMALL_TARGETS) == [], step
    assert page.evaluate(NAMELESS) == [], step


def kept(home: Path) -> BoardProfile:
    (path,) = home.glob("*.board")
    return load(path)


def off(profile: BoardProfile, truth: Points) -> float:
    return float(np.abs(profile.corners - truth).max())


def test_from_a_printed_board_to_the_first_refereed_move(
    server: Callable[..., Server], open_page: Callable[..., Page], home: Path
) -> None:
    film = printed_film(4)
    shown = film.picture(START, 0)
    running = server("--board-camera", "push")
    with PushedCamera(running.address, shown.jpeg) as camera:
        person = newcomer(open_page(f"{running.address}/calibrate"))
        person.click("Take the picture")
        person.at("confirm")
        expect(person.page.locator("#how")).to_have_text("The outline comes from the printed markers.")
        person.click("The outline is right")
        person.at("colours")
        person.click("Look at the men")
        person.at("name")
        person.click("Keep it and use it now")
        person.at("done")
        assert len(person.steps) == 4
        expect(person.page.locator("#taps")).to_contain_text("You needed 4 steps")
        profile = kept(home)
        assert profile.how == "markers"
        assert off(profile, shown.corners) < 1.5
        assert set(profile.colours) == {"light", "dark", "empty"}
        match = play_first_turn(person, running, camera, film)
    assert match.started.men_by == "camera"
    assert len(person.steps) == 8


def test_wrong_proposals_are_put_right_by_dragging_and_the_running_table_follows(
    server: Callable[..., Server], open_page: Callable[..., Page], home: Path
) -> None:
    film = printed_film(4, markers=False)
    shown = film.picture(START, 0)
    running = server("--camera", "push")  # nobody was told of a board
    with PushedCamera(running.address, shown.jpeg):
        person = newcomer(open_page(f"{running.address}/calibrate"))
        person.tick("input[name=made][value=own]")
        person.click("Take the picture")
        # whether what the net proposes could be followed is the net's affair: it is put wrong, and right again
        expect(person.page.locator("body")).to_have_attribute(
            "data-step", re.compile("corners|confirm"), timeout=PATIENCE
        )
        for corner, across, down in ((1, 90.0, 70.0), (3, -90.0, -70.0)):  # so that the proposal is left
            person.drag(corner, (across, down))
        wrong = len(person.steps)
        for corner in (1, 2, 3, 4):
            person.settled()
            box = person.handle(corner).bounding_box()
            frame = person.page.locator("#shown").bounding_box()
            assert box is not None
            assert frame is not None
            scale = 1280 / frame["width"]
            x = (box["x"] + box["width"] / 2 - frame["x"]) * scale
            y = (box["y"] + box["height"] / 2 - frame["y"]) * scale
            person.drag(corner, (shown.corners[corner - 1][0] - x, shown.corners[corner - 1][1] - y))
        person.at("confirm")
        expect(person.page.locator("#how")).to_have_text("The outline is where you put it.")
        person.click("The outline is right")
        person.at("colours")
        person.click("Skip this")
        person.at("name")
        person.click("Keep it and use it now")
        person.at("done")
        profile = kept(home)
        assert profile.how == "hand"
        assert off(profile, shown.corners) < 4
        assert len(person.steps) == wrong + 4 + 3
        begin_match(person)  # how it goes on: the test above


def test_the_keyboard_alone_leads_through_and_every_step_fits_a_screen(
    server: Callable[..., Server], open_page: Callable[..., Page], home: Path
) -> None:
    shown = printed_film(4).picture(START, 0)
    running = server("--board-camera", "push")
    with PushedCamera(running.address, shown.jpeg):
        person = newcomer(open_page(f"{running.address}/calibrate"))
        page = person.page

        def tab_to(name: str) -> None:
            for _ in range(30):
                person.press("Tab")
                if name in page.evaluate(
                    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
                ):
                    return
            raise AssertionError(f"Tab does not come to {name}.")

        person.at("picture")
        fits(page, 1280, "picture")
        tab_to("Take the picture")
        person.press("Enter")
        person.at("confirm")
        fits(page, 1280, "confirm")
        tab_to("Corner 2, top right")
        before = page.evaluate("document.activeElement.getAttribute('aria-label')")
        person.press("Shift+ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "Shift+ArrowLeft", "ArrowLeft")
        expect(page.locator(".magnifier")).to_be_visible()
        expect(page.locator("#corner-said")).to_contain_text("Corner 2, top right", timeout=PATIENCE)
        assert page.locator("#corner-said").inner_text() != before
        expect(page.locator("#how")).to_have_text("The outline is where you put it.")
        tab_to("The outline is right")
        person.press("Enter")
        person.at("colours")
        fits(page, 1280, "colours")
        tab_to("Skip this")
        person.press("Enter")
        person.at("name")
        fits(page, 1280, "name")
        tab_to("Keep it")
        person.press("Enter")
        person.at("done")
        fits(page, 1280, "done")
        assert off(kept(home), shown.corners) < 2.5


def test_every_step_fits_a_phone_and_a_finger_drags_a_corner(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server("--board-camera", "push")
    with PushedCamera(running.address, printed_film(4).picture(START, 0).jpeg):
        person = newcomer(open_page(f"{running.address}/calibrate", 390, 844, fresh=True))  # fingers stay with a page
        ways = [None, "Take the picture", "The outline is right", "Skip this", "Keep it and use it now"]
        for way, step in zip(ways, ["picture", "confirm", "colours", "name", "done"], strict=True):
            if way is not None:
                person.click(way)
            person.at(step)
            fits(person.page, 390, step)
            if step == "confirm":
                drag_by_a_finger(person)


def drag_by_a_finger(person: Newcomer) -> None:
    """Drag the first corner by 20 pixels across and 10 down."""
    handle, fingers = person.handle(1), person.page.context.new_cdp_session(person.page)
    fingers.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + 30, box["y"] + 30  # beside the corner's middle: it does not jump under the finger
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in (5, 10, 15, 20):
        point = {"x": x + step, "y": y + step / 2}
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    expect(person.page.locator(".magnifier")).to_be_visible()
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(person.page.locator("#how")).to_have_text("The outline is where you put it.")
    moved = handle.bounding_box()
    assert moved is not None
    assert moved["x"] - box["x"] == pytest.approx(20, abs=1.5)
    assert moved["y"] - box["y"] == pytest.approx(10, abs=1.5)


def test_a_camera_that_goes_in_the_middle_is_said_and_nothing_is_lost(
    server: Callable[..., Server], open_page: Callable[..., Page], home: Path
) -> None:
    shown = printed_film(4).picture(START, 0)
    running = server("--board-camera", "push")
    with PushedCamera(running.address, shown.jpeg) as camera:
        person = newcomer(open_page(f"{running.address}/calibrate", quiet=False))
        person.click("Take the picture")
        person.at("confirm")
        person.click("The outline is right")
        person.at("colours")
        camera.on = False
        time.sleep(2.5)
        person.click("Look at the men")
        expect(person.page.locator("#wrong")).to_contain_text("The camera gives no picture now.", timeout=PATIENCE)
        camera.on = True
        time.sleep(0.5)
        person.click("Look at the men")
        person.at("name")
        other = newcomer(open_page(f"{running.address}/calibrate", quiet=False))
        other.click("Take the picture")
        expect(other.page.locator("#wrong")).to_contain_text("is being calibrated on another page")
        person.click("Keep it and use it now")
        person.at("done")
        other.click("Take over and begin here")
        other.at("confirm")
        assert kept(home).name == "tables-kit"


def test_without_a_camera_the_page_says_how_to_begin(shared_server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{shared_server.address}/calibrate")
    expect(page.locator(".lead")).to_contain_text("choose one on the page Camera")
    assert page.locator("button:visible").count() == 0


def test_on_a_network_the_page_asks_for_the_owners_pin(
    server: Callable[..., Server], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    jpeg = printed_film(4).picture(START, 0).jpeg
    for number in range(40):  # a second each
        (folder / f"{number:02}.jpg").write_bytes(jpeg)
    running = server("--host", "0.0.0.0", "--pin", "314159", "--board-camera", str(folder))
    page = open_page(f"{running.address}/calibrate", quiet=False)
    expect(page.locator("#pin")).to_be_visible()
    expect(page.locator("#frame")).to_be_hidden()
    page.locator("#pin-field").fill("314159")
    page.get_by_role("button", name="Continue").click()
    person = newcomer(page)
    person.click("Take the picture")
    person.at("confirm")
