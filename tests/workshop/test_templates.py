"""Babel finds every text for players: it stands as a literal where a sentence is made, is marked, or lies in a file."""

import ast
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.language.index import templates_by_file
from workshop.templates import CALLS, PACKAGES, data, extracted

ROOT = Path(__file__).parents[2]
TEMPLATE = "Template"
NAMES = (*CALLS, TEMPLATE)
"""The calls at which a template may be at fault."""

FROM_ELSEWHERE = {
    "companion/language/sentence.py",
    "companion/ledger/codec.py",  # sentences of a journal or an export
    "companion/desk/page/lights.py",  # phrases of the bridge
    "companion/lessons/course.py",
    "companion/referee/board/words.py",
    "companion/rules/appearance_words.py",
    "companion/rules/how_to_play.py",
    "companion/rules/ludus_regularis/ludus.py",
    "companion/rules/ludus_regularis/virtues.py",
    "companion/rules/options.py",
    "companion/rules/rithmomachia/rithmomachia.py",
    "companion/rules/tables/free/board.py",
    "companion/rules/tables/tables.py",
    "companion/vision/boards/quality.py",
    "companion/vision/dice/memory/light.py",
    "companion/web/errors.py",  # what abort() was told
    "companion/hall/beginning.py",  # not ours, but Python's own string.Template
    "companion/web/serving/units.py",  # the same
}
"""Modules that take templates which are no literals of theirs: from data files, journals and the bridge."""


@pytest.fixture(scope="module")
def templates() -> dict[str, list[str]]:
    return extracted()


def test_the_index_of_templates_is_up_to_date(templates: dict[str, list[str]]) -> None:
    index = {file: list(texts) for file, texts in templates_by_file().items()}
    changed = {file for file in index.keys() | templates.keys() if index.get(file) != templates.get(file)}
    assert sorted(changed) == [], "write the index anew: make templates"


def test_every_template_is_a_literal_where_it_is_used_or_marked(templates: dict[str, list[str]]) -> None:
    faults = [
        f"{file}:{call.lineno}: {what}"
        for file, tree in _sources()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for what in _faults(file, call, templates.get(file, ()))
    ]
    assert faults == []


def _sources() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if any(name in text for name in NAMES):  # the others need not be parsed
                yield str(file.relative_to(ROOT)), ast.parse(text)


def _faults(file: str, call: ast.Call, found: list[str] | tuple[()]) -> Iterator[str]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    first = call.args[0] if call.args else None
    if name in CALLS:
        if not isinstance(first, ast.Constant):
            yield f"write the literal in {name}(...), or mark it with N_(...) and make the sentence by Sentence.of(...)"
        elif first.value not in found:
            yield "Babel does not see this call inside others: make the sentence on a line of its own"
    if name == TEMPLATE and file not in FROM_ELSEWHERE:
        yield "mark a literal with N_(...); Template(...) is for what is read, by modules that stand in FROM_ELSEWHERE"


def test_texts_of_a_data_file_are_those_under_the_keys_for_players() -> None:
    toml = b'slug = "zeno"\nstory = "A story."\n[[option]]\nmeaning = "A meaning."\nvalues = ["a", "b"]\n'
    toml += b'[how_to_play]\nsentences = ["First.", "Then."]\n'
    found = [text for _, _, text, _ in data(io.BytesIO(toml), (), (), {})]
    assert found == ["A story.", "A meaning.", "First.", "Then."]
