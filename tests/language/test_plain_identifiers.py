"""No name in the code is made of a word that can mean anything: told, said, anew, or a look at something."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("companion", "calibration", "firmware_bridge")
NOT_DONE = ("calibration/kit", "companion/fairness/report", "companion/lessons", "companion/web/learning")
KEPT = {"said", "told", "look", "_look", "_looks", "LOOKS", "LEAST_TOLD", "TOLD_EVERY", "by_looks", "look_of"}
"""Fields of JSON and options of commands, which stay, and what is still to be renamed: as whole names alone."""

RETIRED = re.compile(r"\b(told|said|anew|hangs? together|side by side|looks?(?! (at|up|for|like|alike|into|on)\b))\b")


def _words(name: str) -> str:
    """Return the words of a name in snake_case or CamelCase."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).replace("_", " ").lower().strip()


def _bound(tree: ast.AST) -> Iterator[str]:
    """Give each name where it comes to be: a use of it elsewhere needs no rule of its own."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.MatchAs(name=str(name)) | ast.alias(asname=str(name)):
                yield name


def _faults(code: str) -> set[str]:
    return {name for name in _bound(ast.parse(code)) if RETIRED.search(_words(name))}


@pytest.mark.parametrize(
    "code",
    ["told_by = 1", "def board_looks(): ...", "class LitLook: ...", "self.said_so = 1", "def f(looks_first): ..."],
)
def test_a_retired_word_is_found(code: str) -> None:
    assert _faults(code)


@pytest.mark.parametrize("code", ["def look_up(): ...", "looks_like = 1", "lookalikes = 1", "f(said=1)", "LookupError"])
def test_a_verb_and_a_part_of_a_sentence_are_let_be(code: str) -> None:
    assert not _faults(code)


def test_no_name_holds_a_retired_word() -> None:
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 700
    names = {path.relative_to(ROOT).as_posix(): _faults(path.read_text(encoding="utf-8")) - KEPT for path in files}
    assert {name: found for name, found in names.items() if found and not name.startswith(NOT_DONE)} == {}
