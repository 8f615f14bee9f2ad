"""A class at a table: who joins by the code taps in or watches as the teacher says, and nothing of a pupil is kept."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.desk.table.command_types import TABLE_COMMANDS
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.classroom.room import HERE_FOR, MOST_PUPILS, OPEN_FOR, Classroom, ClassroomError
from companion.web.classroom.visiting import CLASSROOM
from tests.web.conftest import PIN
from tests.web.test_who import STRANGER, TIMED, kiosk

NAME = "Zwackelmann"
DICE = {"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path / "journal.db")
    made.start()
    assert made.command("new_match", {**TIMED, "dice_by": "tapped"}, "tests").ok
    yield made
    made.stop()


@pytest.fixture
def app(table: LiveTable, tmp_path: Path) -> Flask:
    settings = SettingsFile(tmp_path / "settings.json")
    return create_app(table, trusted_hosts=["localhost"], owner_pin=PIN, settings=settings)


@pytest.fixture
def teacher(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/api/owner", json={"pin": PIN}).status_code == 200
    return client


@pytest.fixture
def phone(app: Flask) -> Callable[..., FlaskClient]:
    """Return a maker of phones; one with a name has joined."""

    def make(name: str = "") -> FlaskClient:
        client = app.test_client()
        if name:
            answer = client.post("/api/classroom/join", json={"code": code(app), "name": name})
            assert answer.status_code == 200, answer.get_json()
        return client

    return make


def code(app: Flask) -> str:
    return CLASSROOM.get(app).code


def order(client: FlaskClient, act: str, **body: Any) -> Any:
    return client.post(f"/api/owner/classroom/{act}", json=body)


def throw(client: FlaskClient) -> int:
    return client.post("/api/command/throw", json={"faces": DICE}, environ_overrides=STRANGER).status_code


def test_pupils_watch_until_they_may_tap_and_strangers_watch_in_any_case(
    teacher: FlaskClient, phone: Callable[..., FlaskClient], table: LiveTable
) -> None:
    stranger = phone()
    assert throw(stranger) == 200, "without a class anyone plays"
    assert stranger.get("/api/classroom").get_json() == {"open": False}
    assert not [word for word in ("data-part", "class-bar", "classroom/") if word in stranger.get("/").text]
    assert order(teacher, "open").status_code == 200
    lena = phone("Lena")
    for client, sentence in ((lena, "Pupils only watch now"), (stranger, "join it at /join first")):
        answer = client.post("/api/command/throw", json={"faces": DICE})
        assert answer.status_code == 403
        assert sentence in answer.get_json()["error"]
    assert order(teacher, "tapping", on=True).status_code == 200
    assert (throw(lena), throw(stranger), throw(teacher)) == (200, 403, 200)
    for name, contract in TABLE_COMMANDS.items():
        refused = {"owner": 401, "seated": 401, "anyone": 403}[contract.who]
        answer = stranger.post(f"/api/command/{name}", json={})
        assert answer.status_code == refused, name
        answer = lena.post(f"/api/command/{name}", json={})
        hers = {403} if name in {"pause", "unpause"} else {200, 409}
        assert answer.status_code in (hers if contract.who == "anyone" else {401}), name
    assert order(teacher, "close").status_code == 200
    assert stranger.post("/api/command/unpause", json={}).status_code in {200, 409}
    assert table.snapshot().data["match"]["throws"] == 4, "three were tapped in, and Lena let the program roll"


def test_what_may_be_done_is_what_the_pages_offer(
    teacher: FlaskClient, phone: Callable[..., FlaskClient], app: Flask
) -> None:
    order(teacher, "open")
    lena, stranger = phone("Lena"), phone()
    shown = {"teacher": teacher, "lena": lena, "stranger": stranger}
    parts = {name: client.get("/api/classroom").get_json()["part"] for name, client in shown.items()}
    assert parts == {"teacher": "owner", "lena": "watches", "stranger": "guest"}
    for name, client in shown.items():
        page = client.get("/").text
        assert f'data-part="{parts[name]}"' in page
        assert ("/new" in page) == (name == "teacher")
        assert (f"{code(app)[:3]} {code(app)[3:]}" in page) == (name == "teacher")
        assert ("Lena" in page) == (name != "stranger"), "nicknames are for the class alone"
    order(teacher, "tapping", on=True)
    assert lena.get("/api/classroom").get_json()["text"].startswith("Lena, you may tap in")
    assert lena.get("/api/classroom?language=de").get_json()["text"].startswith("Lena, du darfst")
    assert 'class="resume' not in lena.get("/matches").text
    assert lena.post("/api/classroom/leave", json={}).status_code == 200
    assert lena.get("/api/classroom").get_json()["part"] == "guest"
    assert "1 pupil" not in stranger.get("/api/classroom").get_json()["here"]


def test_the_teacher_removes_one_or_all_and_a_new_code_lets_everybody_join_again(
    teacher: FlaskClient, phone: Callable[..., FlaskClient], app: Flask, table: LiveTable
) -> None:
    assert order(teacher, "tapping", on=True).status_code == 409, "no class is open"
    assert teacher.get("/api/owner/classroom/code.svg").status_code == 409
    assert "Open a class" in teacher.get("/owner/classroom").text
    order(teacher, "open")
    first = code(app)
    lena, timo = phone("Lena"), phone("  Timo   T. ")
    pupils = teacher.get("/api/owner/classroom").get_json()["pupils"]
    assert [one["name"] for one in pupils] == ["Lena", "Timo T."]
    assert b"<svg" in teacher.get("/api/owner/classroom/code.svg").data
    assert "classroom/code.svg" in teacher.get("/owner/classroom").text
    here_alone = create_app(table, trusted_hosts=["localhost"]).test_client()
    order(here_alone, "open")
    assert "classroom/code.svg" not in here_alone.get("/owner/classroom").text, "no phone can open that address"
    assert order(teacher, "remove", pupil=pupils[0]["number"]).status_code == 200
    parts = [one.get("/api/classroom").get_json()["part"] for one in (lena, timo)]
    assert parts == ["guest", "watches"]
    order(teacher, "open")
    assert code(app) != first
    assert timo.get("/api/classroom").get_json()["part"] == "guest"
    phone("Timo")
    assert order(teacher, "remove").status_code == 200
    assert teacher.get("/api/owner/classroom").get_json()["pupils"] == []
    assert order(teacher, "remove", pupil="all").status_code == 400


def test_a_course_is_offered_to_every_phone_until_the_class_ends(
    teacher: FlaskClient, phone: Callable[..., FlaskClient]
) -> None:
    assert order(teacher, "lesson", course="tables").status_code == 409
    order(teacher, "open")
    pupil = phone(NAME)
    assert pupil.get("/api/classroom").get_json()["lesson"] is None
    assert order(teacher, "lesson", course="tables").status_code == 200
    offered = pupil.get("/api/classroom?language=de", environ_overrides=STRANGER).get_json()["lesson"]
    assert offered["address"] == "learn/tables"
    assert offered["text"].startswith("Lektion: ")
    assert pupil.get(f"/{offered['address']}").status_code == 200
    assert offered["address"] in pupil.get("/").text
    assert '<option value="tables" selected>' in teacher.get("/owner/classroom").text
    for wrong, status in (("chess", 404), (7, 400)):
        assert order(teacher, "lesson", course=wrong).status_code == status
    assert order(pupil, "lesson", course=None).status_code == 401
    order(teacher, "lesson", course=None)
    assert pupil.get("/api/classroom").get_json()["lesson"] is None
    order(teacher, "lesson", course="ludix")
    order(teacher, "close")
    order(teacher, "open")
    assert phone("Other").get("/api/classroom").get_json()["lesson"] is None


def test_a_kiosk_has_no_class(table: LiveTable, tmp_path: Path) -> None:
    client = kiosk(table, tmp_path)
    assert client.post("/api/owner", json={"pin": PIN}).status_code == 200
    assert order(client, "open").status_code == 409
    assert "A kiosk asks for no names" in client.get("/owner/classroom").text


def test_nothing_of_a_pupil_reaches_a_disk_or_another_page(
    teacher: FlaskClient, phone: Callable[..., FlaskClient], table: LiveTable, tmp_path: Path
) -> None:
    order(teacher, "open")
    order(teacher, "tapping", on=True)
    client = phone(NAME)
    assert throw(client) == 200
    assert NAME in teacher.get("/").text
    assert NAME not in str(table.snapshot().data)
    assert NAME not in client.get("/api/matches/1.jsonl").text
    assert NAME not in client.get("/api/state").text
    cookie = client.get_cookie("alea_owner")
    assert cookie is not None
    assert cookie.expires is None, "it ends with the browser"
    assert NAME not in str(cookie)
    table.stop()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if NAME.encode() in path.read_bytes()]


UNFIT = ["", "   ", "x" * 21, "a\u202eb", "a\x00b", "line\u2028line\u2028" * 3]
UNFIT += ["a\u200bb", "\u0301", "\u0e47" * 20, "Z" + 4 * "\u0301", "\ufdfd", "\u3164", "\u2800\u115f"]


@pytest.mark.parametrize("name", UNFIT)
def test_a_nickname_is_one_short_line(name: str) -> None:
    room = Classroom()
    right = room.open()
    with pytest.raises(ClassroomError, match="1 to 20"):
        room.join(right, name, "10.0.0.1")


def test_codes_are_guessed_as_slowly_as_pins_and_a_new_code_ends_the_waits(app: Flask, teacher: FlaskClient) -> None:
    order(teacher, "open")
    client = app.test_client()
    CLASSROOM.get(app)._tries._clock = lambda: 0.0  # a busy machine may take longer than the first wait lasts
    wrong = "000001" if code(app) == "000000" else "000000"

    def joins(tried: str) -> Any:
        body = {"code": tried, "name": "Lena"}
        return client.post("/api/classroom/join", json=body, environ_overrides=STRANGER)

    assert [joins(wrong).status_code for _ in range(3)] == [403, 403, 403]
    waits = joins(code(app))
    assert waits.status_code == 429, "while one has to wait, the right code is not looked at either"
    assert int(waits.headers["Retry-After"]) >= 1
    order(teacher, "open")
    assert joins(f" {code(app)[:3]} {code(app)[3:]}").status_code == 200
    again = app.test_client().post("/api/classroom/join", json={"code": code(app), "name": "LENA"})
    assert "has this nickname" in again.get_json()["error"]
    assert joins("9" * 99).status_code == 400


def test_a_class_ends_by_itself_and_who_is_away_makes_room() -> None:
    now = [0.0]
    room = Classroom(lambda: now[0])
    right = room.open()
    room.let_tap(on=True)
    tokens = [room.join(right, f"pupil {number}", f"10.0.0.{number}") for number in range(MOST_PUPILS)]
    now[0] += HERE_FOR / 2
    for token in tokens[1:]:
        assert room.pupil(token) is not None
    now[0] += HERE_FOR / 2 + 1
    assert len(room.pupils()) == MOST_PUPILS - 1
    room.join(right, "pupil 0", "10.0.0.99")
    assert room.pupil(tokens[0]) is None, "who was away for longest"
    assert room.pupil("nobody") is room.pupil(None) is None
    now[0] = OPEN_FOR + 1
    assert (room.code, room.tapping, room.pupils(), room.pupil(tokens[1])) == ("", False, [], None)
    with pytest.raises(ClassroomError, match="No class"):
        room.join(right, "late", "10.0.0.1")


ALIKE = [
    ("Kid 2", "\u041aid 2"),
    ("Kid 2", "kid\u00a0\u2461"),
    ("Kid 1", "Kid l"),
    ("Anna", "\uff21nna"),
    ("ANNA", "\u0391\u039d\u039d\u0391"),
    ("Tim", "T\u0456m"),
    ("Lena", "Le\u0301na"),
    ("Lena", "Le\u3164na"),
]


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_two_nicknames_that_look_alike_are_one(first: str, second: str) -> None:
    for mine, other in ((first, second), (second, first)):
        room = Classroom(lambda: 0.0)
        right = room.open()
        room.join(right, mine, "10.0.0.1")
        with pytest.raises(ClassroomError, match="has this nickname"):
            room.join(right, other, "10.0.0.2")


def test_nicknames_of_all_scripts_are_taken() -> None:
    room = Classroom(lambda: 0.0)
    right = room.open()
    names = ["Zoë", "Ирина", "Ἑλένη", "محمد", "हिन्दी", "Nguyễn", "กุ้ง", "李小龍", "👍🏽", "Ø 12"]
    for name in names:
        room.join(right, name, "10.0.0.1")
    assert [one.name for one in room.pupils()] == names


def test_one_phone_is_one_pupil_however_often_it_joins(
    teacher: FlaskClient, phone: Callable[..., FlaskClient], app: Flask
) -> None:
    order(teacher, "open")
    client = phone("Lena")
    for name in ("Lena", "LENA", "Maya"):
        body = {"code": code(app), "name": name}
        assert client.post("/api/classroom/join", json=body).status_code == 200
    pupils = teacher.get("/api/owner/classroom").get_json()["pupils"]
    assert pupils == [{"number": 1, "name": "Maya"}]


def test_who_joins_again_and_again_pushes_nobody_out() -> None:
    """Sixty names of one phone once took the places of a whole class within a second."""
    room = Classroom(lambda: 0.0)
    right = room.open()
    class_of = [room.join(right, f"pupil {number}", "10.0.0.1") for number in range(25)]
    for number in range(25, MOST_PUPILS):
        room.join(right, f"x{number}", "10.0.0.1")
    with pytest.raises(ClassroomError, match="no more can join"):
        room.join(right, "late", "10.0.0.1")
    assert all(room.pupil(token) for token in class_of)
