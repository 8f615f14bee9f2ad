"""No name and no comment in the code holds a word that can mean anything: told, said, anew, or a look at something."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("companion", "calibration", "firmware_bridge")
KEPT = {"said", "look", "looked", "LEAST_TOLD", "by_looks", "twins_apart"}
"""Fields of JSON, addresses and options of commands, which stay: as whole names alone."""

RETIRED_ALWAYS = r"\b(told|said|anew|apart|hung|looked|habits?|hangs? together|side by side)\b"
RETIRED = re.compile(rf"{RETIRED_ALWAYS}|\blooks?\b(?! (up|for|like|alike|into|on)\b)")
RETIRED_ANYWHERE = re.compile(rf"{RETIRED_ALWAYS}|\blooks?\b")
"""What a module's words hold if one of its names may be at fault: the others need not be parsed."""


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
    codes = {path: path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert len(codes) > 700
    some = {path: code for path, code in codes.items() if RETIRED_ANYWHERE.search(_words(code))}
    names = {path.relative_to(ROOT).as_posix(): _faults(code) - KEPT for path, code in some.items()}
    assert {name: found for name, found in names.items() if found} == {}


RETIRED_PROSE = re.compile(
    r"\btold apart\b|\btells? (it|them|these|two|dice|faces)? ?apart\b|(?<!-)\banew\b"
    r"|\bhang together\b|\bside by side\b"
    r"|\b(is|are|was|were|been|be) (told|said)\b(?! (to|in) )"
    r"|\b(is|are|was|were|been|be) looked (at|for|over)\b",
    re.IGNORECASE,
)
"""A camera or a person may look, and somebody may say something: these are everyday verbs. What a program hands on is
reported, sent or shown, not told."""

LOOK = re.compile(
    r"\b(a|another|each|every|newest|second|first|last|close|closer|coarse|coarser|independent) look\b"
    r"(?! (like|as|alike|at)\b)|\b(two|three|all|many|their) looks\b",
    re.IGNORECASE,
)
"""What comes of looking is a reading, a picture, a view, a check or a theme."""

OF_STATISTICS = (
    "companion/fairness",
    "companion/commands/fairness",
    "docs/fairness",
    "docs/laboratory",
    "docs/measured/fairness",
)
"""Where a look at the throws so far, and a bet that may be looked at any time, are terms of statistics."""


def _retired(name: str, text: str) -> str | None:
    """Return what a text of this file says that no text says."""
    plain, statistics = " ".join(text.split()), name.startswith(OF_STATISTICS)
    if (match := RETIRED_PROSE.search(plain)) and not (statistics and "looked" in match[0]):
        return match[0]
    match = None if statistics else LOOK.search(plain)
    return match[0] if match else None


def _comments(code: str) -> Iterator[str]:
    """Give each comment and each docstring, as one line."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield " ".join(node.value.value.split())


@pytest.mark.parametrize(
    "text", ["# two dice that can be told apart", "# begins anew", "# a look that shows it", "# at every look"]
)
def test_a_retired_phrase_is_found(text: str) -> None:
    assert any(_retired("companion/live/x.py", one) for one in _comments(text))


def test_no_comment_and_no_page_holds_a_retired_phrase() -> None:
    codes = {path: path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert len(codes) > 700
    texts: dict[Path, Iterable[str]] = {
        path: _comments(code)
        for path, code in codes.items()
        if RETIRED_PROSE.search(plain := " ".join(code.split())) or LOOK.search(plain)
    }
    paths = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    pages: dict[Path, Iterable[str]] = {page: page.read_text(encoding="utf-8").split("\n\n") for page in paths}
    assert len(pages) > 50
    named = {path.relative_to(ROOT).as_posix(): paragraphs for path, paragraphs in {**texts, **pages}.items()}
    found = {name: fault for name, each in named.items() for text in each if (fault := _retired(name, text))}
    assert found == {}
