"""The owner's pages in a real browser: signing in, deleting with a second question, settings, by keyboard too."""

import io
import json
import shutil
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import DiceLesson, Learning
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.sources import open_source
from companion.web.owner.pages import PAGES
from tests.browser.conftest import PATIENCE, ForkedServer, Server
from tests.browser.held_scripts import held
from tests.browser.measures import AXE, at_sizes, measure, violations
from tests.live.glimpsed import Glimpsed

pytestmark = pytest.mark.browser

PIN = "314159"
EMPTY = Path(__file__).resolve().parents[2] / "sample_images" / "ludus-regularis" / "000_throw00_empty.jpg"
OpenPage = Callable[..., Page]
MakeServer = Callable[..., Server]
# Contrast and targets have measures of our own, which are stricter and take a tenth of the time.
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": False}},
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a table that has played two matches."""
    running = ForkedServer(tmp_path_factory.mktemp("owned") / "journal.db", ("--leds", "simulated"))
    running.start()
    for players in ("Anna", "Berno"), ("Karl", "Ida"):
        running.command("new_match", game="ludus-regularis", players=list(players), dice_by="program")
        running.command("roll")
    yield running
    running.stop()


def go(page: Page, table: Server, name: str) -> None:
    page.goto(f"{table.address}/owner/{name}".removesuffix("/overview"))
    page.wait_for_selector("body[data-ready]")


def test_every_owners_page_is_accessible_at_every_size(table: Server, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/owner", fresh=True)
    page.add_init_script(AXE)
    for name in PAGES:
        go(page, table, name)
        assert violations(page, OPTIONS) == [], name
        assert measure(page, "contrast") == [], name
        for width, _ in at_sizes(page, ((1280, 800), (390, 844), (320, 640))):  # the last is 1280 pixels at 400 %
            for what in ("smallTargets", "beyond", "cutOff"):
                assert measure(page, what) == [], (name, width, what)


def test_what_the_table_remembers_is_seen_switched_off_and_forgotten(
    server: MakeServer, open_page: OpenPage, tmp_path: Path
) -> None:
    pictures, kept = tmp_path / "pictures", tmp_path / "journal.memory"
    pictures.mkdir()
    shutil.copy(EMPTY, pictures)
    learning = Learning(MemoryFolder(kept))
    learning.open(open_source(str(pictures)).name)
    for event, number, sentence in ((3, 1, "UAE"), (7, 1, "UAE"), (9, 2, "EI"), (11, 1, "OU")):
        learning.hold(event, "wibold", [Glimpsed(number)])
        learning.tell(DiceLesson(f"2/{event}", event, (FaceLesson(Glimpsed(number).middle, sentence, named=True),)))
    learning.close()
    table = server("--camera", str(pictures))
    end = time.monotonic() + PATIENCE
    while table.state()["camera"]["status"] != "LIVE":  # what is kept of its dice is opened with the camera
        assert time.monotonic() < end
        time.sleep(0.05)
    page = open_page(f"{table.address}/owner/dice")
    known = page.locator(".faces-known li")
    expect(known).to_have_text(["EI", "UAE"])
    widths = known.locator("img").evaluate_all("pictures => pictures.map(one => one.naturalWidth)")
    assert widths == [64, 64]
    assert violations(page, OPTIONS) == []
    assert measure(page, "contrast") == []
    for width, _ in at_sizes(page, ((1280, 800), (390, 844), (320, 640))):
        for what in ("smallTargets", "beyond", "cutOff"):
            assert measure(page, what) == [], (width, what)
    learn = page.get_by_text("Learn while we play")
    with held(page, "**/owner.js*"):
        page.get_by_role("button", name="Stop learning").click()
        expect(learn).to_have_count(1)
        expect(learn).to_be_hidden()  # nothing can be pressed before the script listens: the tap would be lost
    learn.click()
    expect(page.get_by_role("button", name="Stop learning")).to_be_visible()
    page.get_by_role("button", name="Forget all faces").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(known).to_have_count(2)
    page.get_by_role("button", name="Forget all faces").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget all faces").click()
    expect(page.get_by_text("It knows no faces yet.")).to_be_visible()
    assert not list(kept.iterdir())


def test_a_match_is_deleted_after_a_second_question_by_keyboard_alone(table: Server, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/owner/matches")
    page.get_by_role("button", name="Delete Anna, Berno for good").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".match")).to_have_count(2)
    page.get_by_role("button", name="Delete Anna, Berno for good").press("Enter")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # not sure yet: the box is not ticked
    expect(dialog.get_by_role("checkbox")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".match")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("deleted for good")
    with urllib.request.urlopen(f"{table.address}/api/matches") as answer:
        assert [match["name"] for match in json.load(answer)["matches"]] == ["Karl, Ida"]
    assert b"Berno" not in b"".join(path.read_bytes() for path in table.journal.parent.glob("journal.db*"))


def test_what_the_owner_chose_outlives_a_restart(table: Server, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/owner/privacy")
    page.get_by_label("Only those with a question").check()
    page.get_by_label("For how many days").fill("7")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("#said")).to_contain_text("Saved; it applies")
    go(page, table, "lights")
    page.get_by_label("At most").select_option(label="40 percent")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("#said")).to_contain_text("Saved; it applies")
    page.get_by_role("button", name="Test the lights").click()
    expect(page.locator("#said")).to_contain_text("red, green, blue and white")
    table.stop()
    table.start()
    go(page, table, "overview")
    expect(page.locator("main")).to_contain_text("Pictures with a question are kept for 7 days.")
    go(page, table, "lights")
    expect(page.get_by_label("At most")).to_have_value("0.4")


def test_signing_in_a_lasting_pin_and_the_bundle_without_names(server: MakeServer, open_page: OpenPage) -> None:
    table = server("--pin", PIN)
    page = open_page(f"{table.address}/owner/health", quiet=False)
    page.get_by_role("textbox", name="PIN").fill("000000")
    page.keyboard.press("Enter")
    expect(page.locator("#wrong")).to_contain_text("not the owner's PIN")
    page.get_by_role("textbox", name="PIN").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Health", level=1)).to_be_visible()
    page.wait_for_selector("body[data-ready]")
    page.evaluate(
        """fetch('/api/command/new_match', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({game: 'ludus-regularis', players: ['Xanthippe', 'Sokrates'], dice_by: 'program'})})"""
    )
    with page.expect_download() as taken:
        page.get_by_role("button", name="Make the file").click()
    bundle = zipfile.ZipFile(io.BytesIO(Path(taken.value.path()).read_bytes()))
    assert set(bundle.namelist()) == {"README.txt", "health.json", "settings.json", "log.txt", "versions.json"}
    inside = b"".join(bundle.read(name) for name in bundle.namelist())
    for secret in (PIN, "Xanthippe", "scrypt"):
        assert secret.encode() not in inside
    go(page, table, "overview")
    expect(page.get_by_role("alert").filter(has_text="A wrong PIN was tried.")).to_be_visible()
    page.get_by_role("button", name="I have seen this").click()
    expect(page.get_by_text("A wrong PIN was tried.")).to_have_count(0)
    go(page, table, "pin")
    page.get_by_label("The current PIN").fill(PIN)
    page.get_by_label("The new PIN", exact=True).fill("ludus regularis")
    page.get_by_label("The new PIN again").fill("ludus regularis")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("#said")).to_contain_text("is valid from now on")
    table.stop()
    table.options = ()
    table.start()  # without --pin: the lasting one is asked for now
    page.goto(f"{table.address}/owner")
    page.get_by_role("textbox", name="PIN").fill("ludus regularis")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The owner's pages", level=1)).to_be_visible()
    expect(page.get_by_text("Everything is in order.")).to_be_visible()
