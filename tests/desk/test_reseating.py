"""A running match changes who plays and how the dice come: in the journal, in the log, and the same after a replay."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk.page.library import Library
from companion.desk.page.match import MatchPage
from companion.players.strengths import STRENGTHS
from companion.referee.events import Reseated
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.transfer import ImportRefusedError, export_match, import_match
from tests.desk.test_commands import Office
from tests.referee.build import Table

names = st.sampled_from(["", "Anna", "Ben", "Clara"])
changes = st.fixed_dictionaries(
    {},
    optional={
        "dice_by": st.sampled_from(["tapped", "program", "camera"]),
        "men_by": st.sampled_from(["tapped", "camera"]),
        "players": st.tuples(names, names).map(list),
        "programs": st.sampled_from([[], [1], [2], [1, 2]]),
    },
)


@given(st.lists(st.one_of(changes, st.just("roll")), min_size=1, max_size=8))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_changes_the_match_is_what_its_journal_says_and_leaves_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, asked: list[Any]
) -> None:
    office = Office(tmp_path_factory.mktemp("seats") / "match.db")
    office.begin()
    for one in asked:
        before = office.match
        reply = office.do("roll") if one == "roll" else office.do("reseat", **one)
        if one != "roll" and reply.ok:
            now = office.match.started
            assert now.dice_by == one.get("dice_by", before.started.dice_by)
            assert len(set(now.players)) == 2
            assert now.programs == tuple(one.get("programs", ())) or not one.get("players")
            assert set(now.strengths) <= set(STRENGTHS)
        assert office.match.position == before.position or one == "roll"
    assert office.replayed() == office.match
    with Journal(tmp_path_factory.mktemp("there") / "match.db") as there:
        back = Match.of(there.events(import_match(there, list(export_match(office.journal, office.match.id)))))
    assert back.started == office.match.started
    assert back.position == office.match.position
    line = Library(office.journal.path).matches()[0]
    assert line["players"] == list(office.match.started.players)
    assert line["name"] == office.match.started.name


def test_the_log_says_what_changes_and_calls_everybody_as_they_are_called_then(tmp_path: Path) -> None:
    office, page = Office(tmp_path / "match.db"), MatchPage(lambda _: False)
    office.begin()
    for change in (
        {"players": ["Anna", ""], "programs": [2], "strengths": ["child"]},
        {"players": ["Clara", ""], "programs": [2]},
        {"dice_by": "tapped"},
    ):
        page.of(office.match)
        assert office.do("reseat", **change).ok
    stated = [line["text"]["text"] for line in page.of(office.match)["log"] if line["text"]]
    assert stated[1:] == [
        "At the table now: Anna and The program (child).",
        "At the table now: Clara and The program (club player).",
        "From now on the players enter the faces of their dice.",
    ]
    assert office.do("roll").ok
    assert "Clara" in str(page.of(office.match)["awaits"]["sentence"]) + str(page.of(office.match)["log"][-1]["text"])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"players": ["Anna"]}, "has 2 players"),
        ({"players": ["Anna", "Anna"]}, "a name of their own"),
        ({"players": ["Anna", "Ben"], "programs": [3]}, "numbers of players"),
        ({"men_by": "camera"}, "No camera sees the board"),
        ({"dice_by": "program"}, "played so already"),
        ({}, "played so already"),
    ],
)
def test_what_the_table_cannot_do_is_refused_in_words(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    office = Office(tmp_path / "match.db")
    office.begin()
    refused = office.do("reseat", **change)
    assert not refused.ok
    assert why in str(refused.sentence)
    assert len(office.match.entries) == 1


@pytest.mark.parametrize("event", [Reseated(players=("Anna",)), Reseated(players=("Anna", "Ben"), programs=(3,))])
def test_a_foreign_change_of_seats_that_the_match_does_not_have_is_not_taken_in(
    tmp_path: Path, event: Reseated
) -> None:
    table = Table(tmp_path / "here.db")
    table.record(event)
    with Journal(tmp_path / "there.db") as there, pytest.raises(ImportRefusedError, match="Line 3"):
        import_match(there, list(export_match(table.journal, table.match.id)))


def test_a_demonstration_is_deleted_when_it_stops_and_when_another_match_begins(tmp_path: Path) -> None:
    office = Office(tmp_path / "match.db")
    begun = {"game": "ludix", "players": ["", ""], "programs": [1, 2], "dice_by": "program"}
    assert office.do("new_match", **begun, demo=True).ok
    demo = office.match.id
    assert office.do("stop_demo").ok
    assert office.desk.match is None
    assert office.do("new_match", **begun, demo=True).ok
    assert office.match.id >= demo
    assert office.do("new_match", **begun).ok
    assert [line.id for line in office.journal.matches()] == [office.match.id]
    assert "not a demonstration" in str(office.do("stop_demo").sentence)
