"""What is printed of a match: its result on one page, and a worksheet for a class with the answers behind it."""

from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from typing import Any

from flask import Blueprint, Response, request

from companion.desk.page.worksheet import Worksheet
from companion.printing.setting import PrintedDocument
from companion.web.answers import as_file
from companion.web.languages import here
from companion.web.matches.replay import review_of
from companion.web.matches.result import day_of, line_of, player_rows

blueprint = Blueprint("printed", __name__)


@blueprint.get("/matches/<int:match>/result.pdf")
def result(match: int) -> Response:
    """Return how a match ended, or how it stands, as a page to print; ``?paper=letter`` for another paper than A4."""
    t, line = here(), line_of(match)
    vignette = files("companion") / "web" / "static" / "families" / f"{line['game'].partition('/')[0]}.svg"
    sheet = review_of(match).worksheet()
    data = {
        "rows": [vars(row) for row in player_rows(line)],
        "why": t.translate(line["why"]),
        "foot": f"{t('page.brand')}, {t('page.tagline')}",
        "dice": t("worksheet.heading"),
        "vignette": "vignette.svg" if vignette.is_file() else None,
    }
    pictures = {"vignette.svg": vignette.read_text(encoding="utf-8")} if vignette.is_file() else {}
    return _pdf("result", match, sheet, data, pictures)


@blueprint.get("/matches/<int:match>/worksheet.pdf")
def worksheet(match: int) -> Response:
    """Return the worksheet of a match to print; ``?paper=letter`` for another paper than A4."""
    t, sheet = here(), review_of(match).worksheet()
    lead = [t("worksheet.dice", count=sheet.dice) if sheet.dice > 1 else t("worksheet.one_die")]
    lead.append(t("worksheet.ways", total=sheet.total))
    lead += [t("worksheet.left_out", count=sheet.others)] if sheet.others else []
    asked, given = (
        [t(f"worksheet.{one.name}_{kind}", **one.parts) for one in sheet.tasks] for kind in ("ask", "answer")
    )
    data = {
        "heading": t("worksheet.heading"),
        "whose": t("worksheet.whose"),
        "lead": " ".join(lead) if sheet.throws else t("worksheet.no_throws"),
        "fill_in": t("worksheet.fill_in"),
        "tasks": {"heading": t("worksheet.tasks"), "asked": asked},
        "answers": {"heading": t("worksheet.answers"), "given": given},
        "about": t("worksheet.chance_about"),
    }
    return _pdf("worksheet", match, sheet, data)


def _pdf(
    template: str, match: int, sheet: Worksheet, data: Mapping[str, Any], pictures: Mapping[str, str] | None = None
) -> Response:
    t, line = here(), line_of(match)
    every = {
        "title": line["name"],
        "game": t.translated(line["title"]),
        "day": day_of(line),
        "language": t.language,
        "paper": "letter" if request.args.get("paper") == "letter" else "a4",
        "odds": _odds(sheet) if sheet.throws else None,
    }
    document = PrintedDocument(template, {**every, **data}, date.fromisoformat(day_of(line)), pictures or {})
    return as_file(document.pdf(), "application/pdf", f"match-{match}-{template}.pdf", shown=True)


def _odds(sheet: Worksheet) -> dict[str, Any]:
    """Return what the dice showed, beside what was to be expected, as a table."""
    t = here()
    rows = []
    for line in sheet.lines:
        expected = sheet.throws * line.ways / sheet.total
        rows.append(
            {
                "name": t("worksheet.others") if line.name is None else line.name,
                "rest": line.name is None,
                "chance": f"{line.ways}/{sheet.total}",
                "thrown": line.thrown,
                "expected": expected,
                "written": t.number(round(expected, 2), 2),
            }
        )
    return {
        "caption": t("worksheet.table", n=sheet.throws, total=sheet.total),
        "head": [
            t(f"worksheet.{column}") for column in ("sum" if sheet.dice > 1 else "face", "chance", "thrown", "expected")
        ],
        "rows": rows,
    }
