"""The README's examples are true: every console line in it is run and its output compared."""

import doctest
import re
from pathlib import Path

import pytest

from tests.commands.running import run

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples() -> list[tuple[str, str, str]]:
    """Return (place, command, expected output) of every ``$`` line in a ``console`` block."""
    found = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for block in re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
            for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE):
                found.append((document.name, command, output))
    return found


@pytest.mark.parametrize(("place", "command", "expected"), examples())
def test_an_example_of_the_documents_does_what_it_says(
    place: str, command: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command.startswith("companion "), f"{place} shows a command that the tests do not run: {command}"
    monkeypatch.chdir(ROOT)
    done = run(*command.split()[1:])
    same = doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert same, f"{place} promises for {command!r}:\n{expected}\nbut it printed:\n{done.stdout}{done.stderr}"


def python_of(document: Path) -> str:
    """Return all ``pycon`` blocks of a document, as one session."""
    text = document.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```pycon\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if python_of(one)], ids=lambda one: str(one.name))
def test_the_python_of_the_documents_does_what_it_says(document: Path) -> None:
    session = doctest.DocTestParser().get_doctest(python_of(document), {}, document.name, str(document), 0)
    stated: list[str] = []
    result = doctest.DocTestRunner().run(session, out=stated.append)
    assert result.attempted > 3
    assert not result.failed, "".join(stated)


def test_the_readme_names_both_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in text
    assert "make test" in text
