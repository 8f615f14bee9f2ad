"""Templates are found in whatever way a sentence is made, or the place is named."""

import textwrap
from pathlib import Path

import pytest

from companion.language.translating.templates import found

SPOKEN = """
    from dataclasses import dataclass
    from spoken_here.words import WORDS, Sentence

    KINDS = {"one": ("first", "second"), "two": ("third", "fourth")}


    @dataclass
    class Control:
        name: str
        advice: str = "usual advice"


    CONTROLS = (Control("focus"), Control("light", advice="other advice"))


    class Game:
        def __init__(self, slug: str, story: str) -> None:
            self.slug = slug
            self._story = story

        def story(self):
            return Sentence(self._story)


    GAME = Game("slug", "a story")


    def plain(flag, which):
        said = "if so" if flag else "if not"
        first, second = ("left", "right") if flag else ("up", "down")
        for key, (one, other) in KINDS.items():
            yield Sentence(other)
        for control in CONTROLS:
            yield Sentence(control.advice)
        yield Sentence(said), Sentence(second), Sentence(WORDS[which])
        yield Sentence(chosen(flag)), Sentence("literal {part}")


    def chosen(flag):
        return _deep("given by a caller") if flag else WORDS.get("x", "a default")


    def _deep(text):
        return text
"""
HIDDEN = """
    from spoken_here.words import Sentence


    def hidden(name):
        return Sentence("a " + name), Sentence(f"an {name}"), Sentence(input())
"""
WORDS = """
    WORDS = {"a": "a word", "b": "another word"}


    class Sentence:
        pass
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "spoken_here"
    folder.mkdir()
    for name, text in (("__init__", ""), ("words", WORDS), ("spoken", SPOKEN), ("hidden", HIDDEN)):
        (folder / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "spoken_here"


def test_templates_are_followed_to_where_they_are_written(package: str) -> None:
    assert set(found((package,)).templates) == {
        *("if so", "if not", "right", "down", "second", "fourth", "usual advice", "other advice", "a story"),
        *("a word", "another word", "given by a caller", "a default", "literal {part}"),
    }


def test_what_is_put_together_is_named(package: str) -> None:
    hidden = [one for one in found((package,)).unfollowed if one.file.endswith("hidden.py")]
    assert [one.code for one in hidden] == ["Sentence('a ' + name)", "Sentence(f'an {name}')", "Sentence(input())"]
