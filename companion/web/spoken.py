"""Which sentences of the rules a page needs in the visitor's language: not those that other games alone say.

A catalogue has more than a thousand sentences, most of them of one family of games. What a family says is found among
the texts in its modules and data files, so nothing is to be kept up by hand.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Lock
from types import CodeType
from typing import Any

from companion.rules.registry import games

RULES = "companion.rules"
PLACES = ("camera", "kiosk", "laboratory", "owner", "serving")  # of the page, which no table is
SPEAKERS = ("companion.referee", "companion.desk", "companion.live")
LABORATORY = ("companion.fairness", "companion.ledger", "companion.desk", "companion.live", "companion.vision")
OF_LABORATORY = (("companion.live", "laboratory"), ("companion.desk", "series"))  # who speaks of a series alone
OF_REPORTS = "report"
SENTENCES = "sentence.py"  # of the language, by which rules name players and numbers


def family_of(slug: str) -> str:
    """Return the family of a game, which is the package of its rules: ``tables`` of ``tables/zeno``."""
    return slug.partition("/")[0].replace("-", "_")


@cache
def short(template: str) -> str:
    """Return what a template is called where a catalogue is sent: its English need not be sent too.

    FNV-1a of 32 bits over UTF-16, with the length: no two templates of the program are called alike (tested).
    """
    units = template.encode("utf-16-le")
    value = 0x811C9DC5
    for at in range(0, len(units), 2):
        value = ((value ^ int.from_bytes(units[at : at + 2], "little")) * 0x01000193) & 0xFFFFFFFF
    return f"{value:x}.{len(units) // 2}"


@cache
def written_by_the_server() -> frozenset[str]:
    """Return the templates of stories, lessons and options, which stand in the page already where they are shown."""
    said = [
        sentence
        for game in games().values()
        for sentence in (game.story, game.reading, *game.how_to_play, *(option.meaning for option in game.options))
        if sentence is not None
    ]
    return frozenset(one.template for sentence in said for one in (sentence, *sentence.nested()))


@cache
def of_other_games(family: str) -> frozenset[str]:
    """Return the texts in the rules of other families that neither this family nor anything common has."""
    families = {family_of(slug) for slug in games()}
    others = frozenset().union(*(_of_family(other) for other in families - {family}))
    own = _of_family(family) if family in families else frozenset()
    return others - own - _common(frozenset(families))


@cache
def of_other_pages() -> frozenset[str]:
    """Return the texts that no table shows: of calibrating, of the fairness laboratory, and what the server says.

    It does so in the visitor's language.
    """
    web = [part for part in files("companion.web").iterdir() if part.name.endswith(".py") or part.name in PLACES]
    laboratory = (files("companion.fairness"), *(files(room) / part for room, part in OF_LABORATORY))
    elsewhere = frozenset().union(*map(_texts, (files("calibration.board"), *laboratory, *web)))
    return elsewhere.difference(*map(_texts, (files(RULES), files("companion.vision"), *_speakers())))


def unsaid_at_table(family: str) -> frozenset[str]:
    """Return the texts that a page need not be sent which shows games of this family, one after the other.

    One request works it out and the others wait: when fifty pages asked at once, each of them did.
    """
    with _working_out:
        return _unsaid_at_table(family)


_working_out = Lock()


@cache
def _unsaid_at_table(family: str) -> frozenset[str]:
    return written_by_the_server() | of_other_games(family) | of_other_pages()


@cache
def of_laboratory() -> frozenset[str]:
    """Return the texts that the laboratory's state may say: it plays no game, and reports are pages of their own."""
    dice = [part for part in files(RULES).iterdir() if part.name.startswith("di") and part.name.endswith(".py")]
    rooms = [part for room in map(files, LABORATORY) for part in room.iterdir() if part.name != OF_REPORTS]
    return frozenset().union(*map(_texts, (*dice, *rooms)))


@cache
def _of_family(family: str) -> frozenset[str]:
    return _texts(files(RULES) / family)


@cache
def _common(families: frozenset[str]) -> frozenset[str]:
    """Return the texts of the rules of all games, of referee and live table, which speak of any game."""
    rules = [part for part in files(RULES).iterdir() if part.name not in families]
    parts = [*rules, *_speakers(), files("companion.language") / SENTENCES]
    return frozenset().union(*map(_texts, parts))


def _speakers() -> list[Traversable]:
    """Return the modules that speak of a match: referee and live table, without the laboratory."""
    return [part for room in SPEAKERS for part in files(room).iterdir() if (room, part.name) not in OF_LABORATORY]


def _texts(place: Traversable) -> frozenset[str]:
    """Return every text in the modules and data files of a folder, or of one file."""
    return frozenset(_walked(place))


def _walked(place: Traversable) -> Iterator[str]:
    if place.is_dir():
        for inner in place.iterdir():
            yield from _walked(inner)
    elif place.name.endswith(".py"):
        yield from _in_code(_compiled(place))
    elif place.name.endswith(".toml"):
        yield from _in_data(tomllib.loads(place.read_text(encoding="utf-8")))


def _compiled(module: Traversable) -> CodeType:
    """Return a module's code as Python keeps it beside the file: twenty times sooner read than the source."""
    code = SourceFileLoader(module.name, str(module)).get_code(module.name) if isinstance(module, Path) else None
    return code or compile(module.read_bytes(), module.name, "exec")


def _in_code(constant: Any) -> Iterator[str]:
    if isinstance(constant, str):
        yield constant
    elif isinstance(constant, CodeType | tuple | frozenset):
        for inner in constant.co_consts if isinstance(constant, CodeType) else constant:
            yield from _in_code(inner)


def _in_data(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _in_data(inner)
