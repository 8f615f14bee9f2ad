"""What views of several rooms answer with, and take: the reply to a command, a picture, a picture that was sent."""

from collections.abc import Iterator
from typing import Any, Final

from flask import Response, abort, jsonify, request

from companion.desk.table.match_desk import Reply
from companion.language.sentence import N_, Sentence, SentenceText
from companion.web.errors import refused
from companion.web.security import LARGEST_FRAME

TOO_LARGE: Final = N_("Expected a picture of at most {most} MB, but it has {size} MB: make it smaller.")


def answered(reply: Reply, **more: Any) -> Response:
    """Return the table's reply to a command, and ``more`` with it; 409 if it is refused."""
    more["data"] = dict(reply.data)
    if not reply.ok:
        return refused(reply.sentence, **more)
    return jsonify({"ok": True, "sentence": reply.sentence.to_json(), **more})


def shown_picture(jpeg: bytes | None, *, now: bool) -> Response:
    """Answer with a picture, or 404 without one; ``now``: a live picture, which no browser may cache."""
    if jpeg is None:
        abort(404, "There is no such picture.")
    response = Response(jpeg, mimetype="image/jpeg")
    if not now:  # a crop never changes, but it shows a private table: only this browser may cache it
        response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def as_file(data: bytes | str | Iterator[str], kind: str, name: str, *, shown: bool = False) -> Response:
    """Answer with a file of this type of content, to be kept under ``name``; ``shown``: to be shown at once."""
    response = Response(data, mimetype=kind)
    response.headers["Content-Disposition"] = f'{"inline" if shown else "attachment"}; filename="{name}"'
    return response


def limit_picture() -> None:
    """Take a picture of at most `LARGEST_FRAME` bytes with this request; refuse one that announces more."""
    request.max_content_length = LARGEST_FRAME
    if (size := request.content_length or 0) > LARGEST_FRAME:
        abort(413, SentenceText(Sentence.of(TOO_LARGE, most=LARGEST_FRAME >> 20, size=f"{size / (1 << 20):.1f}")))
