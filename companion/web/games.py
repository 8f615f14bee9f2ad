"""What the page's forms and drawings need of the games: options, dice, and the exact expectation."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from companion.language.sentence import SentenceText
from companion.lessons.course import courses
from companion.odds.usual_lengths import lengths_by
from companion.referee.readable import board_to_read, dice_to_read
from companion.rules.dice import PIP, DiceSet, Die, dice_set, dice_sets
from companion.rules.errors import GameError
from companion.rules.game import Game
from companion.rules.options import Option
from companion.rules.registry import game as game_of
from companion.rules.registry import games
from companion.web import assets, languages, names, spoken
from companion.web.access.auth import pin_needed
from companion.web.app_state import table

# The points of the expectation's curve: dense where it bends, and beyond the longest games.
THROWS = (*range(0, 60, 2), *range(60, 300, 10), *range(300, 2000, 50), *range(2000, 12001, 250))
FOLLOWING = "table/table.js"  # the script that shows one match after the other

blueprint = Blueprint("games", __name__, url_prefix="/api")


@blueprint.get("/setup")
def setup() -> Response:
    """Return what does not change while the server runs: texts and sets of dice.

    ``scripts`` names the scripts of the asking page, separated by commas: the answer then has only their texts.
    """
    return unchanging(setup_for(asked_scripts()))


def asked_scripts() -> list[str]:
    """Return the scripts of the asking page, as its address names them."""
    return [name for name in request.args.get("scripts", "").split(",") if name]


def unchanging(data: dict[str, Any]) -> Response:
    """Return JSON that a browser keeps, and asks about each time whether it has changed."""
    response = jsonify(data)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def texts_for(scripts: Sequence[str], wanted: Callable[[str], bool]) -> dict[str, Any]:
    """Return what these scripts write in the request's language: their texts, and the templates that are ``wanted``.

    Without scripts it returns all texts.
    """
    catalogue = languages.here()
    own = assets.used_texts(catalogue.own, scripts) if scripts else catalogue.own
    sentences = {spoken.short(template): form for template, form in catalogue.sentences.items() if wanted(template)}
    return catalogue.to_json() | {"own": dict(own), "sentences": sentences}


def setup_for(scripts: Sequence[str]) -> dict[str, Any]:
    """Return the setup for a page with these scripts, in the request's language; without scripts, for any page."""
    family = None
    if FOLLOWING in scripts:  # it asks again when the family of games changes
        family = spoken.family_of((table().snapshot().data.get("match") or {}).get("game", ""))
        elsewhere = spoken.unsaid_at_table(family)
    else:
        elsewhere = spoken.written_by_the_server()
    texts = texts_for(scripts, lambda template: template not in elsewhere)
    return {
        "texts": texts | {"names": names.seat_names()},
        "dice_sets": {name: _dice_json(dice_set(name)) for name in dice_sets() if not _any_solid(dice_set(name))},
        "family": family,
        "pin_needed": pin_needed(),
    }


@blueprint.get("/games")
def listed() -> Response:
    """Return the games with their stories, how to play them, and their options."""
    return jsonify({"games": [game_json(game) for game in games().values()]})


@blueprint.get("/rules/<path:slug>")
def rules(slug: str) -> Response:
    """Return how a game is played, in the visitor's language."""
    try:
        game, here = game_of(slug), languages.here()
    except GameError as error:
        abort(404, SentenceText(error.sentence))
    steps = [here.translate(step.to_json()) for step in game.how_to_play or (game.story,)]
    family = slug.partition("/")[0]
    course = family if family in courses() else None
    return jsonify({"title": here.translated(game.title), "steps": steps, "source": game.source, "course": course})


@blueprint.get("/expected/<path:slug>")
def expected(slug: str) -> Response:
    """Return how many virtues are acquired after n throws on average, exactly, as ``[[throws, expected], ...]``.

    The address may give the game's options as its parameters; options that do not affect the odds have no effect.
    """
    try:
        options = {
            name: option for name, value in request.args.items() if (option := _option(slug, name, value)) is not None
        }
        points = _expected(slug, tuple(sorted(options.items())))
    except GameError as error:
        abort(404, SentenceText(error.sentence))
    response = jsonify({"slug": slug, "points": points})
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def game_json(game: Game) -> dict[str, Any]:
    """Return a game as the form for a new match shows it."""
    return {
        "slug": game.slug,
        "title": game.title,
        "source": game.source,
        "story": game.story.to_json(),
        "reading": None if game.interpretation is None else game.interpretation.to_json(),
        "how_to_play": [one.to_json() for one in game.how_to_play],
        "player_counts": list(game.player_counts),
        "camera": dice_to_read(game.start(game.least_players)) is not None,
        "board": board_to_read(game),
        "options": [_option_json(game, option) for option in game.options],
    }


def _option_json(game: Game, option: Option) -> dict[str, Any]:
    lengths = lengths_by(game, option)
    return {
        "name": option.name,
        "default": option.default,
        "offered": option.default if option.offered is None else option.offered,
        "meaning": option.meaning.to_json(),
        "values": list(option.values) if option.values is not None else None,
        "least": option.least,
        "most": option.most,
        "lengths": [
            None if value not in lengths else lengths[value].sentence().to_json() for value in option.values or ()
        ],
    }


def _any_solid(dice: DiceSet) -> bool:
    """Tell whether dice are of a form with which no game is played."""
    return any(die.shape == "solid" for die in dice.dice)


def _dice_json(dice: DiceSet) -> dict[str, Any]:
    return {
        "title": dice.title,
        "dice": [_die_json(die, alike=dice.alike) for die in dice.dice],
    }


def _die_json(die: Die, *, alike: bool) -> dict[str, Any]:
    """Return a die as the page draws it, with what is so of it: ``alike``, as all of its set are; ``pips`` alone."""
    drawn = {
        "name": die.name,
        "shape": die.shape,
        "counts": die.counts,
        "faces": [{"text": face.text, "value": face.value} for face in die.faces],
    }
    pips = all(set(face.marks) == {PIP} for face in die.faces)
    return drawn | {name: True for name, is_so in {"alike": alike, "pips": pips}.items() if is_so}


def _option(slug: str, name: str, text: str) -> str | None:
    """Return the value of an option that takes one of several words, or None for any other option."""
    for option in game_of(slug).options:
        if option.name == name and option.values is not None and text in option.values:
            return text
    return None


@cache
def _expected(slug: str, options: tuple[tuple[str, str], ...]) -> list[list[float]]:
    from companion.odds.ludus_regularis import expected_curve  # noqa: PLC0415 - brings NumPy, which only this needs

    return [
        [throws, round(mean, 3)]
        for throws, mean in zip(THROWS, expected_curve(slug, THROWS, dict(options)), strict=True)
    ]
