"""Snapshots of table and laboratory are built from values: the same values give the same, and nothing is changed."""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.desk.page.match import MatchPage
from companion.desk.page.series import LaboratoryNow, SeriesPage, laboratory_snapshot
from companion.desk.page.table import TableNow, table_snapshot
from companion.desk.sight import Sight
from companion.desk.table.state import state_of
from companion.desk.watched import watched
from companion.fairness.dependence import Finding
from companion.fairness.series.fold import Series
from companion.language.sentence import Sentence, player
from companion.referee.match import Match
from tests.desk.series.test_throw_judge import Desk
from tests.desk.test_commands import Office
from tests.referee.build import KARITAS, thrown

SIGHT = Sight(source="0", status="LIVE", phase="still", picture=4, taken=99.0, bad_frames=2)
FAILURE = Sentence("{player} threw too soon.", player=player(2))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path / "match.db")
    office.begin("camera")
    office.see(thrown(KARITAS))
    return office


NOTHING = MatchPage(lambda _: False).of(None)


def now(match: Match | None, sight: Sight, sample: str = "") -> TableNow:
    counts = watched(match, sample)
    state, sentence = state_of(match, counts.of(sight), None)
    return TableNow(match, state, sentence, sight, counts, 100.0, {}, failure=FAILURE, sample=bool(sample))


def test_a_tables_snapshot_is_the_same_each_time_and_changes_nothing(office: Office) -> None:
    stands = now(office.match, replace(office.sight, taken=99.0))
    page = MatchPage(lambda _: False).of(office.match)
    was, events = deepcopy((page, stands.sight)), len(office.match.entries)
    first: Any = table_snapshot(page, stands)
    assert table_snapshot(page, stands) == first
    assert (page, stands.sight) == was
    assert len(office.match.entries) == events
    json.dumps(first)
    assert first["match"]["id"] == office.match.id
    assert first["hitch"]["text"] == "Ben threw too soon."


def test_a_table_tells_what_is_wrong(office: Office) -> None:
    stands = replace(
        now(office.match, replace(SIGHT, trouble=Sentence("It is dark."))), copy_trouble=Sentence("The disk is full.")
    )
    health: Any = table_snapshot(NOTHING, stands)["health"]
    assert (health["frame_age"], health["journal"], health["bad_frames"]) == (1.0, "ok", 2)
    assert (health["journal_copy"]["text"], health["reader"]["text"]) == ("The disk is full.", "It is dark.")


def test_of_a_match_that_no_camera_watches_nothing_is_shown_as_seen(office: Office) -> None:
    shown = table_snapshot(NOTHING, now(office.match, replace(office.sight, picture=4), sample="table"))
    assert (shown["camera"]["source"], shown["camera"]["picture"], shown["reading"]) == ("drawn", None, None)
    assert (shown["dice_camera"], shown["board_camera"]) == (None, [])
    own: Any = table_snapshot(NOTHING, now(office.match, replace(office.sight, picture=4)))
    assert (own["camera"]["picture"], own["dice_camera"], own["reading"]["status"]) == (4, "drawn", "read")


class Asked:
    """Findings that nobody asks for."""

    def of(self, series: Series, die: int) -> list[Finding]:
        del series, die
        return []


def test_a_laboratorys_snapshot_is_the_same_each_time_and_changes_nothing() -> None:
    desk = Desk()
    page = SeriesPage(Asked(), lambda _: False)
    stands = LaboratoryNow(Sentence("Throw."), "throw", SIGHT, 100.0, failure=Sentence("It failed."))
    listed: Any = [{"id": 1}]
    first: Any = laboratory_snapshot(page.of(desk.series), listed, stands)
    was = deepcopy(first)
    assert laboratory_snapshot(page.of(desk.series), listed, stands) == first == was
    assert desk.events == []
    assert first["health"] == {"frame_age": 1.0, "journal": "ok", "journal_copy": "ok", "bad_frames": 2}
    assert (first["sign"], first["hitch"]["text"], first["series_list"]) == ("throw", "It failed.", [{"id": 1}])
    shown = laboratory_snapshot(None, [], stands)
    assert (shown["series"], shown["series_list"]) == (None, [])
