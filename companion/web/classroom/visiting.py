"""What a visitor of a table may do while a class is open there: the server's one place for it."""

from typing import Any, Final, Literal

from flask import Flask, abort, session

from companion.lessons.course import courses
from companion.web.access.auth import pin_needed
from companion.web.app_state import AppKey
from companion.web.classroom.room import Classroom, Pupil
from companion.web.languages import here

Part = Literal["owner", "plays", "watches", "guest"]
"""What a visitor is: the owner; a pupil who may tap in what lies there; one who watches; who has not joined."""

PUPIL: Final = "pupil"
"""The key of a pupil's token in the cookie's session, which ends with the browser."""

PAUSING: Final = frozenset({"pause", "unpause"})

CLASSROOM = AppKey[Classroom]("classroom")


def prepare(app: Flask) -> None:
    """Give an app a classroom, closed at first, and tell its templates about it while it is open."""
    room = Classroom()
    CLASSROOM.put(app, room)

    def classroom_shown() -> dict[str, Any]:
        return {"classroom": visit() if room.code else None}

    app.context_processor(classroom_shown)


def pupil() -> Pupil | None:
    """Return the pupil who sends this request, None for anybody else."""
    return CLASSROOM.get().pupil(session.get(PUPIL))


def part() -> Part:
    """Return what the sender of this request is while a class is open."""
    if not pin_needed():
        return "owner"
    if pupil() is None:
        return "guest"
    return "plays" if CLASSROOM.get().tapping else "watches"


def require_part(command: str) -> None:
    """Refuse a command of those for anybody, unless its sender may give it while a class is open.

    Only whom the teacher lets tap plays, and only the teacher pauses the table and lets it go on.
    """
    if not CLASSROOM.get().code:
        return
    match part():
        case "watches":
            abort(403, "Pupils only watch now: your teacher says when you may tap in.")
        case "guest":
            abort(403, "A class plays at this table: join it at /join first.")
        case "plays":
            if command in PAUSING:
                abort(403, "Only your teacher can pause the table and continue.")
        case "owner":
            return


def visit() -> dict[str, Any]:
    """Return what the sender of this request is shown of the class that is open.

    Nicknames are for the class alone: a guest learns only how many have joined. The code is for the owner.
    """
    room, mine, what, say = CLASSROOM.get(), pupil(), part(), here()
    names = [one.name for one in room.pupils()]
    code = f"{room.code[:3]} {room.code[3:]}"
    text = {
        "guest": lambda: say("classroom.guest"),
        "watches": lambda: say("classroom.watches", name=mine.name if mine else ""),
        "plays": lambda: say("classroom.plays", name=mine.name if mine else ""),
        "owner": lambda: say("classroom.owner_tap" if room.tapping else "classroom.owner_watch", code=code),
    }[what]()
    return {
        "open": True,
        "part": what,
        "text": text,
        "here": say("classroom.count", count=len(names))
        if what == "guest" or not names
        else say("classroom.here", names=", ".join(names)),
        "lesson": _lesson(room.lesson),
    }


def _lesson(name: str) -> dict[str, str] | None:
    """Return the course that is offered, as a link; None for none."""
    if not name:
        return None
    title = here().translate(courses()[name].title.to_json())
    return {"address": f"learn/{name}", "text": here()("classroom.lesson", title=title)}
