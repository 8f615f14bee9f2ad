"""A position from a picture of a board: what a person photographed, or what the table's camera shows now."""

import threading
from typing import Final

from flask import Blueprint, Response, abort, jsonify, request

from companion.language.sentence import Listing, Sentence, SentenceText
from companion.referee.board.photographed import photographed
from companion.vision.images import BadFrameError, decode_image
from companion.web.api import LARGEST_FRAME, TOO_LARGE
from companion.web.camera.phone import senders_only
from companion.web.languages import here
from companion.web.learning.positions import with_men

blueprint = Blueprint("photographed_positions", __name__)

_ONE_AT_A_TIME: Final = threading.Lock()
"""The nets take memory and every core: a second picture waits for nobody, it is refused."""


@blueprint.post("/api/positions/photographed")
@senders_only
def seen() -> Response:
    """Read the men of a game on a JPEG picture of its board; nothing is kept."""
    request.max_content_length = LARGEST_FRAME
    game = with_men().get(request.args.get("game", ""))
    if game is None:
        abort(404, SentenceText(Sentence("There is no game of men with this name to set up.")))
    if (size := request.content_length or 0) > LARGEST_FRAME:
        abort(413, SentenceText(Sentence.of(TOO_LARGE, most=LARGEST_FRAME >> 20, size=f"{size / (1 << 20):.1f}")))
    if not _ONE_AT_A_TIME.acquire(blocking=False):
        abort(409, SentenceText(Sentence("Another picture is being read: try again in a moment.")))
    try:
        from companion.vision.boards.readers import reader_of  # noqa: PLC0415 - nets load slowly

        image = decode_image(request.get_data(), live=True)
        reader = reader_of(game.board.name)
        reading = reader.read(image, reader.find(image))
    except BadFrameError as why:
        abort(400, SentenceText(why.sentence))
    finally:
        _ONE_AT_A_TIME.release()
    if reading.status != "read":
        abort(
            409,
            SentenceText(
                Sentence("No board of this game is found in the picture: take it from above, with the whole board.")
            ),
        )
    say = here().translate
    response = jsonify(
        [
            {
                "position": dict(one.position),
                "sentence": say(
                    Sentence("Check these places: {places}.", places=Listing(one.doubtful, "comma")).to_json()
                )
                if one.doubtful
                else say(Sentence("Every man was read.").to_json()),
            }
            for one in photographed(game, reading)
        ]
    )
    response.headers["Cache-Control"] = "no-store"
    return response
