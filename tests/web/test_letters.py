"""The page's own letters: they hold every letter of every text, and browsers keep them."""

from importlib.resources import files
from io import BytesIO
from itertools import chain

import pytest
from PIL import ImageFont

from companion.language import texts
from companion.language.wording import Form
from companion.web import create_app
from tests.web.fake_table import FakeTable

FACES = ("alegreya-600-2", "alegreya-sans-400-2", "alegreya-sans-700-2")
SIGNS = frozenset("⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉→≠▲▼✓✗☞№\n")  # every system has them, and no word is made of them


def spoken(form: Form) -> str:
    return form if isinstance(form, str) else "".join(form.values())


@pytest.mark.parametrize("face", FACES)
def test_the_letters_of_every_language_are_there(face: str) -> None:
    path = files("companion.web") / "static" / "fonts" / f"{face}.woff2"
    letters = ImageFont.truetype(BytesIO(path.read_bytes()), 40)
    nothing = bytes(letters.getmask("Ж"))
    catalogues = [texts.load(tag) for tag in texts.languages()]
    forms = chain.from_iterable((*one.own.values(), *one.sentences.values()) for one in catalogues)
    stated = chain.from_iterable(spoken(form) for form in forms)
    missing = {one for one in set(stated) - SIGNS if one.strip() and bytes(letters.getmask(one)) == nothing}
    assert missing == set()


def test_a_browser_keeps_them_and_scripts_bring_no_headers_of_pages() -> None:
    client = create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()
    for path in ("fonts/alegreya-600-2.woff2", "js/page/dom.js"):
        with client.get(f"/static/{path}") as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert "Content-Security-Policy" not in answer.headers
            assert ("immutable" in answer.headers["Cache-Control"]) == (answer.mimetype == "font/woff2")
    with client.get("/static/mark.svg") as drawing:
        assert "Content-Security-Policy" in drawing.headers
