"""The pages, rendered on the server so that they are complete before any script runs.

The table's page comes first. It already contains what its script would request next: the setup and the state.
"""

from collections.abc import Collection
from contextlib import suppress
from math import isfinite
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.odds.usual_lengths import TURNS_A_MINUTE
from companion.referee.readable import dice_of
from companion.rules.dice import dice_set, dice_sets
from companion.rules.errors import OptionError
from companion.rules.ludus_regularis.boards import pair_rows
from companion.rules.options import OptionValue
from companion.rules.registry import games
from companion.rules.strict_json import written_json
from companion.vision.readings import readable
from companion.web import game_cards, starting
from companion.web.access.auth import IN_KIOSK, pin_needed
from companion.web.app_state import SETTINGS, table
from companion.web.camera import phone
from companion.web.camera.preview import attached_cameras
from companion.web.classroom.visiting import CLASSROOM, part
from companion.web.games import game_json, setup_for
from companion.web.matches.transfer import listed
from companion.web.names import named
from companion.web.owner.teaching import unknown_sets
from companion.web.rim import rim_cells
from companion.web.streams import WATCHED

# Options that set the length of a match; the form shows each only with its ending.
ENDING_PARTS = ("target", "throws", "minutes")
# Many tables never show these regions. Each region's script, by the part of the state that it shows: the page requests
# it with the other scripts if that part has something to show (static/js/table/seldom.js loads it in any case).
SELDOM = {
    "ask": "table/ask.js",
    "board": "board/men.js",
    "choices": "table/choices.js",
    "lights": "board/lights.js",
    "ludix": "table/ludix.js",
    "outcome": "table/outcome.js",
}

# What an overlay may show, as its address names it, and the element that shows it.
OVERLAY_PARTS = {"board": "men", "dice": "dice", "score": "players", "verdict": "verdict"}
LONGEST_DELAY = 300.0  # seconds by which a stream may be behind the table

MOST_PLAYERS, LONGEST_PLAYER = 6, 40  # names that a link to the form may fill in, and their characters
LONGEST_NAME = 60  # characters of an unknown game's name that the form repeats

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def home() -> str:
    """Show the table as it is now."""
    shown = table().snapshot().data
    state = named(shown)
    scripts = [
        "table/table.js",
        "page/head.js",
        *(["kiosk/kiosk.js"] if IN_KIOSK.get() else []),
        *(["classroom/bar.js"] if CLASSROOM.get().code else []),
    ]
    begins = not CLASSROOM.get().code or part() == "owner"
    first = not state.get("match") and not IN_KIOSK.get() and begins
    return render_template(
        "table/table.html",
        state=state,
        cells=rim_cells(),
        pairs=pair_rows(),
        held={entry["id"]: entry for entry in state.get("virtues") or []},
        player_names={player["number"]: player["name"] for player in (state.get("match") or {}).get("players", [])},
        begin=starting.beginning(table()) if first else None,
        scripts=[
            *scripts,
            *(["matches/start.js"] if first else []),
            *(script for part, script in SELDOM.items() if state.get(part)),
        ],
        brought_setup=brought_json(setup_for(scripts)),
        brought_state=brought_json(shown),
    )


@blueprint.get("/start")
def start() -> str | WerkzeugResponse:
    """Show how to begin, whatever is played now; a kiosk begins in its own way."""
    if IN_KIOSK.get():
        return redirect(url_for(".home"))
    return render_template("table/first.html", begin=starting.beginning(table()))


@blueprint.get("/new")
def new() -> str:
    """Show the form for a new match."""
    state = table().snapshot().data
    listed = [game_json(game) for game in games().values()]
    known = {game["slug"] for game in listed}
    asked = request.args.get("game", "")
    wanted = _whole_name(asked, known)
    usual = wanted or _played_with(request.args.get("dice")) or SETTINGS.get().now.game
    return render_template(
        "table/new.html",
        games=listed,
        families=game_cards.families(),
        grounds=game_cards.grounds(),
        kinds=game_cards.kinds(),
        levels=game_cards.levels(),
        origins=game_cards.origins(),
        preferred=usual or listed[0]["slug"],
        named=bool(usual),
        presets=_presets(usual or listed[0]["slug"]),
        unknown=asked[:LONGEST_NAME] if asked and not wanted else None,
        ending_parts=ENDING_PARTS,
        pace=TURNS_A_MINUTE,
        camera=state.get("dice_camera"),
        players=[name[:LONGEST_PLAYER] for name in request.args.getlist("player")[:MOST_PLAYERS]],
        untaught=unknown_sets() if state.get("dice_camera") and not IN_KIOSK.get() else [],
        followed=frozenset(state.get("board_camera") or ()),
        state=state,
    )


@blueprint.get("/overlay")
@blueprint.get("/watch", defaults={"page": True})
def overlay(*, page: bool = False) -> str:
    """Show board, dice, scores, the last verdict and what is awaited; nothing can be done there.

    ``/overlay`` is what a video stream lays over its picture, ``/watch`` a ``page`` for those who only watch a match.

    ``?parts=dice,score,verdict,board`` chooses some of them, ``?shape=tall`` is for 9:16, ``?look=light`` for light
    panels, ``?delay=5`` shows everything so many seconds later. What is not understood is left as it usually is.
    """
    wanted = request.args.get("parts", "").split(",")
    chosen = [part for name, part in OVERLAY_PARTS.items() if name in wanted]
    delay = request.args.get("delay", 0.0, type=float)
    return render_template(
        "overlay/overlay.html",
        parts=[*(chosen or OVERLAY_PARTS.values()), *(["awaited"] if page else [])],
        shape="page" if page else "tall" if request.args.get("shape") == "tall" else "wide",
        look_of=None if page else "light" if request.args.get("look") == "light" else "dark",
        delay=min(max(delay, 0.0), LONGEST_DELAY) if isfinite(delay) else 0.0,
        brought_setup=brought_json(setup_for(["overlay/overlay.js"])),
    )


@blueprint.get("/matches")
def matches() -> str:
    """List the matches of the journal, newest first and some at a time, to resume or to export."""
    return render_template("table/matches.html", **listed(), state=table().snapshot().data)


@blueprint.get("/camera")
def camera() -> str:
    """Show the cameras that there are and what the chosen one sees; at a laboratory, make this device its camera."""
    state, phones = WATCHED.get().snapshot().data, phone.DOOR.get() is not None
    if request.endpoint != f"{blueprint.name}.camera":
        return render_template("camera/camera.html", state=state, phone=phones)
    asked = request.args.get("game", "")
    wanted = _whole_name(asked, games())
    dice = dice_of(games()[wanted]) if wanted else ()
    sets = [dice_set(name) for name in dice_sets() if readable(dice_set(name))]
    return render_template(
        "camera/choose.html",
        state=state,
        settings=SETTINGS.get().now,
        game=wanted,
        dice=next((name for name in dice if readable(dice_set(name))), table().tried_dice),
        dice_sets=sets,
        attached=[] if pin_needed() else attached_cameras(),
    )


@blueprint.get("/healthz")
def healthz() -> Response:
    """Report that the server answers and how the table is."""
    snapshot = WATCHED.get().snapshot()
    return jsonify({"ok": True, "version": snapshot.version, "health": snapshot.data.get("health")})


def _whole_name(asked: str, known: Collection[str]) -> str | None:
    """Return the name of the game that somebody asked for, without its family too where that names one game alone."""
    ends = [name for name in known if name.rpartition("/")[2] == asked]
    return asked if asked in known else ends[0] if len(ends) == 1 else None


def _played_with(dice: str | None) -> str | None:
    """Return the first game that is played with these dice, None without any."""
    return next((slug for slug, game in games().items() if dice in dice_of(game)), None)


def _presets(slug: str) -> dict[str, OptionValue]:
    """Return the options of a game that the address fills in, as ``option.NAME=VALUE``; what is none is left out."""
    found: dict[str, OptionValue] = {}
    for option in games()[slug].options:
        text = request.args.get(f"option.{option.name}")
        with suppress(OptionError):
            if text is not None:
                found[option.name] = option.read(text)
    return found


def brought_json(value: Any) -> Markup:
    """Return a value as JSON that is safe inside a page: no text in it can end the enclosing element."""
    return htmlsafe_json_dumps(value, dumps=written_json, ensure_ascii=False, separators=(",", ":"))
