"""Two tables and the line between them, as owners use it: over HTTPS, by a code; and what a stranger gets there."""

import http.client
import json
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.hall.direct import code as code_module
from companion.hall.direct.code import new_code
from companion.hall.direct.pinned import HallRefusesError, PinnedConnection
from companion.hall.direct.proving import text_in
from companion.live.table import LiveTable
from companion.web.owner.other_table import OtherTableSeen
from companion.web.remote import match_line
from companion.web.remote.place import OtherTable
from tests.web.lined_table import PATIENCE_SECONDS, LinedTable


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LinedTable]:
    monkeypatch.setattr(code_module, "SCRYPT_N", 2**10)
    monkeypatch.setattr("companion.web.remote.match_server.MATCH_PORT", 0)
    monkeypatch.setattr("companion.web.remote.match_server.outside_addresses", lambda: ["127.0.0.1"])
    owned = LinedTable(tmp_path / "here", 1)
    yield owned
    owned.stop()


@pytest.fixture
def there(tmp_path: Path, here: LinedTable) -> Iterator[LinedTable]:
    del here  # its settings of the code hold here too
    owned = LinedTable(tmp_path / "there", 2)
    yield owned
    owned.stop()


def shared(here: LinedTable) -> OtherTableSeen:
    here.ask("new_match", game="tables/zeno", players=["Anna", "Bert"], dice_by="program")
    here.ask("share", remote=[2])
    return here.line.seen()


def test_a_table_joins_by_address_and_code_and_both_play_on(here: LinedTable, there: LinedTable) -> None:
    seen = shared(here)
    page = here.page.get("/owner/other_table").text
    assert seen.address in page
    assert seen.code in page
    assert there.join(seen.address, seen.code) == (200, "")
    for one in (here, there):
        state = one.until(lambda state: state["match"] and not state["match"]["paused"])
        assert [player["name"] for player in state["match"]["players"]] == ["Anna", "Bert"]
    assert there.table.snapshot().data["awaits"]["remote"]
    assert there.table.snapshot().data["choices"] == []
    here.ask("roll")
    here.until(lambda state: state["throw"] is not None)
    thrown = there.until(lambda state: state["throw"] is not None)["throw"]["faces"]
    assert thrown == here.table.snapshot().data["throw"]["faces"]
    assert here.line.seen().joined
    assert there.line.seen() == OtherTableSeen(joined=True)


def test_the_line_comes_back_after_either_table_was_restarted(
    here: LinedTable, there: LinedTable, tmp_path: Path
) -> None:
    seen = shared(here)
    assert there.join(seen.address, seen.code)[0] == 200
    here.until(lambda state: not state["match"]["paused"])
    here.stop()
    again = LiveTable(tmp_path / "here" / "match.db", chance=Random(3))
    again.start()
    line = OtherTable(again, tmp_path / "here" / "line")
    line.start()
    try:
        assert line.seen().code == seen.code
        assert line.seen().address == seen.address
        end = time.monotonic() + PATIENCE_SECONDS
        while again.snapshot().data["match"]["paused"]:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert again.command("roll", {}, "tests").ok
        there.until(lambda state: state["throw"] is not None)
    finally:
        line.stop()
        again.stop()


@pytest.mark.parametrize(
    ("address", "code", "why"),
    [
        ("", "7KQM-2XD9-P4TN", "Expected the other table"),
        ("one two", "7KQM-2XD9-P4TN", "Expected the other table"),
        ("127.0.0.1", "short", "Expected a code of twelve"),
        ("127.0.0.1:1", "7KQM-2XD9-P4TN", "No table answers at this address"),
    ],
)
def test_what_was_typed_wrong_is_one_sentence(there: LinedTable, address: str, code: str, why: str) -> None:
    status, error = there.join(address, code)
    assert status == 409
    assert error.startswith(why)
    assert there.table.snapshot().data["match"] is None


def test_a_wrong_code_is_never_sent_and_a_second_table_is_refused(
    here: LinedTable, there: LinedTable, tmp_path: Path
) -> None:
    seen = shared(here)
    assert there.join(seen.address, new_code())[1].startswith("The table at this address has another code")
    assert there.join(seen.address, seen.code)[0] == 200
    third = LinedTable(tmp_path / "third", 3)
    try:
        assert third.join(seen.address, seen.code)[1].startswith("Another table plays this match already")
    finally:
        third.stop()


def test_a_table_whose_answer_was_lost_joins_again(
    here: LinedTable, there: LinedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = shared(here)
    lost = [True]

    def loses(answer: object, name: str) -> str:
        if name == "start" and lost.pop():
            raise ConnectionResetError("the line ended")
        return text_in(answer, name)

    monkeypatch.setattr(match_line, "text_in", loses)
    assert there.join(seen.address, seen.code)[1].startswith("No table answers")
    assert here.line.seen().joined
    lost.append(False)
    assert there.join(seen.address, seen.code) == (200, "")


def test_a_stranger_at_the_port_learns_and_changes_nothing(here: LinedTable, there: LinedTable) -> None:
    seen = shared(here)
    assert there.join(seen.address, seen.code)[0] == 200
    here.until(lambda state: not state["match"]["paused"])
    host, _, port = seen.address.partition(":")
    match = here.table.remote.open_match
    sync = here.table.remote.newest(str(match))
    assert sync is not None
    body = msgspec.json.encode(sync)
    before = here.table.snapshot().data["log"]
    for path, key, text, status in (
        ("/sync", "", body, 401),
        ("/sync", secrets.token_urlsafe(32), body, 401),
        ("/join", "", json.dumps({"code": new_code(), "key": "k" * 40}).encode(), 403),
        ("/join", "", b"[]", 400),
        ("/join", "", b"", 400),
        ("/hello", "", b'{"nonce": "zz"}', 400),
    ):
        connection = PinnedConnection(host, int(port), None)
        with pytest.raises(HallRefusesError) as refused:
            connection.ask(path, text, key=key)
        assert refused.value.status == status, path
        connection.close()
    own = there.table.remote.lines.line(str(match))
    assert own is not None
    for text, status in ((b"{}", 400), (b'{"match": "another"}', 400), (b"\xff" * 100, 400)):
        connection = PinnedConnection(host, int(port), None)
        with pytest.raises(HallRefusesError) as refused:
            connection.ask("/sync", text, key=own.key)
        assert refused.value.status == status
        connection.close()
    connection = PinnedConnection(host, int(port), None)
    with pytest.raises((HallRefusesError, OSError, http.client.HTTPException)):
        connection.ask("/sync", b"x" * 9_000_000, key=own.key)
    connection.close()
    assert here.table.snapshot().data["log"] == before


def test_wrong_codes_are_slowed_down(here: LinedTable) -> None:
    seen = shared(here)
    host, _, port = seen.address.partition(":")
    met = set()
    for _ in range(12):
        connection = PinnedConnection(host, int(port), None)
        with pytest.raises(HallRefusesError) as refused:
            connection.ask("/join", json.dumps({"code": new_code(), "key": "k" * 40}).encode())
        met.add(refused.value.status)
        connection.close()
    assert met == {403, 429}


def test_the_line_ends_with_sharing_and_the_other_table_is_told(here: LinedTable, there: LinedTable) -> None:
    seen = shared(here)
    assert there.join(seen.address, seen.code)[0] == 200
    here.until(lambda state: not state["match"]["paused"])
    here.ask("end_sharing")
    assert here.line.seen() == OtherTableSeen()
    end = time.monotonic() + PATIENCE_SECONDS
    while there.line.seen().trouble not in (match_line.NOBODY, match_line.REFUSALS["over"]):
        assert time.monotonic() < end
        time.sleep(0.05)
    here.ask("roll")
    assert here.table.snapshot().data["throw"] is not None
