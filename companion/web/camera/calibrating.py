"""The calibration of a board over HTTP: the owner's page drives `calibration.board.guide`, step by step."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
from flask import Blueprint, Flask, Response, abort, jsonify, render_template, request
from msgspec import Meta, Struct

from calibration.board.choices import OFFERED
from calibration.board.guide_error import GuideError
from companion.desk.command import CommandDataError, Refusal, read_record
from companion.desk.table.match_desk import PAGE
from companion.language.sentence import Sentence, SentenceText
from companion.referee.readable import board_to_read
from companion.rules.registry import games
from companion.vision.boards.known import same_board
from companion.vision.sources.source import HoldsSettings
from companion.web.access.auth import guarded, owner_only, pin_needed, require_owner
from companion.web.app_state import AppKey, table
from companion.web.errors import refused
from companion.web.json_bodies import json_object, takes

if TYPE_CHECKING:
    from calibration.board.guide import BoardGuide
    from calibration.board.lens_guide import LensGuide

MOST_CORNER_PIXELS: Final = 1e5
"""Pixels; no corner of any picture lies beyond this."""

BOARD_CORNERS: Final = 4

SAMPLE = Sentence(
    "The pictures of a sample table come with the program: choose a camera on the page Camera to calibrate a board "
    "under it."
)
NO_CAMERA = Sentence("No camera sees this table: choose one on the page Camera.")

GUIDES = AppKey["CalibrationGuides"]("guides")

blueprint = Blueprint("calibrating", __name__)


class CalibrationGuides:
    """The guides of one page, made when the first of them is asked for: until then a table runs without them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: tuple[BoardGuide, LensGuide] | None = None

    def made(self) -> "tuple[BoardGuide, LensGuide]":
        """Return the guides of the board and of the lens. Any thread may call it."""
        from calibration.board.guide import BoardGuide  # noqa: PLC0415  (they load slowly)
        from calibration.board.lens_guide import LensGuide  # noqa: PLC0415

        with self._lock:
            if self._made is None:
                lens = LensGuide(lambda: table().board_camera())
                self._made = BoardGuide(lambda: table().board_camera(), lens=lens.lens), lens
            return self._made


def prepare(app: Flask) -> None:
    """Give the app its guides: a table runs one calibration at a time."""
    GUIDES.put(app, CalibrationGuides())
    app.register_blueprint(blueprint)


def guide() -> "BoardGuide":
    """Return the guide of the running table."""
    return GUIDES.get().made()[0]


def lens_guide() -> "LensGuide":
    """Return the guide that measures the lens of the running table's camera."""
    return GUIDES.get().made()[1]


@blueprint.get("/calibrate")
def page() -> str:
    """Show the page that guides through the calibration of a board."""
    from calibration.board.procedure import FIRST  # noqa: PLC0415  (as above)

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
    """Return what the camera over the board sees now, or a JSON sentence while it sees nothing."""
    try:
        return Response(guide().live(), mimetype="image/jpeg")
    except GuideError as why:
        return jsonify({"sentence": why.sentence.to_json()})


@blueprint.get("/api/calibration/picture.jpg")
@owner_only
def picture() -> Response:
    """Return the picture that was taken; once the outline is confirmed, only the board and its rim."""
    try:
        return Response(guide().picture(request.args.get("session", "")), mimetype="image/jpeg")
    except GuideError as why:
        abort(404, SentenceText(why.sentence))


Session = Annotated[str, Meta(description="The session that `begin` answered with.")]
Pixels = Annotated[float, Meta(ge=-MOST_CORNER_PIXELS, le=MOST_CORNER_PIXELS)]
Corners = Annotated[
    list[Annotated[list[Pixels], Meta(min_length=2, max_length=2)]],
    Meta(
        min_length=BOARD_CORNERS,
        max_length=BOARD_CORNERS,
        description="The board's corners, each as x and y in the picture.",
    ),
    Refusal(
        Sentence("Expected four corners, each as two numbers of pixels in the picture: mark all four on the picture.")
    ),
]
Over = Annotated[bool, Meta(description="Whether to end another that is under way.")]


class BeginStep(Struct, frozen=True):
    """Begin to calibrate a board."""

    board: Annotated[str, Meta(description="The kind of board.")]
    kit: Annotated[bool, Meta(description="Whether it is printed from the kit, with markers.")] = False
    over: Over = False
    hold: Annotated[bool, Meta(description="Whether the camera is to hold its settings still.")] = False
    lens: Annotated[bool, Meta(description="Whether the lens that was measured is undone.")] = False


class SessionStep(Struct, frozen=True):
    """Go on in a session."""

    session: Session


class CornersStep(SessionStep, frozen=True):
    """Say where the corners lie."""

    corners: Corners


class ConfirmStep(CornersStep, frozen=True):
    """Agree to the corners."""

    sure: Annotated[bool, Meta(description="Whether they are right though the program doubts it.")] = False


class SaveStep(SessionStep, frozen=True):
    """Keep what was found."""

    name: Annotated[str, Meta(description="What the profile is called.")]
    replace: Annotated[bool, Meta(description="Whether to replace one of that name.")] = False


class LensBeginStep(Struct, frozen=True):
    """Begin to measure a lens."""

    over: Over = False


def _begin(asked: BeginStep) -> dict[str, Any]:
    return guide().begin(asked.board, kit=asked.kit, over=asked.over, hold=asked.hold, bent=asked.lens)


def _leave(asked: SessionStep) -> dict[str, Any]:
    guide().leave(asked.session)
    return {}


def _leave_lens(asked: SessionStep) -> dict[str, Any]:
    lens_guide().leave(asked.session)
    return {}


def _save(asked: SaveStep) -> dict[str, Any]:
    """Keep the profile, and make the running table follow the board with it at once."""
    profile = guide().save(asked.session, asked.name, replace=asked.replace)
    reply = table().calibrated(profile, "owner" if not pin_needed() else PAGE)
    state = table().snapshot().data
    followed = state.get("watch") is not None and not state.get("outcome")
    return {
        **guide().state_json(asked.session),
        "name": profile.name,
        "used": reply.ok,
        "said": reply.sentence.to_json(),
        "game": _game_on(profile.board),
        "match": followed,
    }


@dataclass(frozen=True)
class Act:
    """One step: the body that it takes, and the function that does it; the page gets the function's result."""

    body: type[Struct]
    does: Callable[[Any], dict[str, Any]]


ACTS: Final[Mapping[str, Act]] = {
    "begin": Act(BeginStep, _begin),
    "picture": Act(SessionStep, lambda asked: guide().again(asked.session)),
    "corners": Act(CornersStep, lambda asked: guide().corners(asked.session, np.array(asked.corners))),
    "confirm": Act(ConfirmStep, lambda asked: guide().confirm(asked.session, np.array(asked.corners), sure=asked.sure)),
    "start": Act(SessionStep, lambda asked: guide().start_position(asked.session)),
    "skip": Act(SessionStep, lambda asked: guide().skip_colours(asked.session)),
    "save": Act(SaveStep, _save),
    "leave": Act(SessionStep, _leave),
    "lens-begin": Act(LensBeginStep, lambda asked: lens_guide().begin(over=asked.over)),
    "lens-look": Act(SessionStep, lambda asked: lens_guide().take(asked.session)),
    "lens-measure": Act(SessionStep, lambda asked: lens_guide().measure(asked.session)),
    "lens-leave": Act(SessionStep, _leave_lens),
}


def _game_on(board: str) -> str | None:
    """Return the slug of the first game that uses a board, or None."""
    for slug, game in games().items():
        name = board_to_read(game)
        if name is not None and same_board(name, board):
            return slug
    return None


def _require_step(act: str) -> None:
    if act not in ACTS:
        abort(
            404,
            SentenceText(
                Sentence("Calibration has no step {act}; the steps are {acts}.", act=act[:60], acts=", ".join(ACTS))
            ),
        )
    require_owner()


@blueprint.post("/api/calibration/<act>")
@guarded(_require_step)
@takes(*dict.fromkeys(act.body for act in ACTS.values()))
def do(act: str) -> Response:
    """Do a step of the calibration; the answer is the state after it."""
    try:
        return jsonify({"ok": True, **ACTS[act].does(read_record(ACTS[act].body, _body()))})
    except GuideError as why:
        return refused(why.sentence, kind=why.kind)
    except CommandDataError as why:
        return refused(why.sentence, kind="wrong")


def _body() -> Mapping[str, Any]:
    body = json_object()
    if body is None:
        abort(400, "Expected a JSON object with the arguments of the step, e.g. {}.")
    return body
