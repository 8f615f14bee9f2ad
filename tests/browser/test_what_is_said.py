"""What is happening, said and shown: a sentence and a sign for every state, the camera beside the referee, sounds."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.language.sentence import Sentence
from companion.web import create_app
from tests.browser.test_camera_states import Pictured, camera
from tests.web.fake_table import state
from tests.web.serving import served

pytestmark = pytest.mark.browser

HAND = Sentence("A hand is over the table.").to_json()
LOST = Sentence("The camera is lost: is its cable in?").to_json()
KNOCKED = Sentence("The board was knocked: it lies elsewhere now.").to_json()
ILLEGAL = Sentence("One light man has come to e, where he may not go.").to_json()
DISK = Sentence("The journal could not be written: see that the disk has room.").to_json()
OVER = {"winners": [1], "tie": False, "why": Sentence("Anna has the most, 3.").to_json(), "teacher": [], "pupils": []}
FINDING = {
    "kind": "mismatch", "sentence": ILLEGAL, "notice": None, "why_not": None, "sites": ["e"], "orders": [],
    "arrows": [], "seen": {"name": "tables", "men": {"e": {"1": 1}}},
    "differences": [{"site": "e", "expected": None, "seen": {"1": 1}}],
}  # fmt: skip
WATCH = {
    "status": "LIVE", "hand": False, "picture": 5, "warning": None, "seating": None, "ask": None, "finding": FINDING,
    "field": []
}  # fmt: skip
BOARD = {"name": "tables", "men": {"a": {"1": 15}}, "last": []}
SPOKEN = """
  window.spoken = [];
  const speak = (said) => {
    window.spoken.push([said.text, said.lang]);
    window.speaking = said;
  };
  const synthesis = { speak, cancel() {} };
  Object.defineProperty(window, "speechSynthesis", { value: synthesis });
"""


def match(**parts: Any) -> dict[str, Any]:
    return {"match": {**state(7)["match"], **parts}}


# what the table says, the sign beside it, and the words that must stand there large
STATES: list[tuple[dict[str, Any], str, str]] = [
    ({}, "turn", "Anna throws"),
    ({"state": "SETTLING", "state_sentence": HAND, "camera": camera(hand=True)}, "moving", "Anna throws"),
    ({"state": "BLIND", "state_sentence": LOST, "camera": camera(status="LOST", sentence=LOST)}, "blind", "is lost"),
    ({"state": "MISMATCH", "state_sentence": ILLEGAL, "camera": camera()}, "wrong", "may not go"),
    ({"state": "PROPOSED", "state_sentence": ILLEGAL}, "ask", "may not go"),
    ({"state": "BLIND", "state_sentence": LOST, "match": None, "awaits": None}, "none", "No match"),
    (match(paused=True), "paused", "paused"),
    ({"outcome": OVER}, "over", "over"),
    ({"autoplay": True}, "program", "The program"),
    ({"health": {"journal": DISK}}, "trouble", "disk has room"),
]


@pytest.fixture
def fake() -> Iterator[tuple[Pictured, str]]:
    table = Pictured()
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        yield table, address


def test_every_state_has_a_large_sentence_and_a_sign_of_its_own(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    page = open_page(address, quiet=False)
    drawn = set()
    for parts, sign, words in STATES:
        table.change(**parts)
        expect(page.locator("#status")).to_have_attribute("data-sign", sign)
        expect(page.locator("#headline")).to_contain_text(words)
        assert page.locator("#status-sign").inner_text().strip(), sign
        drawn.add(page.locator("#status-sign path").get_attribute("d"))
        size = page.locator("#headline").evaluate("line => parseFloat(getComputedStyle(line).fontSize)")
        assert size >= 28, "capitals of 3.4 mm on a ten-inch screen of 1280 x 800: legible from two metres"
    assert len(drawn) == len(STATES)
    table.change(camera=camera(hand=True), state="SETTLING", state_sentence=HAND)
    expect(page.locator("#subline")).to_have_text("A hand is over the table.")
    table.change(camera={**camera(), "warning": KNOCKED})
    expect(page.locator("#status-note")).to_have_text(KNOCKED["text"])
    table.change(hitch=HAND)
    expect(page.locator("#status-note")).to_have_text(HAND["text"])
    page.route("**/api/**", lambda route: route.abort())
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")  # asks anew
    expect(page.locator("#headline")).to_contain_text("lost contact with the table")
    expect(page.locator("#status")).to_have_attribute("data-sign", "lost")


def test_the_camera_stands_beside_what_the_referee_believes(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    page = open_page(address)
    expect(page.get_by_role("button", name="Camera and referee")).to_be_hidden()
    dice = [{"set": "wibold", "die": "1", "face": "A", "status": "read", "confidence": 0.999, "polygon": []}]
    reading = {"dice": dice, "status": "read", "reason": "", "prospects": None}
    thrown = {
        "event": 2, "number": 1, "player": 1, "kind": "throw", "set": "wibold", "faces": {"1": "EI"}, "details": {},
        "sentence": Sentence("Anna throws.").to_json(), "by": "camera", "dice": [], "crop": None, "corrected": False,
    }  # fmt: skip
    parts = {"camera": camera(), "state": "SYNCED", "throw": thrown}
    table.change(**parts, reading=reading)
    page.get_by_role("button", name="Camera and referee").press("Enter")
    beside = page.locator("#beside")
    expect(beside.locator("#beside-table")).to_have_js_property("naturalWidth", 320)
    expect(beside).to_contain_text("≠ They differ:")
    expect(beside).to_contain_text("Cube 1: the camera reads A, the match has EI")
    table.change(**parts, reading={**reading, "dice": [{**dice[0], "face": "EI"}]})
    expect(beside).to_contain_text("= Both agree.")
    wrong = {"state": "MISMATCH", "state_sentence": ILLEGAL, "board": BOARD, "watch": WATCH, "camera": camera()}
    table.change(**wrong)
    expect(beside).to_contain_text("e: expected nothing, seen 1 light")
    expect(beside.locator(".off-site")).to_have_count(1)
    page.reload()
    expect(beside).to_be_visible()  # it is remembered
    page.get_by_role("button", name="Close the camera's view").click()
    expect(beside).to_be_hidden()


def test_sounds_and_speech_are_off_at_first_and_never_pile_up(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    page = open_page(address)
    page.evaluate(SPOKEN)

    def say(words: str) -> None:
        table.change(state="MISMATCH", state_sentence=Sentence(words).to_json())
        expect(page.locator("#headline")).to_have_text(words)

    say("Nobody hears this.")
    assert page.evaluate("window.spoken") == []
    page.get_by_text("More").click()
    page.get_by_role("button", name="Read aloud: off").press("Enter")
    expect(page.get_by_role("button", name="Read aloud: on")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Sounds: off").click()
    for words in ("The first.", "The second.", "The third."):
        say(words)
    assert page.evaluate("window.spoken") == [["The first.", "en"]], "one is read, and the newest waits"
    page.evaluate("window.speaking.dispatchEvent(new Event('end'))")
    assert page.evaluate("window.spoken") == [["The first.", "en"], ["The third.", "en"]]
    page.reload()
    page.get_by_text("More").click()
    expect(page.get_by_role("button", name="Read aloud: on")).to_be_visible()  # it is remembered
    expect(page.get_by_role("button", name="Sounds: on")).to_be_visible()
