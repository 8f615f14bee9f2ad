"""What a stranger on the network gets from the organiser's desk: every address is asked, by every method."""

import re
from pathlib import Path

from flask.testing import FlaskClient

from tests.hall.test_tournament import hall_app

OPEN = {"/api/owner", "/api/owner/leave"}
"""What takes something from anybody: the owner's PIN, and that somebody is the owner no longer."""

PUBLIC = {
    *(
        "/",
        "/wall",
        "/asked",
        "/asked.csv",
        "/class",
        "/tournaments",
        "/tournaments/<int:number>",
        "/tournaments/<int:number>/players",
        "/tournaments/<int:number>/standings.<kind>",
    ),
    *(
        "/part/<name>",
        "/part/tournament/<int:number>",
        "/part/tournament/<int:number>/players",
        "/api/state",
        "/api/events",
        "/api/setup",
        "/healthz",
    ),
    *("/favicon.ico", "/manifest.webmanifest", "/offline", "/page.css", "/service-worker.js"),
    "/static/<path:filename>",
}
"""What anybody may watch."""

OF_OWNER = {"/join"}
"""What only the owner sees, where the hall has a code (`tests.hall.test_direct_pages`)."""


def address(rule: str) -> str:
    return re.sub(r"<[^>]+>", "north", re.sub(r"<int:[^>]+>", "1", rule))


def ways(client: FlaskClient) -> list[tuple[str, str]]:
    rules = client.application.url_map.iter_rules()
    return [(method, one.rule) for one in rules for method in sorted((one.methods or set()) - {"HEAD", "OPTIONS"})]


def test_a_stranger_changes_nothing_at_the_desk_and_watches_what_is_public(book_url: str, tmp_path: Path) -> None:
    client = hall_app(book_url, tmp_path, "2718").test_client()
    refused = 0
    for method, rule in ways(client):
        if method == "GET":
            assert rule in PUBLIC | OF_OWNER
            continue
        answer = client.open(address(rule), method=method, json={})
        if rule not in OPEN:
            assert answer.status_code == 401, (method, rule)
            refused += 1
    assert refused > 5
    assert client.post("/api/owner", json={"pin": "1111"}).status_code in {401, 403}
    assert client.post("/api/class/pause", json={}).status_code == 401, "a wrong PIN opens nothing"


def test_no_address_of_the_desk_answers_under_another_name(book_url: str, tmp_path: Path) -> None:
    client = hall_app(book_url, tmp_path, "2718").test_client()
    for method, rule in ways(client):
        answer = client.open(address(rule), method=method, headers={"Host": "elsewhere"})
        assert answer.status_code == 400, (method, rule)
