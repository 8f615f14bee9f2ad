"""The documents work as they are written: links lead somewhere, commands and their options exist, and facts agree."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import click
import pytest

from companion.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "SECURITY.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(DOCS.rglob("*.md")),
    ROOT / "sample_images" / "README.md",
    ROOT / "firmware_bridge" / "firmware" / "README.md",
]


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def named(document: Path) -> str:
    return str(document.relative_to(ROOT))


def anchors(document: Path) -> set[str]:
    """Return what a document's headings are called in addresses."""
    headings = re.findall(r"^#+ (.+)$", text_of(document), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(document)):
        if "://" in target:
            continue
        path, _, heading = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        assert there.exists(), target
        assert not heading or heading in anchors(there), target


def test_the_index_names_every_page() -> None:
    index = DOCS / "README.md"
    linked = {(DOCS / target.partition("#")[0]).resolve() for target in re.findall(r"\]\(([^)]+)\)", text_of(index))}
    assert {page for page in DOCS.rglob("*.md") if page != index} <= linked


def commands(document: Path) -> Iterator[str]:
    """Give every example of the command: on a line of its own that is set in, after a prompt, or among the words."""
    for line in text_of(document).splitlines():
        for example in re.findall(r"^ {4}(companion .*)|^\$ (companion .*)|`(companion [^`]+)`", line):
            yield re.split(r"\s{2,}|\s#|\s*;|\s--\s|\s\|", "".join(example))[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_example_names_commands_and_options_that_there_are(document: Path) -> None:
    for example in commands(document):
        command: click.Command = main
        context = click.Context(main)
        for word in shlex.split(example)[1:]:
            option = word.partition("=")[0]
            if option.startswith("-"):
                known = {name for given in command.params for name in (*given.opts, *given.secondary_opts)}
                assert option in {*known, "--help"}, f"{example}: {command.name} has no {option}"
            elif isinstance(command, click.Group):
                found = command.get_command(context, word)
                assert found is not None, f"{example}: there is no command {word}"
                command = found


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_the_command_is_called_alike_everywhere(document: Path) -> None:
    assert "bin/companion" not in text_of(document)


def test_the_readmes_way_puts_the_command_on_the_path(tmp_path: Path) -> None:
    (way,) = re.findall(r"^ {4}(source .*)$", text_of(ROOT / "README.md"), flags=re.MULTILINE)
    assert way == "source .venv/bin/activate"
    (tmp_path / ".venv").symlink_to(sys.prefix)
    surroundings = {**os.environ, "PATH": os.defpath}
    for lines, expected in ((f"{way}; command -v companion", f"{sys.prefix}/bin/companion\n"), ("companion", None)):
        done = subprocess.run(
            ["bash", "-c", lines], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
        )
        if expected is None:
            assert done.returncode == 127, "the way would not be needed"
        else:
            assert Path(done.stdout.strip()).resolve() == Path(expected.strip()).resolve(), done.stderr


def test_the_year_of_wibolds_game_is_the_same_everywhere() -> None:
    """No source names it: he was archdeacon until 965 (Pulskamp and Otero, "Wibold and His World")."""
    texts = sorted(path for room in ("web", "language") for path in (ROOT / "companion" / room).rglob("*.toml"))
    found = {path: re.findall(r"\b9[0-9][0-9]\b", texts_of(path)) for path in texts}
    years = {path: set(years) for path, years in found.items() if years}
    assert len(years) >= 8, "the page and the kiosk, in four languages"
    assert set().union(*years.values()) == {"960"}
    for document in (ROOT / "README.md", DOCS / "games" / "ludus-regularis.md"):
        (first,) = re.findall(r"[Aa]bout (9\d\d)\b", text_of(document))
        assert first == "960"


def texts_of(path: Path) -> str:
    """Return the texts of a file, without its remarks."""
    return str(tomllib.loads(text_of(path)))


MOST_TERMS = 45
"""More words than these nobody learns by heart; the six tables of the glossary have a heading each."""


def test_the_glossary_names_what_there_is_in_the_code() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$", text_of(DOCS / "glossary.md"), flags=re.MULTILINE)
    terms = [(term, name) for term, where in rows for name in re.findall(r"`([^`]+)`", where)]
    assert 30 < len(rows) <= MOST_TERMS + 6, "a word that one page alone needs is explained there"
    assert len(terms) > 40
    for term, name in terms:
        rooms = ("calibration", "firmware_bridge")
        there = name if name.startswith(rooms) else f"companion.{name}"
        owner, _, last = there.rpartition(".")
        classes = getattr(resolve_name(owner), "__mro__", ()) if owner else ()
        fields = {field for one in classes for field in getattr(one, "__annotations__", {})}
        assert last in fields or resolve_name(there), f"{term}: {name}"
