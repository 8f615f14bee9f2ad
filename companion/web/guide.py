"""The page of help: how each game is played, and what else Alea does; the kit comes as files to be printed."""

from functools import lru_cache

from flask import Blueprint, Response, abort, render_template

from companion.web import game_cards
from companion.web.answers import as_file
from companion.web.app_state import table
from companion.web.languages import here

blueprint = Blueprint("guide", __name__, url_prefix="/help")


@blueprint.get("")
def page() -> str:
    """Show the help; its parts have names, so that the start page leads to each of them.

    A board is previewed on the one sheet that holds all of it.
    """
    from calibration.kit.catalogue import PARTS  # noqa: PLC0415  (a table starts without the kit, which loads slowly)
    from calibration.kit.paper import ALL_PAPERS  # noqa: PLC0415
    from companion.vision.boards.kit import kit_boards  # noqa: PLC0415

    return render_template(
        "table/help.html",
        families=game_cards.families(),
        parts=PARTS.values(),
        papers=ALL_PAPERS,
        previewed={name: "a2" if name in kit_boards() else "a4" for name in PARTS},
        state=table().snapshot().data,
    )


@blueprint.get("/<part>-<paper>.<any(pdf, png):kind>")
def printed(part: str, paper: str, kind: str) -> Response:
    """Return a part of the kit as a file to be printed, or its first sheet as a small picture."""
    from calibration.kit.catalogue import UnknownPartError  # noqa: PLC0415
    from calibration.kit.paper import UnknownPaperError  # noqa: PLC0415

    try:
        data = _made(part, paper, here().language, kind)
    except (UnknownPartError, UnknownPaperError):
        abort(404, "There is nothing at this address.")
    return as_file(data, "application/pdf" if kind == "pdf" else "image/png", f"{part}-{paper}.{kind}", shown=True)


@lru_cache(maxsize=64)  # a card with every game takes a second
def _made(part: str, paper: str, language: str, kind: str) -> bytes:
    from calibration.kit.catalogue import part_named  # noqa: PLC0415
    from calibration.kit.paper import paper_named  # noqa: PLC0415

    document = part_named(part).document(paper_named(paper), language, first=kind == "png")
    return document.pdf() if kind == "pdf" else document.preview()
