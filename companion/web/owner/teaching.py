"""Teaching the table its dice over HTTP: what is asked, what is known, and the answers."""

from collections.abc import Callable
from typing import Annotated, Any

from flask import Blueprint, Response, abort, jsonify
from msgspec import Meta, Struct

from companion.live.dice_memory.teaching import Teaching, TeachingError, TeachingNow
from companion.rules.dice import dice_set, dice_sets
from companion.vision.readings import readable
from companion.web.access.auth import owner_only
from companion.web.answers import shown_picture
from companion.web.app_state import table
from companion.web.errors import refused
from companion.web.json_bodies import body_as, object_body, takes
from companion.web.languages import here

blueprint = Blueprint("teaching", __name__, url_prefix="/api/teaching")

Place = Annotated[int, Meta(ge=0)]


class TaughtDice(Struct, frozen=True):
    """Which dice are taught."""

    dice: Annotated[str, Meta(description="The set of dice.")] = "wibold"


class NamedFace(Struct, frozen=True):
    """What a find shows."""

    throw: Annotated[Place, Meta(description="The throw, as it was asked.")]
    find: Annotated[Place, Meta(description="The find in it, as it was asked.")]
    face: Annotated[Place | None, Meta(description="The face, by its place among the faces; null: it is no die.")]


class Nothing(Struct, frozen=True):
    """Nothing more needs an answer."""


def unknown_sets() -> list[str]:
    """Return the sets of dice that the table could be taught, and of which nobody named a face yet."""
    known = table().upkeep.remembered()
    if known is None or not known.on or table().upkeep.teaching is None:
        return []
    named = {dice.set_name for dice in known.dice if any(face.named for face in dice.faces)}
    return [name for name in dice_sets() if name not in named and readable(dice_set(name))]


@blueprint.get("")
@owner_only
def state() -> Response:
    """Return what is asked and what is known; whoever asks for it keeps the teaching going."""
    return jsonify(_state(_teaching()))


@blueprint.post("/begin")
@owner_only
@takes(TaughtDice)
def begin() -> Response:
    """Begin to teach a set of dice, or go on with it."""
    teaching, asked = _teaching(), body_as(TaughtDice, object_body())
    return _done(teaching, lambda: teaching.begin(asked.dice))


@blueprint.post("/answer")
@owner_only
@takes(NamedFace)
def answer() -> Response:
    """Say what a find shows."""
    teaching, named = _teaching(), body_as(NamedFace, object_body())
    return _done(teaching, lambda: teaching.answer(named.throw, named.find, named.face))


@blueprint.post("/back")
@owner_only
@takes(Nothing)
def back() -> Response:
    """Take the last answer back."""
    teaching, _ = _teaching(), object_body()
    return _done(teaching, teaching.take_back)


@blueprint.post("/all")
@owner_only
@takes(Nothing)
def ask_all() -> Response:
    """Ask about every die that lies there."""
    teaching, _ = _teaching(), object_body()
    return _done(teaching, teaching.ask_all)


@blueprint.post("/leave")
@owner_only
@takes(Nothing)
def leave() -> Response:
    """End the teaching; what was taught stays."""
    teaching, _ = _teaching(), object_body()
    return _done(teaching, teaching.leave)


@blueprint.get("/find/<int:throw>-<int:find>.jpg")
@owner_only
def find_picture(throw: int, find: int) -> Response:
    """Return the picture of a find that is asked about."""
    return shown_picture(_teaching().crop(throw, find), now=True)


@blueprint.get("/face/<int:face>.jpg")
@owner_only
def face_picture(face: int) -> Response:
    """Return the picture of a face that is known."""
    return shown_picture(_teaching().picture(face), now=True)


def _teaching() -> Teaching:
    teaching = table().upkeep.teaching
    if teaching is None:
        nobody = jsonify({"error": here()("owner.dice.learns_nothing")})
        nobody.status_code = 409
        abort(nobody)
    return teaching


def _done(teaching: Teaching, act: Callable[[], None]) -> Response:
    try:
        act()
    except TeachingError as why:
        return refused(why.sentence)
    return jsonify({"ok": True, **_state(teaching)})


def _state(teaching: Teaching) -> dict[str, Any]:
    camera = table().snapshot().data["camera"]
    now = teaching.now()
    return {
        "teaching": None if now is None else _json(now),
        "camera": None if camera["status"] == "LIVE" else camera["sentence"],
    }


def _json(now: TeachingNow) -> dict[str, Any]:
    asked = now.asked
    return {
        "dice": now.set_name,
        "throws": now.throws,
        "known": now.known,
        "faces": [{"text": face.text, "looks": 0 if face.known is None else face.known.number} for face in now.faces],
        "asked": None
        if asked is None
        else {
            "throw": asked.throw,
            "find": asked.find,
            "lies_on": asked.lies_on,
            "choices": list(now.choices),
            "more": now.more,
        },
        "hint": now.hint,
        "back": now.taught,
    }
