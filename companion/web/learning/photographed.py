"""What a picture of a board shows: a position, or what a learner has done there in a step of a course."""

import threading
from typing import Final

from flask import Blueprint, Response, abort, request

from companion.language.sentence import Listing, Sentence, SentenceText
from companion.lessons.on_board import Stands, found_on_board
from companion.lessons.study import LONGEST_LINE
from companion.referee.board.photographed import PhotographedPosition, photographed
from companion.rules.game import Game
from companion.vision.board_readings import BoardReading
from companion.vision.images import decode_image
from companion.vision.picture_header import BadFrameError
from companion.web.answers import limit_picture
from companion.web.camera.phone import senders_only
from companion.web.languages import here
from companion.web.learning.drawn import fresh
from companion.web.learning.lessons import step_of
from companion.web.learning.positions import with_men

blueprint = Blueprint("photographed_positions", __name__)

MOST_PLACES: Final = 6
"""Places that a sentence names."""

_ONE_AT_A_TIME: Final = threading.Lock()
"""The nets take memory and every core: a second picture waits for nobody, it is refused."""


@blueprint.post("/api/positions/photographed")
@senders_only
def seen() -> Response:
    """Read the men of a game on a JPEG picture of its board; nothing is kept."""
    say = here().translate
    game, reading = _read(with_men().get(request.args.get("game", "")))
    return fresh(
        [
            {"position": dict(one.position), "sentence": say(_to_check(reading, one).to_json())}
            for one in photographed(game, reading)
        ]
    )


def _to_check(reading: BoardReading, found: PhotographedPosition) -> Sentence:
    if reading.status != "read":
        return Sentence("It is not certain where the board lies in the picture: check every place.")
    if found.doubtful:
        return Sentence("Check these places: {places}.", places=Listing(found.doubtful, "comma"))
    return Sentence("Every man was read.")


@blueprint.post("/api/lessons/<name>/<int:number>/board")
@senders_only
def done_on_board(name: str, number: int) -> Response:
    """Return what a learner has done on a board of their own since the acts of this address, from a JPEG picture of it.

    Where the board stands otherwise than any turn of the step leaves it, the sentence names the places.
    """
    step = step_of(name, number)
    line = request.args.getlist("act")[:LONGEST_LINE]
    game, reading = _read(None if step.answers else with_men().get(step.start.game.slug))
    if reading.status != "read":
        abort(409, reading.reason)
    ways = [Stands(game.from_json(one.position).occupancy(), one.doubtful) for one in photographed(game, reading)]
    acts, differ = found_on_board(step, line, ways)
    sentence = Sentence("Your board stands as shown. Move there, and check it again.")
    if differ:
        places = Listing(differ[:MOST_PLACES], "comma")
        sentence = Sentence("Your board differs from the one shown here: {places}.", places=places)
    return fresh(
        {
            "acts": [] if differ else list(acts),
            "sentence": None if acts and not differ else here().translate(sentence.to_json()),
        }
    )


def _read(game: Game | None) -> tuple[Game, BoardReading]:
    """Return the game and what stands on its board in the picture that came; refuse the request if it shows none."""
    if game is None:
        abort(404, SentenceText(Sentence("There is no game of men with this name to set up.")))
    limit_picture()
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
    if reading.status != "read" and not perhaps(reading):
        abort(
            409,
            SentenceText(
                Sentence("No board of this game is found in the picture: take it from above, with the whole board.")
            ),
        )
    return game, reading


def perhaps(reading: BoardReading) -> bool:
    """Whether a board whose place is not certain lies there: most of its sites can be read, of no board few can."""
    read = sum(site.status == "read" for site in reading.sites.values())
    return 2 * read > len(reading.sites)
