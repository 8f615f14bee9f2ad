"""The replay of a match: its page with a slider, its events one by one, and the evidence for a disputed one."""

from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request

from companion.desk.page.library import UnreadableMatchError
from companion.desk.page.match_review import MatchReview
from companion.language.sentence import Sentence, SentenceError, SentenceText, why_of
from companion.live.chronicles import BusyError
from companion.rules.errors import GameError
from companion.rules.ludus_regularis.boards import pair_rows
from companion.web.answers import as_file
from companion.web.app_state import table
from companion.web.languages import here
from companion.web.matches.thinking import THINKING
from companion.web.names import named
from companion.web.rim import rim_cells

MOST_LINES = 200
LONGEST_CLAIM = 120  # characters

blueprint = Blueprint("replay", __name__)


@blueprint.get("/matches/<int:match>")
def page(match: int) -> str:
    """Show a match from its first event to its last."""
    review = review_of(match)
    wanted = request.args.get("event", type=int)
    number = review.count
    if wanted is not None and (evidence := review.evidence(wanted)) is not None:
        number = int(evidence["moment"])
    return render_template(
        "table/replay.html",
        match=named(review.head()),
        number=number,
        state=table().snapshot().data,
        cells=rim_cells(),
        pairs=pair_rows(),
        held={},
        player_names={},
    )


@blueprint.get("/api/matches/<int:match>.mat")
def mat(match: int) -> Response:
    """Return a match as a file that other programs of its game read: backgammon's alone has one, MAT."""
    try:
        written = review_of(match).as_file()
    except SentenceError as why:
        abort(409, SentenceText(why_of(why)))
    if written is None:
        abort(404, SentenceText(Sentence("Only a match of backgammon between two, from its start, has a MAT file.")))
    return as_file(written, "text/plain", f"match-{match}.mat")


@blueprint.get("/matches/<int:match>/worksheet")
def worksheet(match: int) -> str:
    """Show a worksheet to print: what a match's dice showed, tasks, and the answers on a page of their own."""
    review = review_of(match)
    return render_template("classroom/worksheet.html", match=named(review.head()), sheet=review.worksheet())


@blueprint.get("/api/matches/<int:match>/moments")
def moments(match: int) -> Response:
    """List events of a match, without their boards: ``first`` and ``count`` (at most 200) say which."""
    review = review_of(match)
    first = request.args.get("first", 1, type=int)
    count = request.args.get("count", MOST_LINES, type=int)
    return jsonify({"count": review.count, "moments": review.lines(first, min(count, MOST_LINES))})


@blueprint.get("/api/matches/<int:match>/moments/<int:number>")
def moment(match: int, number: int) -> Response:
    """Return one event and the match after it; events are numbered from 1."""
    review = review_of(match)
    otherwise = Sentence(
        "Match {match} has the events 1 to {count}; there is no event {number}.",
        match=match,
        count=review.count,
        number=number,
    )
    return _found(review.moment(number), otherwise)


@blueprint.get("/api/matches/<int:match>/events/<int:event>")
def evidence(match: int, event: int) -> Response:
    """Return the evidence for an event of the journal: what was seen and asked, and what became of it since."""
    return _found(
        review_of(match).evidence(event),
        Sentence("Match {match} has no event {event} to show.", match=match, event=event),
    )


@blueprint.get("/api/matches/<int:match>/events/<int:event>/claim")
def claim(match: int, event: int) -> Response:
    """Return what the rules say of ``text``, a throw or choice as typed, in the place of a committed one."""
    text = request.args.get("text", "").strip()
    if not text or len(text) > LONGEST_CLAIM:
        abort(
            400,
            SentenceText(
                Sentence(
                    "Expected a throw or move of up to {most} characters, as you would type it.", most=LONGEST_CLAIM
                )
            ),
        )
    return _found(
        review_of(match).claim(event, text),
        Sentence("Event {event} of match {match} is neither a throw nor a move.", match=match, event=event),
    )


@blueprint.get("/api/matches/<int:match>/hint")
def hint(match: int) -> Response:
    """Return the best turn in a match now, why, and what others lose, as sentences in the visitor's language."""
    review = review_of(match)
    found = THINKING.get().answer((review.stands, "hint"), review.hint)
    sentences = [here().translate(named(sentence)) for sentence in found["sentences"]]
    return jsonify({**found, "sentences": sentences})


@blueprint.get("/api/matches/<int:match>/looked/<int:first>")
def looked(match: int, first: int) -> Response:
    """Analyse some moves of a match, from the ``first`` on: chances, luck, costs, and where to ask on."""
    review = review_of(match)
    try:
        found = THINKING.get().answer((review.stands, first), lambda: review.analysed(first))
    except (SentenceError, GameError) as why:
        abort(409, SentenceText(why_of(why)))
    moves = [{**one, "why": [here().translate(named(reason)) for reason in one["why"]]} for one in found["moves"]]
    return jsonify({**found, "moves": moves})


def review_of(match: int) -> MatchReview:
    """Return a match of the journal as pages review it; if there is none, the page says so."""
    try:
        review = table().chronicle(match)
    except BusyError as why:
        abort(503, str(why))
    except UnreadableMatchError as why:
        abort(409, SentenceText(why.sentence))
    if review is None:
        abort(404, SentenceText(Sentence("There is no match {match} in this journal.", match=match)))
    return review


def _found(data: dict[str, Any] | None, otherwise: Sentence) -> Response:
    if data is None:
        abort(404, SentenceText(otherwise))
    return jsonify(data)
