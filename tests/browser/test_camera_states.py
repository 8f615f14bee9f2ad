"""What the page shows of a camera: readings, questions about dice, a camera that is lost, a sample table."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from companion.desk.table import demonstration
from companion.language.sentence import Sentence
from companion.web import create_app
from tests.browser.conftest import PATIENCE
from tests.web.fake_table import FakeTable
from tests.web.serving import served

pytestmark = pytest.mark.browser

ASKED = [
    {"die": "1", "candidates": [["A", 0.999]], "status": "read", "crop": "crop-90-0"},
    {"die": "2", "candidates": [["IO", 0.7], ["IOUA", 0.2]], "status": "ask", "crop": "crop-90-1"},
    {"die": "3", "candidates": [["AEI", 0.99]], "status": "read", "crop": "crop-90-2"},
    {"die": "consonants", "candidates": [["MNPR", 0.6], ["GHKL", 0.3]], "status": "ask", "crop": "crop-90-3"},
]
HOLD = "HOLD = 850"
SUGGESTED = {"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}


class Pictured(FakeTable):
    """A fake table with a real picture."""

    def picture(self, name: str) -> bytes | None:
        del name
        green = np.full((240, 320, 3), (60, 90, 60), np.uint8)
        return cv2.imencode(".jpg", green)[1].tobytes()


@pytest.fixture
def fake() -> Iterator[tuple[Pictured, str]]:
    table = Pictured()
    app = create_app(table, trusted_hosts=["127.0.0.1"])
    with served(app) as address:
        yield table, address


def camera(**parts: Any) -> dict[str, Any]:
    live = {"source": "camera 0", "status": "LIVE", "hand": False, "phase": "still", "picture": 5}
    return {**live, "sentence": Sentence("The camera is live.").to_json(), **parts}


def ask(table: Pictured) -> None:
    sentence = Sentence("Not every die could be read for certain: what do they show?").to_json()
    question = {"id": 90, "sentence": sentence, "dice": ASKED, "suggestion": SUGGESTED}
    table.change(state="PROPOSED", state_sentence=sentence, ask=question, camera=camera())


def test_a_question_is_answered_by_one_tap(fake: tuple[Pictured, str], open_page: Callable[..., Page]) -> None:
    table, address = fake
    page = open_page(address)
    expect(page.locator("#ask")).to_be_hidden()
    ask(table)
    expect(page.locator("#ask")).to_be_visible()
    expect(page.locator("#headline")).to_contain_text("what do they show")
    expect(page.locator("#ask img")).to_have_count(3)  # the whole table and each die in question
    expect(page.locator("#ask .answer")).to_have_count(3)
    assert page.locator("#ask img").first.evaluate("image => image.decode().then(() => image.naturalWidth)") == 320
    page.get_by_role("button", name="or rather: Cube 1: A, Cube 2: IO, Cube 3: AEI, Consonants: GHKL").click()
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.locator("#ask img")).to_have_count(0)  # the pictures go with the question
    assert table.events == [("answer", {"ask": 90, "faces": {**SUGGESTED, "consonants": "GHKL"}}, "owner")]


def test_any_other_answer_can_be_chosen_in_full(fake: tuple[Pictured, str], open_page: Callable[..., Page]) -> None:
    table, address = fake
    page = open_page(address, 390, 844)
    ask(table)
    page.get_by_role("button", name="Other …").click()
    dialog = page.locator("#other")
    expect(dialog.locator("input:checked")).to_have_count(4)
    dialog.locator("input[data-die='3'][value='OU']").check(force=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    dialog.get_by_role("button", name="Enter these faces").click()
    expect(dialog).to_be_hidden()
    assert table.events == [("answer", {"ask": 90, "faces": {**SUGGESTED, "3": "OU"}}, "owner")]


def test_what_lies_there_may_be_no_throw(fake: tuple[Pictured, str], open_page: Callable[..., Page]) -> None:
    table, address = fake
    page = open_page(address)
    ask(table)
    page.get_by_role("button", name="Not a throw").click()
    expect(page.locator("#ask")).to_be_hidden()
    assert table.events[0][:2] == ("dismiss", {"ask": 90, "reason": "A person said that this was not a throw."})


def test_while_the_dice_lie_there_the_page_says_where_they_lead(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    dice = [
        {"kind": "die", "set": "wibold", "die": die, "face": face, "status": "read", "confidence": sure, "polygon": []}
        for die, face, sure in (("1", "A", 0.999), ("2", "IO", 0.96), ("3", "IOUA", 0.7))
    ]
    prospects = {
        "player": 1,
        "virtue": "1.2.4",
        "virtues": ["1.2.4"],
        "holders": {},
        "missing": ["A"],
        "consonants": ["BCDF", "STXZ"],
        "second_faces": {},
        "chance": 0.25,
        "standings": [],
    }
    page = open_page(address)
    table.change(reading={"dice": dice, "status": "read", "prospects": prospects}, camera=camera())
    now = page.locator("#dice-now")
    expect(now).to_contain_text("What the camera sees now")
    for words in ("Castitas", "still free", "Missing vowels: A", "BCDF, STXZ", "certain", "sure"):
        expect(now).to_contain_text(words)
    expect(page.locator(".rim [data-lot='1.2.4']")).to_have_attribute("data-pointed", "")
    expect(page.locator("#table-picture")).to_have_attribute("src", f"{address}/api/picture/table.jpg?v=5")


def test_a_lost_camera_is_said_before_anything_else(fake: tuple[Pictured, str], open_page: Callable[..., Page]) -> None:
    table, address = fake
    page = open_page(address)
    sentence = Sentence("The camera is lost: is its cable in?").to_json()
    table.change(state="BLIND", state_sentence=sentence, camera=camera(status="LOST", sentence=sentence, picture=None))
    expect(page.locator("#headline")).to_have_text("The camera is lost: is its cable in?")
    expect(page.locator("#camera-badge")).to_have_text("camera is lost")
    expect(page.locator("#table-picture")).to_have_count(0)


def test_a_sample_table_says_that_it_is_one(fake: tuple[Pictured, str], open_page: Callable[..., Page]) -> None:
    table, address = fake
    table.change(sample=True, camera=camera())
    page = open_page(address)
    expect(page.get_by_role("complementary", name="Sample table")).to_contain_text("This is a sample table")


RECORDER = """() => {
  window.said = [];
  const note = () => {
    const text = document.getElementById("subline").textContent;
    if (text !== window.said.at(-1)?.text) window.said.push({ at: performance.now(), text });
  };
  note();
  new MutationObserver(note).observe(document.getElementById("status"),
    { subtree: true, childList: true, characterData: true });
}"""


def unsettled(table: Pictured, text: str, **more: Any) -> None:
    table.change(state="SETTLING", state_sentence=Sentence(text).to_json(), camera=camera(), **more)


def test_what_is_said_of_the_table_stays_long_enough_to_be_read(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    page = open_page(address)
    page.evaluate(RECORDER)
    for turn in range(PATIENCE * 5):
        unsettled(table, "A hand is over the table." if turn % 2 else "The dice are rolling.")
        page.wait_for_timeout(200)
        if turn > 10 and page.evaluate("window.said.length") > 3:
            break
    unsettled(table, "The camera is looking at the board.")
    expect(page.locator("#subline")).to_have_text("The camera is looking at the board.")  # the newest is never lost
    times = [sentence["at"] for sentence in page.evaluate("window.said")]
    assert len(times) >= 3
    assert min(after - before for before, after in pairwise(times[1:])) >= 800


def hold_for_an_hour(route: Route) -> None:
    """Let the page show what is said for an hour, and not for the less than a second that it takes to read it."""
    script = route.fetch()
    assert HOLD in script.text()
    route.fulfill(response=script, body=script.text().replace(HOLD, "HOLD = 3_600_000"))


def test_the_answer_to_what_a_person_did_is_shown_at_once(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    page = open_page(address, fresh=True)
    page.route("**/js/table/status.js*", hold_for_an_hour)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.evaluate(RECORDER)
    unsettled(table, "The dice are rolling.")
    paused = {"event": 9, "at": 0.0, "actor": "page", "number": None, "player": None, "kind": "pause", "move": ""}
    paused |= {"text": Sentence("The match was paused.").to_json(), "corrected": False, "standing": None}
    unsettled(table, "A hand is over the table.", log=[paused])
    expect(page.locator("#subline")).to_have_text("A hand is over the table.")
    assert "The dice are rolling." not in [sentence["text"] for sentence in page.evaluate("window.said")], "it waits"


def test_the_demonstration_says_that_its_question_answers_itself_and_ends_with_a_card(
    fake: tuple[Pictured, str], open_page: Callable[..., Page]
) -> None:
    table, address = fake
    page = open_page(address)
    table.change(sample=True, demonstration={"kind": "asked", "sentence": demonstration.ASKED.to_json()})
    expect(page.locator("#demonstration-note")).to_contain_text("in a few seconds the person at the sample's table")
    outcome = {"winners": [1], "tie": False, "why": Sentence("All is held.").to_json(), "teacher": [1], "pupils": []}
    table.change(sample=True, outcome=outcome, demonstration={"kind": "over", "sentence": demonstration.OVER.to_json()})
    expect(page.locator("#outcome")).to_contain_text("The demonstration is over")
    expect(page.get_by_role("link", name="Play yourself")).to_be_visible()
    expect(page.locator("#demonstration-note")).to_be_hidden()
