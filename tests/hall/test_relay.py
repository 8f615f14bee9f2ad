"""Two tables of one hall play a match over it, by the code alone, and again after hall or table was restarted."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.hall.direct import code as code_module
from companion.hall.direct.code import new_code
from companion.hall.direct.pinned import HallRefusesError, PinnedConnection
from companion.hall.direct.relay import Relay, RelayJoining, RelayMessage, RelayOffer
from companion.live import remote_table
from companion.web.owner.other_table import OtherTableSeen
from companion.web.remote.match_line import IN_HALL, NO_CODE, NO_HALL
from tests.hall.direct_hall import DirectHall
from tests.web.lined_table import PATIENCE_SECONDS, LinedTable


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DirectHall]:
    monkeypatch.setattr(code_module, "SCRYPT_N", 2**10)
    monkeypatch.setattr("companion.web.remote.match_server.MATCH_PORT", 0)
    made = DirectHall(tmp_path / "hall")
    yield made
    made.stop()


@pytest.fixture
def tables(hall: DirectHall, tmp_path: Path) -> Iterator[list[LinedTable]]:
    made = [LinedTable(tmp_path / name, seed, hall.join(name)) for seed, name in enumerate(("one", "two"))]
    yield made
    for table in made:
        table.stop()


def share(table: LinedTable) -> str:
    table.ask("new_match", game="ludus-regularis/sum", players=["Anna", "Bert"], dice_by="program")
    table.ask("share", remote=[2])
    return table.line.seen().code


def joined(table: LinedTable, code: str) -> None:
    """Join by the code, once the other table has offered its match."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (why := table.line.join("", code)) is not None:
        assert why == IN_HALL["code"]
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_table_of_the_hall_joins_by_the_code_alone_and_the_hall_may_be_restarted(
    hall: DirectHall, tables: list[LinedTable]
) -> None:
    one, two = tables
    code = share(one)
    assert one.line.seen().hall == "club"
    joined(two, code)
    for table in tables:
        table.until(lambda state: state["match"] and not state["match"]["paused"])
    one.ask("roll")
    thrown = two.until(lambda state: state["throw"] is not None)["throw"]["faces"]
    assert thrown == one.table.snapshot().data["throw"]["faces"]
    assert one.line.seen().joined
    assert two.line.seen() == OtherTableSeen(joined=True, hall="club")
    hall.stop()
    hall.start()  # it has forgotten the match, and who plays it
    two.until(lambda state: state["awaits"]["player"] == 2 and not state["match"]["paused"])
    two.ask("roll")
    one.until(lambda state: state["match"]["throws"] == 2)


def test_a_table_that_is_away_is_noticed_over_a_hall_too(
    tables: list[LinedTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tables
    joined(two, share(one))
    one.until(lambda state: not state["match"]["paused"])
    monkeypatch.setattr(remote_table, "AWAY_AFTER_SECONDS", 2.0)
    two.line.stop()
    lost = "line to the other table is lost"
    one.until(lambda state: state["match"]["paused"] and lost in state["other_table"]["sentence"]["text"])


def test_what_is_wrong_is_one_sentence(hall: DirectHall, tables: list[LinedTable]) -> None:
    one, two = tables
    share(one)
    assert two.line.join("", "short") == NO_CODE
    assert two.line.join("", new_code()) == IN_HALL["code"]
    hall.stop()
    assert two.line.join("", new_code()) == NO_HALL
    hall.start()
    assert two.table.snapshot().data["match"] is None


def test_each_table_speaks_for_its_own_match_alone(hall: DirectHall, tables: list[LinedTable]) -> None:
    one, _ = tables
    code = share(one)
    match = str(one.table.remote.open_match)
    third = hall.join("three")
    end = time.monotonic() + PATIENCE_SECONDS
    while match not in hall.server.app.extensions["alea_hall_tables"].relay._pairs:
        assert time.monotonic() < end
        time.sleep(0.05)
    sends: tuple[tuple[str, str, Any, int], ...] = (
        ("/relay/sync", third.key, RelayMessage(match, "{}"), 410),
        ("/relay/offer", third.key, RelayOffer(match, code, "{}"), 409),
        ("/relay/join", third.key, RelayJoining(new_code()), 403),
        ("/relay/sync", "nobody", RelayMessage(match, "{}"), 401),
        ("/relay/offer", "nobody", RelayOffer(match, code, "{}"), 401),
        ("/relay/join", "nobody", RelayJoining(code), 401),
        ("/relay/join", third.key, {"code": 1}, 400),
        ("/relay/sync", third.key, {"match": match}, 400),
    )
    for path, key, body, status in sends:
        connection = PinnedConnection(third.host, third.port, third.fingerprint)
        with pytest.raises(HallRefusesError) as refused:
            connection.ask(path, msgspec.json.encode(body), key=key)
        assert refused.value.status == status, path
        connection.close()


def test_the_relay_forgets_what_nobody_asked_for_longest_and_lets_one_guest_in() -> None:
    now = [0.0]
    relay = Relay(lambda: now[0])
    for number in range(1001):
        now[0] += 1
        assert relay.offer("host", RelayOffer(f"m{number}", f"code-{number}", "start"))
    assert relay.join("guest", "code-0") is None
    assert relay.join("host", "code-5") is None, "a table does not play with itself"
    assert relay.join("guest", "code-5") == "start"
    assert relay.join("guest", "code-5") == "start", "again after it lost the answer"
    assert relay.join("other", "code-5") is None
    assert relay.exchange("other", RelayMessage("m5", "x")) is None
    assert relay.exchange("guest", RelayMessage("m5", "from guest")) is not None
    answer = relay.exchange("host", RelayMessage("m5", "from host"))
    assert answer is not None
    assert (answer.text, answer.other) == ("from guest", "guest")
    again = relay.exchange("host", RelayMessage("m5", "from host"))
    assert again is not None
    assert again.text == "", "a message is a sign of life, and handed on once"
    fresh = Relay()
    assert fresh.offer("host", RelayOffer("m", "code", "start", "guest"))
    assert fresh.exchange("guest", RelayMessage("m", "x")) is not None, "the host says who had joined"
