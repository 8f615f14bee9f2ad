"""The pages of a hall without a broker: the desk shows its code to the owner, and a table's owner joins by it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.hall.desk.watch import HallWatch
from companion.hall.direct.joining import file_of, read_membership
from companion.hall.settings import HallSettings
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.hall.app import create_hall_app
from companion.web.owner.hall_place import PLACE, HallPlace
from tests.hall.direct_hall import DirectHall
from tests.hall.listening import hashes, soon
from tests.hall.tables import MATCH, roll, table_at

PIN = "2468"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[DirectHall]:
    made = DirectHall(tmp_path / "hall")
    yield made
    made.stop()


@contextmanager
def at_table(
    journal: Path, table: LiveTable, settings: HallSettings | None = None, *, sample: bool = False
) -> Iterator[FlaskClient]:
    """Give the client of a running table's owner."""
    app = create_app(table, trusted_hosts=["localhost"], settings=SettingsFile())
    place = HallPlace(app, table, None, journal, settings, sample=sample)
    PLACE.put(app, place)
    place.start()
    try:
        yield app.test_client()
    finally:
        place.stop()


@pytest.fixture
def desk(hall: DirectHall) -> Flask:
    soon(lambda: Path(hall.book).exists())
    by_code = hall.members, hall.server
    return create_hall_app(HallWatch(hall.book, "club"), by_code=by_code, trusted_hosts=["localhost"], owner_pin=PIN)


def test_a_tables_owner_joins_and_leaves_on_the_page(hall: DirectHall, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table:
        assert table.command("new_match", MATCH, "tests").ok
        with at_table(journal, table) as owner:
            assert "Join the hall" in owner.get("/owner/hall").text
            asked = {"address": hall.address, "code": hall.members.code.lower(), "table": "7", "names": True}
            wrong = owner.post("/api/owner/hall/join", json={**asked, "code": "7KQM-2XD9-P4TN"})
            assert (wrong.status_code, "another code" in wrong.get_json()["error"]) == (409, True)
            assert owner.post("/api/owner/hall/join", json=asked).get_json()["ok"]
            roll(table, 2)
            soon(lambda: hall.events("7") == hashes(journal))
            page = owner.get("/owner/hall").text
            assert "This table is 7 in the hall club." in page
            assert "The hall knows the players' names." in page.replace("&#39;", "'")
        with at_table(journal, table) as owner:  # the next start
            assert "This table is 7 in the hall club." in owner.get("/owner/hall").text
            roll(table, 1)
            soon(lambda: hall.events("7") == hashes(journal))
            assert owner.post("/api/owner/hall/leave", json={}).get_json()["ok"]
            assert "Join the hall" in owner.get("/owner/hall").text
            assert read_membership(journal) is None
            soon(lambda: hall.status("7") == "offline")


def test_a_table_goes_on_while_its_hall_is_away_and_the_page_says_so(hall: DirectHall, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table, at_table(journal, table) as owner:
        asked = {"address": hall.address, "code": hall.members.code, "table": "7"}
        assert owner.post("/api/owner/hall/join", json=asked).get_json()["ok"]
        hall.stop()
        soon(lambda: "The hall club does not answer." in owner.get("/owner/hall").text)
        assert table.command("new_match", MATCH, "tests").ok
        hall.start()
        soon(lambda: hall.events("7") == hashes(journal))
        soon(lambda: "This table is 7 in the hall club." in owner.get("/owner/hall").text)


def test_a_demonstration_and_a_table_with_a_file_do_not_join_by_a_code(hall: DirectHall, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    asked = {"address": hall.address, "code": hall.members.code, "table": "7"}
    with table_at(journal) as table:
        with at_table(journal, table, sample=True) as owner:
            assert "start your own table" in owner.post("/api/owner/hall/join", json=asked).get_json()["error"]
        with at_table(journal, table, HallSettings("museum", "north")) as owner:
            for name, body in (("join", asked), ("leave", {})):
                refused = owner.post(f"/api/owner/hall/{name}", json=body)
                assert (refused.status_code, "--hall" in refused.get_json()["error"]) == (409, True)
            assert "The table's place" in owner.get("/owner/hall").text.replace("&#39;", "'")
    assert hall.members.tables == []


def test_a_file_that_cannot_be_read_joins_nothing(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with table_at(journal) as table:
        file_of(journal).write_text(json.dumps({"hall": "club"}))
        place = HallPlace(create_app(table, trusted_hosts=["localhost"], settings=SettingsFile()), table, None, journal)
        with pytest.raises(ValueError, match="table"):
            place.start()
        assert place.seen().hall == ""


def test_only_the_owner_sees_the_code_and_removes_a_table(hall: DirectHall, desk: Flask) -> None:
    code = hall.members.code
    hall.join("north")
    stranger, owner = desk.test_client(), desk.test_client()
    page = stranger.get("/join")
    assert (page.status_code, code in page.text) == (401, False)
    for path, body in (("/api/join/code", {}), ("/api/join/remove", {"table": "north"})):
        assert stranger.post(path, json=body).status_code == 401
    assert (hall.members.code, hall.members.tables) == (code, ["north"])
    assert owner.post("/api/owner", json={"pin": PIN}).status_code == 200
    page = owner.get("/join")
    assert code in page.text
    assert hall.server.address in page.text
    assert owner.post("/api/join/remove", json={"table": "south"}).status_code == 404
    assert owner.post("/api/join/remove", json={"table": "north"}).get_json()["ok"]
    assert owner.post("/api/join/code", json={}).get_json()["ok"]
    assert hall.members.tables == []
    assert code not in owner.get("/join").text


def test_a_hall_with_a_broker_has_no_code(hall: DirectHall, desk: Flask) -> None:
    with_broker = create_hall_app(HallWatch(hall.book, "club"), trusted_hosts=["localhost"]).test_client()
    assert with_broker.get("/join").status_code == 404
    assert "/join" not in with_broker.get("/").text
    assert "/join" in desk.test_client().get("/").text
