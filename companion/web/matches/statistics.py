"""All matches of the journal together: a page with plots that are drawn here, and the list as a table for others."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from flask import Blueprint, Response, render_template

from companion import spreadsheet
from companion.desk.page.statistics import statistics_of
from companion.rules.ludus_regularis.virtues import virtues
from companion.web.answers import as_file
from companion.web.app_state import table
from companion.web.languages import here
from companion.web.names import named

COLUMNS: Final = (
    "match", "name", "game", "began", "last", "minutes", "throws", "events", "dice_by", "over",
    "players", "winners", "scores", "why",
)  # fmt: skip
JOINT: Final = "; "  # between players, winners and scores

blueprint = Blueprint("statistics", __name__)


@blueprint.get("/statistics")
def page() -> str:
    """Show what the matches of this journal say together."""
    figures = statistics_of(named(table().matches()))
    names = {virtue.lot: here().translated(virtue.english) for virtue in virtues()}
    return render_template("table/statistics.html", figures=figures, names=names, state=table().snapshot().data)


@blueprint.get("/api/matches.csv")
def as_csv() -> Response:
    """Return the list of matches as CSV, one line a match; times are UTC."""
    return as_file(spreadsheet.as_csv([COLUMNS, *map(_row, named(table().matches()))]), "text/csv", "matches.csv")


def _row(line: Mapping[str, Any]) -> list[Any]:
    return [
        line["id"],
        line["name"],
        line["game"],
        _time(line["began"]),
        _time(line["last"]),
        round((line["last"] - line["began"]) / 60, 1),
        line["throws"],
        line["events"],
        line["dice_by"],
        "yes" if line["over"] else "no",
        JOINT.join(line["players"]),
        JOINT.join(line["winners"]),
        JOINT.join(map(str, line["scores"])),
        here().translate(line["why"]),
    ]


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
