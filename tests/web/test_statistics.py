"""What many matches say together, as a page, as CSV, as a picture and as a schema: from real matches."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from flask.testing import FlaskClient

from companion.desk.page.statistics import statistics_of
from companion.live.table import LiveTable
from companion.odds.ludus_regularis import expected_curve
from companion.web import create_app

THROWS = 7
GOLDEN = Path(__file__).resolve().parents[1] / "golden"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    """A table with two whole matches of the Ludus, one of Ludix that goes on, and a hostile name."""
    table = LiveTable(tmp_path_factory.mktemp("played") / "journal.db")
    table.start()
    ending = {"ending": "throws", "throws": THROWS}
    for players in (["Anna", "Berno"], ["=1+1", "<Anna>"]):
        begun = {"game": "ludus-regularis", "players": players, "dice_by": "program", "options": ending}
        assert table.command("new_match", begun, "tests").ok
        while not table.snapshot().data["outcome"]:
            assert table.command("roll", {}, "tests").ok
    assert table.command("new_match", {"game": "ludix", "players": ["Anna", "Berno"], "dice_by": "program"}, "tests").ok
    yield table
    table.stop()


@pytest.fixture(scope="module")
def page(played: LiveTable) -> FlaskClient:
    return create_app(played, trusted_hosts=["localhost"]).test_client()


def test_the_list_says_who_won_and_by_how_much(played: LiveTable) -> None:
    ludix, last, first = played.matches()
    assert (ludix["over"], ludix["winners"], ludix["why"]) == (False, [], None)
    for line in (first, last):
        assert (line["over"], line["throws"], sum(map(len, line["prizes"]))) == (True, THROWS, sum(line["scores"]))
        best = max(line["scores"])
        if line["scores"].count(best) == 1:
            assert line["winners"] == [line["players"][line["scores"].index(best)]]


def test_the_csv_has_every_match_and_no_cell_that_a_spreadsheet_would_compute(page: FlaskClient) -> None:
    answer = page.get("/api/matches.csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["match"] for row in rows] == ["3", "2", "1"]
    assert [row["over"] for row in rows] == ["no", "yes", "yes"]
    assert rows[2]["players"] == "Anna; Berno"
    assert rows[1]["players"] == "'=1+1; <Anna>"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", rows[0]["began"])


def test_statistics_count_matches_wins_virtues_and_luck(played: LiveTable) -> None:
    lines = played.matches()
    found = statistics_of([*lines, {**lines[1], "sample": True}])
    assert found.matches == len(lines), "a demonstration counts for nobody"
    lengths = {game.title: (game.matches, game.over, game.shortest, game.longest) for game in found.games}
    assert lengths["Ludus Regularis"] == (2, 2, THROWS, THROWS)
    assert lengths["Ludix"][:2] == (1, 0)
    assert sum(player.wins for player in found.players) == sum(len(line["winners"]) for line in lines)
    assert {player.matches for player in found.players} == {1}, "a match that goes on has nobody's result"
    assert sum(times for _, times in found.prizes) == sum(sum(line["scores"]) for line in lines[1:])
    (expected,) = expected_curve("ludus-regularis", [THROWS], lines[1]["options"])
    assert [(one.throws, one.expected) for one in found.luck] == [(THROWS, expected)] * 2


def test_the_page_shows_them_and_a_journal_without_matches_is_no_fault(page: FlaskClient, tmp_path: Path) -> None:
    shown = page.get("/statistics").text
    assert shown.count("<caption>") == 4
    assert "&lt;Anna&gt;" in shown
    times = {int(found) for found in re.findall(r"<td>(\d+)</td>", shown.split("<caption>")[4])}
    assert ("<rect" in shown.split("<caption>")[4]) == (len(times) > 1), "bars that are all alike compare nothing"
    empty = create_app(LiveTable(tmp_path / "journal.db"), trusted_hosts=["localhost"]).test_client()
    assert "<caption>" not in empty.get("/statistics").text


def test_a_result_is_a_picture_with_names_scores_and_the_reason(page: FlaskClient, played: LiveTable) -> None:
    answer = page.get("/matches/2/result.svg?language=de")
    assert answer.mimetype == "image/svg+xml"
    texts = [node.text for node in ET.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}text")]
    assert {"=1+1", "<Anna>"} <= set(texts)
    assert {str(score) for score in played.matches()[1]["scores"]} <= set(texts)
    assert any("vereinbarten" in (text or "") for text in texts), "the reason in the reader's language"
    assert page.get("/matches/3/result.svg").status_code == 200
    assert page.get("/matches/99/result.svg").status_code == 404


def test_every_exported_line_keeps_to_the_schema(page: FlaskClient) -> None:
    schema = page.get("/api/schemas/match.json").get_json()
    line = jsonschema_rs.validator_for(schema)
    body = jsonschema_rs.validator_for({"$defs": schema["$defs"], "$ref": "#/$defs/Body"})
    exports = [page.get(f"/api/matches/{match}.jsonl").text for match in (1, 2, 3)]
    exports += [path.read_text(encoding="utf-8") for path in sorted(GOLDEN.rglob("*.jsonl"))]
    assert len(exports) > 5
    for text in exports:
        head, *events = [json.loads(one) for one in text.splitlines()]
        line.validate(head)
        for event in events:
            line.validate(event)
            body.validate(json.loads(event["body"]))
    assert not line.is_valid({"format": "another", "version": 1, "events": 1})
    assert not body.is_valid({"kind": "committed", "player": "Anna"})
