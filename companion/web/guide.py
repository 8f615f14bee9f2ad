"""The page of help: how each game is played, and what else Alea does; the kit comes as files to be printed."""

from functools import lru_cache
from typing import Final

from flask import Blueprint, Response, abort, render_template

from calibration.kit.catalogue import PARTS, UnknownPartError, part_named
from calibration.kit.paper import ALL_PAPERS, UnknownPaperError, paper_named
from companion.vision.boards.kit import kit_boards
from companion.web import game_cards
from companion.web.answers import as_file
from companion.web.app_state import table
from companion.web.languages import here

blueprint = Blueprint("guide", __name__, url_prefix="/help")

PREVIEWED: Final = {name: "a2" if name in kit_boards() else "a4" for name in PARTS}
"""The papers of the small pictures: a board on the one sheet that holds all of it."""


@blueprint.get("")
def page() -> str:
    """Show the help; its parts have names, so that the start page leads to each of them."""
    return render_template(
        "table/help.html",
        families=game_cards.families(),
        parts=PARTS.values(),
        papers=ALL_PAPERS,
        previewed=PREVIEWED,
        state=table().snapshot().data,
    )


@blueprint.get("/<part>-<paper>.<any(pdf, png):kind>")
def printed(part: str, paper: str, kind: str) -> Response:
    """Return a part of the kit as a file to be printed, or its first sheet as a small picture."""
    try:
        data = _made(part, paper, here().language, kind)
    except (UnknownPartError, UnknownPaperError):
        abort(404, "There is nothing at this address.")
    return as_file(data, "application/pdf" if kind == "pdf" else "image/png", f"{part}-{paper}.{kind}", shown=True)


@lru_cache(maxsize=64)  # a card with every game takes a second
def _made(part: str, paper: str, language: str, kind: str) -> bytes:
    document = part_named(part).document(paper_named(paper), language, first=kind == "png")
    return document.pdf() if kind == "pdf" else document.preview()
