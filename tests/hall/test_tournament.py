"""Tournaments: pairings that keep their promises, standings as by hand, and the same round after a restart."""

import datetime as dt
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.book.book import Book
from companion.hall.book.database import Database
from companion.hall.desk.watch import HallWatch
from companion.hall.tournament import round_robin, swiss
from companion.hall.tournament.entering import MOST_ENTRANTS, read_entrants
from companion.hall.tournament.exports import as_csv, as_json, as_trf
from companion.hall.tournament.kept import Tournaments
from companion.hall.tournament.records import (
    TIE_BREAKS,
    Entrant,
    Pairing,
    Tournament,
    TournamentError,
    final_results,
)
from companion.hall.tournament.standings import standings
from companion.settings.file import SettingsFile
from companion.web.hall.app import create_hall_app

RESULTS = final_results(1)
DAY = dt.datetime(2026, 11, 25, 12).astimezone()


def entrants(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, f"Player {number}") for number in range(1, count + 1))


def tournament(count: int, rounds: int = 9) -> Tournament:
    return Tournament(1, "Cup", "swiss", "", rounds, 1, TIE_BREAKS, entrants(count))


def feasible(before: Tournament) -> bool:
    """Return whether all can be paired without a repeated pairing and without a second bye, judged apart."""
    players = [one.number for one in before.entrants if not one.gone]
    met = {frozenset((one.first, one.second)) for one in before.pairings if one.second is not None}
    byes = {one.first for one in before.pairings if one.bye}
    graph = nx.Graph([pair for pair in combinations(players, 2) if frozenset(pair) not in met])
    graph.add_nodes_from(players)
    if len(players) % 2:
        graph.add_edges_from((0, player) for player in players if player not in byes)
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(players) + len(players) % 2


@given(st.integers(2, 11), st.integers(1, 9), st.data())
def test_whatever_the_results_a_swiss_round_keeps_its_promises(count: int, rounds: int, data: st.DataObject) -> None:
    now = tournament(count)
    for number in range(1, rounds + 1):
        gone = data.draw(st.sampled_from([0, 0, 0, 0, *range(1, count + 1)]))
        if sum(not one.gone for one in now.entrants) > 2:
            now = replace(now, entrants=tuple(replace(e, gone=e.gone or e.number == gone) for e in now.entrants))
        here = sorted(one.number for one in now.entrants if not one.gone)
        drawn = swiss.draw(now)
        seated = sorted(player for one in drawn for player in (one.first, one.second) if player is not None)
        assert seated == here, "everyone is paired once"
        met = {frozenset((one.first, one.second)) for one in now.pairings if not one.bye}
        byes = {one.first for one in now.pairings if one.bye}
        if feasible(now):
            assert not met & {frozenset((one.first, one.second)) for one in drawn if not one.bye}
            assert not byes & {one.first for one in drawn if one.bye}
        assert sum(one.bye for one in drawn) == len(here) % 2
        assert [one.board for one in drawn] == [*range(1, len(drawn) + 1)]
        result = st.sampled_from(RESULTS)
        now = replace(
            now, pairings=(*now.pairings, *(one if one.bye else replace(one, games=data.draw(result)) for one in drawn))
        )
        assert sum(now.scores().values()) == 2 * len(now.pairings)
        lines = standings(now)
        assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
        assert {line.rank for line in lines} <= {*range(1, count + 1)}
        assert number == now.round


def test_first_throws_are_balanced_and_equals_meet() -> None:
    now = tournament(16)
    for _ in range(6):
        drawn = swiss.draw(now)
        scores = now.scores()
        distances = [abs(scores[one.first] - scores[one.second]) for one in drawn if one.second is not None]
        assert max(distances) <= 2
        now = replace(now, pairings=(*now.pairings, *(replace(one, games=(2, 0)) for one in drawn)))
        for player in range(1, 17):
            firsts = [one.first == player for one in now.pairings if player in (one.first, one.second)]
            assert abs(2 * sum(firsts) - len(firsts)) <= 2
    first = swiss.draw(tournament(6))
    assert [(one.first, one.second) for one in first] == [(1, 4), (5, 2), (3, 6)]


@pytest.mark.parametrize("count", [2, 3, 4, 7, 10])
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    rounds = round_robin.rounds_for(count)
    drawn = [one for number in range(1, rounds + 1) for one in round_robin.draw(count, number)]
    met = [frozenset((one.first, one.second)) for one in drawn if one.second is not None]
    assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(range(1, count + 1), 2)]
    assert sorted(one.first for one in drawn if one.bye) == ([*range(1, count + 1)] if count % 2 else [])
    for player in range(1, count + 1):
        first = sum(one.first == player for one in drawn if not one.bye)
        assert abs(2 * first - (count - 1)) <= 1
    assert round_robin.berger(6, 2) == [(6, 4), (5, 3), (1, 2)], "as FIDE's table has it"
    left = round_robin.draw(4, 1, frozenset({4}))
    assert [(one.first, one.second) for one in left] == [(2, 3), (1, None)]


def test_tie_breaks_are_those_that_a_hand_computes() -> None:
    now = replace(
        tournament(4),
        pairings=(
            Pairing(1, 1, 1, 3, (2, 0)),
            Pairing(1, 2, 2, 4, (2, 0)),
            Pairing(2, 1, 1, 2, (1, 1)),
            Pairing(2, 2, 3, 4, (2, 0)),
            Pairing(3, 1, 4, 1, (2, 0)),
            Pairing(3, 2, 2, 3, (0, 2)),
        ),
    )
    # points: 1 has 1½, 2 has 1½, 3 has 2, 4 has 1
    found = {line.entrant.number: (line.rank, line.points, *line.tie_breaks) for line in standings(now)}
    assert found == {
        3: (1, 2.0, 4.0, 1.5, 2.5, 0.0, 2.0),
        1: (2, 1.5, 4.5, 1.5, 2.75, 0.5, 1.5),
        2: (3, 1.5, 4.5, 1.5, 1.75, 0.5, 1.5),
        4: (4, 1.0, 5.0, 1.5, 1.5, 0.0, 1.0),
    }
    direct = replace(now, tie_breaks=("direct_encounter",), pairings=now.pairings[:3])
    assert [(line.entrant.number, line.rank) for line in standings(direct)] == [(1, 1), (2, 1), (3, 3), (4, 3)]


def test_a_pairing_ends_when_one_has_more_than_half_or_all_is_played() -> None:
    assert final_results(1) == ((2, 0), (1, 1), (0, 2))
    assert set(final_results(3)) == {(4, 0), (5, 1), (4, 2), (3, 3), (2, 4), (1, 5), (0, 4)}
    assert {sum(games) for games in final_results(2)} == {4}
    assert (4, 0) in final_results(2)


def test_a_name_that_cannot_be_seen_is_refused_with_its_line() -> None:
    with pytest.raises(TournamentError, match="Line 4: expected a name"):
        read_entrants("name\nAnna\n\nBen\u200b\nClara\n")


def test_players_are_read_from_lists_and_tables() -> None:
    listed = read_entrants("Anna\n\n  Berno \n")
    assert [(one.number, one.name, one.rating) for one in listed] == [(1, "Anna", 0), (2, "Berno", 0)]
    table = read_entrants("\ufeffClub;Rating;Name\nX;1500;Anna\nY;;Clara\nZ;1700;Berno\n")
    assert [(one.name, one.rating) for one in table] == [("Berno", 1700), ("Anna", 1500), ("Clara", 0)]
    assert [one.name for one in read_entrants('"Doe, Jane",1200\nAnna')] == ["Doe, Jane", "Anna"]
    for wrong in ("Anna", "", "Anna\nanna", "Anna\n" + "x" * 41, "Anna,strong\nBerno", "Anna,-1\nB", "A\x07\nB"):
        with pytest.raises(TournamentError):
            read_entrants(wrong)
    with pytest.raises(TournamentError):
        read_entrants("\n".join(map(str, range(MOST_ENTRANTS + 1))))


def begun(kept: Tournaments, count: int = 5, **more: Any) -> int:
    settings: dict[str, Any] = {"rounds": 3, "best_of": 1, "tie_breaks": ["buchholz"], "at": 1.0, **more}
    return kept.begin("=Cup", settings.pop("system", "swiss"), "", entrants(count), **settings)


DRAW = """
import sys
from companion.hall.book.database import Database
from companion.hall.tournament import swiss
from companion.hall.tournament.kept import Tournaments
with Database(sys.argv[1]) as database:
    found = Tournaments(database, "museum").find(1)
print([(one.first, one.second) for one in swiss.draw(found)])
"""


def test_another_process_draws_the_same_round_from_the_book(book_url: str) -> None:
    with Database(book_url) as database:
        kept = Tournaments(database, "museum")
        number = begun(kept, 9)
        kept.draw_round(number, 0, at=DAY.timestamp())
        for one in kept.find(number).pairings:  # type: ignore[union-attr]
            if not one.bye:
                kept.type_result(number, 1, one.board, RESULTS[one.board % 3])
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    other = subprocess.run(
        [sys.executable, "-c", DRAW, book_url], capture_output=True, text=True, check=True, env=environment
    )
    with Database(book_url) as database:
        kept = Tournaments(database, "museum")
        kept.draw_round(number, 1, at=DAY.timestamp())
        found = kept.find(number)
        assert found is not None
        assert other.stdout.strip() == str([(one.first, one.second) for one in found.of_round(2)])
        with pytest.raises(TournamentError, match="already"):
            kept.draw_round(number, 1, at=DAY.timestamp())
        with pytest.raises(TournamentError, match="without a result"):
            kept.draw_round(number, 2, at=DAY.timestamp())
        with pytest.raises(TournamentError, match="last round"):
            kept.type_result(number, 1, 1, None)
        with pytest.raises(TournamentError, match="cannot end like that"):
            kept.type_result(number, 2, 1, (2, 2))
        with pytest.raises(TournamentError, match="at most 3 rounds"):
            begun(kept, 4, rounds=4)
        assert Tournaments(database, "another").find(number) is None
        robin = kept.find(begun(kept, 4, system="round_robin", rounds=30))
        assert robin is not None
        assert robin.rounds == 3
        for count, most in ((2, 1), (3, 2), (5, 3), (8, 3), (9, 4)):
            proposed = kept.find(begun(kept, count, rounds=0))
            assert proposed is not None
            assert proposed.rounds == most


def test_exports_hold_what_the_page_shows_and_no_formula() -> None:
    played = (Pairing(1, 1, 1, 3, (2, 0)), Pairing(1, 2, 2, None), Pairing(2, 1, 2, 1), Pairing(2, 2, 3, None))
    now = replace(tournament(3, 2), pairings=played, tie_breaks=("buchholz",))
    now = replace(now, entrants=(Entrant(1, "=1+1", 1500), *now.entrants[1:]))
    assert as_csv(now).splitlines()[:2] == ["rank,number,name,rating,points,buchholz", "1,1,'=1+1,1500,1.0,1.0"]
    assert as_json(now)["pairings"][0]["games"] == [1.0, 0.0]
    lines = as_trf(now, DAY.date()).splitlines()
    assert lines[1:4] == ["042 2026/11/25", "052 2026/11/25", "062 3"]
    first = next(line for line in lines if line.startswith("001    1"))
    assert (first[14:18], first[48:52], first[80:84], first[91:]) == ("=1+1", "1500", " 1.0", "   3 w 1")
    assert next(line for line in lines if line.startswith("001    2"))[91:] == "0000 - U"


def test_the_report_names_the_days_on_which_the_rounds_were_drawn(book_url: str) -> None:
    with Database(book_url) as database:
        kept = Tournaments(database, "museum")
        number = begun(kept, 2, rounds=0, system="round_robin")
        kept.draw_round(number, 0, at=DAY.timestamp())
        kept.type_result(number, 1, 1, (2, 0))
        found = kept.find(number)
        assert found is not None
        later = replace(
            found, rounds=2, pairings=(*found.pairings, Pairing(2, 1, 2, 1, (0, 2), drawn=DAY.timestamp() + 86400))
        )
    lines = as_trf(later, dt.date(2030, 1, 1)).splitlines()
    assert lines[1:3] == ["042 2026/11/25", "052 2026/11/26"]
    days = next(line for line in lines if line.startswith("132"))
    first = next(line for line in lines if line.startswith("001"))
    assert (days[91:99], days[101:109]) == ("26/11/25", "26/11/26")
    assert (first[91:99], first[101:109]) == ("   2 w 1", "   2 b 1")


def hall_app(book_url: str, tmp_path: Path, pin: str | None = None) -> Flask:
    with Database(book_url):
        pass
    watch = HallWatch(book_url, "museum")
    settings = SettingsFile(tmp_path / "settings.json")
    return create_hall_app(watch, trusted_hosts=["localhost"], owner_pin=pin, settings=settings)


def test_the_page_begins_draws_and_writes_down_but_for_the_owner_only(book_url: str, tmp_path: Path) -> None:
    stranger = hall_app(book_url, tmp_path, "2718").test_client()
    new = {"name": "Cup", "players": "Anna\nBerno\n<i>", "system": "swiss", "rounds": 2, "tie_breaks": ["buchholz"]}
    assert stranger.post("/api/tournaments", json=new).status_code == 401
    client = hall_app(book_url, tmp_path).test_client()
    go = client.post("/api/tournaments", json=new).get_json()["go"]
    assert client.post("/api/tournaments", json={**new, "game": "chess"}).status_code == 409
    assert client.post("/api/tournaments", json={**new, "system": "knockout"}).status_code == 400
    reply = client.post("/api/tournaments?language=de", json={**new, "rounds": 9})
    assert (reply.status_code, "höchstens 3 Runden" in reply.get_json()["error"]) == (409, True)
    api = go.replace("/tournaments", "/api/tournaments")
    assert client.post(f"{api}/round", json={"after": 0}).status_code == 200
    assert stranger.post(f"{api}/round", json={"after": 1}).status_code == 401
    assert client.post(f"{api}/result", json={"round": 1, "board": 1, "games": "2:0"}).status_code == 200
    assert client.post(f"{api}/result", json={"round": 1, "board": 2, "games": "2:0"}).status_code == 409
    assert client.post(f"{api}/player", json={"player": 2, "gone": True}).status_code == 200
    assert client.post(f"{api}/player", json={"player": 9, "gone": True}).status_code == 409
    shown = stranger.get(go).get_data(as_text=True)
    assert "&lt;i&gt;" in shown
    assert stranger.get(f"/part{go.replace('tournaments', 'tournament')}").status_code == 200
    assert "Cup" in stranger.get("/tournaments").get_data(as_text=True)
    for kind, mime in (("csv", "text/csv"), ("json", "application/json"), ("trf", "text/plain")):
        answer = stranger.get(f"{go}/standings.{kind}")
        assert (answer.mimetype, answer.headers["Content-Disposition"]) == (mime, f'attachment; filename="cup.{kind}"')
    assert stranger.get(f"{go}/standings.exe").status_code == 404
    for number in ("99", "9" * 30):
        assert stranger.get(f"/tournaments/{number}").status_code == 404
        assert client.post(f"/api/tournaments/{number}/round", json={"after": 0}).status_code == 409


def test_a_result_that_is_there_changes_only_with_a_reason(book_url: str, tmp_path: Path) -> None:
    client = hall_app(book_url, tmp_path).test_client()
    new = {"name": "Cup", "players": "Anna\nBerno", "system": "swiss", "rounds": 1}
    go = client.post("/api/tournaments", json=new).get_json()["go"]
    api = go.replace("/tournaments", "/api/tournaments")
    client.post(f"{api}/round", json={"after": 0})
    result = {"round": 1, "board": 1, "games": "2:0"}
    for _ in range(2):  # the same one again is no change
        assert client.post(f"{api}/result", json=result).status_code == 200
    refused = client.post(f"{api}/result", json={**result, "games": "0:2", "reason": " "})
    assert (refused.status_code, "say why" in refused.get_json()["error"]) == (409, True)
    changed = {**result, "games": "0:2", "reason": "seats mixed up"}
    assert client.post(f"{api}/result", json=changed).status_code == 200
    assert "seats mixed up" in client.get(go).text
    assert client.get(f"{go}/standings.json").get_json()["pairings"][0]["reason"] == "seats mixed up"
    assert client.post(f"{api}/result", json={**result, "games": ""}).status_code == 200, "taken back"
    assert "seats mixed up" not in client.get(go).text


def test_who_comes_late_plays_from_the_next_round_on(book_url: str, tmp_path: Path) -> None:
    client = hall_app(book_url, tmp_path).test_client()
    new = {"name": "Cup", "players": "Anna\nBerno\nCleo", "system": "swiss", "rounds": 2}
    go = client.post("/api/tournaments", json=new).get_json()["go"]
    api = go.replace("/tournaments", "/api/tournaments")
    client.post(f"{api}/round", json={"after": 0})
    assert client.post(f"{api}/late", json={"player": "Dora, 1800"}).status_code == 200
    for wrong, why in (("anna", "twice"), ("A\nB", "one more player"), ("Ina, x", "rating")):
        refused = client.post(f"{api}/late", json={"player": wrong})
        assert (refused.status_code, why in refused.get_json()["error"]) == (409, True)
    assert "waits for the next round" in client.get(f"{go}/players?player=4").text
    client.post(f"{api}/result", json={"round": 1, "board": 1, "games": "2:0"})
    client.post(f"{api}/round", json={"after": 1})
    pairings = client.get(f"{go}/standings.json").get_json()["pairings"]
    assert {one for pair in pairings if pair["round"] == 2 for one in (pair["first"], pair["second"])} == {1, 2, 3, 4}
    assert client.post(f"{api}/late", json={"player": "Edda"}).status_code == 409, "no round is left"
    robin = client.post("/api/tournaments", json={**new, "system": "round_robin"}).get_json()["go"]
    assert client.post(f"/api{robin}/late", json={"player": "Edda"}).status_code == 409


def test_everybody_is_seated_at_the_free_tables_and_finds_the_own_one_on_the_phone(
    book_url: str, tmp_path: Path
) -> None:
    client = hall_app(book_url, tmp_path).test_client()
    with Database(book_url) as database:
        for table, status in (("10", "online"), ("2", "online"), ("3", "offline")):
            Book(database, "museum").take(states={table: "{}"}, statuses={table: status}, at=1.0)
    new = {"name": "Cup", "players": "Anna\nBerno\nCleo\n<i>\nEdda\nFinn\nGero", "system": "swiss", "rounds": 2}
    go = client.post("/api/tournaments", json=new).get_json()["go"]
    api = go.replace("/tournaments", "/api/tournaments")
    assert client.post(f"{api}/seat", json={}).status_code == 409, "no round is drawn"
    client.post(f"{api}/round", json={"after": 0})
    assert client.post(f"{api}/seat", json={}).status_code == 200
    pairings = client.get(f"{go}/standings.json").get_json()["pairings"]
    assert [one["table"] for one in pairings] == ["2", "10", None, None]
    assert client.post(f"{api}/seat", json={}).status_code == 409, "no table is free"
    names = ["Anna", "Berno", "Cleo", "<i>", "Edda", "Finn", "Gero"]
    first = pairings[0]
    page = client.get(f"{go}/players?player={first['first']}").text
    assert f"table 2 · against {names[first['second'] - 1]}".replace("<i>", "&lt;i&gt;") in page
    everybody = client.get(f"/part{go.replace('tournaments', 'tournament')}/players").text
    assert everybody.count("<li>") == 7
    assert "&lt;i&gt;" in everybody
    assert "bye (1 point)" in everybody
    for nobody in ("0", "99", "x", "٣"):
        assert client.get(f"{go}/players?player={nobody}").text.count('<li><a href="?player=') == 7
