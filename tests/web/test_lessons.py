"""The courses as pages: the list, a course in the reader's language, and what a line of acts leads to."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.lessons.course import courses
from companion.web import create_app
from tests.web.fake_table import FakeTable


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()


def answer(client: FlaskClient, address: str, *line: str) -> dict[str, Any]:
    reply = client.post(f"/api/lessons/{address}", json={"line": line})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = json.loads(reply.text)
    return found


def test_the_list_leads_to_every_course_and_the_start_page_to_the_list(client: FlaskClient) -> None:
    page = client.get("/learn").text
    for name in courses():
        assert f'href="/learn/{name}"' in page
        assert client.get(f"/learn/{name}").status_code == 200
    assert 'href="/learn"' in client.get("/start").text


def test_a_course_comes_in_the_readers_language(client: FlaskClient) -> None:
    english, german = (client.get("/learn/ludix", headers={"Accept-Language": code}).text for code in ("en", "de"))
    idea = str(courses()["ludix"].steps[0].idea)
    assert idea in english
    assert idea not in german


def test_the_board_shows_a_move_and_the_other_sides_reply(client: FlaskClient) -> None:
    wrong = answer(client, "tables/1", "throw", "a-b", "a-d")
    assert wrong["verdict"] == "wrong"
    assert wrong["board"]["last"] == [{"from": "a", "to": "b"}, {"from": "a", "to": "d"}]
    assert wrong["board"]["men"]["d"] == {"1": 1}
    assert wrong["reply"]["board"]["men"]["d"] == {"2": 1}
    assert wrong["reply"]["dice"]["faces"] == {"1": "5", "2": "4"}


def test_captures_are_named_and_never_listed(client: FlaskClient) -> None:
    moved = answer(client, "rithmomachia/2", "d2-d4")
    assert moved["verdict"] == "open"
    assert "encounter" in moved["board"]["claims"]
    assert [one["text"] for one in moved["choices"]] == ["done"]
    assert answer(client, "rithmomachia/2", "d2-d4", "takes d6 by assault")["verdict"] == "refused"
    done = answer(client, "rithmomachia/2", "d2-d4", "takes d6 by encounter")
    assert done["verdict"] == "done"
    assert "d6" not in done["board"]["men"]


def test_a_question_offers_its_answers_until_the_right_one(client: FlaskClient) -> None:
    assert answer(client, "ludus-regularis/1")["throws"]
    asked = answer(client, "ludus-regularis/1", "throw")
    assert [one["site"] for one in asked["taps"]] == ["1.1.1", "1.2.2", "1.2.3", "1.3.3"]
    assert answer(client, "ludus-regularis/1", "throw", "1.1.1")["taps"]
    assert not answer(client, "ludus-regularis/1", "throw", "1.2.3")["taps"]


@pytest.mark.parametrize(
    ("address", "body", "status", "part"),
    [
        ("chess/1", {"line": []}, 404, "There is no course chess."),
        ("ludix/9", {"line": []}, 404, "This course has 4 steps, but not step 9."),
        ("ludix/1", {"line": "throw"}, 400, "line"),
        ("ludix/1", {}, 400, "line"),
        ("ludix/1", {"line": ["throw"] * 99}, 400, "line"),
        ("ludix/1", {"line": ["x" * 500]}, 400, "line"),
    ],
)
def test_a_bad_request_gets_one_sentence(
    client: FlaskClient, address: str, body: dict[str, Any], status: int, part: str
) -> None:
    reply = client.post(f"/api/lessons/{address}", json=body)
    assert reply.status_code == status
    assert part in json.loads(reply.text)["error"]


def test_a_course_that_does_not_exist_is_not_found(client: FlaskClient) -> None:
    assert client.get("/learn/chess").status_code == 404


def test_the_rules_of_a_game_lead_to_its_course(client: FlaskClient) -> None:
    assert json.loads(client.get("/api/rules/tables/zeno").text)["course"] == "tables"
