"""Small versions of the hard measurements: kills at random moments, damaged files and frames."""

from pathlib import Path

from bench.table import damaged_log
from bench.table.damaged_frames import KINDS, offer
from bench.table.kills import kill


def test_three_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    figures = kill(tmp_path / "match.db", 3, 5)
    assert figures["first_faults"] == []
    assert figures["events"] > 10


def test_nothing_that_a_killed_table_had_acknowledged_is_lost_in_silence_whatever_file_is_damaged() -> None:
    figures = damaged_log.measure(1, 3, lengths=(40,))
    assert figures["silent"] == 0, figures
    assert figures["false_alarms"] == 0, figures
    assert all(
        case["whole"] == 1 for name, case in figures["cases"].items() if name.startswith("log ") and "tail" not in name
    )
    assert all(case["refused"] == 0 for case in figures["cases"].values())


def test_damaged_frames_crash_nothing_and_commit_nothing(tmp_path: Path) -> None:
    figures = offer(tmp_path / "match.db", 8 * len(KINDS), 2)
    assert figures["events_committed"] == 0
    assert figures["alive"]
    assert figures["questions"] == 0
