"""The kiosk over HTTP: the screens, what visitors may ask, and what only the owner may."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.vision.source_names import PUSHED
from companion.web.kiosk.attendant import Attendant
from tests.web.fake_table import JPEG, FakeTable
from tests.web.kiosk.conftest import Clocks
from tests.web.kiosk.test_attendant import HOURS, match
from tests.web.kiosk.test_folder import GAME, write

OUTCOME = {
    "winners": [1],
    "teacher": [1],
    "pupils": [],
    "tie": False,
    "why": {"text": "x", "template": "x", "parts": {}},
}


def closed(folder: Path, attendant: Attendant, clocks: Clocks) -> None:
    write(folder, HOURS)
    clocks.pass_by(2 * 3600)
    attendant.tick()


def test_the_beginning_stands_at_the_tables_address_and_leads_nowhere_else(
    visitor: FlaskClient, table: FakeTable
) -> None:
    table.change(match=None)
    page = visitor.get("/").get_data(as_text=True)
    assert 'data-kiosk="attract"' in page
    assert "Throw for virtues" in page
    for way_out in ("/new", "/matches", "/camera", "/calibrate", "/kiosk"):
        assert f'href="{way_out}"' not in page


def test_while_it_is_played_the_table_is_shown_without_ways_out(visitor: FlaskClient) -> None:
    page = visitor.get("/").get_data(as_text=True)
    assert 'data-kiosk="table"' in page
    assert 'id="headline"' in page
    assert "<nav" not in page


@pytest.mark.parametrize("path", ["/new", "/matches", "/matches/1", "/camera", "/calibrate", "/kiosk", "/owner/health"])
def test_the_owners_pages_answer_with_the_form_for_the_pin(visitor: FlaskClient, path: str) -> None:
    asked = visitor.get(path)
    assert asked.status_code == 401
    page = asked.get_data(as_text=True)
    assert 'name="pin"' in page
    assert "<nav" not in page
    assert "<nav" not in visitor.get("/nowhere").get_data(as_text=True)


def test_the_owner_has_the_pages_with_their_navigation(visitor: FlaskClient) -> None:
    visitor.post("/api/owner", json={"pin": "314159"})
    asked = visitor.get("/matches")
    assert asked.status_code == 200
    assert "<nav" in asked.get_data(as_text=True)
    assert "data-kiosk" not in asked.get_data(as_text=True)
    assert 'data-camera="push"' in visitor.get("/camera").text, "the kiosk's owner chooses its camera on the page too"


def test_the_kiosks_own_screen_is_a_camera_without_the_owners_session_and_no_other_device_is(
    visitor: FlaskClient, table: FakeTable
) -> None:
    elsewhere = {"REMOTE_ADDR": "192.168.1.7"}
    refused = visitor.post("/api/frames", data=JPEG, content_type="image/jpeg", environ_overrides=elsewhere)
    assert (refused.status_code, table.frames) == (401, [])
    assert visitor.post("/api/frames", data=JPEG, content_type="image/jpeg").status_code == 204
    table.change(match=None, camera={**table.snapshot().data["camera"], "source": PUSHED["push"]})
    assert "camera/resume.js" in visitor.get("/").text


def test_the_closed_page_says_when_it_opens_and_takes_no_pictures(
    visitor: FlaskClient, folder: Path, attendant: Attendant, table: FakeTable, clocks: Clocks
) -> None:
    closed(folder, attendant, clocks)
    page = visitor.get("/").get_data(as_text=True)
    assert "It opens on Sunday at 11:00." in page
    visitor.post("/api/owner", json={"pin": "314159"})
    refused = visitor.post("/api/frames", data=JPEG, content_type="image/jpeg")
    assert refused.status_code == 409
    assert table.frames == []
    assert visitor.post("/api/kiosk/begin", json={"game": "ludus-regularis", "players": 2}).status_code == 409


def test_visitors_begin_without_a_pin_and_without_a_name(visitor: FlaskClient, table: FakeTable) -> None:
    table.change(match=None)
    answer = visitor.post("/api/kiosk/begin", json={"game": "ludus-regularis", "players": 3})
    assert answer.status_code == 200
    assert table.events[-1][1]["players"] == ["Blue", "Red", "Green"]


def test_a_single_visitor_plays_against_the_program(visitor: FlaskClient, table: FakeTable) -> None:
    table.change(match=None)
    page = visitor.get("/").get_data(as_text=True)
    assert 'data-counts="1 2 3 4"' in page
    answer = visitor.post("/api/kiosk/begin", json={"game": "ludus-regularis", "players": 1})
    assert answer.status_code == 200
    begun = table.events[-1][1]
    assert (begun["players"], begun["programs"]) == (["Blue", "The machine"], [2])
    assert "men_by" not in begun


def test_the_program_lifts_no_men_for_a_single_visitor(
    visitor: FlaskClient, table: FakeTable, folder: Path, attendant: Attendant
) -> None:
    write(folder, '[[games]]\ngame = "tables/zeno"\n')
    write(folder, 'program = "The museum"', "texts.en.toml")
    attendant.tick()
    table.change(match=None)
    assert visitor.post("/api/kiosk/begin", json={"game": "tables/zeno", "players": 1}).status_code == 200
    begun = table.events[-1][1]
    assert (begun["players"], begun["programs"], begun["men_by"]) == (["White", "The museum"], [2], "tapped")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ([], 400),
        ({"game": "ludus-regularis", "players": "2"}, 400),
        ({"game": "ludus-regularis", "players": True}, 400),
        ({"game": "tables/zeno", "players": 2}, 404),
        ({"game": "ludus-regularis", "players": 0}, 409),
        ({"game": "ludus-regularis", "players": -1}, 409),
        ({"game": "ludus-regularis", "players": 99}, 409),
    ],
)
def test_what_is_not_offered_is_refused(visitor: FlaskClient, table: FakeTable, body: object, status: int) -> None:
    answer = visitor.post("/api/kiosk/begin", json=body)
    assert answer.status_code == status
    assert answer.get_json()["error"].endswith(".")
    assert table.events == []


def test_looking_changes_nothing(visitor: FlaskClient, table: FakeTable) -> None:
    version = table.snapshot().version
    for path in ("/", "/api/kiosk", "/api/kiosk/attract/2", "/api/kiosk/souvenir/1.svg", "/kiosk"):
        visitor.get(path)
    for path in ("/api/kiosk/begin", "/api/kiosk/leave", "/api/kiosk/here"):
        assert visitor.get(path).status_code == 405
    assert table.snapshot().version == version


def test_another_sites_page_cannot_send_visitors_away(visitor: FlaskClient, table: FakeTable) -> None:
    for path in ("/api/kiosk/begin", "/api/kiosk/leave", "/api/kiosk/here"):
        assert visitor.post(path, json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert table.events == []


def test_the_figures_are_the_owners(visitor: FlaskClient) -> None:
    assert visitor.get("/api/kiosk/statistics").status_code == 401
    visitor.post("/api/owner", json={"pin": "314159"})
    answer = visitor.get("/api/kiosk/statistics").get_json()
    assert answer["days"] == {}
    assert answer["health"]["faults"] == []


def test_the_owner_sees_what_is_wrong_with_the_files(visitor: FlaskClient, folder: Path, attendant: Attendant) -> None:
    write(folder, f"idle = 3\n{GAME}")
    attendant.tick()
    visitor.post("/api/owner", json={"pin": "314159"})
    (fault,) = visitor.get("/api/kiosk/statistics").get_json()["health"]["faults"]
    assert "kiosk.toml has idle" in fault["text"]


def test_a_souvenir_is_there_for_each_player_once_the_match_is_over(visitor: FlaskClient, table: FakeTable) -> None:
    assert visitor.get("/api/kiosk/souvenir/1.svg").status_code == 404
    table.change(match=match(), outcome=OUTCOME)
    drawn = visitor.get("/api/kiosk/souvenir/1.svg")
    assert drawn.mimetype == "image/svg+xml"
    assert drawn.headers["Cache-Control"] == "no-store"
    assert visitor.get("/api/kiosk/souvenir/7.svg").status_code == 404


def test_the_players_of_the_game_that_plays_itself_are_called_as_visitors_are(
    visitor: FlaskClient, folder: Path, attendant: Attendant
) -> None:
    write(folder, 'players = ["Notker", "Hrotsvit", "Wibold", "Gerbert"]', "texts.en.toml")
    attendant.tick()
    played = visitor.get("/api/kiosk/attract/0").get_json()
    assert played["names"] == {"1": "Notker", "2": "Hrotsvit"}
    sentences = " ".join(moment["sentence"]["text"] for moment in played["moments"])
    assert "Player" not in sentences
    assert "Notker" in sentences


def test_visitors_go_from_a_course_to_the_problems_and_find_no_way_out(visitor: FlaskClient, table: FakeTable) -> None:
    table.change(match=None)
    assert 'href="/problems"' in visitor.get("/learn/tables").text
    for path in ("/problems", "/problems/1"):
        page = visitor.get(path).text
        assert 'data-kiosk="attract"' in page, "after the idle time it goes back to the beginning"
        assert not any(f'href="{way}"' in page for way in ("/learn", "/position", "/riddle", "/new"))
