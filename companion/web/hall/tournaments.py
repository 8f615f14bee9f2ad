"""Tournaments on the organiser's pages: everybody may look, and the owner begins, draws and writes down results."""

import datetime as dt
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Response, abort, jsonify, render_template, request, url_for

from companion.desk.command import Refusal
from companion.hall.tournament.entering import read_entrants
from companion.hall.tournament.exports import as_csv, as_json, as_trf
from companion.hall.tournament.kept import MOST_ROUNDS, Tournaments
from companion.hall.tournament.records import (
    TIE_BREAKS,
    System,
    TieBreak,
    Tournament,
    TournamentError,
    final_results,
)
from companion.hall.tournament.standings import standings
from companion.language.sentence import Sentence, SentenceText
from companion.rules.registry import games
from companion.web import languages
from companion.web.access.auth import owner_only
from companion.web.answers import as_file
from companion.web.hall.pages import WATCH, hall_state, opened_book
from companion.web.json_bodies import body_as, json_object, takes

USUAL_TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("buchholz", "sonneborn_berger", "direct_encounter")
LONGEST_LIST: Final = 20_000
"""The most characters of a list of players."""

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
FAULTY: Final = Refusal(Sentence("Something in the form is missing or wrong."))

blueprint = Blueprint("tournaments", __name__)


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a tournament begins with."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60), FAULTY]
    players: Annotated[str, msgspec.Meta(max_length=LONGEST_LIST), FAULTY]
    system: Annotated[System, FAULTY]
    game: Annotated[str, msgspec.Meta(max_length=80), FAULTY] = ""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS), FAULTY] = 0
    best_of: Annotated[int, msgspec.Meta(ge=1, le=9), FAULTY] = 1
    tie_breaks: Annotated[list[TieBreak], msgspec.Meta(max_length=len(TIE_BREAKS)), FAULTY] = []


class RoundDrawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """After which round the next one is drawn, so that two organisers do not draw two."""

    after: Annotated[Number, FAULTY]


class PairingResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a pairing in halves of games, as ``4:2``; empty takes back what was typed."""

    round: Annotated[Number, FAULTY]
    board: Annotated[Number, FAULTY]
    games: Annotated[str, msgspec.Meta(pattern="^([0-9]{1,2}:[0-9]{1,2})?$"), FAULTY] = ""
    reason: Annotated[str, msgspec.Meta(max_length=200), FAULTY] = ""


class Withdrawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes no further part, or comes back."""

    player: Annotated[Number, FAULTY]
    gone: Annotated[bool, FAULTY]


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """To which table the players of a pairing are invited, "" for none."""

    round: Annotated[Number, FAULTY]
    board: Annotated[Number, FAULTY]
    table: Annotated[str, msgspec.Meta(max_length=40), FAULTY] = ""


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who comes late: a name, perhaps with a rating."""

    player: Annotated[str, msgspec.Meta(min_length=1, max_length=80), FAULTY]


@contextmanager
def _kept() -> Iterator[Tournaments]:
    """Open the book for one request; a refusal becomes the answer."""
    try:
        with opened_book() as database:
            yield Tournaments(database, WATCH.get().hall)
    except TournamentError as why:
        abort(409, SentenceText(why.sentence))


def _found(number: int) -> Tournament:
    with _kept() as kept:
        found = kept.find(number)
    if found is None:
        abort(404, "There is no such tournament.")
    return found


@blueprint.get("/tournaments")
def tournaments() -> str:
    """List the tournaments, and show the form for a new one."""
    with _kept() as kept:
        found = kept.all()
    return render_template(
        "hall/tournaments.html",
        state=hall_state(),
        tournaments=found,
        games={slug: game.title for slug, game in games().items()},
        tie_breaks=TIE_BREAKS,
        usual=USUAL_TIE_BREAKS,
        most_rounds=MOST_ROUNDS,
    )


@blueprint.get("/tournaments/<int:number>")
def tournament(number: int) -> str:
    """Show the round that is played, its results, and the standings."""
    found = _found(number)
    return render_template(
        "hall/page.html", part=f"tournament/{number}", template="tournament", state=hall_state(), **shown(found)
    )


@blueprint.get("/part/tournament/<int:number>")
def part(number: int) -> str:
    """Return the part of a tournament's page that changes."""
    return render_template("hall/tournament.html", **shown(_found(number)))


@blueprint.get("/tournaments/<int:number>/players")
def players(number: int) -> str:
    """Show a player on a phone where the next game is."""
    found = _found(number)
    return render_template(
        "hall/page.html", part=f"tournament/{number}/players", template="players", state=hall_state(), **_next(found)
    )


@blueprint.get("/part/tournament/<int:number>/players")
def players_part(number: int) -> str:
    """Return the part of the players' page that changes."""
    return render_template("hall/players.html", **_next(_found(number)))


def _next(found: Tournament) -> dict[str, Any]:
    """Return what the players' page needs: the tournament, and where each player plays in this round."""
    asked = request.args.get("player", "")
    player = int(asked) if asked.isascii() and asked.isdecimal() else 0
    playing = {one: pairing for pairing in found.of_round(found.round) for one in (pairing.first, pairing.second)}
    return {
        "tournament": found,
        "playing": playing,
        "chosen": player if 0 < player <= len(found.entrants) else None,
        "halves": halves,
        "standing": {line.entrant.number: line for line in standings(found)},
    }


def shown(found: Tournament) -> dict[str, Any]:
    """Return what the template of a tournament needs."""
    game = games().get(found.game)
    with _kept() as kept:
        so_far = kept.so_far(found)
    return {
        "tournament": found,
        "so_far": so_far,
        "game": found.game if game is None else game.title,
        "lines": standings(found),
        "results": [(f"{one}:{other}", halves(one), halves(other)) for one, other in final_results(found.best_of)],
        "halves": halves,
        "tables": [one["name"] for one in hall_state()["tables"]],
        "last_rounds": range(found.round, 0, -1),
    }


def halves(count: int) -> str:
    """Return a number of halves as people write it: 3 is 1½."""
    whole, half = divmod(count, 2)
    return f"{whole or ''}½" if half else str(whole)


@blueprint.get("/tournaments/<int:number>/standings.<kind>")
def export(number: int, kind: str) -> Response:
    """Return a tournament as a file: ``csv``, ``json`` or ``trf``."""
    found = _found(number)
    stem = re.sub(r"[^a-z0-9]+", "-", found.name.lower()).strip("-") or "tournament"
    if kind == "json":
        return as_file(jsonify(as_json(found)).get_data(), "application/json", f"{stem}.json")
    if kind == "trf":
        return as_file(as_trf(found, dt.datetime.now().astimezone().date()), "text/plain", f"{stem}.trf")
    if kind != "csv":
        abort(404)
    return as_file(as_csv(found), "text/csv", f"{stem}.csv")


@blueprint.post("/api/tournaments")
@owner_only
@takes(NewTournament)
def begin() -> Response:
    """Begin a tournament with a list of players."""
    new = body_as(NewTournament, json_object() or {})
    if new.game and new.game not in games():
        abort(409, "There is no such game.")
    with _kept() as kept:
        number = kept.begin(
            new.name,
            new.system,
            new.game,
            read_entrants(new.players),
            rounds=new.rounds,
            best_of=new.best_of,
            tie_breaks=list(dict.fromkeys(new.tie_breaks)),
            at=time.time(),
        )
    return jsonify({"ok": True, "go": url_for(".tournament", number=number)})


@blueprint.post("/api/tournaments/<int:number>/round")
@owner_only
@takes(RoundDrawn)
def draw(number: int) -> Response:
    """Draw the next round."""
    asked = body_as(RoundDrawn, json_object() or {})
    with _kept() as kept:
        kept.draw_round(number, asked.after, time.time())
    return _changed()


@blueprint.post("/api/tournaments/<int:number>/result")
@owner_only
@takes(PairingResult)
def result(number: int) -> Response:
    """Write down a result, or take it back."""
    asked = body_as(PairingResult, json_object() or {})
    first, _, second = asked.games.partition(":")
    with _kept() as kept:
        kept.type_result(number, asked.round, asked.board, (int(first), int(second)) if first else None, asked.reason)
    return _changed()


@blueprint.post("/api/tournaments/<int:number>/invite")
@owner_only
@takes(Invite)
def invite(number: int) -> Response:
    """Invite the players of a pairing to a table, where they begin themselves."""
    asked = body_as(Invite, json_object() or {})
    with _kept() as kept:
        kept.invite(number, asked.round, asked.board, asked.table or None)
    return _changed()


@blueprint.post("/api/tournaments/<int:number>/seat")
@owner_only
def seat(number: int) -> Response:
    """Invite all pairings that have no table to the tables that are free."""
    with _kept() as kept:
        if not kept.seat(number):
            raise TournamentError(Sentence("No table is free, or no pairing waits for one."))
    return _changed()


@blueprint.post("/api/tournaments/<int:number>/late")
@owner_only
@takes(Late)
def come_late(number: int) -> Response:
    """Let a player in who comes late."""
    asked = body_as(Late, json_object() or {})
    with _kept() as kept:
        kept.join_late(number, asked.player)
    return _changed()


@blueprint.post("/api/tournaments/<int:number>/player")
@owner_only
@takes(Withdrawn)
def withdraw(number: int) -> Response:
    """Let a player take no further part, or come back."""
    asked = body_as(Withdrawn, json_object() or {})
    with _kept() as kept:
        kept.withdraw(number, asked.player, gone=asked.gone)
    return _changed()


def _changed() -> Response:
    WATCH.get().wake()
    return jsonify({"ok": True})


@blueprint.get("/api/setup")
def setup() -> Response:
    """Return the texts that the page's scripts may say."""
    catalogue = languages.here()
    own = {key: form for key, form in catalogue.own.items() if key.partition(".")[0] in {"errors", "page"}}
    return jsonify({"texts": catalogue.to_json() | {"own": own, "sentences": {}}})
