"""The page of help: how each game is played, and what else Alea does; the kit comes as files to be printed."""

from functools import lru_cache

from flask import Blueprint, Response, abort, render_template

from calibration.kit.catalogue import PARTS, UnknownPartError, part_named
from calibration.kit.paper import PAPERS, UnknownPaperError, paper_named
from companion.web import game_cards
from companion.web.api import table
from companion.web.languages import here

blueprint = Blueprint("guide", __name__, url_prefix="/help")


@blueprint.get("")
def page() -> str:
    """Show the help; its parts have names, so that the start page leads to each of them."""
    return render_template(
        "table/help.html",
        families=game_cards.families(),
        parts=PARTS.values(),
        papers=PAPERS,
        state=table().snapshot().data,
    )


@blueprint.get("/<part>-<paper>.pdf")
def printed(part: str, paper: str) -> Response:
    """Return a part of the kit as a file to be printed."""
    try:
        data = _pdf(part, paper, here().language)
    except (UnknownPartError, UnknownPaperError):
        abort(404, "There is nothing at this address.")
    response = Response(data, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{part}-{paper}.pdf"'
    return response


@lru_cache(maxsize=32)  # all of them: a card with every game takes a second
def _pdf(part: str, paper: str, language: str) -> bytes:
    return part_named(part).pdf(paper_named(paper), language)
