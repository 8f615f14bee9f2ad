"""A class over HTTP: pupils join by the code and leave; the owner opens it, lets them tap or watch, and ends it."""

from typing import Annotated, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, jsonify, render_template, request, session
from msgspec import Meta, Struct

from companion.desk.command import Refusal
from companion.language.sentence import Sentence, SentenceText
from companion.lessons.course import courses
from companion.web.access.auth import IN_KIOSK, owner_only
from companion.web.addresses import is_loopback, outside_addresses
from companion.web.classroom.nicknames import LONGEST_NAME
from companion.web.classroom.room import NO_NAME, ClassroomError
from companion.web.classroom.visiting import CLASSROOM, PUPIL, pupil, visit
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here
from companion.web.to_scan import picture_to_scan

LONGEST_CODE: Final = 20  # characters, with the spaces that somebody types

blueprint = Blueprint("classroom", __name__)


class Joining(Struct, frozen=True):
    """What a telephone joins with."""

    code: Annotated[
        str,
        Meta(max_length=LONGEST_CODE, description="The code that the table shows."),
        Refusal(Sentence("Expected the code that the table shows.")),
    ]
    name: Annotated[
        str, Meta(max_length=4 * LONGEST_NAME, description="A nickname of 1 to 20 characters."), Refusal(NO_NAME)
    ]


class Tapping(Struct, frozen=True):
    """Whether pupils may tap in what lies on the table."""

    on: Annotated[
        bool,
        Meta(description="Otherwise they watch."),
        Refusal(Sentence("Expected true or false for whether pupils may tap in what is on the table.")),
    ]


class Offered(Struct, frozen=True):
    """Which course the phones are offered."""

    course: Annotated[
        str | None,
        Meta(description="The name of a course; null for none."),
        Refusal(Sentence("Expected the name of a course, or null for none.")),
    ]


class Removed(Struct, frozen=True):
    """Who has to join again."""

    pupil: Annotated[
        int | None,
        Meta(description="A pupil's number; null for all."),
        Refusal(Sentence("Expected the number of a pupil, or null for all.")),
    ] = None


@blueprint.get("/join")
def page() -> str:
    """Show the form with which a pupil's telephone joins."""
    mine = pupil()
    return render_template(
        "classroom/join.html",
        there=bool(CLASSROOM.get().code),
        mine=mine,
        longest=LONGEST_NAME,
        longest_code=LONGEST_CODE,
    )


@blueprint.get("/api/classroom")
def state() -> Response:
    """Return what this browser may do while a class is open, and who of it is here."""
    return jsonify(visit() if CLASSROOM.get().code else {"open": False})


@blueprint.post("/api/classroom/join")
@takes(Joining)
def join() -> Response:
    """Join the class that is open; the nickname stays in the program's memory."""
    asked = body_as(Joining, json_object() or {})
    room = CLASSROOM.get()
    try:
        token = room.join(asked.code, asked.name, request.remote_addr or "", session.get(PUPIL))
    except ClassroomError as why:
        refused = jsonify({"error": here().translate(why.sentence.to_json())})
        refused.status_code = 429 if why.seconds else 403
        if why.seconds:
            refused.headers["Retry-After"] = str(max(1, round(why.seconds)))
        return refused
    session[PUPIL] = token
    return jsonify({"ok": True})


@blueprint.post("/api/classroom/leave")
def leave() -> Response:
    """Leave the class on this browser."""
    CLASSROOM.get().leave(session.pop(PUPIL, None))
    return jsonify({"ok": True})


@blueprint.get("/api/owner/classroom")
@owner_only
def everybody() -> Response:
    """Return the pupils who are here, with the numbers by which they are removed."""
    room = CLASSROOM.get()
    return jsonify(
        {
            "open": bool(room.code),
            "tapping": room.tapping,
            "pupils": [{"number": one.number, "name": one.name} for one in room.pupils()],
        }
    )


@blueprint.post("/api/owner/classroom/open")
@owner_only
def open_class() -> Response:
    """Open a class with a new code; whoever joined before has to join again."""
    if IN_KIOSK.get():
        abort(409, "A kiosk asks for no names, so it has no class.")
    CLASSROOM.get().open()
    return jsonify({"ok": True})


@blueprint.post("/api/owner/classroom/close")
@owner_only
def close_class() -> Response:
    """End the class and forget everybody who joined it."""
    CLASSROOM.get().close()
    return jsonify({"ok": True})


@blueprint.post("/api/owner/classroom/tapping")
@owner_only
@takes(Tapping)
def let_tap() -> Response:
    """Let pupils tap in what lies on the table, or only watch."""
    asked = body_as(Tapping, json_object() or {})
    _opened()
    CLASSROOM.get().let_tap(on=asked.on)
    return jsonify({"ok": True})


@blueprint.post("/api/owner/classroom/lesson")
@owner_only
@takes(Offered)
def offer() -> Response:
    """Offer every phone a course, which it then shows as a link above the table."""
    course = body_as(Offered, json_object() or {}).course
    _opened()
    if course is not None and course not in courses():
        abort(404, SentenceText(Sentence("There is no course {name}.", name=course)))
    CLASSROOM.get().offer(course or "")
    return jsonify({"ok": True})


@blueprint.post("/api/owner/classroom/remove")
@owner_only
@takes(Removed)
def remove() -> Response:
    """Forget one pupil, or all; with the code they may join again."""
    CLASSROOM.get().remove(body_as(Removed, json_object() or {}).pupil)
    return jsonify({"ok": True})


@blueprint.get("/api/owner/classroom/code.svg")
@owner_only
def code() -> Response:
    """Return the address of the form to join as a picture to scan, with the code after its #.

    Browsers do not send the part after # to a server, so it appears in no log.
    """
    return picture_to_scan(f"{join_address()}#{_opened()}")


def join_address() -> str:
    """Return where a telephone joins: the address of this request, and for one from the device itself the network's."""
    asked = urlsplit(request.url_root)
    if asked.hostname is None or not is_loopback(asked.hostname):
        return f"{request.url_root}join"
    port = "" if asked.port is None else f":{asked.port}"
    return f"{asked.scheme}://{outside_addresses()[0]}{port}{asked.path}join"


def _opened() -> str:
    code = CLASSROOM.get().code
    if not code:
        abort(409, SentenceText(Sentence("No class is open: open one first.")))
    return code
