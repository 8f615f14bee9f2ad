"""No text that people read in English says what a native speaker would not: `plain_english.toml` has the list."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.cli import main
from companion.language import texts
from companion.language.index import files_by_template

ROOT = Path(__file__).resolve().parents[2]
BANNED = tomllib.loads(Path(__file__).with_name("plain_english.toml").read_text(encoding="utf-8"))["banned"]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "SECURITY.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "sample_images" / "README.md",
    ROOT / "firmware_bridge" / "firmware" / "README.md",
]
SPOKEN = ["companion/commands", "calibration/kit"]  # rooms whose plain strings people read, beside the sentences


def test_the_page_and_the_sentences() -> None:
    own = texts.load(texts.DEFAULT)
    stated = {name: _forms(text) for name, text in (*own.own.items(), *own.sentences.items())}
    assert _faults({**stated, **{template: [template] for template in files_by_template()}}) == []


def test_the_help_of_every_command() -> None:
    assert _faults({name: [help_] for name, help_ in _helps(main, click.Context(main, info_name="companion"))}) == []


@pytest.mark.parametrize("room", SPOKEN)
def test_what_commands_and_kit_print(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    assert _faults({str(file.relative_to(ROOT)): list(_strings(file)) for file in files}) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_documents(document: Path) -> None:
    assert _faults({document.name: [_prose(document.read_text(encoding="utf-8"))]}) == []


def test_what_is_new() -> None:
    """What earlier versions said of themselves stays."""
    whole = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert _faults({"Unreleased": [_prose(whole.split("\n## ")[1])]}) == []


@pytest.mark.parametrize(
    "text",
    [
        "Who first bears off all men wins.",
        "By which chances is told at the end.",
        "The throws hang together: the die cannot be judged from them.",
        "1.2.3 is Peace (Pax), but on the cubes it lacks A, A.",
        "It is looked anew how the board lies.",
        "Expected {count} names, but {typed} came.",
    ],
)
def test_the_list_finds_what_was_said_before(text: str) -> None:
    assert _faults({"said": [text]})


def _faults(stated: dict[str, list[str]]) -> list[str]:
    return [
        f"{name}: {found[0]!r} in {text[max(0, found.start() - 40) : found.end() + 40]!r}; say: {one['say']}"
        for name, forms in stated.items()
        for text in forms
        for one in BANNED
        for found in re.finditer(one["pattern"], text, flags=re.IGNORECASE)
    ]


def _forms(text: object) -> list[str]:
    return [str(form) for form in text.values()] if isinstance(text, dict) else [str(text)]


def _helps(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    name = context.command_path
    yield name, " ".join((command.help or "").split())
    for option in command.params:
        if isinstance(option, click.Option):
            yield f"{name} {option.opts[0]}", option.help or ""
    if isinstance(command, click.Group):
        for one in command.list_commands(context):
            found = command.get_command(context, one)
            assert found is not None
            yield from _helps(found, click.Context(found, info_name=one, parent=context))


def _strings(file: Path) -> Iterator[str]:
    """Give the texts of a module that may be printed: not the docstrings, nor what is in an assertion."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    silent = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{part}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


def _prose(markdown: str) -> str:
    """Return the words of a document: without blocks of code, code among the words, and addresses."""
    without = re.sub(r"^```.*?^```|^ {4}[^\n]*$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    without = re.sub(r"`[^`]*`|\]\([^)]*\)", "", without)
    return " ".join(without.split())
