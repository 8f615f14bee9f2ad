"""Every template of a `Sentence` in the source and the data files, found without running anything.

A translation is looked up by the English template, so whoever translates, and the test that no language lacks one,
must know them all. A sentence whose template cannot be followed in the source is named, and is to be written more
plainly.
"""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.language.translating.following import DATA_KEYS, IN_DATA, PACKAGES, LostError, Source


@dataclass(frozen=True)
class Unfollowed:
    """A sentence whose template was not found, and where."""

    file: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code}"


@dataclass(frozen=True)
class Found:
    """The templates with the places that use each, and the sentences that could not be followed."""

    templates: Mapping[str, tuple[str, ...]]
    unfollowed: tuple[Unfollowed, ...]


def _in_data(package: str) -> Iterator[tuple[str, str]]:
    """Give the templates in the data files of a package, which are the texts under certain keys."""
    spec = find_spec(package)
    assert spec is not None
    for root in map(Path, spec.submodule_search_locations or ()):
        for file in sorted((root / "rules").rglob("*.toml")):
            where = str(file.relative_to(root.parent))
            yield from ((text, where) for text in _texts(tomllib.loads(file.read_text(encoding="utf-8"))))


def _texts(value: Any, *, said: bool = False) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, said=key in DATA_KEYS)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, said=said)
    elif said and isinstance(value, str):
        yield value


@cache
def found(packages: tuple[str, ...] = PACKAGES) -> Found:
    """Return every template that a player may be shown, of these packages."""
    source = Source(packages)
    templates: dict[str, list[str]] = defaultdict(list)
    unfollowed: list[Unfollowed] = []
    for module, call in source.sentences():
        try:
            texts = source.values(module, call.args[0])
        except LostError:
            texts = set()
        if not texts:
            unfollowed.append(Unfollowed(module.file, call.lineno, ast.unparse(call)))
        for template in texts - {IN_DATA}:
            templates[template].append(f"{module.file}:{call.lineno}")
    for module, call in source.refusals():
        text = call.args[1]
        assert isinstance(text, ast.Constant), "those alone are given"
        templates[str(text.value).replace("{", "{{").replace("}", "}}")].append(f"{module.file}:{call.lineno}")
    for template, where in (one for package in packages for one in _in_data(package)):
        templates[template].append(where)
    return Found({one: tuple(sorted(templates[one])) for one in sorted(templates)}, tuple(unfollowed))
