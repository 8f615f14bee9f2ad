"""The problems as pages: the list, the one of the day, a problem in the reader's language, and answers."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.problems.judging import first_line, step_of
from companion.problems.problem import KINDS, Kind, Problem, of_the_day, shipped
from companion.web import create_app
from tests.web.fake_table import FakeTable


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()


def first(kind: Kind) -> Problem:
    return next(problem for problem in shipped() if problem.kind == kind)


def answer(client: FlaskClient, problem: Problem, *line: str) -> dict[str, Any]:
    said = client.post(f"/api/problems/{problem.number}", json={"line": [*first_line(problem), *line]})
    assert said.status_code == 200, said.text
    found: dict[str, Any] = json.loads(said.text)
    return found


def test_the_list_leads_to_every_problem_and_to_that_of_today(client: FlaskClient) -> None:
    before = of_the_day(datetime.now(UTC).date()).number
    page = client.get("/problems").text
    after = of_the_day(datetime.now(UTC).date()).number
    for problem in shipped():
        assert f'href="/problems/{problem.number}" data-problem' in page
    assert any(f'id="today" href="/problems/{number}"' in page for number in (before, after))
    assert 'href="/riddle"' in page
    assert 'href="/problems"' in client.get("/start").text
    assert 'href="/problems"' in client.get("/learn").text


@pytest.mark.parametrize("kind", KINDS)
def test_a_problem_comes_in_the_readers_language_and_leads_on_to_one_alike(client: FlaskClient, kind: Kind) -> None:
    problem = first(kind)
    pages = {code: client.get(f"/problems/{problem.number}?language={code}").text for code in ("en", "de", "fr", "es")}
    task = str(step_of(problem).task)
    assert [code for code, page in pages.items() if task in page] == ["en"]
    following = pages["en"].partition('data-following="')[2].partition('"')[0].split()
    assert str(problem.number) not in following
    assert {shipped()[int(number) - 1].kind for number in following} <= {kind}


@pytest.mark.parametrize("kind", KINDS)
def test_the_right_answer_is_told_with_its_reason(client: FlaskClient, kind: Kind) -> None:
    problem = first(kind)
    told = answer(client, problem, *problem.right[0])
    assert told["verdict"] == "done"
    assert told["sentence"]


def test_captures_are_told_with_their_arithmetic_and_not_listed_before(client: FlaskClient) -> None:
    problem = first("take")
    assert not any("takes" in one["text"] for one in answer(client, problem)["choices"])
    told = answer(client, problem, *problem.right[0])
    assert "=" in told["sentence"]
    assert told["player"] == problem.player


def test_the_dice_of_a_question_lie_on_the_table(client: FlaskClient) -> None:
    problem = first("odds")
    asked = answer(client, problem)
    assert asked["dice"] == {"set": "wibold", "faces": dict(problem.shows)}
    assert [tap["site"] for tap in asked["taps"]] == ["0", "1", "2", "3", "4"]
    wrong = next(tap["site"] for tap in asked["taps"] if tap["site"] != problem.right[0][0])
    assert answer(client, problem, wrong)["verdict"] == "wrong"


def test_a_problem_or_line_that_does_not_exist_gets_one_sentence(client: FlaskClient) -> None:
    for number in (0, len(shipped()) + 1):
        assert client.get(f"/problems/{number}").status_code == 404
        said = client.post(f"/api/problems/{number}", json={"line": []})
        assert said.status_code == 404
        assert str(number) in json.loads(said.text)["error"]
    for body in ({}, {"line": "throw"}, {"line": ["throw"] * 99}, {"line": ["x" * 500]}):
        assert client.post("/api/problems/1", json=body).status_code == 400
