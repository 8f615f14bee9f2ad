"""How to play each game, in a few sentences for its players, and how the program plays: from a package's files."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template

FILE, OF_PROGRAM = "how_to_play.toml", "manner.toml"


@dataclass(frozen=True)
class Glossary:
    """A list on a rule card beside the rules; each entry has a name and what players call it."""

    title: str
    entries: Mapping[str, str]


@dataclass(frozen=True)
class GameTexts:
    """Where the files of a package say of a game how it is played and won, and how the program plays: names there."""

    package: str
    how_to_play: str
    aim: str = "aim"
    manner: str = "manner"


def sentences(package: str, name: str) -> tuple[Sentence, ...]:
    """Return the sentences of this name in the package's file; each is a step of a turn or a rule."""
    return tuple(Sentence.of(Template(text)) for text in data_of(package, FILE)[name]["sentences"])


def manner(package: str, name: str) -> Sentence:
    """Return the sentence of this name on how the program plays, from the package's file."""
    return Sentence.of(Template(data_of(package, OF_PROGRAM)[name]["sentences"][0]))
