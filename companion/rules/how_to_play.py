"""How to play each game, in a few sentences for its players, and how the program plays: from a package's files."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from companion.language.sentence import Sentence, Template

FILE, OF_PROGRAM = "how_to_play.toml", "manner.toml"


@dataclass(frozen=True)
class Glossary:
    """A list on a rule card beside the rules; each entry has a name and what players call it."""

    title: str
    entries: Mapping[str, str]


@cache
def _entries(package: str, file: str) -> Mapping[str, tuple[str, ...]]:
    data = tomllib.loads((files(package) / file).read_text(encoding="utf-8"))
    return {name: tuple(entry["sentences"]) for name, entry in data.items()}


def sentences(package: str, name: str) -> tuple[Sentence, ...]:
    """Return the sentences of this name in the package's file; each is a step of a turn or a rule."""
    return tuple(Sentence.of(Template(text)) for text in _entries(package, FILE)[name])


def manner(package: str, name: str = "manner") -> Sentence:
    """Return the sentence of this name on how the program plays, from the package's file."""
    return Sentence.of(Template(_entries(package, OF_PROGRAM)[name][0]))
