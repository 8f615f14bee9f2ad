"""What visitors meet in a language that has only what visitors meet, on the narrowest screen too."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from companion.language import texts
from companion.language.wording import Form
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.registry import games
from companion.web.visitors import Visitors
from tests.browser.measures import measure
from tests.browser.states import STATES, Hall, hall

pytestmark = pytest.mark.browser

MARKED = "qav"
MET = (
    "start", "throw awaited", "thrown", "virtue", "wheel", "ludix choice", "tables choice", "rithmomachia",
    "free board", "paused", "over", "replay", "new match", "help", "join", "watched", "table away",
)  # fmt: skip
NARROW = {"start", "virtue", "tables choice", "over", "new match", "help", "watched"}  # also in each language
NAMES = {"Anna", "Berno", "Alea", "Letter", "tests"} | {virtue.latin for virtue in virtues()}


def of_visitors() -> list[str]:
    """Return the languages that have only what visitors meet."""
    return [one for one in texts.languages() if texts.load(one).visitors]


def marked(form: Form) -> Form:
    """Return a text with a sign for each of its letters, so that no word of it is left; its parts stay."""
    if isinstance(form, str):
        return re.sub(r"(\{\w*\})|[^\W\d_]", lambda found: found[1] or "ж", form)
    return {name: text if name == "by" else str(marked(text)) for name, text in form.items()}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("marked")
    english, met = texts.load(texts.DEFAULT), Visitors()
    lines = ["[sentences]"]
    keys = met.keys()
    own = [f"{'.'.join(map(json.dumps, key.split('.')))} = {_toml(english.own[key])}" for key in keys]
    lines += [f"{json.dumps(one)} = {_toml(one)}" for one in met.sentences()]
    (folder / MARKED).mkdir()
    (folder / MARKED / "all.toml").write_text("\n".join(own + lines), encoding="utf-8")
    with hall(folder, folder) as both:
        yield both


def _toml(form: Form) -> str:
    stated = marked(form)
    if isinstance(stated, str):
        return json.dumps(stated, ensure_ascii=False)
    return "{" + ", ".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in stated.items()) + "}"


@pytest.mark.parametrize("name", MET)
def test_a_visitor_meets_nothing_that_is_not_written_for_visitors(
    place: Hall, open_page: Callable[..., Page], name: str
) -> None:
    state = next(state for state in STATES if state.name == name)
    page = replace(state, path=f"{state.path}?language={MARKED}").open(place, open_page, 320, 640)
    assert page.locator("html").get_attribute("lang") == MARKED
    assert measure(page, "beyond") == []
    page.evaluate(  # what is typed in a terminal; a state that comes late still draws into it
        "for (const lines of document.querySelectorAll('pre')) lines.style.display = 'none';"
    )
    seen = page.locator("main").inner_text()
    titles = " ".join(game.title for game in games().values())
    words = (
        {word for word in re.findall(r"[A-Za-z]{4,}", seen) if not word.isupper()}
        - NAMES
        - set(re.findall(r"\w+", titles))
    )
    assert sorted(words) == []
    for language in of_visitors() if name in NARROW else ():
        page.goto(f"{page.url.partition('?')[0]}?language={language}")
        page.wait_for_selector("body[data-ready]")
        assert page.locator("html").get_attribute("lang") == language
        state.act(page)
        assert measure(page, "beyond") == [], language
