"""Checking over HTTP what the table read without a question: the picture of a die, and what the owner says it shows."""

from typing import Annotated

from flask import Blueprint, Response, jsonify
from msgspec import Meta, Struct

from companion.desk.table.match_desk import Reply
from companion.web.access.auth import owner_only
from companion.web.answers import shown_picture
from companion.web.app_state import table
from companion.web.errors import refused
from companion.web.json_bodies import body_as, object_body, takes

blueprint = Blueprint("audits", __name__, url_prefix="/api/owner/audits")

DiceName = Annotated[str, Meta(description="The set of dice.")]
Number = Annotated[int, Meta(ge=1, description="The die, as it was asked about.")]


class CheckedDie(Struct, frozen=True):
    """What a die shows that chance chose."""

    dice: DiceName
    number: Number
    face: Annotated[
        str | None,
        Meta(description="Its face, an empty text if it is no die; null or nothing where that cannot be told."),
    ] = None


class SettledDie(Struct, frozen=True):
    """A die that was read otherwise, whose throw stays as it is."""

    dice: DiceName
    number: Number


@blueprint.get("/<dice>-<int:number>.jpg")
@owner_only
def picture(dice: str, number: int) -> Response:
    """Return the picture of a die that is asked about."""
    auditing = table().upkeep.auditing
    return shown_picture(None if auditing is None else auditing.picture(dice, number), now=False)


@blueprint.post("/answer")
@owner_only
@takes(CheckedDie)
def answer() -> Response:
    """Say what a die shows; the answer tells what was read."""
    checked = body_as(CheckedDie, object_body())
    return _answered(table().upkeep.audit(checked.dice, checked.number, checked.face))


@blueprint.post("/settle")
@owner_only
@takes(SettledDie)
def settle() -> Response:
    """Leave a throw as it is although a die of it was read otherwise."""
    asked = body_as(SettledDie, object_body())
    return _answered(table().upkeep.settle_audit(asked.dice, asked.number))


def _answered(reply: Reply) -> Response:
    if not reply.ok:
        return refused(reply.sentence)
    return jsonify({"ok": True, "sentence": reply.sentence.to_json(), **reply.data})
