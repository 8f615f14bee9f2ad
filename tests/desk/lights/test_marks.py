"""What is told where play stands still: what needs a person is marked, and nothing is shown as what may be played."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.desk.lights.marks import DARKNESS, LightMarker, Mark, Meaning
from companion.rules.game import Position
from companion.vision.board_readings import Men
from tests.desk.board_office import BoardOffice
from tests.desk.test_board_judge import after, tap


@pytest.fixture
def zeno(tmp_path: Path) -> BoardOffice:
    """Zeno's game before the camera, the board seated, 2 5 6 thrown."""
    office = BoardOffice(tmp_path / "journal.db")
    office.begin_board("tables/zeno")
    tap(office, "2 5 6")
    return office


def marks_of(office: BoardOffice) -> tuple[Mapping[str, Mark], bool]:
    state, _ = office.state()
    marks = LightMarker().marks(office.desk.match, state, office.board.finding)
    return marks.sites, marks.dimmed


def with_meaning(office: BoardOffice, meaning: Meaning) -> set[str]:
    return {site for site, mark in marks_of(office)[0].items() if mark.meaning == meaning}


def test_without_a_match_all_is_dark() -> None:
    assert LightMarker().marks(None, "SYNCED") == DARKNESS


def test_before_the_throw_only_whose_turn_it_is_is_told(tmp_path: Path) -> None:
    office = BoardOffice(tmp_path / "journal.db")
    office.begin_board("tables/zeno")
    assert marks_of(office) == ({"a": Mark(Meaning.TURN, 1), "player-1": Mark(Meaning.TURN, 1)}, False)


def test_men_that_stand_wrongly_are_marked_and_nothing_else_may_be_played(zeno: BoardOffice) -> None:
    zeno.stand(zeno.match.position, k=Men("light", 2))
    sites, dimmed = marks_of(zeno)
    assert zeno.state()[0] == "MISMATCH"
    assert dimmed
    assert sites["k"].meaning == Meaning.MISMATCH
    assert not with_meaning(zeno, Meaning.FROM) | with_meaning(zeno, Meaning.TO)


def test_a_turn_half_played_shows_what_is_left_of_it(zeno: BoardOffice) -> None:
    begun: Position = zeno.match.position
    half = after(begun, "a-c")
    zeno.stand(half)
    assert zeno.state()[0] == "SETTLING"
    origins = {str(choice.to_json()["from"]) for choice in half.legal()}
    assert with_meaning(zeno, Meaning.FROM) == origins
    assert origins != {str(choice.to_json()["from"]) for choice in begun.legal()}


def test_a_turn_that_was_played_on_elsewhere_is_not_shown_as_half_played(zeno: BoardOffice) -> None:
    half = after(zeno.match.position, "a-c")
    zeno.stand(half)
    finding = zeno.board.finding
    for text in ("a-c", "a-f", "a-g"):
        assert zeno.do("choose", text=text).ok
    marks = LightMarker().marks(zeno.match, "SETTLING", finding)  # a finding that is older than the match
    assert not any(mark.meaning in (Meaning.FROM, Meaning.TO) for mark in marks.sites.values())


def test_what_is_asked_pulses_where_it_is_asked(tmp_path: Path) -> None:
    office = BoardOffice(tmp_path / "journal.db")
    office.begin_board("rithmomachia/durnil-guardia")
    site, man = next((site, man) for site, man in office.match.position.occupancy().items() if man["number"] == 289)
    office.stand(office.match.position, **{site: Men(man["colour"], 1, man["shape"], 169)})
    assert office.state()[0] == "PROPOSED"
    sites, dimmed = marks_of(office)
    assert dimmed
    assert sites[site].meaning == Meaning.ASKED


@pytest.mark.parametrize("command", ["pause", "finish"])
def test_a_match_that_is_paused_or_over_offers_nothing(zeno: BoardOffice, command: str) -> None:
    assert zeno.do(command, reason="supper").ok
    assert not with_meaning(zeno, Meaning.FROM) | with_meaning(zeno, Meaning.TO)
    assert bool(with_meaning(zeno, Meaning.TURN)) == (command == "pause")
