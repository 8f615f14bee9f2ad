"""A phone through its encrypted listener: it may send pictures, and nothing else of the table is answered there."""

import contextlib
import http.client
import json
import re
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.certificate import Certificate, of_this_machine
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from companion.web.camera import phone
from companion.web.camera.phone import COOKIE, FOR_PHONES, LISTENER, PHONES, Opened
from companion.web.security import LARGEST_FRAME
from companion.web.serving import bounded, encrypted, encrypted_line
from companion.web.serving.encrypted import EncryptedListener, PhoneDoor
from companion.web.serving.server import PortTakenError
from tests.web.conftest import PIN
from tests.web.fake_table import JPEG, FakeTable

ADDRESS = "https://localhost:8443/"


def opened_door(app: Flask) -> PhoneDoor:
    door = PhoneDoor(app, 0, ())
    door.opened = Opened([ADDRESS], "AB:CD", b"root")
    return door


@pytest.fixture
def opened(app: Flask) -> Flask:
    phone.DOOR.put(app, opened_door(app))
    return app


@pytest.fixture
def there(opened: Flask) -> FlaskClient:
    """Return a browser on the phone."""
    client = opened.test_client()
    client.environ_base[LISTENER] = "yes"
    client.environ_base["wsgi.url_scheme"] = "https"
    return client


def https(client: FlaskClient, path: str, **asked: Any) -> Any:
    return client.post(path, base_url="https://localhost", **asked)


def let_in(app: Flask, there: FlaskClient) -> None:
    token = PHONES.get(app).invite().token
    assert https(there, "/api/phone/pair", json={"token": token}).status_code == 200


def answer(response: Any) -> Any:
    """Return a response's JSON."""
    return response.json


def push(client: FlaskClient, jpeg: bytes = JPEG) -> Any:
    return https(client, "/api/frames", data=jpeg, content_type="image/jpeg")


def test_a_phone_is_let_in_by_its_code_and_sends(opened: Flask, there: FlaskClient, table: FakeTable) -> None:
    assert push(there).status_code == 401
    let_in(opened, there)
    cookie = there.get_cookie(COOKIE)
    assert cookie is not None
    assert (cookie.secure, cookie.http_only, cookie.same_site, cookie.path) == (True, True, "Strict", "/")
    assert push(there).status_code == 204
    assert table.frames == [JPEG]
    reply = answer(opened.test_client().get("/api/phone"))
    assert reply["sending"]["phone"] is True
    assert reply["sending"]["ago"] < 2
    opened.test_client().post("/api/phone/dismiss", json={})
    assert push(there).status_code == 401


def test_through_the_phones_listener_nothing_else_is_answered(opened: Flask, there: FlaskClient) -> None:
    let_in(opened, there)
    answered = set()
    for rule in opened.url_map.iter_rules():
        path = rule.rule
        for part in rule.arguments:
            path = path.replace(f"<path:{part}>", "x").replace(f"<int:{part}>", "1").replace(f"<{part}>", "x")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            response = there.open(path, method=method, json={} if method != "GET" else None)
            if rule.endpoint not in FOR_PHONES and rule.endpoint != "pages.home":
                assert response.status_code == 403, (path, method)
                assert b"for a phone" in response.data
            else:
                answered.add(rule.endpoint)
            response.close()
    assert answered == FOR_PHONES | {"pages.home"}
    assert there.get("/").headers["Location"] == "/phone"


def test_the_phones_page_finds_there_whatever_it_names(there: FlaskClient) -> None:
    page = there.get("/phone").text
    named = re.findall(r'(?:src|href)="(/(?:static/|page\.css)[^"]*)"', page)
    assert len(named) > 3
    for address in named:
        response = there.get(address)
        assert response.status_code == 200, address
        response.close()


def test_codes_and_their_picture_are_the_owners(table: FakeTable) -> None:
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN)
    phone.DOOR.put(app, opened_door(app))
    client = app.test_client()
    for path in ("/api/phone", "/api/phone/code.svg"):
        assert client.get(path).status_code == 401
    for path in ("/api/phone/invite", "/api/phone/dismiss", "/api/frames/take-over"):
        assert client.post(path, json={}).status_code == 401
    assert client.post("/api/owner", json={"pin": PIN}).status_code == 200
    assert client.get("/api/phone/code.svg").status_code == 404
    assert client.post("/api/phone/invite", json={}).status_code == 200
    assert client.get("/api/phone/code.svg").status_code == 200


def test_the_code_can_be_read_and_holds_address_and_token(opened: Flask) -> None:
    client = opened.test_client()
    number = answer(client.post("/api/phone/invite", json={}))["number"]
    svg = client.get("/api/phone/code.svg").data.decode()
    assert "style" not in svg  # the page's policy lets no style through
    invited = PHONES.get(opened).invitation()
    assert invited is not None
    assert (number, invited[0].number) == (1, 1)
    assert read_code(svg) == f"{ADDRESS}phone#{invited[0].token}"


def read_code(svg: str) -> str:
    """Draw the code's strokes as a browser does, and read it with a reader of another make."""
    whole, scale = re.search(r'width="(\d+)"', svg), re.search(r"scale\((\d+)\)", svg)
    path = re.search(r'stroke="#2b1f14" d="([^"]+)"', svg)
    assert whole is not None
    assert scale is not None
    assert path is not None
    size = int(whole[1]) // int(scale[1])
    drawn = np.full((size, size), 255, np.uint8)
    x = y = 0.0
    for command, numbers in re.findall(r"([Mmh])([-\d. ]+)", path[1]):
        values = [float(value) for value in numbers.split()]
        if command == "M":
            x, y = values
        elif command == "m":
            x, y = x + values[0], y + values[1]
        else:
            drawn[int(y), int(x) : int(x + values[0])] = 0
            x += values[0]
    large = cv2.resize(drawn, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    return str(cv2.QRCodeDetectorAruco().detectAndDecode(large)[0])


@pytest.mark.parametrize("body", ["", "[]", "null", '{"token": 7}', '{"token": ""}', "[" * 100_000, '{"a":' * 50_000])
def test_what_is_no_code_lets_nobody_in(opened: Flask, there: FlaskClient, body: str) -> None:
    PHONES.get(opened).invite()
    refused = https(there, "/api/phone/pair", data=body, content_type="application/json")
    assert refused.status_code in {400, 403}
    assert answer(refused)["error"].endswith(".")
    assert there.get_cookie(COOKIE) is None
    assert PHONES.get(opened).invitation() is not None


def test_a_second_camera_is_told_of_the_first_and_may_take_over(opened: Flask, there: FlaskClient) -> None:
    let_in(opened, there)
    assert push(there).status_code == 204
    here = opened.test_client()
    refused = here.post("/api/frames", data=JPEG, content_type="image/jpeg", headers={"X-Alea-Camera": "ab12"})
    assert (refused.status_code, answer(refused)["kind"]) == (409, "other")
    assert here.post("/api/frames/take-over", json={}, headers={"X-Alea-Camera": "ab12"}).status_code == 200
    assert push(there).json["kind"] == "other"
    taken = here.post("/api/frames", data=JPEG, content_type="image/jpeg", headers={"X-Alea-Camera": "ab12"})
    assert taken.status_code == 204


def test_a_picture_too_large_is_refused_in_words_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = LiveTable(tmp_path / "journal.db", Seeing(PushedSource()))
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    large = cv2.imencode(".jpg", np.full((5500, 7300), 90, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 30])[1].tobytes()
    assert len(large) < LARGEST_FRAME
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    refused = client.post("/api/frames", data=large, content_type="image/jpeg")
    assert refused.status_code == 409
    assert answer(refused)["error"].startswith("Expected a picture of at most 10 megapixels, but it is 7300x5500")
    heavy = client.post("/api/frames", data=b"\xff\xd8" + b"0" * LARGEST_FRAME, content_type="image/jpeg")
    assert heavy.status_code == 413
    assert answer(heavy)["error"].endswith(".")


# The encrypted listener itself.


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return of_this_machine(["localhost", "127.0.0.1"], tmp_path / "phone")


@pytest.fixture
def listener(opened: Flask, certificate: Certificate) -> Iterator[int]:
    running = EncryptedListener(opened, 0, certificate, "127.0.0.1")
    yield running.start()
    running.stop()


def trusting(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.load_verify_locations(cadata=certificate.root)
    return context


def test_who_trusts_the_root_reaches_the_page_encrypted(listener: int, certificate: Certificate) -> None:
    asked = http.client.HTTPSConnection("localhost", listener, context=trusting(certificate), timeout=60)
    asked.request("GET", "/phone")
    answer = asked.getresponse()
    assert answer.status == 200
    assert b"table&#39;s camera" in answer.read()
    asked.request("POST", "/api/frames", JPEG, {"Content-Type": "image/jpeg"})
    answer = asked.getresponse()
    assert (answer.status, "phone" in json.loads(answer.read())["error"]) == (401, True)
    asked.request("GET", "/matches")
    assert asked.getresponse().status == 403
    asked.close()
    stranger = http.client.HTTPSConnection("localhost", listener, context=ssl.create_default_context(), timeout=60)
    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/phone")


def paired(opened: Flask, asked: http.client.HTTPSConnection) -> dict[str, str]:
    """Let a phone in over its own line; return the headers of its pictures."""
    body = json.dumps({"token": PHONES.get(opened).invite().token})
    asked.request("POST", "/api/phone/pair", body, {"Content-Type": "application/json"})
    answer = asked.getresponse()
    assert answer.status == 200
    answer.read()
    return {"Content-Type": "image/jpeg", "Cookie": str(answer.headers["Set-Cookie"]).partition(";")[0]}


def sent(asked: http.client.HTTPSConnection, headers: dict[str, str]) -> int:
    asked.request("POST", "/api/frames", JPEG, headers)
    answer = asked.getresponse()
    answer.read()
    return answer.status


def test_clients_that_say_nothing_do_not_keep_a_phone_out(
    opened: Flask, certificate: Certificate, listener: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four of them once took the camera away: each held a thread for as long as it was waited for."""
    monkeypatch.setattr(bounded, "HEAD_WITHIN", 3600)  # nobody is let in because one of them was given up
    context = trusting(certificate)
    with contextlib.ExitStack() as lines:

        def line(number: int) -> socket.socket:
            return lines.enter_context(
                socket.create_connection(("127.0.0.1", listener), 60, (f"127.0.0.{number % 4 + 2}", 0))
            )

        for number in range(40):
            line(number)  # says nothing at all
            line(number).sendall(b"\x16\x03\x01\x02\x00\x01")  # begins a handshake
            slow = lines.enter_context(context.wrap_socket(line(number), server_hostname="localhost"))
            slow.sendall(b"POST /api/frames HTTP/1.1\r\nHost: loc")
        asked = http.client.HTTPSConnection("localhost", listener, context=context, timeout=60)
        headers = paired(opened, asked)
        assert [sent(asked, headers) for _ in range(3)] == [204, 204, 204]
        asked.close()
        for _ in range(3):  # a new line each time
            asked = http.client.HTTPSConnection("localhost", listener, context=context, timeout=60)
            assert sent(asked, headers) == 204
            asked.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # ssl leaves their sockets to Python
def test_clients_that_hang_up_at_once_do_not_end_the_listener(certificate: Certificate, listener: int) -> None:
    """One that had gone before the server looked once ended it: no phone came in any more."""
    for _ in range(300):
        with socket.create_connection(("127.0.0.1", listener), 60) as gone:
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
    asked = http.client.HTTPSConnection("localhost", listener, context=trusting(certificate), timeout=60)
    asked.request("GET", "/phone")
    assert asked.getresponse().status == 200
    asked.close()


def test_a_paired_phone_comes_before_those_whose_requests_wait(
    opened: Flask, certificate: Certificate, listener: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = trusting(certificate)
    asked = http.client.HTTPSConnection("localhost", listener, context=context, timeout=60)
    headers = paired(opened, asked)
    let_go = threading.Event()
    monkeypatch.setattr(PHONES.get(opened), "pair", lambda _: let_go.wait(600) and "")
    with contextlib.ExitStack() as lines:
        for number in range(3 * encrypted.ENCRYPTED_THREADS):
            plain = socket.create_connection(("127.0.0.1", listener), 60, (f"127.0.0.{number % 4 + 2}", 0))
            one = lines.enter_context(context.wrap_socket(lines.enter_context(plain), server_hostname="localhost"))
            one.sendall(
                b"POST /api/phone/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b'Content-Length: 13\r\n\r\n{"token": ""}'
            )
        try:
            assert [sent(asked, headers) for _ in range(3)] == [204, 204, 204]
        finally:
            let_go.set()
    asked.close()


def test_a_large_answer_and_a_large_picture_go_through_whole(
    opened: Flask, certificate: Certificate, listener: int
) -> None:
    """Records of TLS are parts of both: what a record leaves over is reported by no poll."""
    asked = http.client.HTTPSConnection("localhost", listener, context=trusting(certificate), timeout=60)
    headers = paired(opened, asked)
    asked.request("GET", "/api/setup?scripts=table/table.js")
    answer = asked.getresponse()
    assert len(answer.read()) == int(answer.headers["Content-Length"]) > encrypted_line.LARGEST_RECORD
    noise = np.random.default_rng(1).integers(0, 256, (1500, 1500, 3), np.uint8)
    large = cv2.imencode(".jpg", noise)[1].tobytes()
    assert 40 * encrypted_line.LARGEST_RECORD < len(large) < LARGEST_FRAME
    asked.request("POST", "/api/frames", large, headers)
    assert asked.getresponse().status == 204
    asked.close()


def test_a_certificate_is_replaced_while_the_listener_runs(
    opened: Flask, certificate: Certificate, tmp_path: Path
) -> None:
    running = EncryptedListener(opened, 0, certificate, "127.0.0.1")
    port = running.start()
    other = of_this_machine(["localhost"], tmp_path / "other")
    running.show(other)
    for trusted in (other, certificate):
        asked = http.client.HTTPSConnection("localhost", port, context=trusting(trusted), timeout=60)
        refused = pytest.raises(ssl.SSLCertVerificationError) if trusted is certificate else contextlib.nullcontext()
        with refused:
            asked.request("GET", "/phone")
            assert asked.getresponse().status == 200
        asked.close()
    running.stop()


def test_a_port_that_is_taken_is_said(opened: Flask, certificate: Certificate) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        running = EncryptedListener(opened, taken.getsockname()[1], certificate, "127.0.0.1")
        with pytest.raises(PortTakenError, match="--phone-port"):
            running.start()
