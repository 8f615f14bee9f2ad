"""Small versions of the hard measurements: kills at random moments, damaged frames."""

from pathlib import Path

from tests.bench.damaged_frames import KINDS, offer
from tests.bench.kills import kill


def test_ten_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    figures = kill(tmp_path / "match.db", 10, 5)
    assert figures["first_faults"] == []
    assert figures["events"] > 20


def test_damaged_frames_crash_nothing_and_commit_nothing(tmp_path: Path) -> None:
    figures = offer(tmp_path / "match.db", 8 * len(KINDS), 2)
    assert figures["events_committed"] == 0
    assert figures["alive"]
    assert figures["questions"] == 0
