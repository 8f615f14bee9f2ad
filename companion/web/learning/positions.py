"""Setting up a position: what is wrong with it, what can be taken in it and why, and how it can be played on."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Response, abort, render_template, request

from companion.desk.command import Refusal
from companion.desk.page.match_review import hint_part
from companion.drawings.picture import svg_of
from companion.language.sentence import Sentence, SentenceText
from companion.lessons.study import LONGEST_LINE, follow
from companion.rules.errors import GameError
from companion.rules.game import Game, Position
from companion.rules.registry import games
from companion.rules.rithmomachia.men import COLOURS, array
from companion.rules.rithmomachia.notation import seen
from companion.web.games import setup_for
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.languages import here
from companion.web.learning.drawn import board_json, choices_json, dice_json, fresh
from companion.web.matches.thinking import THINKING
from companion.web.pages import brought_json
from companion.web.streams import WATCHED

SCRIPT: Final = "learning/position.js"
LONGEST_ACT: Final = 80  # characters
FIRST: Final = "rithmomachia/durnil-guardia"  # of these games, the one whose captures people try out most
NO_POSITION: Final = Refusal(Sentence('Expected {{"position": {{"game": "...", "men": ...}}, "line": []}}.'))

blueprint = Blueprint("positions", __name__)


def with_men() -> Mapping[str, Game]:
    """Return the games with rules whose men a person can set up."""
    return {
        slug: game
        for slug, game in games().items()
        if game.board.sites
        and not game.board.holds_tokens
        and "free" not in game.start(game.least_players).board_notes()
    }


@blueprint.get("/position")
def page() -> str:
    """Show a board to set up; ``?game=`` names the game, and the address behind ``#`` may hold a whole position."""
    known = with_men()
    asked = request.args.get("game", FIRST)
    slug = asked if asked in known else FIRST
    game = known[slug]
    start = game.start(game.least_players)
    return render_template(
        "learning/position.html",
        games={one.slug: one.title for one in known.values()},
        chosen=slug,
        brought_setup=brought_json(setup_for([SCRIPT])),
        brought_position=brought_json({"start": start.to_json(), "men": _every_man() if _numbered(start) else None}),
        state=WATCHED.get().snapshot().data,
    )


class SetUp(msgspec.Struct, frozen=True):
    """A position in its game's form, and what is played from it."""

    position: Annotated[
        dict[str, Any], msgspec.Meta(description="The position, as `companion legal --json` writes it."), NO_POSITION
    ]
    line: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_ACT)]],
        msgspec.Meta(max_length=LONGEST_LINE, description="Throws and choices as typed."),
        NO_POSITION,
    ] = msgspec.field(default_factory=list)


@blueprint.post("/api/positions")
@takes(SetUp)
def judged() -> Response:
    """Return the faults of a position, or what a line leads to in it; nothing is kept."""
    return fresh(_shown(*_asked()))


@blueprint.post("/api/positions/hint")
@takes(SetUp)
def hinted() -> Response:
    """Return the best turn where a line leads to, how often it wins, why, and what others lose."""
    position, line = _asked()
    now = position if position.faults() else follow(position, line).position
    found = THINKING.get().answer((str(now.to_json()), "hint"), lambda: hint_part(now))
    return fresh([here().translate(sentence) for sentence in found["sentences"]])


@blueprint.post("/api/positions/picture")
@takes(SetUp)
def pictured() -> Response:
    """Return the men where a line leads to as an SVG image, also of a position with faults."""
    position, line = _asked()
    shown = position if position.faults() else follow(position, line).position
    return Response(svg_of(shown), mimetype="image/svg+xml")


def _asked() -> tuple[Position, list[str]]:
    asked = body_as(SetUp, json_object() or {})
    game = with_men().get(str(asked.position.get("game")))
    if game is None:
        abort(404, SentenceText(Sentence("There is no game of men with this name to set up.")))
    try:
        return game.from_json(asked.position), asked.line
    except GameError as why:
        abort(400, SentenceText(why.sentence))


def _shown(position: Position, line: list[str]) -> dict[str, Any]:
    from companion.players.thinking import player_of  # noqa: PLC0415  (players load slowly)

    faults = position.faults()
    played = follow(position, () if faults else line)
    now = played.position
    catalogue = here()
    notes = [] if faults or now.outcome is not None else [*now.teaching(), *player_of(now.game).losses(now)]
    return {
        "faults": [catalogue.translate(fault.to_json()) for fault in faults],
        "refused": catalogue.translate(played.sentence.to_json())
        if played.verdict == "refused" and played.sentence is not None
        else None,
        "awaits": catalogue.translate(now.awaits.sentence.to_json()),
        "outcome": None if now.outcome is None else catalogue.translate(now.outcome.why.to_json()),
        "board": board_json(now, played.acts, claims=not faults and now.awaits.kind == "choice"),
        "dice": dice_json(played.acts),
        "choices": [] if faults else choices_json(now),
        "taking": [catalogue.translate(sentence.to_json()) for sentence in notes],
        "player": now.side,
        "position": now.to_json(),
    }


def _numbered(position: Position) -> bool:
    return any("number" in man for man in position.occupancy().values())


def _every_man() -> list[dict[str, Any]]:
    """Return every man of both armies, whom a person takes from beside the board."""
    return [seen(man) for side in COLOURS for rank in array(side) for man in rank if man is not None]
