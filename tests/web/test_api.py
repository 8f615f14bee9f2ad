"""The table over HTTP: state, commands, pictures, matches, texts."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from calibration.kit import catalogue
from companion.language import texts
from companion.language.sentence import Sentence
from companion.printing import setting
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.registry import games
from companion.web import assets
from companion.web.security import LARGEST_FRAME
from tests.web.fake_table import JPEG, FakeTable

STATIC = Path(assets.__file__).parent / "static"


def test_the_state_is_sent_once_and_then_only_when_it_changes(client: FlaskClient, table: FakeTable) -> None:
    first = client.get("/api/state")
    tag = first.headers["ETag"]
    assert first.json is not None
    assert first.json["version"] == 7
    again = client.get("/api/state", headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert again.data == b""
    table.change()
    changed = client.get("/api/state", headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.json is not None
    assert changed.json["version"] == 8
    assert changed.headers["ETag"] != tag


def test_a_commands_answer_is_the_tables(client: FlaskClient, table: FakeTable) -> None:
    faces = {"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}
    response = client.post("/api/command/throw", json={"faces": faces})
    assert response.json == {"ok": True, "sentence": Sentence("Done.").to_json(), "data": {"event": 1}}
    assert table.events == [("throw", {"faces": faces}, "owner")]


def test_a_refusal_is_one_sentence(client: FlaskClient, table: FakeTable) -> None:
    table.refusal = Sentence("The match is over.")
    response = client.post("/api/command/roll", json={})
    assert response.status_code == 409
    assert response.json is not None
    assert response.json["error"] == "The match is over."
    assert response.json["sentence"]["template"] == "The match is over."


def test_the_lights_are_told_where_there_is_a_simulated_board_of_them(
    client: FlaskClient, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/api/lights").status_code == 404
    monkeypatch.setattr(table.upkeep.leds, "shown", lambda: {"a": [200, 10, 0]})
    answer = client.get("/api/lights")
    assert answer.json == {"a": [200, 10, 0]}
    assert answer.headers["Cache-Control"] == "no-store"


def test_an_unknown_command_is_refused(client: FlaskClient, table: FakeTable) -> None:
    response = client.post("/api/command/explode", json={})
    assert response.status_code == 404
    assert table.events == []


@pytest.mark.parametrize("body", ["", "[]", "nonsense", '"text"', "{"])
def test_a_body_that_is_no_object_is_refused(client: FlaskClient, table: FakeTable, body: str) -> None:
    response = client.post("/api/command/roll", data=body, content_type="application/json")
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"].endswith(".")
    assert table.events == []


def test_too_large_a_body_is_refused(client: FlaskClient) -> None:
    response = client.post("/api/command/throw", json={"faces": {"1": "A" * 300_000}})
    assert response.status_code == 413
    large = client.post("/api/frames", data=b"\xff\xd8" + b"0" * LARGEST_FRAME, content_type="image/jpeg")
    assert large.status_code == 413


def test_pictures_come_by_their_names_only(client: FlaskClient) -> None:
    assert client.get("/api/picture/table.jpg").data == JPEG
    assert client.get("/api/picture/crop-88.jpg").data == JPEG
    for name in ("crop-99", "..%2fjournal", "crop-", "Table", "table%00"):
        assert client.get(f"/api/picture/{name}.jpg").status_code == 404
    assert client.get("/api/picture/board.jpg").status_code == 204  # no camera sees the board now


def test_a_pushed_frame_reaches_the_table(client: FlaskClient, table: FakeTable) -> None:
    assert client.post("/api/frames", data=JPEG, content_type="image/jpeg").status_code == 204
    assert table.frames == [JPEG]
    refused = client.post("/api/frames", data=b"no picture", content_type="image/jpeg")
    assert refused.status_code == 409
    assert refused.json == {"error": "This is no JPEG picture."}
    assert client.post("/api/frames", json={}).status_code == 415


def test_a_match_goes_out_and_in_as_json_lines(client: FlaskClient, table: FakeTable) -> None:
    out = client.get("/api/matches/1.jsonl")
    assert out.headers["Content-Disposition"] == 'attachment; filename="Anna-Berno-1.jsonl"'
    lines = out.get_data(as_text=True).splitlines()
    assert [json.loads(line) for line in lines] == [{"format": "alea-match"}, {"number": 1}]
    assert client.get("/api/matches/2.jsonl").status_code == 404
    taken = client.post("/api/matches", data=io.BytesIO(out.data), content_type="application/x-ndjson")
    assert taken.status_code == 200
    assert table.events == [("import", {"lines": lines}, "owner")]
    assert client.post("/api/matches", data=b"\xff\xfe", content_type="application/x-ndjson").status_code == 400


def test_the_expectation_is_the_exact_one(client: FlaskClient) -> None:
    points = client.get("/api/expected/ludus-regularis").get_json()["points"]
    known = dict(map(tuple, points))
    assert known[0] == 0
    assert known[12000] == pytest.approx(56, abs=1e-2)
    assert client.get("/api/expected/ludus-regularis/sum").get_json()["points"][-1][1] == pytest.approx(56)
    assert client.get("/api/expected/chess").status_code == 404


def test_a_ruling_changes_the_expectation(client: FlaskClient) -> None:
    asked = client.get("/api/expected/ludus-regularis?iustitia=vowel&pairs=sums&nonsense=1").get_json()["points"]
    assert asked[-1][1] == pytest.approx(55, abs=1e-2)


def test_the_setup_names_dice_and_texts(client: FlaskClient) -> None:
    setup = client.get("/api/setup").get_json()
    assert [face["text"] for face in setup["dice_sets"]["wibold"]["dice"][3]["faces"]] == [
        "BCDF",
        "GHKL",
        "MNPR",
        "STXZ",
    ]
    assert setup["pin_needed"] is False


def test_the_games_are_listed(client: FlaskClient) -> None:
    assert [game["slug"] for game in client.get("/api/games").get_json()["games"]] == list(games())


def test_an_address_that_is_not_there_says_so_in_words(client: FlaskClient) -> None:
    page = client.get("/nothing")
    assert page.status_code == 404
    assert "There is nothing at this address" in page.get_data(as_text=True)
    assert client.get("/api/nothing").get_json()["error"].startswith("There is nothing")


def test_a_fault_inside_tells_no_secrets(
    client: FlaskClient, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Any:
        raise RuntimeError("secret path /home/x")

    monkeypatch.setattr(table, "snapshot", broken)
    response = client.get("/api/state")
    assert response.status_code == 500
    assert "secret" not in response.get_data(as_text=True)


def test_both_boards_hold_every_virtue_once(client: FlaskClient) -> None:
    text = client.get("/").get_data(as_text=True)
    pairs = re.search(r'class="pairs"[^>]* data-pairs="([^"]*)"', text)
    assert pairs, "the page's script makes the second board of these"
    assert sorted(re.findall(r"[\d.]+", pairs[1])) == sorted(virtue.lot for virtue in virtues())
    for virtue in virtues():
        assert text.count(f'data-lot="{virtue.lot}"') == 1
    cells = re.findall(r'class="virtue col-(\d+) row-(\d+)"', text)
    assert len(set(cells)) == len(cells) == 56
    assert all(column in ("1", "8") or row in ("1", "22") for column, row in cells), "a cell lies within the rim"


def test_every_virtue_has_a_habit_of_its_own() -> None:
    own = texts.load("en").own
    habits = [own[f"habits.{virtue.latin}"] for virtue in virtues()]
    assert len(set(habits)) == 56


def test_every_text_that_the_scripts_use_is_in_the_catalogue() -> None:
    own = texts.load("en").own
    for script in (STATIC / "js").rglob("*.js"):
        for key in re.findall(r"""\bt\(\s*["']([\w.]+)["']""", script.read_text(encoding="utf-8")):
            assert key in own, f"{script.name}: {key}"


def test_a_sentence_is_said_in_the_language_of_the_catalogue() -> None:
    german = texts.Texts("de", {}, {"{player} throws.": "{player} wirft.", "Player {number}": "Spieler {number}"})
    nested = Sentence("{player} throws.", player=Sentence("Player {number}", number=2))
    assert german.translate(nested.to_json()) == "Spieler 2 wirft."
    assert german.translate(Sentence("Unknown here.").to_json()) == "Unknown here."


def test_what_the_page_loads_is_its_own() -> None:
    for file in STATIC.rglob("*"):
        if file.suffix in {".js", ".css"}:
            text = file.read_text(encoding="utf-8")
            assert "https://" not in text
            assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
            assert len(text.splitlines()) <= 400


def test_the_catalogue_holds_no_text_that_nobody_shows() -> None:
    rooms = (Path(assets.__file__).parent, Path(catalogue.__file__).parent, Path(setting.__file__).parent)
    kinds = {".js", ".html", ".svg", ".py", ".typ"}
    files = [file for room in rooms for file in room.rglob("*") if file.suffix in kinds]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    built = re.findall(r"(?:[`']|f\")([\w.]+[._])(?:\$?\{|')", source)  # keys put together: `dice.by_${...}`
    for key in texts.load("en").own:
        assert key in source or key.startswith((*built, "option.")), key


@pytest.mark.parametrize("path", ["/matches", "/owner/matches"])
def test_the_list_of_matches_is_shown_some_at_a_time_and_none_is_left_out(
    client: FlaskClient, table: FakeTable, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (one,) = table.matches()
    every = [one | {"id": number} for number in range(120, 0, -1)]
    monkeypatch.setattr(table, "matches", lambda first, count: every[first : first + count])
    monkeypatch.setattr(table, "match_count", lambda: len(every))
    shown: list[str] = []
    address = path
    while address:
        page = client.get(address).get_data(as_text=True)
        listed = re.findall(r'data-match="(\d+)"', page)
        assert len(listed) <= 50
        shown += listed
        further = re.search(r'rel="next" href="(\?from=\d+)"', page)
        address = f"{path}{further[1]}" if further else ""
    assert shown == [str(number) for number in range(120, 0, -1)]
    assert 'rel="prev" href="?from=0"' in client.get(f"{path}?from=50").get_data(as_text=True)
    assert client.get(f"{path}?from=9999999").status_code == client.get(f"{path}?from=x").status_code == 200
    assert 'rel="prev"' not in client.get(f"{path}?from=-5").get_data(as_text=True)
