"""From frames to counts with the true reader: a small version of `bench.fairness.frames`."""

from pathlib import Path

from bench.fairness.frames import LOAD, watch


def test_rendered_throws_are_counted_as_they_were_thrown(tmp_path: Path) -> None:
    came = watch("d6", LOAD, 12, 3, tmp_path)
    assert came["counts_equal"]
    assert came["sequence_equal"]
    assert (came["doubled"], came["missed"], came["silent_errors"]) == (0, 0, 0)
    assert came["audits"]["wrong"] == 0
    assert came["audits"]["done"] > 0
    assert came["said"] == came["said_of_labels"]
