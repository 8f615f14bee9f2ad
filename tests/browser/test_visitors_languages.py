"""What visitors meet in a language that has only what visitors meet, on the narrowest screen too."""

import json
import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Page

from companion.language import texts
from companion.language.wording import Form, templates
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
NAMES = {"Anna", "Berno", "Alea", "Letter", "tests"} | {virtue.latin for virtue in virtues()}


def of_visitors() -> list[str]:
    """Return the languages that have only what visitors meet."""
    return [one for one in texts.languages() if texts.load(one).visitors]


def longest(forms: Sequence[Form]) -> Form:
    """Return the longest form: words break anywhere, so what stands in one line needs the widest screen."""
    return max(forms, key=lambda form: max(map(len, templates(form).values())))


def marked(form: Form) -> Form:
    """Return a text in foreign letters of the same width, so that no word of it is left; its parts stay."""
    if isinstance(form, str):
        return re.sub(r"(\{\w*\})|[^\W\d_]", lambda found: found[1] or _as_wide(found[0]), form)
    return {name: text if name == "by" else str(marked(text)) for name, text in form.items()}


def _as_wide(letter: str) -> str:
    return "і" if letter in "Ifijlrt" else "ш" if letter in "MWmw" else "п"  # noqa: RUF001


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("marked")
    known, met = [texts.load(one) for one in (texts.DEFAULT, *of_visitors())], Visitors()
    keys, lines = met.keys(), ["[sentences]"]
    own = [
        f"{'.'.join(map(json.dumps, key.split('.')))} = {_toml(longest([language.own[key] for language in known]))}"
        for key in keys
    ]
    lines += [
        f"{json.dumps(one)} = {_toml(longest([language.sentences.get(one, one) for language in known]))}"
        for one in met.sentences()
    ]
    (folder / MARKED).mkdir()
    (folder / MARKED / "all.toml").write_text("\n".join(own + lines), encoding="utf-8")
    with hall(folder, folder) as both:
        yield both


def _toml(form: Form) -> str:
    stated = marked(form)
    if isinstance(stated, str):
        return json.dumps(stated, ensure_ascii=False)
    return "{" + ", ".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in stated.items()) + "}"


def test_a_visitor_meets_nothing_that_is_not_written_for_visitors(place: Hall, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{place.live_address}/help?language={MARKED}", 320, 640)

    def visit(address: str, *_: int, **__: bool) -> Page:
        page.goto(f"{address}?language={MARKED}")
        page.wait_for_selector("body[data-ready]")
        return page

    titles = " ".join(game.title for game in games().values())
    states = {state.name: state for state in STATES}
    for name in MET:
        states[name].open(place, visit)
        assert page.locator("html").get_attribute("lang") == MARKED, name
        assert (name, measure(page, "beyond")) == (name, [])
        page.evaluate(  # what is typed in a terminal; a state that comes late still draws into it
            "for (const lines of document.querySelectorAll('pre')) lines.style.display = 'none';"
        )
        seen = page.locator("main").inner_text()
        words = (
            {word for word in re.findall(r"[A-Za-z]{4,}", seen) if not word.isupper()}
            - NAMES
            - set(re.findall(r"\w+", titles))
        )
        assert (name, sorted(words)) == (name, [])
