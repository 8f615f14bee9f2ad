"""The script of a sample table and the person at it decide by match and clock alone."""

from pathlib import Path

import pytest

from companion.desk.table.demonstration import DELAYS, SAMPLE_PERSON, Demonstration
from companion.desk.table.sample_script import SampleScript, script_of
from tests.desk.test_commands import Office
from tests.referee.build import KARITAS, thrown

DATA = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "casts": [{"faces": {}}]}


@pytest.fixture
def script() -> SampleScript:
    script = script_of("table", DATA)
    assert script is not None
    return script


@pytest.fixture
def office(tmp_path: Path, script: SampleScript) -> Office:
    office = Office(tmp_path / "match.db")
    script.begin(office.desk)
    return office


@pytest.mark.parametrize("data", [None, [], {}, DATA | {"players": "Anna"}])
def test_a_file_that_names_no_match_is_no_script(data: object) -> None:
    assert script_of("table", data) is None


def test_what_is_on_show_stays_while_somebody_is_asked_and_beside_another_match(
    office: Office, script: SampleScript
) -> None:
    assert script.plays(office.match)
    assert [script.stays(office.match, state) for state in ("SETTLING", "SYNCED")] == [False, False]
    assert [script.stays(office.match, state) for state in ("PROPOSED", "MISMATCH")] == [True, True]
    assert script.stays(None, "SYNCED")
    office.begin()
    assert script.stays(office.match, "SYNCED")


def test_a_cast_that_was_committed_is_reached(office: Office, script: SampleScript) -> None:
    assert script.reached(office.match) == 0
    office.see(thrown(KARITAS))
    assert script.reached(office.match) == 1


def test_a_demonstration_that_stands_still_begins_again_and_no_sooner_at_a_faster_pace(
    office: Office, script: SampleScript
) -> None:
    shown = Demonstration(script, 3.0)  # which makes the machine read no faster
    assert shown.wait(0.0) is None
    shown.see(office.match, "SYNCED", 0.0)
    waits = DELAYS["playing"]
    assert (shown.wait(0.0), shown.due(office.match, waits - 1, 0)) == (waits, None)
    due = shown.due(office.match, waits, 0)
    assert due is not None
    assert (due.name, due.actor) == ("reset", SAMPLE_PERSON)
    assert shown.wait(waits) == waits, "and not again before the same time has passed"
    office.see(thrown(KARITAS))
    assert shown.due(office.match, waits * 3, 0) is None, "the match has gone on"
