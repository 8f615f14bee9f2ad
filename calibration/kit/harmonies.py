"""The table of harmonies on paper: a sheet of its own, and a part of the cards of Rithmomachia."""

from datetime import date
from typing import Any

from calibration.kit.paper import Paper
from companion.language.texts import Texts, load
from companion.printing.setting import PrintedDocument
from companion.rules.rithmomachia.men import COLOURS
from companion.rules.rithmomachia.numbers import EXAMPLES, army_numbers, triples, written


def harmonies_document(paper: Paper, language: str, made: date, shown: int | None = None) -> PrintedDocument:
    """Return the table of harmonies as a document of one page."""
    del shown  # its one page
    words = load(language)
    data = {"title": words("harmonies.heading"), "language": language, "sheet": paper.size}
    return PrintedDocument("harmonies", data | harmonies_table(words), made)


def harmonies_table(words: Texts) -> dict[str, Any]:
    """Return the table's words and its numbers, with the sides that begin with all three of a row."""
    return {
        "heading": words("harmonies.heading"),
        "lead": words("harmonies.lead"),
        "marked": words("kit.harmonies_marked"),
        "kinds": [
            {
                "name": words(f"harmonies.{kind}"),
                "about": words(f"harmonies.{kind}_is"),
                "example": written(EXAMPLES[kind]),
                "rows": [
                    {"numbers": three, "sides": [side for side in COLOURS if army_numbers(side).issuperset(three)]}
                    for three in found
                ],
            }
            for kind, found in triples().items()
        ],
    }
