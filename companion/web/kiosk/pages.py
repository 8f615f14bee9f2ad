"""The kiosk over HTTP: its screens at the table's address, the data for its script, and the souvenirs."""

import re
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from babel.core import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from flask import Blueprint, Flask, Response, abort, g, jsonify, make_response, render_template, request

from companion.desk.command import Refusal
from companion.language.sentence import Sentence, SentenceText
from companion.language.texts import Texts
from companion.lessons.course import Course, courses
from companion.web import game_cards, languages, starting
from companion.web.access.auth import IN_KIOSK, owner_only, pin_needed, seated
from companion.web.answers import answered
from companion.web.app_state import AppKey, table
from companion.web.json_bodies import body_as, json_object, takes
from companion.web.kiosk.attendant import Attendant, UnofferedError
from companion.web.kiosk.attract import ATTRACT_DICE, ATTRACT_PLAYERS, GAMES_KEPT, self_play
from companion.web.kiosk.souvenir import Result, svg, virtues_of
from companion.web.names import CURATED, named
from companion.web.rim import rim_cells
from companion.web.streams import BOOT

KIOSK = AppKey[Attendant]("kiosk")

OWNERS: Final = re.compile(r"/(new|help(/.*)?|statistics|matches(/.*)?|camera|calibrate|kiosk)")
"""The paths of pages that only the owner needs, beside those below /owner."""

blueprint = Blueprint("kiosk", __name__)


def prepare(app: Flask, attendant: Attendant) -> None:
    """Make an app the page of a kiosk; the caller starts and stops the attendant."""
    KIOSK.put(app, attendant)
    IN_KIOSK.put(app, value=True)
    CURATED.put(app, attendant.curated.names_in)
    app.before_request(_language)
    app.before_request(_no_way_out)
    app.before_request(_screens)
    app.before_request(_no_frames_at_night)
    app.context_processor(_visible)
    app.register_blueprint(blueprint)


def spoken() -> str:
    """Return the language of this request, one of those that the kiosk offers."""
    chosen: str = g.language
    return chosen


def _language() -> None:
    """Use the visitors' choice, else the curator's first language: the setting of the kiosk's browser means nothing."""
    offered = KIOSK.get().languages
    chosen = request.args.get("language") or request.cookies.get(languages.COOKIE)
    g.language = chosen if chosen in offered else offered[0]


def _no_way_out() -> Response | None:
    """Show the form for the PIN, as the owner's pages do, at every address that visitors have nothing to do with."""
    if OWNERS.fullmatch(request.path) and pin_needed():
        return make_response(render_template("owner/sign_in.html"), 401)
    return None


def _screens() -> str | None:
    """Show the kiosk's own screen at the table's address while nobody plays."""
    if request.endpoint != "pages.home" or request.method != "GET":
        return None
    screen = KIOSK.get().screen
    if screen == "closed":
        line = opening_line(languages.here(), KIOSK.get().opening.opens, KIOSK.get().today)
        return render_template("kiosk/closed.html", opening_line=line)
    if screen == "attract":
        return render_template(
            "kiosk/attract.html",
            cells=rim_cells(),
            offers=_offers(),
            course=_course(),
            grounds=game_cards.grounds(),
            dice=ATTRACT_DICE,
            state=table().snapshot().data,
        )
    return None


def _no_frames_at_night() -> None:
    if request.endpoint == "api.frames" and not KIOSK.get().opening.open:
        abort(409, "The table is closed now; it takes no pictures until it opens.")


def _visible() -> dict[str, Any]:
    """Give every template the kiosk's data; visitors see no link to the owner's pages."""
    here, settings = KIOSK.get(), KIOSK.get().curated.settings
    return {
        "kiosk": {
            "screen": here.screen,
            "words": here.curated.words(spoken()),
            "attract": settings.attract,
            "sound": settings.sound,
            "visitors": request.path == "/" or request.path.startswith(("/learn/", "/problems")),
            "locked": pin_needed(),
        },
        "languages": [(name, languages.name(name)) for name in here.languages],
    }


def _course() -> Course | None:
    """Return the course of the first game on offer that has one, for visitors who do not know the game."""
    families = [offer.game.partition("/")[0] for offer in KIOSK.get().curated.settings.games]
    return next((courses()[family] for family in families if family in courses()), None)


def _offers() -> list[dict[str, Any]]:
    """Return the games on offer, for at most as many players as there are names, each with a picture and few words.

    The picture is that of the family, or the board where several of a family are offered.
    """
    here = KIOSK.get()
    names = len(here.curated.words(spoken()).players)
    found = list[dict[str, Any]]()
    for offer in here.curated.settings.games:
        counts = [count for count in offer.players if count <= names]
        if counts:
            family, _, variant = offer.game.partition("/")
            found.append({"game": offer.game, "variant": variant, "family": family, "players": counts})
    for offered in found:
        alone = [one["family"] for one in found].count(offered["family"]) == 1
        offered["picture"] = starting.family_picture(offered["family"]) if alone else None
        offered["card"] = game_cards.card(offered["game"])
    return found


@blueprint.get("/api/kiosk")
def now() -> Response:
    """Return which screen to show, and what the page's timers need."""
    here = KIOSK.get()
    settings = here.curated.settings
    closing = here.closing_soon
    return jsonify(
        {
            "boot": BOOT,
            "screen": here.screen,
            "idle": settings.idle_seconds,
            "countdown": settings.countdown_seconds,
            "closing": here.closing_sentence().to_json() if closing else None,
            "closing_words": here.curated.words(spoken()).closing,
        }
    )


def _require_visitor() -> None:
    """Refuse anyone but the owner and visitors at the kiosk's own screen, without asking for a PIN on their page."""
    if not seated():
        abort(403, "This works only on the kiosk's own screen: go there, or sign in as the owner.")


NO_VISIT: Final = Refusal(Sentence('Expected {{"game": "...", "players": 2}}.'))


class VisitRequest(msgspec.Struct, frozen=True):
    """What visitors want to play."""

    game: Annotated[str, msgspec.Meta(description="A game that is offered, by slug."), NO_VISIT]
    players: Annotated[int, msgspec.Meta(description="How many visitors play."), NO_VISIT]


@blueprint.post("/api/kiosk/begin")
@takes(VisitRequest)
def begin() -> Response:
    """Begin a match of a game on offer for some visitors, who stand at the kiosk's own screen."""
    _require_visitor()
    asked = body_as(VisitRequest, json_object() or {})
    here = KIOSK.get()
    offer = here.curated.settings.offer(asked.game)
    if offer is None:
        abort(404, "This kiosk does not offer that game.")
    try:
        reply = here.begin(offer, asked.players, spoken())
    except UnofferedError as why:
        abort(409, SentenceText(why.sentence))
    return answered(reply, screen=here.screen)


@blueprint.post("/api/kiosk/leave")
def leave() -> Response:
    """Return to the beginning; a match that is not over is kept."""
    _require_visitor()
    KIOSK.get().leave()
    return jsonify({"ok": True, "screen": KIOSK.get().screen})


@blueprint.post("/api/kiosk/here")
def here_still() -> Response:
    """Note that visitors are still there; a page on another device does not count."""
    if seated():
        KIOSK.get().touched()
    return jsonify({"ok": True})


@blueprint.get("/api/kiosk/attract/<int:place>")
def attract(place: int) -> Response:
    """Return the game of this place in the rota, played by the rules; its players have the visitors' names."""
    names = dict(enumerate(KIOSK.get().curated.words(spoken()).players[:ATTRACT_PLAYERS], start=1))
    played = self_play(place % GAMES_KEPT)
    moments = [{**moment.to_json(), "sentence": moment.sentence.named(names).to_json()} for moment in played.moments]
    return jsonify({**played.to_json(), "moments": moments, "names": names})


@blueprint.get("/api/kiosk/souvenir/<int:player>.svg")
def souvenir(player: int) -> Response:
    """Return a QR code that contains what this player won: plain words, stored nowhere."""
    state = named(table().snapshot().data)
    match = state.get("match") or {}
    mine = next((one for one in match.get("players", []) if one["number"] == player), None)
    if mine is None or state.get("outcome") is None:
        abort(404, "There is nothing to take home before the match is over.")
    label = languages.here()("kiosk.souvenir_label", player=mine["name"])
    return Response(svg(_result(state, mine).text, label), mimetype="image/svg+xml")


def _result(state: Any, player: Any) -> Result:
    """Return a player's result in the visitors' language."""
    t = languages.here()
    match, outcome = state["match"], state["outcome"]
    foot = [KIOSK.get().curated.words(spoken()).thanks, *filter(None, [KIOSK.get().curated.settings.link])]
    today = KIOSK.get().today
    head = [match["title"] if today is None else t("kiosk.souvenir_title", game=match["title"], date=day_of(t, today))]
    teachers = outcome.get("teacher") or []
    if match.get("of"):
        role = "kiosk.souvenir_teacher" if player["number"] in teachers else "kiosk.souvenir_pupil"
        head.append(t(role if teachers else "kiosk.souvenir_even", player=player["name"], count=player["score"]))
        held = virtues_of(state.get("virtues") or [], player["number"])
        whole = Result(head, [f"{t.translated(english)} ({latin})" for latin, english in held], foot)
        return whole if whole.whole else Result(head, [latin for latin, _ in held], foot)
    won = player["number"] in outcome["winners"]
    head.append(
        t(
            "kiosk.souvenir_won" if won else "kiosk.souvenir_played",
            player=player["name"],
            score=player["score"],
        )
    )
    return Result(head, [], foot)


@blueprint.get("/kiosk")
def owners_page() -> str:
    """Show the owner how the kiosk is used; the page requests the figures, which need the PIN."""
    return render_template(
        "kiosk/owner.html", state=table().snapshot().data, folder=Path(KIOSK.get().curated.folder).name
    )


@blueprint.get("/api/kiosk/statistics")
@owner_only
def statistics() -> Response:
    """Return the use by day, and the faults of the curator's files, for the owner."""
    return jsonify({"days": KIOSK.get().statistics.days, "health": KIOSK.get().health()})


def _locale(t: Texts) -> Locale:
    try:
        return Locale.parse(t.wording.tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en_GB")


def day_of(t: Texts, day: date) -> str:
    """Return a date in full, e.g. 22 November 2026."""
    return format_date(day, "long", locale=_locale(t))


def opening_line(t: Texts, opens: datetime | None, today: date | None) -> str:
    """Return a line that says when the kiosk opens next, or an empty one if that is unknown."""
    if opens is None:
        return ""
    time = format_time(opens.time(), "short", locale=_locale(t))
    if opens.date() == today:
        return t("kiosk.opens_today", time=time)
    return t("kiosk.opens_later", day=format_date(opens.date(), "EEEE", locale=_locale(t)), time=time)
