"""Every page in each of its states, for tests that check something on all of them.

To add a page, or a state of one, add an entry to `STATES`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Page

from companion.language.sentence import Sentence, SentenceJson
from companion.live.table import LiveTable
from companion.problems.problem import shipped
from companion.settings.file import SettingsFile
from companion.web import create_app
from tests.browser.conftest import THROW
from tests.web.fake_table import FakeTable
from tests.web.serving import served

PAX = "A IO AEI MNPR"


class Pictured(FakeTable):
    """A fake table with a real picture."""

    def picture(self, name: str) -> bytes | None:
        del name
        return cv2.imencode(".jpg", np.full((240, 320, 3), (60, 90, 60), np.uint8))[1].tobytes()


class Hall:
    """A real table without a camera, and a fake one for states that only a camera causes; both are served."""

    def __init__(self, live: LiveTable, live_address: str, fake: Pictured, fake_address: str) -> None:
        self.live, self.live_address = live, live_address
        self.fake, self.fake_address = fake, fake_address

    def do(self, name: str, /, **data: Any) -> None:
        reply = self.live.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)

    def begin(self, game: str = "ludus-regularis", dice_by: str = "tapped", **options: Any) -> None:
        self.do("new_match", game=game, players=["Anna", "Berno"], options=options, dice_by=dice_by, name="")

    def throw(self, faces: str, names: tuple[str, ...] = THROW, dice_set: str = "wibold") -> None:
        self.do("throw", faces=dict(zip(names, faces.split(), strict=True)), dice_set=dice_set)

    def settled(self, wanted: Callable[[Any], bool]) -> None:
        end = time.monotonic() + 60
        while not wanted(self.live.snapshot().data):
            assert time.monotonic() < end, "the table did not come to this state"
            self.live.wait(self.live.snapshot().version, 0.2)


@contextmanager
def hall(path: Path, languages: Path | None = None) -> Iterator[Hall]:
    """Serve both tables while the block runs; ``languages``: a folder with additional ones."""
    live, fake = LiveTable(path / "journal.db"), Pictured()
    live.start()
    settings = SettingsFile()
    settings.give({"texts": None if languages is None else str(languages)})
    apps = [create_app(table, trusted_hosts=["127.0.0.1"], settings=settings) for table in (live, fake)]
    with served(apps[0]) as live_address, served(apps[1]) as fake_address:
        yield Hall(live, live_address, fake, fake_address)
    live.stop()


@dataclass(frozen=True)
class State:
    """A page in a state: ``prepare`` brings the table there, ``act`` the open page."""

    name: str
    path: str = "/"
    prepare: Callable[[Hall], None] = lambda _: None
    act: Callable[[Page], None] = lambda _: None
    fake: bool = False
    status: int = 200

    def open(self, place: Hall, open_page: Callable[..., Page], width: int = 1280, height: int = 800) -> Page:
        """Return a page that shows the state."""
        self.prepare(place)
        address = place.fake_address if self.fake else place.live_address
        page: Page = open_page(address + self.path, width, height, ready=self.status == 200, quiet=self.status == 200)
        self.act(page)
        return page


def _sentence(template: str, **parts: Any) -> SentenceJson:
    return Sentence(template, **parts).to_json()


def _camera(**parts: Any) -> dict[str, Any]:
    live = {"source": "camera 0", "status": "LIVE", "hand": False, "phase": "still", "picture": 5}
    return {**live, "sentence": _sentence("The camera is live."), **parts}


def _demo(place: Hall) -> None:
    place.do("new_match", game="ludix", players=["", ""], programs=[1, 2], dice_by="program", demo=True)


def _asked(place: Hall) -> None:
    dice = [
        {"die": "1", "candidates": [["A", 0.999]], "status": "read", "crop": "crop-90-0"},
        {"die": "2", "candidates": [["IO", 0.7], ["IOUA", 0.2]], "status": "ask", "crop": "crop-90-1"},
        {"die": "3", "candidates": [["AEI", 0.99]], "status": "read", "crop": "crop-90-2"},
        {"die": "consonants", "candidates": [["MNPR", 0.6], ["GHKL", 0.3]], "status": "ask", "crop": "crop-90-3"},
    ]
    stated = _sentence("Not every die could be read for certain: what do they show?")
    suggested = {"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}
    question = {"id": 90, "sentence": stated, "dice": dice, "suggestion": suggested}
    place.fake.change(state="PROPOSED", state_sentence=stated, ask=question, camera=_camera())


def _reading(place: Hall) -> None:
    dice = [
        {"die": die, "set": "wibold", "face": face, "status": status, "confidence": 0.99, "polygon": []}
        for die, face, status in (("1", "A", "read"), ("2", "IO", "ask"), ("3", "AEI", "ignored"))
    ]
    prospects = {"virtues": ["1.2.3"], "virtue": "1.2.3", "holders": {"1.2.3": 1}, "missing": ["O"], "consonants": []}
    reading = {"dice": dice, "status": "ask", "prospects": prospects}
    stated = _sentence("The dice are rolling.")
    place.fake.change(state="SETTLING", state_sentence=stated, reading=reading, camera=_camera(hand=True))


def _lost(place: Hall) -> None:
    stated = _sentence("{name} has stopped sending: open it again.", name="camera 0")
    camera = _camera(status="LOST", sentence=stated, picture=None)
    place.fake.change(state="BLIND", state_sentence=stated, camera=camera, sample=True)


def _men(place: Hall) -> dict[str, Any]:
    place.begin("tables/zeno")
    place.settled(lambda data: bool(data["match"]) and data["match"]["game"] == "tables/zeno")
    wanted = ("match", "awaits", "board", "drawn", "choices", "virtues", "dice_sets")
    return {key: value for key, value in place.live.snapshot().data.items() if key in wanted}


SEATING = {"lies": "as named", "colours": {"light": 1, "dark": 2}}


def _mismatch(place: Hall) -> None:
    parts = _men(place)
    seen = {**parts["board"]["men"], "e": {"light": 1}}
    order = {"sentence": _sentence("Take {men} off {start}.", men="men", start="e"), "arrow": {"from": "e", "to": ""}}
    finding = {
        "kind": "mismatch",
        "sites": ["e"],
        "orders": [order],
        "why_not": _sentence("It is the turn of {player}.", player="Berno"),
        "differences": [{"site": "e", "expected": None, "seen": {"light": 1}}],
        "seen": {"e": seen["e"]},
        "sentence": _sentence("Too much of the board is covered."),
    }
    watch: dict[str, Any] = {"seating": SEATING, "ask": None, "finding": finding, "field": []}
    place.fake.change(**parts, state="MISMATCH", state_sentence=finding["sentence"], watch=watch, camera=_camera())


def _asked_of_men(place: Hall) -> None:
    parts = _men(place)
    stated = _sentence("Several plays lead to this picture: which was it?")
    candidates = [
        {"text": step, "sentence": _sentence("{text}", text=step), "arrows": [{"from": "a", "to": step[-1]}]}
        for step in ("a-c", "a-g")
    ]
    ask = {"id": 5, "about": "play", "sentence": stated, "candidates": candidates, "sites": ["c", "g"]}
    finding = {"kind": "asked", "sites": ["c"], "sentence": stated}
    watch: dict[str, Any] = {"seating": SEATING, "ask": ask, "finding": finding, "field": []}
    place.fake.change(**parts, state="PROPOSED", state_sentence=stated, watch=watch, camera=_camera())


def _first(kind: str) -> int:
    """Return the number of the first shipped problem of a kind."""
    return next(problem.number for problem in shipped() if problem.kind == kind)


def _moved_in_a_lesson(page: Page) -> None:
    for selector in ('[data-site="d2"]', '[data-site="d4"]', '[data-site="d6"]'):
        page.click(selector)
    page.wait_for_selector('[data-focus="kind-encounter"]')


def _noted(page: Page) -> None:
    """Make notes in the replay of the match that the table plays, whatever was played there before."""
    table = page.url.partition("/matches")[0]
    page.goto(f"{table}/matches/{page.request.get(f'{table}/api/state').json()['match']['id']}")
    page.wait_for_selector("body[data-ready]")
    page.click("#replay-notes summary")
    page.fill("#note", "Two men together cannot be hit.")
    page.press("#note", "Enter")
    page.wait_for_selector("#note-lesson:not([hidden])")


def _over(place: Hall) -> None:
    place.begin(ending="throws", throws=2)
    place.throw(PAX)
    place.throw("A IO AEI MNPR")
    place.settled(lambda data: data["outcome"] is not None)


def _thrown(place: Hall) -> None:
    place.begin()
    place.throw(PAX)
    place.settled(lambda data: data["throw"] is not None)


def _read_by_a_camera(place: Hall) -> None:
    undo = {"event": 3, "number": 1, "player": 1, "kind": "throw", "text": "", "anyone": False, "answered": False}
    place.fake.change(undo={**undo, "seen": True}, camera=_camera())


def _ludix(place: Hall) -> None:
    place.begin("ludix")
    waits = place.live.snapshot().data["awaits"]
    place.throw("X X I I", tuple(waits["dice"]), "ludix")
    place.settled(lambda data: data["awaits"]["kind"] == "choice")


def _zeno(place: Hall) -> None:
    place.begin("tables/zeno")
    place.throw("2 5 6", ("1", "2", "3"), "pips")
    place.settled(lambda data: data["awaits"]["kind"] == "choice")


def _paused(place: Hall) -> None:
    place.begin()
    place.do("pause")


def _correct(page: Page) -> None:
    page.get_by_text("What happened").click()
    page.get_by_role("button", name="Correct throw 1").click()
    page.locator("#correct[open] form").wait_for()


def _details(page: Page) -> None:
    page.locator(".rim .virtue button").first.click()
    page.locator("#virtue-details button").wait_for()


def _disputed(page: Page) -> None:
    page.get_by_text("What happened").click()
    page.locator(".log-what").first.click()
    page.locator("#dispute[open] form").wait_for()


def _undoing(page: Page) -> None:
    page.locator("[data-focus=undo]").click()
    page.locator("#confirm[open] form").wait_for()


def _beside(page: Page) -> None:
    page.locator("#beside-switch").click()
    page.locator("#beside h2").wait_for()


def _hinted(page: Page) -> None:
    page.locator("[data-focus=hint]").click()
    page.locator(".why summary").click()


def _full_screen(page: Page) -> None:
    page.evaluate("delete Element.prototype.requestFullscreen")  # the measures need windows of other sizes
    if page.locator("#full-screen").is_visible():  # not on a phone
        page.locator("#full-screen").click()


def _seats(page: Page) -> None:
    page.locator("#seats-fold > summary").click()
    page.locator("#seats .seat").last.wait_for()


def _keys(page: Page) -> None:
    page.locator("#help-open").click()
    page.locator("#help[open] summary").click()


def _played(place: Hall) -> None:
    """Play a few turns of Zeno, so that there is something to look over."""
    _zeno(place)
    for _ in range(3):
        while place.live.snapshot().data["awaits"]["kind"] == "choice":
            place.do("choose", choice=place.live.snapshot().data["choices"][0]["choice"])
        place.throw("1 3 4", ("1", "2", "3"), "pips")


def _looked_over(page: Page) -> None:
    match = page.evaluate("async () => (await (await fetch('/api/state')).json()).match.id")
    page.goto(f"{page.url.rstrip('/')}/matches/{match}")
    page.wait_for_selector("body[data-ready]")
    page.locator("#look").click()
    page.locator("#looked ol button").first.wait_for()
    page.locator("#look-progress").wait_for(state="hidden")


def _languages(page: Page) -> None:
    if page.locator("#languages summary").count():
        page.locator("#languages summary").click()


STATES = (
    State("no match"),
    State("start", "/start"),
    State("throw awaited", prepare=lambda place: place.begin()),
    State("thrown", prepare=_thrown, act=_languages),
    State(
        "pairs", prepare=_thrown, act=lambda page: page.locator("#board-switch input[value=pairs]").check(force=True)
    ),
    State("virtue", prepare=_thrown, act=_details),
    State("correcting", prepare=_thrown, act=_correct),
    State("disputed", prepare=_thrown, act=_disputed),
    State("undoing", prepare=_read_by_a_camera, act=_undoing, fake=True),
    State("beside men", prepare=_mismatch, act=_beside, fake=True),
    State("beside dice", prepare=_reading, act=_beside, fake=True),
    State("replay", "/matches/1", prepare=_thrown),
    State("replay with notes", "/matches/1", prepare=_zeno, act=_noted),
    State("wheel", prepare=lambda place: place.begin("ludus-regularis/wheel")),
    State("ludix choice", prepare=_ludix),
    State("tables choice", prepare=_zeno),
    State("hint", prepare=_zeno, act=_hinted),
    State("looked over", prepare=_played, act=_looked_over),
    State("full screen", prepare=_zeno, act=_full_screen),
    State("rules and keys", prepare=_zeno, act=_keys),
    State("rithmomachia", prepare=lambda place: place.begin("rithmomachia/durnil-guardia")),
    State("free board", prepare=lambda place: place.begin("tables/xii-scripta")),
    State("paused", prepare=_paused),
    State("over", prepare=_over),
    State("dice asked", prepare=_asked, fake=True),
    State(
        "dice asked in full",
        prepare=_asked,
        act=lambda page: page.get_by_role("button", name="Other …").click(),
        fake=True,
    ),
    State("reading", prepare=_reading, fake=True),
    State("blind", prepare=_lost, fake=True),
    State("mismatch", prepare=_mismatch, fake=True),
    State("men asked", prepare=_asked_of_men, fake=True),
    State(
        "seats",
        prepare=lambda place: place.begin(),
        act=_seats,
    ),
    State("demo", prepare=_demo),
    State("new match", "/new", prepare=lambda place: place.begin()),
    State(
        "rulings",
        "/new?game=rithmomachia/mebben",
        act=lambda page: page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })"),
    ),
    State("matches", "/matches", prepare=_over),
    State("statistics", "/statistics", prepare=_over),
    State("riddle", "/riddle?name=Anna"),
    State("courses", "/learn"),
    State("harmonies", "/harmonies"),
    State(
        "problems",
        "/problems",
        act=lambda page: page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })"),
    ),
    State("watched", "/watch", prepare=_zeno),
    State("watched paused", "/watch", prepare=_paused),
    State("problem", f"/problems/{_first('take')}"),
    State(
        "problem with a question", f"/problems/{_first('odds')}", act=lambda page: page.click('[data-focus="tap-0"]')
    ),
    State("lesson", "/learn/tables#2", act=lambda page: page.click('[data-focus="throw"]')),
    State("lesson with a question", "/learn/ludus-regularis", act=lambda page: page.click('[data-focus="throw"]')),
    State("position", "/position?game=tables/zeno", act=lambda page: page.click('[data-focus="dark"]')),
    State("position of numbers", "/position"),
    State("lesson of captures", "/learn/rithmomachia#2", act=_moved_in_a_lesson),
    State("worksheet", "/matches/1/worksheet", prepare=_over),
    State("help", "/help"),
    State("join", "/join"),
    State("camera", "/camera"),
    State("calibrate", "/calibrate"),
    State("table away", "/offline"),
    State("error", "/nothing", status=404),
)

assert len({state.name for state in STATES}) == len(STATES)
