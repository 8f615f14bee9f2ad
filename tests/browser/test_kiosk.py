"""A kiosk as visitors meet it: it invites, is played, asks whether anybody is there, and always comes back."""

import json
import re
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.language.sentence import Sentence
from companion.web import create_app
from companion.web.kiosk.attendant import Attendant
from companion.web.kiosk.folder import SETTINGS
from companion.web.kiosk.pages import prepare
from tests.browser.conftest import Server
from tests.browser.kept_pages import SEEN
from tests.browser.measures import at_sizes, violations
from tests.web.fake_table import FakeTable, state
from tests.web.kiosk.conftest import SATURDAY_NOON, Clocks
from tests.web.kiosk.test_attendant import HOURS
from tests.web.serving import served

pytestmark = pytest.mark.browser

PIN = "271828"
QUICK = """
idle_seconds = {idle}
countdown_seconds = 6
link = "https://museum.example/alea"
[[games]]
game = "ludus-regularis"
players = [1, 2, 3]
options = {{ ending = "throws", throws = 6 }}
"""


@pytest.fixture
def kiosk(tmp_path: Path, server: Callable[..., Server], request: pytest.FixtureRequest) -> Server:
    """Serve a kiosk that asks soon whether anybody is there; in the tests that are not about that, it waits."""
    idle = getattr(request, "param", 60)
    (tmp_path / SETTINGS).write_text(QUICK.format(idle=idle), encoding="utf-8")
    return server("--kiosk", str(tmp_path), "--pin", PIN)


def check_axe(page: Page) -> None:
    assert violations(page) == []


def begin(page: Page) -> None:
    page.get_by_role("button", name="Touch to begin").click()
    page.get_by_role("button", name="2 players").click()
    page.wait_for_selector("body[data-kiosk=table][data-ready]")


def read_code(page: Page) -> str:
    """Return what OpenCV's reader finds on a picture of the whole screen."""
    code = page.locator("#souvenir-code")
    page.evaluate(SEEN)
    code.scroll_into_view_if_needed()
    expect(code).to_have_js_property("complete", value=True)
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    found: str = cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]
    return found


@pytest.mark.parametrize("kiosk", [10], indirect=True)  # seconds: axe takes some on a busy machine
def test_a_visit_with_the_keyboard_alone_from_the_beginning_back_to_it(
    kiosk: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(kiosk.address)
    assert page.locator("body").get_attribute("data-kiosk") == "attract"
    expect(page.get_by_role("heading", name="Throw for virtues")).to_be_visible()
    check_axe(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="How many are you?")).to_be_visible()
    check_axe(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-kiosk=table][data-ready]")
    assert [player["program"] for player in kiosk.state()["match"]["players"]] == [False, True], "one plays alone"
    assert page.locator("nav, #menu:visible").count() == 0
    expect(page.locator(".player-name").first).to_contain_text("Blue")
    play_alone(page, kiosk)
    expect(page.get_by_role("heading", name="Take your virtues with you")).to_be_visible()
    check_axe(page)
    expect(page.locator("input[name=souvenir]")).to_have_count(1)  # the machine takes nothing home
    winner = page.locator("input[name=souvenir]:checked")
    found = read_code(page)
    state = kiosk.state()
    first = next(one for one in state["match"]["players"] if str(one["number"]) == winner.get_attribute("value"))
    mine = [virtue for virtue in state["virtues"] if virtue["owner"] == first["number"]]
    assert found.startswith("Ludus Regularis, ")
    teachers = state["outcome"]["teacher"]  # the dice decide who wins, or whether nobody does
    role = (
        "is the teacher, with"
        if first["number"] in teachers
        else "is a pupil and has acquired"
        if teachers
        else "has acquired"
    )
    assert f"{first['name']} {role} {len(mine)} virtue" in found
    for virtue in mine:
        assert f"{virtue['english']} ({virtue['name']})" in found
    assert found.endswith("\nhttps://museum.example/alea")
    still = page.get_by_role("alertdialog", name="Are you still there?")
    expect(still).to_be_visible()
    check_axe(page)
    page.keyboard.press("Escape")
    expect(still).to_be_hidden()
    expect(still).to_be_visible()
    page.wait_for_selector("body[data-kiosk=attract]")
    with urllib.request.urlopen(f"{kiosk.address}/healthz", timeout=60) as answer:
        assert json.load(answer)["ok"]


def play_alone(page: Page, kiosk: Server) -> None:
    """Throw by the Enter key, which the large button has from the beginning, whenever it is the visitor's turn."""
    until = time.monotonic() + 900
    while (state := kiosk.state())["outcome"] is None:
        assert time.monotonic() < until, state["state_sentence"]
        if not state["awaits"]["by_program"]:
            before = len(casts(state))
            expect(page.locator(".throw-now:focus:not([aria-disabled])")).to_be_visible()
            page.keyboard.press("Enter")
            page.keyboard.press("Enter")  # once too often: it throws once
            while len(casts(kiosk.state())) == before:  # the program may have answered before the page shows anything
                assert time.monotonic() < until, "the visitor's key threw nothing"
                time.sleep(0.05)
        time.sleep(0.1)
    throws = [line["actor"] for line in casts(state) if line["kind"] == "throw"]
    assert len(throws) >= 6
    assert set(throws) == {"page", "program"}
    assert throws == (throws[:2] * len(throws))[: len(throws)], "they throw in turn"


def casts(state: Any) -> list[Any]:
    """Return the lines of the log that tell of dice on the table; a recast is no throw of its own."""
    return [line for line in state["log"] if line["kind"] in ("throw", "recast")]


def test_each_of_two_visitors_has_a_code_of_their_own(kiosk: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(kiosk.address)
    begin(page)
    for _ in range(40):
        if kiosk.state()["outcome"] is not None:
            break
        kiosk.command("roll")
    found = read_code(page)
    page.locator("input[name=souvenir]:checked").press("ArrowDown")
    shown = page.locator("input[name=souvenir]:checked").get_attribute("value")
    expect(page.locator("#souvenir-code")).to_have_attribute("src", re.compile(rf"/{shown}\.svg"))
    other = read_code(page)
    assert other
    assert other != found


def test_a_visitor_finds_one_large_button_and_nothing_of_the_operators(
    kiosk: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(kiosk.address, 1920, 1080)
    meets_one_large_button(page, kiosk)
    page.locator("#kiosk-leave").click()
    page.get_by_role("button", name="Yes, we are leaving").click()
    page.set_viewport_size({"width": 1080, "height": 1920})
    meets_one_large_button(page, kiosk)


def meets_one_large_button(page: Page, kiosk: Server) -> None:
    """Begin alone and throw: every button is where a visitor finds it, and the operators' are not there."""
    assert page.viewport_size
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    page.get_by_role("button", name="Touch to begin").click()
    counts = page.locator("#counts button:visible")
    expect(counts).to_have_count(3)
    shown = [box for count in counts.all() if (box := count.bounding_box())]
    assert len({(round(box["width"]), round(box["height"])) for box in shown}) == 1
    assert len(shown) == 3
    expect(counts.first).to_have_attribute("aria-label", "1 player, against the machine")
    counts.first.click()
    page.wait_for_selector("body[data-kiosk=table][data-ready]")
    button = page.get_by_role("button", name="Throw", exact=True)
    box = button.bounding_box()
    assert box
    assert box["height"] >= 195
    assert box["y"] + box["height"] <= height, "it needs no scrolling"
    if height > width:
        assert box["y"] >= height * 2 / 3, "within reach of a wheelchair"
        assert page.evaluate("document.documentElement.scrollHeight") == height, "nothing is below the screen"
    for operators in ("Auto-play", "Enter the faces by hand", "More", "Correct"):
        assert page.get_by_role("button", name=operators).count() == 0
    expect(page.locator("#camera-badge")).to_be_hidden()
    assert "camera" not in page.locator("body").inner_text()
    button.click()
    expect(page.locator("#progress")).to_contain_text(re.compile("[12] throw"))
    state = kiosk.state()
    threw = [line["actor"] for line in casts(state) if line["kind"] == "throw"]
    assert threw[0] == "page"
    assert threw[1:] == ["program"] or state["awaits"]["by_program"] or state["awaits"]["kind"] == "recast"


def owner(kiosk: Server) -> Callable[..., Any]:
    """Return how an owner who gave the PIN asks."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(path: str, data: dict[str, Any] | None = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        asked = urllib.request.Request(f"{kiosk.address}{path}", body, {"Content-Type": "application/json"})
        with opener.open(asked, timeout=60) as answer:
            return json.load(answer)

    ask("/api/owner", {"pin": PIN})
    return ask


def test_a_match_outlives_a_kill_and_is_kept_when_its_players_leave(
    kiosk: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(kiosk.address, quiet=False)
    begin(page)
    page.locator("[data-focus=roll]").click()
    expect(page.locator("#progress")).to_contain_text("1 throw")
    kiosk.stop(signal.SIGKILL)
    page.wait_for_selector("body[data-waiting]")
    kiosk.start()
    page.wait_for_selector("body[data-kiosk=table][data-ready]:not([data-waiting])")
    expect(page.locator("#progress")).to_contain_text("1 throw")
    page.mouse.click(5, 400)
    page.locator("[data-focus=roll]").click()
    expect(page.locator("#progress")).to_contain_text("2 throws")
    page.get_by_role("button", name="We are done").click()
    page.get_by_role("button", name="Yes, we are leaving").click()
    page.wait_for_selector("body[data-kiosk=attract][data-ready]")
    assert kiosk.state()["match"]["paused"]
    ask = owner(kiosk)
    (day,) = ask("/api/kiosk/statistics")["days"].values()
    assert (day["begun"], day["left"]) == (1, 1)
    ask("/api/command/resume", {"match": 1})
    page.wait_for_selector("body[data-kiosk=table][data-ready]")
    expect(page.locator("#progress")).to_contain_text("2 throws")
    page.goto(f"{kiosk.address}/camera")
    page.get_by_role("textbox", name="PIN").fill(PIN)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="This device's camera").click()
    keep = page.get_by_role("button", name="This is my table")
    right = "one => one.getBoundingClientRect().right"
    assert keep.evaluate(right) < page.locator("#seen").evaluate(right)
    keep.click()
    page.wait_for_selector("body[data-kiosk=table][data-ready]")
    page.context.clear_cookies()  # with them the owner's session ends
    with page.expect_response(lambda answer: answer.url.endswith("/api/frames") and answer.status == 204):
        page.reload()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[tuple[str, Attendant, FakeTable, Clocks]]:
    """A kiosk on a fake table whose clock a test turns."""
    (tmp_path / SETTINGS).write_text(HOURS, encoding="utf-8")
    table, clocks = FakeTable(), Clocks(wall=SATURDAY_NOON)
    table.change(match=None)
    attendant = Attendant(tmp_path, table, wall=lambda: clocks.wall, steady=lambda: clocks.steady)
    attendant.tick()
    app = create_app(table, trusted_hosts=["127.0.0.1"], owner_pin=PIN)
    prepare(app, attendant)
    with served(app) as address:
        yield address, attendant, table, clocks


def test_nothing_leads_out_of_the_page(
    hall: tuple[str, Attendant, FakeTable, Clocks], open_page: Callable[..., Page]
) -> None:
    address = hall[0]
    page = open_page(address)
    hall[2].change()  # a match is begun
    page.wait_for_selector("body[data-kiosk=table][data-ready]")
    taken = page.evaluate(
        """() => {
          const prevented = (event) => !document.body.dispatchEvent(event);
          const key = (init) => new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
          const link = Object.assign(document.createElement("a"), { href: "/matches", textContent: "out" });
          const away = Object.assign(document.createElement("a"), { href: "https://example.org/", textContent: "?" });
          document.body.append(link, away);
          const click = (node) => !node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
          const taken = {
            menu: prevented(new MouseEvent("contextmenu", { bubbles: true, cancelable: true })),
            print: prevented(key({ key: "p", ctrlKey: true })),
            back: prevented(key({ key: "ArrowLeft", altKey: true })),
            help: prevented(key({ key: "F1" })),
            link: click(link), away: click(away),
            tab: prevented(key({ key: "Tab" })), enter: prevented(key({ key: "Enter" })),
          };
          for (const made of [link, away]) made.remove();
          return taken;
        }"""
    )
    assert taken == {
        **dict.fromkeys(("menu", "print", "back", "help", "link", "away"), True),
        **dict.fromkeys(("tab", "enter"), False),
    }
    assert page.url == f"{address}/"
    for path in ("/new", "/matches", "/camera"):
        assert page.locator(f"a[href='{path}']:visible").count() == 0
    page.go_back()
    assert page.url in (f"{address}/", "about:blank"), "the beginning and the table replace each other"


def ended(names: list[str], winners: list[int], teacher: list[int], scores: list[int]) -> dict[str, Any]:
    """Return the parts of a state in which a match with these virtues for each is over."""
    now = state(1)
    owners = (player for player, score in enumerate(scores, 1) for _ in range(score))
    virtues = [{**one, "owner": next(owners, None), "throw": 3} for one in now["virtues"]]
    players = [
        {**now["match"]["players"][0], "number": number, "colour": number, "name": name, "score": score}
        for number, (name, score) in enumerate(zip(names, scores, strict=True), 1)
    ]
    outcome = {
        "winners": winners,
        "teacher": teacher,
        "pupils": [],
        "tie": len(winners) > 1,
        "why": Sentence("Ended by agreement.").to_json(),
    }
    return {"match": {**now["match"], "players": players}, "virtues": virtues, "outcome": outcome, "awaits": None}


SEATS = {  # what the curator's words call the first two visitors
    "en": {},
    "de": {"Blue": "Blau", "Red": "Rot"},
    "fr": {"Blue": "Bleu", "Red": "Rouge"},
    "es": {"Blue": "Azul", "Red": "Rojo"},
}
LONG = ["Maximiliane Grün-Bergeron", "Bartholomäus der Ältere", "Konstantinopolitanisch", "Wilhelmina von Ehrenfels"]
ENDS = {
    "a teacher with every virtue": ended(["Blue", "Red"], [1], [1], [56, 0]),
    "a shared win of two": ended(["Blue", "Red"], [1, 2], [], [5, 5]),
    "a shared win of four with long names": ended(LONG, [1, 2, 3, 4], [], [14, 14, 14, 14]),
    "a teacher of three with long names": ended(LONG, [1], [1], [20, 15, 12, 9]),
    "nobody": ended(LONG, [], [], [0, 0, 0, 0]),
}
LONGEST = {name: ENDS[name] for name in ("a teacher with every virtue", "a shared win of four with long names")}
"""Those that are shown in every language: with names that the page translates, and with most to show."""
SMALLEST = ((1280, 800), (768, 1024))
SIZES = (*SMALLEST, (1920, 1080), (1080, 1920))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_end_is_one_screen_whoever_won(
    hall: tuple[str, Attendant, FakeTable, Clocks], open_page: Callable[..., Page], language: str
) -> None:
    address, _, table, _ = hall
    table.change(**ENDS["nobody"])
    page = open_page(f"{address}/?language={language}")
    for number, (name, end) in enumerate((ENDS if language == "en" else LONGEST).items(), 2):
        end["match"]["id"] = number  # another match: the page makes its codes anew
        table.change(**end)
        players = end["match"]["players"]
        names = [SEATS[language].get(player["name"], player["name"]) for player in players]
        expect(page.locator(".rank-head strong")).to_have_text(names)
        expect(page.locator(".rank-score")).to_contain_text([str(player["score"]) for player in players])
        expect(page.locator("input[name=souvenir]")).to_have_count(len(players))
        for width, height in at_sizes(page, SIZES if language == "en" else SMALLEST):
            one_screen, distances, code, whose = page.evaluate(
                """() => {
                  const area = (id) => document.getElementById(id).getBoundingClientRect();
                  const [code, leave, root] = [area("souvenir-code"), area("kiosk-leave"), document.documentElement];
                  const apart = code.right <= leave.left || code.bottom <= leave.top;
                  const whose = document.querySelector(".souvenir-players").getBoundingClientRect();
                  return [root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth, apart,
                    Math.min(code.width, code.height), whose.top];
                }"""
            )
            assert one_screen, (name, width)
            assert distances, (name, width, "the button covers the code")
            assert code >= 280, (name, width, code)
            if height > width:
                assert whose >= height * 2 / 3, (name, width, "the code of another player is out of reach")


def test_what_is_pressed_stands_low_on_an_upright_screen_and_beside_the_dice_on_a_broad_one(
    hall: tuple[str, Attendant, FakeTable, Clocks], open_page: Callable[..., Page]
) -> None:
    address, _, table, _ = hall
    table.change()  # a match is begun whose dice are tapped in
    page = open_page(address, 1080, 1920)
    pad = page.locator("#kiosk-dock #tap")
    box = pad.bounding_box()
    assert box
    assert box["y"] >= 1920 / 2
    assert box["y"] + box["height"] <= 1920, "it needs no scrolling"
    page.set_viewport_size({"width": 1920, "height": 1080})
    expect(page.locator("#centre > #tap")).to_be_visible()
    expect(page.locator("#kiosk-dock")).to_be_hidden()
    order = "[...document.querySelectorAll('#centre > section')].map((one) => one.id)"
    assert page.evaluate(order) == ["wheel", "men", "ask", "dice-now", "ludix", "tap", "choices", "controls"]
    page.set_viewport_size({"width": 1080, "height": 1920})
    expect(pad).to_be_visible()
    check_axe(page)


def test_it_closes_and_opens_by_the_clock(
    hall: tuple[str, Attendant, FakeTable, Clocks], open_page: Callable[..., Page]
) -> None:
    address, attendant, table, clocks = hall
    page = open_page(address)
    clocks.pass_by(55 * 60)
    attendant.tick()
    expect(page.get_by_text("The table closes in 5 minutes.")).to_be_visible()
    clocks.pass_by(10 * 60)
    attendant.tick()
    page.wait_for_selector("body[data-kiosk=closed]")
    expect(page.get_by_role("heading", name="Closed")).to_be_visible()
    expect(page.get_by_text("It opens on Sunday at 11:00.")).to_be_visible()
    check_axe(page)
    assert table.suspended
    clocks.pass_by(22 * 3600)
    attendant.tick()
    page.wait_for_selector("body[data-kiosk=attract][data-ready]")


def test_a_whole_game_plays_itself_in_a_minute(
    hall: tuple[str, Attendant, FakeTable, Clocks], open_page: Callable[..., Page]
) -> None:
    page = open_page(hall[0], fresh=True)
    page.clock.install()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.clock.run_for(21000)
    some = page.locator(".rim .virtue[data-owner]").count()
    assert 1 <= some <= 8, "the first throws go by one by one"
    page.clock.run_for(40500)
    assert page.locator(".rim .virtue[data-owner]").count() == 56
    expect(page.locator("#caption")).to_contain_text("All virtues are acquired.")
    expect(page.get_by_role("button", name="Touch to begin")).to_be_visible()
    assert hall[2].events == [], "nothing of it reaches the table"
    page.clock.run_for(9500)
    expect(page.locator(".rim .virtue[data-owner]")).not_to_have_count(56)


def test_whoever_asks_for_no_motion_sees_a_game_at_its_end(
    hall: tuple[str, Attendant, FakeTable, Clocks], open_page: Callable[..., Page]
) -> None:
    page = open_page(hall[0])
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".rim .virtue[data-owner]").count() == 56
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    expect(page.get_by_role("button", name="Touch to begin")).to_be_visible()


def test_a_choice_among_four_numerals_is_one_screen_high(
    tmp_path: Path, server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    (tmp_path / SETTINGS).write_text('[[games]]\ngame = "ludix"\n', encoding="utf-8")
    running = server("--kiosk", str(tmp_path), "--pin", PIN)
    ask = owner(running)
    ask("/api/command/new_match", {"game": "ludix", "players": ["Blue", "Red"], "dice_by": "tapped"})
    ask("/api/command/throw", {"dice_set": "ludix", "faces": {"1": "V", "2": "X", "3": "I", "4": "L"}})
    page = open_page(running.address, 1280, 800)
    for _, height in at_sizes(page, ((1280, 800), (1920, 1080))):
        expect(page.locator(".ludix-choices button")).to_have_count(8)
        expect(page.get_by_role("button", name="Hint")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight") == height, "nothing is below the screen"
