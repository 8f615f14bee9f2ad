"""Which sentences of the rules a page needs in the visitor's language: not those that other games alone say.

A catalogue has more than a thousand sentences, most of them of one family of games. Which files say a sentence stands
in the index of templates, so nothing is to be kept up by hand.
"""

import re
from functools import cache

from companion.language.index import files_by_template
from companion.rules.registry import games

# Who speaks at no table: who calibrates a board or judges dice, and the server, in the visitor's language.
ELSEWHERE = r"calibration/board/|companion/(fairness|desk/series|live/laboratory|web)/"
LABORATORY = re.compile(r"companion/(rules/di\w*\.py|fairness/(?!report/)|(ledger|desk|live|vision)/)")


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
def unsaid_at_table(family: str) -> frozenset[str]:
    """Return the templates that a page need not be sent which shows games of this family, one after the other."""
    others = "|".join(sorted({family_of(slug) for slug in games()} - {family}))
    silent = re.compile(rf"{ELSEWHERE}|companion/rules/({others})/")
    unsaid = {template for template, said_in in files_by_template().items() if all(map(silent.match, said_in))}
    return written_by_the_server() | unsaid


@cache
def of_laboratory() -> frozenset[str]:
    """Return the templates that the laboratory's state may say: it plays no game, and a report is a page of its own."""
    return frozenset(
        template for template, said_in in files_by_template().items() if any(map(LABORATORY.match, said_in))
    )
