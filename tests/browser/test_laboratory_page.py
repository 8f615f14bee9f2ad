"""The laboratory in a real browser: a series typed by keys, questions and second looks, the museum's three dice."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.live.laboratory.laboratory import Laboratory
from companion.web.laboratory.app import create_laboratory_app
from tests.browser.measures import at_sizes, measure, violations
from tests.web.fake_laboratory import FakeLaboratory, sentence_json
from tests.web.serving import served

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"resultTypes": ["violations"], "runOnly": TAGS, "rules": {"color-contrast": {"enabled": False}}}
PIPS = {"set": "pips", "die": "1", "name": "Boxwood"}
LUDIX = {"set": "ludix", "die": "1", "name": "Mine", "twins_apart": True}
TWENTY = {"set": "d20", "die": "d20", "name": "Twenty"}
CROP = hashlib.sha256(b"a picture").hexdigest()


@dataclass
class Place:
    """A laboratory and where its pages are."""

    laboratory: Any
    address: str

    def begin(self, *dice: dict[str, Any], title: str = "Evening") -> None:
        about = {"who": "Anna", "surface": "felt"}
        data = {"title": title, "dice": list(dice), "smallest": 0.05, "fixed": None, "about": about}
        assert self.laboratory.command("begin", data, "tests").ok


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Place]:
    laboratory = Laboratory(tmp_path / "throws.db")
    laboratory.start()
    with served(create_laboratory_app(laboratory, trusted_hosts=["127.0.0.1"])) as address:
        yield Place(laboratory, address)
    laboratory.stop()


@pytest.fixture(scope="module")
def fake() -> Iterator[Place]:
    laboratory = FakeLaboratory()
    with served(create_laboratory_app(laboratory, trusted_hosts=["127.0.0.1"])) as address:
        yield Place(laboratory, address)


def camera(**parts: Any) -> dict[str, Any]:
    live = {"source": "camera 0", "status": "LIVE", "picture": 5, "trouble": None}
    return {**live, "sentence": sentence_json("The camera is live."), **parts}


def question(*dice: dict[str, Any]) -> dict[str, Any]:
    return {
        "number": 31,
        "sentence": sentence_json("Not every die could be read: what do they show?"),
        "dice": list(dice),
    }


def counts(page: Page) -> list[int]:
    """Return the numbers that stand below the bars."""
    return [int(text.strip("▲▼")) for text in page.locator(".bars .bar text:last-child").all_text_contents()]


def day(page: Page, place: Place) -> dict[str, int]:
    """Return how often each die of the museum was thrown today."""
    counted = page.request.get(f"{place.address}/lab/api/museum/day").json()["counts"]
    return {name: sum(row) for name, row in counted.items()}


def like_dice_can_be_told_apart(page: Page) -> None:
    """See that the form then takes several of them, and goes back to one kind that counts together."""
    values, named = page.get_by_label("I can tell these dice apart"), page.locator("#dice-rows input")
    values.check()
    page.get_by_role("button", name="Another die").click()
    expect(named).to_have_count(2)
    expect(page.get_by_label("How many, all alike")).to_have_count(0)
    values.uncheck()
    expect(named).to_have_count(2)  # one die, and how many of it


def only_a_die_with_pips_is_feared_for_them(page: Page) -> None:
    """See that what a die cannot have is not offered, and leave the form with a heavy face feared."""
    page.get_by_text("Drilled pips").click()
    page.locator("input[name=set][value=d20]").check(force=True)
    expect(page.get_by_text("Drilled pips")).to_be_hidden()
    expect(page.get_by_label("I do not know.")).to_be_checked()
    page.locator("input[name=set][value=pips]").check(force=True)
    expect(page.get_by_text("Drilled pips")).to_be_visible()
    page.get_by_text("One heavy face").click()


def test_a_series_is_begun_typed_and_corrected_by_the_keyboard_alone(real: Place, open_page: OpenPage) -> None:
    page = open_page(f"{real.address}/lab/new")
    page.get_by_label("Who throws").fill("Anna")
    like_dice_can_be_told_apart(page)
    only_a_die_with_pips_is_feared_for_them(page)
    page.get_by_label("What you call die 1").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Boxwood")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lab")
    page.wait_for_selector("body[data-ready]")
    typed = "123456142356"
    for key in typed:
        page.keyboard.press(key)
    expect(page.locator("#subline")).to_contain_text("12 throws")
    assert counts(page) == [typed.count(face) for face in "123456"]
    expect(page.locator(".verdict-line")).to_contain_text("Too early to say anything: 12 throws")
    expect(page.get_by_text("one heavy face is feared")).to_be_visible()

    page.get_by_role("button", name="Correct throw 12").focus()
    page.keyboard.press("Enter")
    page.locator("#lab-dialog input[value='6']").focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Why?").focus()
    page.keyboard.type("misread")
    page.keyboard.press("Enter")
    expect(page.locator("#lab-dialog")).to_be_hidden()
    expect(page.locator("[data-number='12'] strong")).to_have_text("5")
    page.get_by_role("button", name="Take back throw 11").press("Enter")
    expect(page.locator("[data-number='11'] strong")).to_have_text("it was not a throw")
    expect(page.locator("#subline")).to_contain_text("11 throws")
    expected = [typed.count(face) for face in "123456"]
    expected[5] -= 1  # one 6 became a 5, and one 5 was taken back
    assert counts(page) == expected

    page.locator(".numbers summary").press("Enter")
    expect(page.locator(".numbers tbody tr")).to_have_count(6)
    assert [int(cell) for cell in page.locator(".numbers td:nth-child(2)").all_text_contents()] == expected
    page.get_by_label("Keys count throws too").uncheck()
    page.keyboard.press("6")
    page.get_by_label("Keys count throws too").check()
    for _ in range(20):
        page.keyboard.press("6")
    expect(page.locator("#subline")).to_contain_text("31 throws")
    expect(page.locator(".verdict-line")).to_contain_text("Biased")
    expect(page.locator("#lab-told")).to_contain_text("Biased")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert sum(counts(page)) == 31
    expect(page.locator("#lab-about")).to_have_text("Who throwsAnna")
    expect(page.locator(".die-card")).to_have_attribute("data-said", "biased")
    page.get_by_role("button", name="All throws").click()
    expect(page.locator("#lab-dialog tbody tr")).to_have_count(32)
    expect(page.locator("#lab-dialog [role=status]")).to_have_text("Throws 1 to 32 of 32")
    page.keyboard.press("Escape")


def test_a_series_is_laid_aside_and_gone_on_with(real: Place, open_page: OpenPage) -> None:
    real.begin(PIPS)
    assert real.laboratory.command("throw", {"face": "4"}, "tests").ok
    page = open_page(f"{real.address}/lab")
    page.get_by_role("button", name="End this series").click()
    page.locator("#lab-dialog [type=submit]").click()
    expect(page.locator("#lab-welcome")).to_be_visible()
    page.goto(f"{real.address}/lab/series")
    page.wait_for_selector("body[data-ready]")
    page.get_by_role("button", name="Continue Evening").click()
    page.wait_for_url("**/lab")
    expect(page.locator("#subline")).to_contain_text("1 throw so far")


def test_what_is_typed_is_known_by_its_beginning(fake: Place, open_page: OpenPage) -> None:
    page = open_page(f"{fake.address}/lab")
    script = """async ([labels, typed]) => {
        const { meant } = await import("/static/js/laboratory/pad.js");
        return meant(labels, typed);
    }"""

    def meant(labels: list[str], typed: str) -> tuple[str | None, bool]:
        found = page.evaluate(script, [labels, typed])
        return found["exact"], found["open"]

    twenty = [str(n) for n in range(1, 21)]
    assert meant(twenty, "1") == ("1", True)
    assert meant(twenty, "12") == ("12", False)
    assert meant(twenty, "3") == ("3", False)
    assert meant(twenty, "0") == (None, False)
    assert meant(["L", "X/1", "X/2"], "X") == (None, True)
    assert meant(["L", "X/1", "X/2"], "X2") == ("X/2", False)
    assert meant(["A", "EI", "EIOU"], "EI") == ("EI", True)
    assert meant(["A", "EI", "EIOU"], "2") == ("EI", False)  # the second face
    assert meant(["A", "EI", "EIOU"], "9") == (None, False)


def test_a_question_is_answered_by_one_press_or_all_its_dice_together(fake: Place, open_page: OpenPage) -> None:
    fake.begin(LUDIX, TWENTY)
    sure = {"die": "a", "name": "Twenty", "face": "12", "candidates": [["12", 0.99]], "crop": CROP}
    unsure = {"die": "b", "name": "Mine", "face": None, "candidates": [["X/1", 0.7], ["I/2", 0.2]], "crop": CROP}
    fake.laboratory.change(camera=camera(), sign="ask", series={"question": question(sure, unsure)})
    page = open_page(f"{fake.address}/lab")
    ask = page.locator("#lab-ask")
    expect(ask.locator("img")).to_be_visible()
    with page.expect_response("**/lab/api/command/answer"):  # what is told counts once it has arrived
        ask.get_by_role("button", name="I, number 2").click()
    expect(page.locator("#notices")).to_be_empty()
    found = fake.laboratory.asked
    assert found[-1] == ("answer", {"number": 31, "faces": {"a": "12", "b": "I/2"}})
    other = {**sure, "face": None, "candidates": [["6", 0.5], ["9", 0.4]]}
    fake.laboratory.change(series={"question": {**question(other, unsure), "number": 32}})
    ask.get_by_role("radiogroup", name="Faces of Mine").get_by_role("radio", name="cannot tell").check(force=True)
    with page.expect_response("**/lab/api/command/answer"):
        ask.get_by_role("button", name="This is what they show").click()
    expect(page.locator("#notices")).to_be_empty()
    assert found[-1] == ("answer", {"number": 32, "faces": {"a": "6", "b": None}})
    fake.laboratory.change(series={"question": None})
    expect(ask).to_be_hidden()


def rows(phase: str, *named: str | None, kept: int = 40) -> dict[str, Any]:
    """Return three rows of a die that is counted by likeness, of which the first ones have names."""
    sentence = [
        {"number": n + 1, "throws": 8, "pictures": [CROP, CROP], "guess": str(n + 4), "mixed": False}
        | {"done": n < len(named), "face": named[n] if n < len(named) else None}
        for n in range(3)
    ]
    shown = sentence if phase == "name" else []
    return {"phase": phase, "kept": kept, "wanted": 160, "doubtful": phase == "count", "rows": shown}


def test_a_row_of_likes_is_named_by_one_tap_and_can_be_named_again(fake: Place, open_page: OpenPage) -> None:
    fake.begin(TWENTY)
    fake.laboratory.change(camera=camera(), sign="throw", series={"question": None}, rows=rows("gather"))
    page = open_page(f"{fake.address}/lab")
    box, found = page.locator("#lab-rows"), fake.laboratory.asked
    expect(box.get_by_role("progressbar")).to_have_attribute("value", "40")
    expect(box.get_by_role("button")).to_have_count(0)  # 40 throws are too few to sort
    fake.laboratory.change(rows=rows("name"))
    expect(box).to_contain_text("Row 1 of 3: 8 throws")
    with page.expect_response("**/lab/api/command/name_row"):
        box.locator(".row-guess").click()
    assert found[-1] == ("name_row", {"row": 1, "face": "4"})
    fake.laboratory.change(rows=rows("name", "4", None))
    expect(box).to_contain_text("Row 3 of 3")
    box.locator("summary").click()
    box.get_by_role("button", name="Row 2: left out").click()
    with page.expect_response("**/lab/api/command/name_row"):
        box.locator(".pad-face", has_text="20").click()
    assert found[-1] == ("name_row", {"row": 2, "face": "20"})
    fake.laboratory.change(rows=rows("count", kept=3))
    expect(box).to_contain_text("3 throws are doubtful")
    with page.expect_response("**/lab/api/command/sort"):
        box.get_by_role("button").click()
    fake.laboratory.change(rows=rows("count", kept=0))
    expect(box).to_be_hidden()
    fake.laboratory.change(rows=None)


def test_what_was_read_is_hidden_from_whoever_is_to_look_again(fake: Place, open_page: OpenPage) -> None:
    fake.begin(PIPS)
    for face in "1234":
        fake.laboratory.add("Boxwood", face, crop=CROP)
    fake.laboratory.due = [3]
    fake.laboratory.change(camera=camera(), sign="throw", series={"question": None})
    page = open_page(f"{fake.address}/lab")
    line = page.locator("[data-number='3']")
    expect(line).to_contain_text("waiting for your look")
    expect(line.locator("circle")).to_have_count(0)
    page.get_by_role("button", name="Look at one").click()
    dialog = page.locator("#lab-dialog")
    assert "read: 3" not in dialog.inner_text()
    expect(dialog.locator("img")).to_be_visible()
    dialog.locator("input[value='5']").check(force=True)
    dialog.get_by_role("button", name="This is what I see").click()
    expect(dialog).to_contain_text("You and the reader disagree.")
    expect(dialog).to_contain_text("The reader read: 3. You saw: 5.")
    assert fake.laboratory.asked[-1] == ("audit", {"number": 3, "face": "5"})


def test_no_page_of_the_laboratory_keeps_anybody_out(fake: Place, open_page: OpenPage) -> None:
    fake.begin(LUDIX, TWENTY)
    rng = np.random.default_rng(4)
    for _ in range(60):
        fake.laboratory.add("Mine", str(rng.choice(["L", "X/1", "X/2", "I/1", "I/2", "V"])), crop=CROP)
        fake.laboratory.add("Twenty", str(rng.integers(1, 4)), crop=CROP)
    fake.laboratory.due = [119]
    asked = {"die": "b", "name": "Mine", "face": None, "candidates": [["X/1", 0.7], ["I/2", 0.2]], "crop": CROP}
    series = {"question": question(asked), "pace": 7.5}
    fake.laboratory.change(camera=camera(), sign="ask", series=series, rows=rows("name", "4"))
    fold = "document.querySelectorAll('main details').forEach((one) => { one.open = true; })"

    def thrown(page: Page) -> None:
        page.emulate_media(reduced_motion="reduce")
        for n, name in enumerate(("loaded", "brick", "ordinary")):
            page.locator(".museum-choice").nth(n).click()
            page.locator("[data-throws='100']").click()
            page.locator(f"label:has(input[name=guess-{n}][value={name}])").click()
        page.locator("#tell").click()
        expect(page.locator(".revealed")).to_have_count(3)

    pages: dict[str, Callable[[Page], None]] = {
        "/lab": lambda _: None,
        "/lab?audit": lambda page: page.locator("#audit-begin").click(),
        "/lab/new": lambda _: None,
        "/lab/series": lambda _: None,
        "/lab/batch?series=1": lambda _: None,
        "/lab/museum": thrown,
    }
    page = open_page(f"{fake.address}/lab")
    for path, act in pages.items():
        page.goto(fake.address + path)
        page.wait_for_selector("body[data-ready]")
        page.evaluate(fold)
        act(page)
        assert violations(page, OPTIONS) == [], path
        assert measure(page, "contrast") == [], path
        for width, _ in at_sizes(page, ((1280, 800), (390, 844), (320, 640))):
            for what in ("smallTargets", "beyond", "cutOff"):
                assert measure(page, what) == [], (path, width, what)


def test_the_dice_throw_themselves_until_somebody_touches_one(fake: Place, open_page: OpenPage) -> None:
    fake.laboratory.command("end", {}, "tests")
    fake.laboratory.change(
        camera={"source": None, "status": "NONE", "picture": None, "sentence": sentence_json("None.")}
    )
    page = open_page(f"{fake.address}/lab/museum")
    before, first = day(page, fake), page.locator(".museum-choice").first
    expect(first).to_contain_text(re.compile(r"([2-9]|\d\d+) throws"))
    assert len(page.locator("#museum-invitation").inner_text().split()) == 6
    first.click()
    expect(first).to_contain_text("not thrown yet")
    assert day(page, fake) == before
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect(first).to_contain_text("200 throws")
    expect(page.locator(".tumbles")).to_have_count(0)
    expect(page.locator(".pile")).to_have_count(3)


def test_the_museums_visitor_throws_guesses_and_is_told(fake: Place, open_page: OpenPage) -> None:
    fake.laboratory.command("end", {}, "tests")
    fake.laboratory.change(
        camera={"source": None, "status": "NONE", "picture": None, "sentence": sentence_json("None.")}
    )
    page = open_page(f"{fake.address}/lab/museum")
    before = day(page, fake)
    page.emulate_media(reduced_motion="reduce")
    for n in range(3):
        page.locator(".museum-choice").nth(n).press("Enter")
        page.locator("[data-throws='100']").press("Enter")
        expect(page.locator(".museum-choice").nth(n)).to_contain_text("100 throws")
        assert sum(counts(page)) == 100
    expect(page.locator("#tell")).to_be_disabled()
    for n, name in enumerate(("ordinary", "ordinary", "ordinary")):
        page.locator(f"input[name=guess-{n}][value={name}]").check(force=True)
    page.locator("#tell").press("Enter")
    expect(page.locator("#reveal-line")).to_have_text("You recognised 1 of the three.")
    expect(page.locator("#reveal-line")).to_be_focused()
    expect(page.locator("#day dd")).to_have_count(3)
    expect(page.locator("#reveal-dice")).to_contain_text("The machine threw it 100 times, with these odds in 100")
    more = {name: thrown - before.get(name, 0) for name, thrown in day(page, fake).items()}
    assert more == dict.fromkeys(("ordinary", "loaded", "brick"), 100)


def test_what_falls_under_the_camera_is_counted_for_the_chosen_die(fake: Place, open_page: OpenPage) -> None:
    fake.begin(PIPS)
    fake.laboratory.add("Boxwood", "1")
    fake.laboratory.change(camera=camera(), sign="throw", series={"question": None})
    page = open_page(f"{fake.address}/lab/museum")
    page.locator(".museum-choice").nth(1).click()
    expect(page.locator("#under-camera")).to_be_visible()
    for face in "66":
        fake.laboratory.add("Boxwood", face)
        fake.laboratory.change()
    expect(page.locator(".museum-choice").nth(1)).to_contain_text("2 throws")
    assert counts(page) == [0, 0, 0, 0, 0, 2]


def test_the_page_begins_anew_when_nobody_is_left(fake: Place, open_page: OpenPage) -> None:
    page = open_page(f"{fake.address}/lab/museum", fresh=True)
    page.clock.install()
    page.reload()
    page.clock.run_for(2000)
    page.wait_for_selector("body[data-ready]")
    page.locator(".museum-choice").first.click()
    page.clock.fast_forward(80_000)
    dialog = page.locator("#still-there")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Yes, continue").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".museum-choice[aria-pressed=true]")).to_have_count(1)
    page.clock.fast_forward(80_000)
    expect(dialog).to_be_visible()
    page.clock.fast_forward(25_000)
    expect(dialog).to_be_hidden()
    expect(page.locator(".museum-choice[aria-pressed=true]")).to_have_count(0)
