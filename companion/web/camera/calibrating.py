"""The calibration of a board over HTTP: the owner's page drives `calibration.board.guide`, step by step."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from flask import Blueprint, Flask, Response, abort, current_app, jsonify, render_template, request

from calibration.board.choices import OFFERED
from calibration.board.guide import BoardGuide
from calibration.board.lens_guide import LensGuide, LensGuideError
from calibration.board.procedure import FIRST
from calibration.board.run import GuideError
from companion.desk.table.match_desk import PAGE
from companion.language.sentence import SaidText, Sentence
from companion.referee.readable import board_to_read
from companion.rules.registry import games
from companion.vision.boards.known import same_board
from companion.vision.boards.pose import Points
from companion.vision.sources import HoldsSettings
from companion.web.api import table
from companion.web.json_bodies import json_object
from companion.web.languages import here
from companion.web.owner.auth import guarded, owner_only, pin_needed, require_owner

FARTHEST: Final = 1e5
"""Pixels beyond which no corner lies in any picture."""

CORNERS: Final = 4

SAMPLE = Sentence(
    "The pictures of a sample table come with the program: start the table with a camera to calibrate a board under it."
)
NO_CAMERA = Sentence(
    "No camera looks at this table: stop the program and start it with 'companion serve --camera 0', or with "
    "'companion serve --phone' to use the camera of a telephone."
)

blueprint = Blueprint("calibrating", __name__)


def prepare(app: Flask) -> None:
    """Give the app its guide: one calibration at a time is under way at a table."""
    lens = LensGuide(lambda: table().board_camera())
    app.extensions["alea_lens_guide"] = lens
    app.extensions["alea_guide"] = BoardGuide(lambda: table().board_camera(), lens=lens.lens)
    app.register_blueprint(blueprint)


def guide() -> BoardGuide:
    """Return the guide of the running table."""
    leading: BoardGuide = current_app.extensions["alea_guide"]
    return leading


def lens_guide() -> LensGuide:
    """Return what measures the lens of the running table's camera."""
    leading: LensGuide = current_app.extensions["alea_lens_guide"]
    return leading


@blueprint.get("/calibrate")
def page() -> str:
    """Show the page that leads through the calibration of a board."""
    state = table().snapshot().data
    lacking = None
    camera = table().board_camera()
    if camera is None:
        lacking = SAMPLE if state.get("sample") else NO_CAMERA
    return render_template(
        "camera/calibrate.html",
        state=state,
        boards=OFFERED,
        first=FIRST.to_json(),
        lacking=None if lacking is None else lacking.to_json(),
        can_hold=isinstance(camera, HoldsSettings) and camera.can_hold,
        lens=None if lacking is not None else lens_guide().lens(),
    )


@blueprint.get("/api/calibration/live.jpg")
@owner_only
def live() -> Response:
    """Return what the camera over the board sees now; a JSON sentence while it sees nothing."""
    try:
        return Response(guide().live(), mimetype="image/jpeg")
    except GuideError as why:
        return jsonify({"sentence": why.sentence.to_json()})


@blueprint.get("/api/calibration/picture.jpg")
@owner_only
def picture() -> Response:
    """Return the picture that was taken: of the board and its rim alone, once the outline is agreed to."""
    try:
        return Response(guide().picture(request.args.get("session", "")), mimetype="image/jpeg")
    except GuideError as why:
        abort(404, SaidText(why.sentence))


def _require_step(act: str) -> None:
    if act not in ACTS:
        abort(404, f"Calibrating has no step {act!r}; it has {', '.join(ACTS)}.")
    require_owner()


@blueprint.post("/api/calibration/<act>")
@guarded(_require_step)
def do(act: str) -> Response:
    """Do a step of the calibration; the answer tells how it stands then."""
    try:
        return jsonify({"ok": True, **ACTS[act](_body())})
    except (GuideError, LensGuideError) as why:
        answer = {
            "ok": False,
            "error": here().say(why.sentence.to_json()),
            "sentence": why.sentence.to_json(),
            "kind": why.kind,
        }
        refused = jsonify(answer)
        refused.status_code = 409
        return refused


def _begin(body: Mapping[str, Any]) -> dict[str, Any]:
    kit, over, hold, bent = (body.get(name) is True for name in ("kit", "over", "hold", "lens"))
    return guide().begin(_text(body, "board"), kit=kit, over=over, hold=hold, bent=bent)


def _leave(body: Mapping[str, Any]) -> dict[str, Any]:
    guide().leave(_text(body, "session"))
    return {}


def _leave_lens(body: Mapping[str, Any]) -> dict[str, Any]:
    lens_guide().leave(_text(body, "session"))
    return {}


def _save(body: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the profile, and let the running table follow the board from it at once."""
    session = _text(body, "session")
    profile = guide().save(session, _text(body, "name"), replace=body.get("replace") is True)
    reply = table().calibrated(profile, "owner" if not pin_needed() else PAGE)
    state = table().snapshot().data
    followed = state.get("watch") is not None and not state.get("outcome")
    return {
        **guide().told(session),
        "name": profile.name,
        "used": reply.ok,
        "said": reply.sentence.to_json(),
        "game": _game_on(profile.board),
        "match": followed,
    }


ACTS: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    "begin": _begin,
    "picture": lambda body: guide().again(_text(body, "session")),
    "corners": lambda body: guide().corners(_text(body, "session"), _corners(body)),
    "confirm": lambda body: guide().confirm(_text(body, "session"), _corners(body), sure=body.get("sure") is True),
    "start": lambda body: guide().start_position(_text(body, "session")),
    "skip": lambda body: guide().skip_colours(_text(body, "session")),
    "save": _save,
    "leave": _leave,
    "lens-begin": lambda body: lens_guide().begin(over=body.get("over") is True),
    "lens-look": lambda body: lens_guide().look(_text(body, "session")),
    "lens-measure": lambda body: lens_guide().measure(_text(body, "session")),
    "lens-leave": _leave_lens,
}


def _game_on(board: str) -> str | None:
    """Return the first game that is played on a board, by slug."""
    for slug, game in games().items():
        name = board_to_read(game)
        if name is not None and same_board(name, board):
            return slug
    return None


def _body() -> Mapping[str, Any]:
    body = json_object()
    if body is None:
        abort(400, "Expected a JSON object with the step's particulars, e.g. {}.")
    return body


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise GuideError(Sentence("Expected {name} as a text, but got {value}.", name=name, value=repr(value)[:60]))
    return value


def _corners(body: Mapping[str, Any]) -> Points:
    """Return four corners (4, 2) of finite numbers; anything else is refused in a sentence."""
    given = body.get("corners")
    if isinstance(given, list) and len(given) == CORNERS and all(_pair(corner) for corner in given):
        return np.array(given, np.float64)
    raise GuideError(
        Sentence("Expected four corners, each as two numbers of pixels in the picture: mark all four on the picture.")
    )


def _pair(corner: Any) -> bool:
    return isinstance(corner, list) and len(corner) == len("xy") and all(_pixel(value) for value in corner)


def _pixel(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= FARTHEST and math.isfinite(value)
