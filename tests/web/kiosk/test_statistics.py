"""The file of the statistics is always whole, and counting stands in nobody's way."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.web.kiosk.statistics import KioskStatistics, read_statistics
from tests.commands.running import json_of, run

DAY = datetime.fromisoformat("2026-11-22T15:00")


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["begun", "ended", "left", "played"])), max_size=30))
def test_what_is_read_back_is_what_was_counted(tmp_path_factory: object, counted: list[tuple[int, str]]) -> None:
    folder = tmp_path_factory.mktemp("statistics")  # type: ignore[attr-defined]  # a fixture that Hypothesis may reuse
    statistics = KioskStatistics(folder / "statistics.json")
    for ahead, what in counted:
        moment = DAY + timedelta(days=ahead)
        if what == "begun":
            statistics.begun(moment, "ludix", "de")
        elif what == "played":
            statistics.played(moment, 1.5)
        else:
            statistics.over(moment, left=what == "left")
    again = KioskStatistics(folder / "statistics.json")
    assert again.days == statistics.days
    assert sum(day["begun"] for day in again.days.values()) == sum(what == "begun" for _, what in counted)
    assert sum(day["ended"] + day["left"] for day in again.days.values()) == sum(
        what in ("ended", "left") for _, what in counted
    )


def test_where_it_cannot_be_written_it_is_kept_and_written_later(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    statistics = KioskStatistics(folder / "statistics.json")
    statistics.begun(DAY, "ludix", "en")
    assert not folder.exists()
    folder.mkdir()
    statistics.over(DAY, left=True)
    assert read_statistics(folder / "statistics.json")["2026-11-22"].begun == 1


def test_a_damaged_file_is_kept_aside_and_counting_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "statistics.json"
    for damage in (
        '{"format": "alea-kiosk',
        '{"format": "other"}',
        "[]",
        '{"format": "alea-kiosk-statistics", "revision": 1}',
    ):
        path.write_text(damage, encoding="utf-8")
        statistics = KioskStatistics(path)
        statistics.begun(DAY, "ludix", "en")
        assert json.loads(path.read_text(encoding="utf-8"))["days"]["2026-11-22"]["begun"] == 1
        assert (tmp_path / "statistics.json.damaged").read_text(encoding="utf-8") == damage


def test_the_command_tells_the_days(tmp_path: Path) -> None:
    assert "Nobody has played" in run("kiosk", "statistics", str(tmp_path)).output
    KioskStatistics(tmp_path / "statistics.json").begun(DAY, "ludix", "fr")
    assert "2026-11-22: 1 begun" in run("kiosk", "statistics", str(tmp_path)).output
    assert json_of("kiosk", "statistics", str(tmp_path))["days"]["2026-11-22"]["languages"] == {"fr": 1}
    (tmp_path / "statistics.json").write_text("{", encoding="utf-8")
    assert run("kiosk", "statistics", str(tmp_path)).exit_code == 1
