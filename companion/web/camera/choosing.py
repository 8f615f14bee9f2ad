"""Choosing the cameras of the running table on the page: trying one, and keeping it as the table's own."""

from typing import Annotated, Any, Final

from flask import Blueprint, Response, abort, jsonify
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.desk.command import Refusal
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence, SentenceText, why_of
from companion.rules.dice import UnknownDiceSetError, dice_set, dice_sets
from companion.settings.file import SettingsError
from companion.vision.readings import readable
from companion.web.access.auth import owner_only
from companion.web.answers import answered
from companion.web.app_state import SETTINGS, table
from companion.web.camera.preview import PREVIEW
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.owner.changing import change
from companion.web.owner.dice_frame import frame_for_nets

CAMERAS: Final = ("camera", "board_camera", "board")
PLAYED: Final = ("wibold", "pips", "ludix", "tiles")
"""The sets of dice that most people who come here have: a guess that cannot decide names the first of them."""

blueprint = Blueprint("choosing", __name__, url_prefix="/api/cameras")


class ChosenCameras(Struct, frozen=True):
    """The cameras to look through; what is left out stays as it is."""

    camera: Annotated[
        str | UnsetType | None,
        Meta(description="Over the dice, named as for --camera; null for none."),
        Refusal(Sentence("Expected the name of a camera, such as 0, push or http://...")),
    ] = UNSET
    board_camera: Annotated[
        str | UnsetType | None,
        Meta(description="Over the board, named likewise; null for none of its own."),
        Refusal(Sentence("Expected the name of a camera, such as 0, push or http://...")),
    ] = UNSET
    board: Annotated[
        str | UnsetType | None,
        Meta(description="Which board the camera over the dice sees too, such as auto; null for none."),
        Refusal(Sentence("Expected the name of a board, such as auto.")),
    ] = UNSET


@blueprint.post("/use")
@owner_only
@takes(ChosenCameras)
def use() -> Response:
    """Look through these cameras from now on, until they are changed or the program ends; `keep` keeps them."""
    asked = body_as(ChosenCameras, json_object() or {})
    changes: dict[str, Any] = {name: value for name in CAMERAS if (value := getattr(asked, name)) is not UNSET}
    changes = {name: _stripped(value) for name, value in changes.items()}
    if not changes:
        abort(400, "Expected camera, board_camera or board.")
    now = SETTINGS.get().now
    seen = {name: changes.get(name, getattr(now, name)) for name in CAMERAS}
    if seen["camera"] is not None and seen["camera"] == seen["board_camera"]:
        # one camera that sees both is named once
        changes |= {"board_camera": None, "board": "auto"}
    elif seen["camera"] is None and seen["board_camera"] is None:
        changes |= {"board": None}
    PREVIEW.get().release()
    return _answered(changes, keep=False)


@blueprint.post("/keep")
@owner_only
def keep() -> Response:
    """Keep the cameras that the table looks through now: they are there again after the next start."""
    now = SETTINGS.get().now
    return _answered({name: getattr(now, name) for name in CAMERAS}, keep=True)


class TriedDice(Struct, frozen=True):
    """The dice that lie before the camera."""

    dice: Annotated[str, Meta(description="The set of dice.")] = "wibold"


@blueprint.post("/dice")
@owner_only
@takes(TriedDice)
def dice() -> Response:
    """Read these dice from now on while no match says which ones lie there."""
    name = body_as(TriedDice, json_object() or {}).dice
    try:
        if not readable(dice_set(name)):
            abort(400, SentenceText(Sentence("No camera reads these dice: choose others.")))
    except UnknownDiceSetError as why:
        abort(400, SentenceText(why_of(why)))
    table().try_dice((name, None))
    return jsonify({"ok": True})


@blueprint.post("/guess")
@owner_only
def guess() -> Response:
    """Guess which dice lie before the camera, and read those while no match says which ones lie there."""
    with frame_for_nets() as frame:
        from companion.vision.dice_guess import guess_dice  # noqa: PLC0415  (loads nets, which only this needs)

        names = [*PLAYED, *(name for name in dice_sets() if name not in PLAYED)]
        found = guess_dice(frame.image, [name for name in names if readable(dice_set(name))])
    if found is not None:
        table().try_dice((found, None))
    return jsonify({"ok": True, "dice": found})


def _stripped(value: str | None) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _answered(changes: dict[str, Any], *, keep: bool) -> Response:
    try:
        return answered(Reply(ok=True, sentence=change(changes, keep=keep)))
    except SettingsError as why:
        return answered(Reply(ok=False, sentence=why.sentence))
