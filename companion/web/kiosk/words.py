"""The curator's words: welcome, story and thanks in each language, and the players' names."""

import tomllib
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from companion.language.sentence import N_, Sentence

LONGEST_TEXT: Final = 1200
"""The most characters of a text: the welcome page of a tablet has room for no more."""

LONGEST_NAME: Final = 40
NAME_OF_PROGRAM: Final = N_("program in {file} must be a name of 1 to {most} characters.")
LISTS: Final = {"players", "men"}
FIRST: Final = "en"
"""The language whose words replace missing ones."""


@dataclass(frozen=True)
class KioskWords:
    """One language's words.

    ``players``: the names of the first, the second, ... player; ``men``: of two players with light and dark men;
    ``program``: the machine's.
    """

    welcome: str
    story: str
    closing: str
    closed: str
    thanks: str
    program: str
    players: tuple[str, ...]
    men: tuple[str, ...]


@cache
def own_words(language: str) -> KioskWords:
    """Return the program's own words in a language; the English ones if it has none."""
    file = files(__package__) / "defaults" / f"texts.{language}.toml"
    if not file.is_file():
        return own_words(FIRST)
    base = {} if language == FIRST else vars(own_words(FIRST))
    data = {**base, **tomllib.loads(file.read_text(encoding="utf-8"))}
    return KioskWords(**data | {key: tuple(data[key]) for key in LISTS})


def read_words(language: str, text: str) -> tuple[KioskWords | None, list[Sentence]]:
    """Return a curator's words in a language and a sentence for each fault; None as words if there are faults."""
    name = f"texts.{language}.toml"
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        return None, [Sentence("{file} is not TOML: {why}.", file=name, why=str(why))]
    faults: list[Sentence] = []
    known = [one.name for one in fields(KioskWords)]
    given: dict[str, Any] = {}
    for key, value in data.items():
        if key not in known:
            faults.append(
                Sentence(
                    "{file} has {key}, but knows only {known}: check its spelling.",
                    file=name,
                    key=key,
                    known=", ".join(known),
                )
            )
        else:
            faults += _faults_of(key, name, value)
            given[key] = value
    if faults:
        return None, faults
    for key, value in given.items():
        given[key] = tuple(one.strip() for one in value) if key in LISTS else value.strip()
    words = replace(own_words(language), **given)
    for key in LISTS:
        if words.program in getattr(words, key):
            return None, [Sentence("{key} in {file} gives two players the same name.", key=key, file=name)]
    return words, []


def _faults_of(key: str, file: str, value: object) -> list[Sentence]:
    if key in LISTS:
        return _faults_of_names(key, file, value)
    if key == "program":
        return [] if _is_name(value) else [Sentence.of(NAME_OF_PROGRAM, file=file, most=LONGEST_NAME)]
    if isinstance(value, str) and value.strip() and len(value) <= LONGEST_TEXT:
        return []
    return [
        Sentence("{key} in {file} must be a text of 1 to {most} characters.", file=file, key=key, most=LONGEST_TEXT)
    ]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME


def _faults_of_names(key: str, file: str, value: object) -> list[Sentence]:
    names = value if isinstance(value, list) else []
    plain = [one.strip() for one in names if _is_name(one)]
    if not plain or len(plain) < len(names):
        return [
            Sentence(
                "{key} in {file} must list names of 1 to {most} characters.", key=key, file=file, most=LONGEST_NAME
            )
        ]
    if len(set(plain)) < len(plain):
        return [Sentence("{key} in {file} gives two players the same name.", key=key, file=file)]
    return []
