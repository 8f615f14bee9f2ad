"""What the screen shows, when a visit begins and ends, and what is closed at night."""

import json
from pathlib import Path
from typing import Any

from companion.language.sentence import Sentence
from companion.web.kiosk.attendant import UNATTENDED_SECONDS, Attendant
from companion.web.kiosk.hours import STEADY_CLOCK_SECONDS
from companion.web.kiosk.settings import Offer
from tests.web.fake_table import FakeTable, state
from tests.web.kiosk.conftest import Clocks
from tests.web.kiosk.test_folder import GAME, write

OFFER = Offer("ludus-regularis", (2, 3))


def match(**parts: Any) -> dict[str, Any]:
    return {**state(7)["match"], **parts}


def shown(attendant: Attendant) -> str:
    return attendant.screen


def today(attendant: Attendant) -> dict[str, Any]:
    (day,) = attendant.statistics.days.values()
    return day


def begun(attendant: Attendant, table: FakeTable, number: int = 1) -> None:
    assert attendant.begin(OFFER, 2, "en").ok
    table.change(match=match(id=number))
    attendant.tick()


def test_without_a_match_it_invites_and_with_one_it_shows_the_table(attendant: Attendant, table: FakeTable) -> None:
    table.change(match=None)
    assert shown(attendant) == "attract"
    begun(attendant, table)
    assert shown(attendant) == "table"
    name, data, actor = table.events[-1]
    assert (name, actor) == ("new_match", "visitor")
    assert data["players"] == ["Blue", "Red"]
    assert data["dice_by"] == "program", "no camera is there"


def test_whoever_leaves_leaves_the_match_behind_paused(attendant: Attendant, table: FakeTable, clocks: Clocks) -> None:
    begun(attendant, table)
    clocks.pass_by(120)
    attendant.leave()
    assert table.events[-1] == ("pause", {}, "visitor")
    assert shown(attendant) == "attract"
    assert (today(attendant)["begun"], today(attendant)["left"], today(attendant)["minutes"]) == (1, 1, 2.0)
    assert today(attendant)["games"] == {"ludus-regularis": 1}


def test_a_match_that_cannot_be_paused_is_left_all_the_same(attendant: Attendant, table: FakeTable) -> None:
    begun(attendant, table)
    table.refusal = Sentence("The journal could not be written.")
    attendant.leave()
    assert shown(attendant) == "attract"


def test_the_owner_takes_a_match_up_again(attendant: Attendant, table: FakeTable) -> None:
    begun(attendant, table)
    attendant.leave()
    attendant.tick()
    assert shown(attendant) == "attract"
    table.change(match=match())
    attendant.tick()
    assert shown(attendant) == "table"


def test_an_end_is_counted_once_and_stays_until_it_is_put_away(attendant: Attendant, table: FakeTable) -> None:
    begun(attendant, table)
    table.change(match=match(), outcome={"winners": [1]})
    for _ in range(3):
        attendant.tick()
    assert shown(attendant) == "table"
    attendant.leave()
    assert shown(attendant) == "attract"
    assert (today(attendant)["ended"], today(attendant)["left"]) == (1, 0)
    assert ("pause", {}, "visitor") not in table.events


def test_a_match_that_was_open_when_the_program_came_back_goes_on(attendant: Attendant) -> None:
    attendant.tick()
    assert shown(attendant) == "table"
    assert attendant.statistics.days == {}, "it was counted when it was begun"


def test_a_visit_that_no_page_attends_to_ends_by_itself(attendant: Attendant, table: FakeTable, clocks: Clocks) -> None:
    begun(attendant, table)
    settings = attendant.curated.settings
    whole = settings.idle_seconds + settings.countdown_seconds + UNATTENDED_SECONDS
    clocks.pass_by(whole - 1)
    attendant.touched()
    clocks.pass_by(whole - 1)
    attendant.tick()
    assert shown(attendant) == "table"
    clocks.pass_by(2)
    attendant.tick()
    assert shown(attendant) == "attract"


HOURS = f'closing_notice_minutes = 10\n{GAME}[hours]\nsaturday = ["10:00-13:00"]\nsunday = ["11:00-12:00"]\n'


def test_outside_the_hours_it_is_closed_and_dark(
    folder: Path, attendant: Attendant, table: FakeTable, clocks: Clocks
) -> None:
    write(folder, HOURS)
    begun(attendant, table)
    before = attendant.closing_soon
    clocks.pass_by(51 * 60)
    attendant.tick()
    assert (before, attendant.closing_soon) == (False, True)
    assert str(attendant.closing_sentence()) == "The table closes in 9 minutes."
    clocks.pass_by(9 * 60)
    attendant.tick()
    assert shown(attendant) == "closed"
    assert table.suspended
    assert ("pause", {}, "visitor") in table.events, "the match is kept"
    clocks.pass_by(22 * 3600)
    attendant.tick()
    assert shown(attendant) == "attract"
    assert not table.suspended


def test_a_clock_that_jumps_for_a_moment_closes_nothing(
    folder: Path, attendant: Attendant, table: FakeTable, clocks: Clocks
) -> None:
    write(folder, HOURS)
    begun(attendant, table)
    clocks.wall += 6 * 3600
    clocks.pass_by(1)
    attendant.tick()
    assert shown(attendant) == "table"
    clocks.wall -= 6 * 3600
    clocks.pass_by(1)
    attendant.tick()
    clocks.pass_by(STEADY_CLOCK_SECONDS + 1)
    attendant.tick()
    assert shown(attendant) == "table"
    assert attendant.health()["clock_jumps"] == 2


def test_a_clock_that_was_set_for_good_is_followed(
    folder: Path, attendant: Attendant, table: FakeTable, clocks: Clocks
) -> None:
    write(folder, HOURS)
    attendant.tick()
    clocks.wall += 6 * 3600
    for _ in range(4):
        clocks.pass_by(STEADY_CLOCK_SECONDS / 2)
        attendant.tick()
    assert shown(attendant) == "closed"
    assert table.suspended


def test_a_machine_that_knows_no_date_is_open_and_counts_without_one(
    folder: Path, attendant: Attendant, table: FakeTable, clocks: Clocks
) -> None:
    write(folder, f"{GAME}[hours]\nmonday = []\n")
    clocks.wall = 1000.0
    begun(attendant, table)
    assert shown(attendant) == "table"
    assert list(attendant.statistics.days) == ["unknown"]
    assert not attendant.health()["clock_known"]


def test_the_statistics_hold_no_names_and_nothing_of_one_visit(
    folder: Path, attendant: Attendant, table: FakeTable
) -> None:
    for number in range(1, 4):
        begun(attendant, table, number)
        attendant.leave()
    text = (folder / "statistics.json").read_text(encoding="utf-8")
    assert "Blue" not in text
    assert "127.0.0.1" not in text
    (day,) = json.loads(text)["days"].values()
    assert set(day) == {"begun", "ended", "left", "minutes", "games", "languages"}
    assert day["begun"] == 3
