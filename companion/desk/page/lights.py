"""The LED board as a page shows it: its state, its lit sites, and where to draw a simulated one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from companion.desk.lights.marks import LightMarks
from companion.desk.lights.theme import Theme
from companion.desk.lights.usual_wiring import seats
from companion.desk.page.names import with_player_names
from companion.desk.shapes.table import LightsShape, PressedShape
from companion.language.sentence import Sentence, Template
from companion.referee.match import Match
from companion.rules.game import Game
from firmware_bridge.phrase import Phrase
from firmware_bridge.wiring import Wiring

PLAYER_LIGHTS_HEIGHT: Final = 1.08
"""How far down a page draws the players' lights, below the board."""


@dataclass(frozen=True)
class LightsNow:
    """The state of the LED board.

    ``name``: the device's name; ``state``: the device's state; ``live``: whether it shows what it receives;
    ``trouble``: why it is not there; ``notice``: what a person should know although it is there. It shows ``marks`` of
    ``game`` in ``theme``, through ``wiring``. ``drawn``: nobody can see the device, so a page draws it.
    """

    name: str
    state: str
    live: bool
    trouble: str | None
    notice: Phrase | None
    theme: Theme
    marks: LightMarks
    wiring: Wiring | None
    game: Game | None
    drawn: bool


def lights_part(
    match: Match | None, lights: LightsNow, pressed: PressedShape | None, squares: Sentence | None
) -> LightsShape:
    """Return the part of a snapshot for the lights.

    ``pressed``: the result of the last press of the board's button; ``squares``: what the board's squares show while
    that is no whole play.
    """
    wiring, game = lights.wiring, lights.game
    reached = {} if wiring is None else {site: leds for site, leds in wiring.sites.items() if leds}
    return {
        "name": lights.name,
        "state": lights.state,
        "trouble": lights.trouble is not None,
        "sentence": _sentence(lights).to_json(),
        "pressed": pressed,
        "squares": None if squares is None else with_player_names(match, squares).to_json(),
        "theme": lights.theme.to_json(),
        "dimmed": lights.marks.dimmed,
        "lit": {site: mark.to_json() for site, mark in lights.marks.sites.items() if reached.get(site)},
        "places": _places(reached, game) if lights.drawn and game is not None else None,
    }


def _sentence(lights: LightsNow) -> Sentence:
    if lights.trouble is not None:
        return Sentence(
            "The board of lights is missing, and the game goes on without it: {why}", why=from_phrase(lights.trouble)
        )
    wiring, game = lights.wiring, lights.game
    if wiring is not None and game is not None and not _fits(wiring, game):
        return Sentence(
            "The map of lights {map} belongs to another board, {board}: start with the map of this one, or with none.",
            map=wiring.name,
            board=wiring.board,
        )
    if not lights.live:
        return Sentence("The program is looking for the board of lights; the game does not wait for it.")
    if lights.notice is not None:
        sentence: Sentence = from_phrase(lights.notice)
        return sentence
    return Sentence("The board of lights is on.")


def from_phrase(text: object) -> Any:
    """Return a phrase of the bridge as a sentence, and its parts likewise; anything else stays the same."""
    if not isinstance(text, Phrase):
        return text
    return Sentence.of(Template(text.template), **{name: from_phrase(part) for name, part in text.parts.items()})


def _places(reached: Iterable[str], game: Game) -> dict[str, tuple[float, float]]:
    """Return where a page draws each light, x and y from 0 to 1 on the board; players' lights are in a row below."""
    known = {site.name: (site.x, site.y) for board in game.boards[::-1] for site in board.sites}
    row = {seat: ((index + 0.5) / len(seats()), PLAYER_LIGHTS_HEIGHT) for index, seat in enumerate(seats())}
    return {site: place for site in reached if (place := known.get(site) or row.get(site)) is not None}


def _fits(wiring: Wiring, game: Game) -> bool:
    """Whether a map has a light for any site of the game's boards, or for a player."""
    sites = {site.name for board in game.boards for site in board.sites}
    return any(leds and (site in sites or site in seats()) for site, leds in wiring.sites.items())
