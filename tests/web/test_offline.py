"""The page as an app: a manifest whose icons are there, and a worker that keeps one page and answers for no match."""

import json
import re
import struct

from flask.testing import FlaskClient


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_the_manifest_names_icons_of_their_true_size(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest?language=de")
    data = json.loads(answer.data)
    assert answer.mimetype == "application/manifest+json"
    assert (data["lang"], data["short_name"], data["display"]) == ("de", "Alea", "standalone")
    assert {icon["purpose"] for icon in data["icons"]} == {"any", "maskable"}
    for icon in data["icons"]:
        with client.get(icon["src"]) as picture:
            assert "{}x{}".format(*size_of(picture.data)) == icon["sizes"]
            assert len(picture.data) < 10_000
    assert client.get(data["start_url"]).status_code == 200
    with client.get("/favicon.ico", follow_redirects=True) as sign:
        assert size_of(sign.data) == (48, 48)


def kept_by(worker: str) -> list[str]:
    (listed,) = re.findall(r"^const KEPT = (.*);$", worker, flags=re.MULTILINE)
    kept: list[str] = json.loads(listed)
    return kept


def test_the_worker_keeps_only_a_page_without_any_state_and_all_that_this_page_needs(client: FlaskClient) -> None:
    worker = client.get("/service-worker.js")
    assert worker.mimetype == "text/javascript"
    assert worker.headers["Cache-Control"] == "no-cache"
    kept = kept_by(worker.text)
    assert kept[0] == "/offline"
    assert all(address.startswith(("/offline", "/page.css", "/static/")) for address in kept)
    needed = re.findall(r'(?:src|href)="(/(?:static|page\.css)[^"]*)"', client.get("/offline").text)
    assert set(needed) == set(kept[1:])
    for address in kept:
        with client.get(address) as answer:
            assert answer.status_code == 200


def test_the_worker_changes_with_the_language_and_the_look_of_its_page(client: FlaskClient) -> None:
    plain = client.get("/service-worker.js").text
    assert client.get("/service-worker.js").text == plain
    german = client.get("/service-worker.js?language=de").text
    client.set_cookie("alea_look", "dark.")
    dark = client.get("/service-worker.js").text
    assert len({plain, german, dark}) == 3


def test_pages_name_the_manifest(client: FlaskClient) -> None:
    for path in ("/", "/start", "/matches"):
        assert 'rel="manifest"' in client.get(path).text
