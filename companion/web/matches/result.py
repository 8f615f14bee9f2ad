"""The result of a match as a picture to share: an SVG that this computer draws; the page makes a PNG of it."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template

from companion.language.sentence import Sentence, SentenceText
from companion.rules.ludus_regularis.virtues import by_lot
from companion.web.app_state import table
from companion.web.languages import here
from companion.web.names import named

LINE_CHARACTERS: Final = 74  # characters of the small type that fit beside each other
LISTED_CHARACTERS: Final = 88  # of the smaller type of the virtues
MOST_LINES: Final = 3
LONGEST_NAME: Final = 26  # characters
MOST_PLAYERS: Final = 4  # whose lines fit, best first

blueprint = Blueprint("result", __name__)


@dataclass(frozen=True)
class PlayerRow:
    """One player's line: the name, the score, and the names of the virtues if the game has them."""

    name: str
    score: int
    virtues: str
    won: bool


@blueprint.get("/matches/<int:match>/result.svg")
def picture(match: int) -> Response:
    """Return how a match ended, or how it stands, as a picture of 1200 x 630."""
    line = line_of(match)
    rows = [
        replace(row, name=_cut(row.name), virtues=_cut(row.virtues, LISTED_CHARACTERS)) for row in player_rows(line)
    ]
    drawn = render_template(
        "table/result.svg",
        match=line,
        rows=rows[:MOST_PLAYERS],
        why=_lines(here().translate(line["why"])),
        day=day_of(line),
    )
    return Response(drawn, mimetype="image/svg+xml")


def line_of(match: int) -> Mapping[str, Any]:
    """Return what the list of matches says of one; there is a page for it or none."""
    line = next(iter(named(table().matches(only=match))), None)
    if line is None:
        abort(404, SentenceText(Sentence("There is no match {match} in this journal.", match=match)))
    found: Mapping[str, Any] = line
    return found


def day_of(line: Mapping[str, Any]) -> str:
    """Return the day of a match's last event, as 2026-03-01."""
    return datetime.fromtimestamp(line["last"], UTC).date().isoformat()


def player_rows(line: Mapping[str, Any]) -> list[PlayerRow]:
    """Return a match's players, the winners and the higher scores first."""
    seats = zip(line["players"], line["scores"], line["prizes"], strict=False)
    rows = [
        PlayerRow(
            name,
            score,
            ", ".join(here().translated(by_lot()[lot].english) for lot in lots),
            name in line["winners"],
        )
        for name, score, lots in seats
    ]
    return sorted(rows, key=lambda row: (not row.won, -row.score))


def _lines(text: str) -> Sequence[str]:
    return textwrap.wrap(text, LINE_CHARACTERS, max_lines=MOST_LINES, placeholder=" …")


def _cut(text: str, most: int = LONGEST_NAME) -> str:
    return textwrap.shorten(text, most, placeholder=" …") if " " in text else text[:most]
