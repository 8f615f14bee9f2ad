"""A stranger's page, a stranger's name and a stranger's guesses come to nothing."""

import contextlib
import heapq
import json
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.security import generate_password_hash

from companion.web import create_app
from companion.web.access import pin, tries
from companion.web.access.auth import GATE, IDLE_SECONDS, LONGEST_SESSION, MOST_SESSIONS, OwnerSessions
from companion.web.access.pin import PinFileError, PinGate, TooManyTriesError, keep_pin, read_pin
from companion.web.access.tries import FREE_TRIES_OF_ALL
from companion.web.owner.pages import PAGES
from companion.web.security import HEADERS
from tests.web.conftest import PIN
from tests.web.fake_table import JPEG, FakeTable

OWNER_COMMANDS = (
    "new_match",
    "resume",
    "delete_match",
    "autoplay",
    "preview_correction",
    "correct",
    "finish",
    "reset",
    "time_up",
)


def post(client: FlaskClient, path: str, data: Any = None, **headers: str) -> Any:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(path, data=json.dumps(data or {}), content_type="application/json", headers=names)


def test_the_policy_allows_nothing_inline() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert part in policy


def test_no_page_needs_anything_inline_or_from_elsewhere(client: FlaskClient) -> None:
    for path in (
        "/",
        "/new",
        "/matches",
        "/camera",
        "/calibrate",
        "/nothing",
        "/owner",
        *(f"/owner/{page}" for page in PAGES[1:]),
    ):
        text = client.get(path).get_data(as_text=True)
        assert " style=" not in text
        assert "<style" not in text
        assert "onclick" not in text
        assert "//" not in text.replace("<!doctype", "")
        for script in text.split("<script")[1:]:
            opened = script.split(">")[0]
            assert ' src="/static/' in opened or ' type="application/json"' in opened  # data, which nobody runs


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
def test_another_sites_page_gives_no_orders(client: FlaskClient, table: FakeTable, headers: dict[str, str]) -> None:
    response = post(client, "/api/command/roll", **headers)
    assert response.status_code == 403
    assert response.json["error"].endswith(".")
    assert table.events == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_gives_no_orders(client: FlaskClient, table: FakeTable, kind: str) -> None:
    assert client.post("/api/command/roll", data="{}", content_type=kind).status_code == 415
    assert table.events == []


def test_the_own_page_gives_orders(client: FlaskClient, table: FakeTable) -> None:
    response = post(client, "/api/command/roll", Origin="http://localhost", Sec_Fetch_Site="same-origin")
    assert response.status_code == 200
    assert table.events == [("roll", {}, "owner")]


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", ""])
def test_a_name_that_was_pointed_here_is_refused(client: FlaskClient, host: str) -> None:
    for path in ("/", "/api/state"):
        response = client.get(path, headers={"Host": host})
        assert response.status_code == 400
        assert response.headers["Content-Security-Policy"]


def test_names_are_never_markup(client: FlaskClient) -> None:
    text = client.get("/").get_data(as_text=True)
    assert "Berno &lt;b&gt;" in text
    assert "<b>" not in text


@pytest.mark.parametrize("name", OWNER_COMMANDS)
def test_the_owners_commands_need_the_pin_on_a_network(
    network_client: FlaskClient, table: FakeTable, name: str
) -> None:
    response = post(network_client, f"/api/command/{name}")
    assert response.status_code == 401
    assert "PIN" in response.json["error"]
    assert table.events == []


def test_import_export_and_camera_need_the_pin_on_a_network(network_client: FlaskClient, table: FakeTable) -> None:
    assert network_client.get("/api/matches/1.jsonl").status_code == 401
    assert network_client.post("/api/matches", data="{}", content_type="application/x-ndjson").status_code == 401
    assert network_client.post("/api/frames", data=JPEG, content_type="image/jpeg").status_code == 401
    assert table.events == []
    assert table.frames == []


def test_players_need_no_pin_to_play(network_client: FlaskClient, table: FakeTable) -> None:
    for name in ("throw", "roll", "answer", "dismiss", "pause", "unpause"):
        assert post(network_client, f"/api/command/{name}").status_code == 200
    assert {actor for _, _, actor in table.events} == {"page"}


def test_the_right_pin_opens_the_owners_commands(network_client: FlaskClient, table: FakeTable) -> None:
    response = post(network_client, "/api/owner", {"pin": PIN})
    assert response.status_code == 200
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert post(network_client, "/api/command/reset").status_code == 200
    assert table.events == [("reset", {}, "owner")]
    post(network_client, "/api/owner/leave")
    assert post(network_client, "/api/command/reset").status_code == 401


def test_guessing_the_pin_is_slowed(network_client: FlaskClient) -> None:
    # the waits are of a few seconds: on a busy machine the tries themselves take as long
    GATE.put(network_client.application, PinGate(PIN, clock=lambda: 0.0))
    statuses = [post(network_client, "/api/owner", {"pin": f"{guess:06d}"}).status_code for guess in range(6)]
    assert statuses == [403, 403, 403, 429, 429, 429]
    refused = post(network_client, "/api/owner", {"pin": PIN})
    assert refused.status_code == 429, "while one has to wait, the right PIN is not looked at either"
    assert int(refused.headers["Retry-After"]) >= 1


@pytest.mark.usefixtures("quick")
def test_every_wrong_pin_doubles_the_wait() -> None:
    now = [0.0]
    gate = PinGate(None, clock=lambda: now[0], kept="2718")
    waits = []
    for _ in range(2):  # these are free
        assert not gate.check("0000", "10.0.0.9", "10.0.0.9")
    for _ in range(7):
        assert not gate.check("0000", "10.0.0.9", "10.0.0.9")
        with pytest.raises(TooManyTriesError) as refused:
            gate.check("2718", "10.0.0.9", "10.0.0.9")
        waits.append(refused.value.seconds)
        now[0] += refused.value.seconds
    assert waits == [1, 2, 4, 8, 16, 32, 64]
    assert gate.check("2718", "10.0.0.9", "10.0.0.9")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare PINs in plain: scrypt is slow by design, and how it is counted is not its affair."""
    monkeypatch.setattr(pin, "check_password_hash", lambda kept, tried: kept == tried)


@pytest.mark.usefixtures("quick")
def test_an_honest_pin_is_never_refused_while_others_guess() -> None:
    """39 wrong PINs of four addresses once kept every other address waiting for an hour."""
    now = [0.0]
    gate = PinGate(None, clock=lambda: now[0], kept="2718")
    honest = ("198.51.100.9", "198.51.100.9")
    guessing = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:0:ffff::7"]  # the last two are one device
    while now[0] < 3600:
        for address in guessing:
            with contextlib.suppress(TooManyTriesError):
                gate.check("0000", address, address)
        assert gate.tries.wait("198.51.100.9") <= 0
        now[0] += 0.5
    assert gate.check("2718", *honest)
    assert gate.tries.addresses == 3
    for address in guessing[:2]:
        with pytest.raises(TooManyTriesError):
            gate.check("2718", address, address)
    for _ in range(FREE_TRIES_OF_ALL):
        gate.tries.wrong("192.0.2.1")
    assert not gate.check("2719", *honest)
    with pytest.raises(TooManyTriesError):
        gate.check("2718", *honest)
    now[0] += 1  # a wrong PIN of one's own costs a second, however long the others have to wait
    assert gate.check("2718", *honest)


def test_a_device_that_gave_the_right_pin_is_not_kept_waiting_by_others_at_its_address(
    network_client: FlaskClient,
) -> None:
    gate = GATE.get(network_client.application)
    assert gate is not None
    gate.tries._clock = lambda: 0.0
    assert post(network_client, "/api/owner", {"pin": PIN}).status_code == 200
    assert post(network_client, "/api/owner/leave").status_code == 200
    for _ in range(50):
        gate.tries.wrong(tries.device("itself"))
    assert post(network_client, "/api/owner", {"pin": PIN}).status_code == 200
    network_client.delete_cookie("alea_owner")
    assert post(network_client, "/api/owner", {"pin": PIN}).status_code == 429


def test_who_guesses_through_a_proxy_keeps_nobody_at_the_device_waiting(network_client: FlaskClient) -> None:
    """A request through a proxy comes from this machine too."""
    gate = GATE.get(network_client.application)
    assert gate is not None
    gate.tries._clock = lambda: 0.0
    for proxied in ({"X_Forwarded_For": "192.0.2.1"}, {}):
        guesses = [post(network_client, "/api/owner", {"pin": "000000"}, **proxied) for _ in range(4)]
        assert [guess.status_code for guess in guesses] == [403, 403, 403, 429]


def test_a_device_that_gave_the_right_pin_guesses_as_slowly_as_others(network_client: FlaskClient) -> None:
    gate = GATE.get(network_client.application)
    assert gate is not None
    gate.tries._clock = lambda: 0.0
    assert post(network_client, "/api/owner", {"pin": PIN}).status_code == 200
    tried = [post(network_client, "/api/owner", {"pin": "000000"}).status_code for _ in range(4)]
    assert tried == [403, 403, 403, 429]


@pytest.mark.parametrize("addresses", [1, 7, 50])
def test_ten_thousand_tries_take_a_month_from_however_many_addresses(
    addresses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each address waits exactly as long as it must; the first, quick tries of all of them are not many."""
    monkeypatch.setattr(pin, "check_password_hash", lambda *_: False)
    now = [0.0]
    gate = PinGate(None, lambda: now[0], kept="scrypt:none")
    due = [(0.0, f"10.0.{number}.1") for number in range(addresses)]
    quick = addresses * 16
    for guess in range(10_000 + quick):
        now[0], address = heapq.heappop(due)
        with contextlib.suppress(TooManyTriesError):
            gate.check(f"{guess:06d}", address, address)
        heapq.heappush(due, (now[0] + max(0.0, gate.tries.wait(address)) + 1e-6, address))
    assert now[0] > 30 * 86400


def test_a_flood_of_addresses_takes_no_more_memory_than_is_set_aside() -> None:
    counted = tries.Tries()
    for number in range(tries.ADDRESSES_KEPT + 500):
        counted.wrong(str(IPv4Address(number + 2**31)))
    assert counted.addresses == tries.ADDRESSES_KEPT


def test_the_owner_is_told_who_tried_and_can_put_it_away(network_client: FlaskClient) -> None:
    gate = GATE.get(network_client.application)
    assert gate is not None
    gate.tries._clock = lambda: 0.0  # hashing takes longer on a busy machine than the first wait lasts
    for _ in range(5):
        post(network_client, "/api/owner", {"pin": "nothing"})
    assert (gate.attempts.wrong, gate.attempts.addresses, gate.attempts.locked) == (3, ("127.0.0.1",), True)
    gate.tries._of_address.clear()
    assert post(network_client, "/api/owner", {"pin": PIN}).status_code == 200
    reply = network_client.get("/owner").get_data(as_text=True)
    assert "A wrong PIN was tried 3 times." in reply
    assert post(network_client, "/api/owner/seen").status_code == 200
    assert "wrong PIN" not in network_client.get("/owner").get_data(as_text=True)


def test_a_session_ends_by_itself_and_everywhere_at_signing_out() -> None:
    now = [0.0]
    sessions = OwnerSessions(lambda: now[0])
    token = sessions.begin()
    for _ in range(20):
        now[0] += IDLE_SECONDS - 1
        assert sessions.holds(token, use=True)
    now[0] += IDLE_SECONDS - 1
    assert sessions.holds(token), "looking on is no use of it"
    now[0] += 2
    assert not sessions.holds(token)
    token = sessions.begin()
    while now[0] < 20 * IDLE_SECONDS + LONGEST_SESSION + 2 * IDLE_SECONDS and sessions.holds(token, use=True):
        now[0] += IDLE_SECONDS / 2
    assert not sessions.holds(token), "nobody stays for ever"
    many = [sessions.begin() for _ in range(MOST_SESSIONS + 3)]
    assert sum(sessions.holds(one) for one in many) == MOST_SESSIONS
    assert not any(sessions.holds(one) for one in (None, 5, "", "guess"))


def test_a_copied_cookie_is_worth_nothing_after_signing_out(network_client: FlaskClient) -> None:
    signed = post(network_client, "/api/owner", {"pin": PIN})
    cookie = signed.headers["Set-Cookie"].split(";")[0]
    thief = network_client.application.test_client(use_cookies=False)
    assert thief.get("/api/owner/health", headers={"Cookie": cookie}).status_code == 200
    post(network_client, "/api/owner/leave")
    assert thief.get("/api/owner/health", headers={"Cookie": cookie}).status_code == 401


def test_over_an_encrypted_line_the_cookie_is_for_such_lines_only(network_client: FlaskClient) -> None:
    def cookie(scheme: str) -> str:
        answer = network_client.post("/api/owner", json={"pin": PIN}, environ_overrides={"wsgi.url_scheme": scheme})
        assert answer.status_code == 200
        return answer.headers["Set-Cookie"]

    plain, secure = cookie("http"), cookie("https")
    for one in (plain, secure):
        assert "HttpOnly" in one
        assert "SameSite=Strict" in one
        assert "Path=/" in one
        assert "Expires" not in one, "it ends with the browser"
    assert "Secure" not in plain
    assert secure.startswith("__Host-alea_owner=")
    assert "Secure" in secure


def test_a_new_pin_needs_the_old_one_ends_other_sessions_and_outlives_a_restart(
    table: FakeTable, tmp_path: Path
) -> None:
    file = tmp_path / "owner-pin"

    def start() -> FlaskClient:
        kept = read_pin(file)
        made = create_app(
            table, trusted_hosts=["localhost"], owner_pin=None if kept else PIN, kept_pin=kept, pin_file=file
        )
        return made.test_client()

    client = start()
    other = client.application.test_client()
    for one in (client, other):
        assert post(one, "/api/owner", {"pin": PIN}).status_code == 200
    assert post(client, "/api/owner/pin", {"pin": "a longer one", "old": "guess"}).status_code == 403
    assert post(client, "/api/owner/pin", {"pin": "short", "old": PIN}).status_code == 400
    assert post(client, "/api/owner/pin", {"pin": "a longer one", "old": PIN}).status_code == 200
    assert client.get("/api/owner/health").status_code == 200
    assert other.get("/api/owner/health").status_code == 401
    assert "longer" not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    again = start()
    assert post(again, "/api/owner", {"pin": PIN}).status_code == 403
    assert post(again, "/api/owner", {"pin": "a longer one"}).status_code == 200


def test_the_first_pin_is_chosen_at_the_device_and_holds_at_once(client: FlaskClient) -> None:
    assert client.get("/owner").status_code == 200
    assert post(client, "/api/owner/pin", {"pin": "ludus regularis"}).status_code == 200
    assert client.get("/owner").status_code == 200, "who chose it need not type it again"
    stranger = client.application.test_client()
    assert stranger.get("/owner").status_code == 401
    assert post(stranger, "/api/owner/pin", {"pin": "my own one"}).status_code == 401


@pytest.mark.parametrize("text", ["", "\n", "abc", "x" * 129, "scrypt:torn", "scrypt:1$2"])
def test_a_file_without_a_pin_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "pin").write_text(text)
    with pytest.raises(PinFileError, match=r"\.$"):
        read_pin(tmp_path / "pin")


def test_each_guess_at_a_file_that_was_taken_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pin, "generate_password_hash", generate_password_hash)  # beside the quick one of these tests
    assert pin.hashed("271828").startswith("scrypt:32768:8:1$")


def test_a_pin_in_plain_and_its_hash_are_both_read(tmp_path: Path) -> None:
    file = tmp_path / "pin"
    assert read_pin(file) is None
    file.write_text("314159\nanything else\n")
    for _ in range(2):
        kept = read_pin(file)
        assert kept is not None
        assert PinGate(None, kept=kept).check("314159", "10.0.0.1", "10.0.0.1")
        keep_pin(file, kept)


@pytest.mark.parametrize("body", [{}, {"pin": 1}, {"pin": None}, []])
def test_a_body_without_pin_is_no_try(network_client: FlaskClient, body: Any) -> None:
    for _ in range(5):
        response = network_client.post("/api/owner", data=json.dumps(body), content_type="application/json")
        assert response.status_code == 400
