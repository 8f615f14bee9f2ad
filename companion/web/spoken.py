"""Which sentences of the rules a page needs in the visitor's language: not those that only other games use.

A catalogue has more than a thousand sentences, and most belong to one family of games. The index of templates knows
which files use a sentence, so no list needs maintenance.
"""

import re
from functools import cache

from companion.language.index import files_by_template
from companion.rules.registry import ROOMS, games

# Files whose sentences no table needs: of boards, dice and halls, and of the server, which translates its own.
ELSEWHERE = (
    r"calibration/(board|kit)/"
    r"|companion/(fairness|hall|lessons|players|problems|desk/series|live/laboratory|settings|web)/"
)
LABORATORY = re.compile(r"companion/(rules/di\w*\.py|fairness/(?!report/)|(ledger|desk|live|vision)/)")


def family_of(slug: str) -> str:
    """Return the family of a game, which is the package of its rules: ``tables`` of ``tables/zeno``."""
    return slug.partition("/")[0].replace("-", "_")


@cache
def short(template: str) -> str:
    """Return a template's short name in a catalogue that goes to a page: it replaces the English text.

    FNV-1a of 32 bits over UTF-16, with the length: no two templates of the program share a name (tested).
    """
    units = template.encode("utf-16-le")
    value = 0x811C9DC5
    for at in range(0, len(units), 2):
        value = ((value ^ int.from_bytes(units[at : at + 2], "little")) * 0x01000193) & 0xFFFFFFFF
    return f"{value:x}.{len(units) // 2}"


@cache
def written_by_the_server(family: str | None = None) -> frozenset[str]:
    """Return the templates of stories, lessons and options, which the server writes into the pages that show them.

    ``family``: of these games alone, by default of all.
    """
    sentences = [
        sentence
        for game in games().values()
        if family is None or family_of(game.slug) == family
        for sentence in (
            game.story,
            game.interpretation,
            *game.how_to_play,
            *(option.meaning for option in game.options),
        )
        if sentence is not None
    ]
    return frozenset(one.template for sentence in sentences for one in (sentence, *sentence.nested()))


@cache
def unsaid_at_table(family: str) -> frozenset[str]:
    """Return the templates that a page does not need if it shows games of this family, one after the other."""
    others = "|".join(sorted({room.rpartition(".")[2] for room in ROOMS} - {family}))
    silent = re.compile(rf"{ELSEWHERE}|companion/rules/({others})/")
    unsaid = {template for template, answers_in in files_by_template().items() if all(map(silent.match, answers_in))}
    return written_by_the_server(family) | unsaid


@cache
def of_laboratory() -> frozenset[str]:
    """Return the templates that the laboratory's state may use: it plays no game, and a report is a separate page."""
    return frozenset(
        template for template, answers_in in files_by_template().items() if any(map(LABORATORY.match, answers_in))
    )
