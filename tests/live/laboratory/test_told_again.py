"""All throws of a series as they are asked for again and again: what was told before is gone on with, never wrong."""

from pathlib import Path

import numpy as np

from companion.desk.page.series import throw_json
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.live.laboratory.laboratory import Laboratory


def test_what_is_told_again_is_what_the_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "throws.db"
    laboratory = Laboratory(path)
    laboratory.start()
    rng = np.random.default_rng(3)
    numbers = []
    for title in ("One", "Two"):
        begun = laboratory.command("begin", {"title": title, "dice": [{"set": "pips"}]}, "tests")
        assert begun.ok
        series = laboratory.snapshot().data["series"]["id"]
        numbers.append(series)
        for throw in range(1, 9):
            assert laboratory.command("throw", {"face": str(rng.integers(1, 7))}, "tests").ok
            if throw % 3 == 0:
                withdrawn = bool(rng.integers(2))
                data = {"number": throw - 1, "face": None, "withdrawn": withdrawn, "reason": "misread"}
                assert laboratory.command("correct", data, "tests").ok
            asked = int(rng.choice(numbers))
            with SeriesLedger(path, writable=False) as ledger:
                again = Series(ledger.events(asked))
            assert laboratory.throws(asked) == [throw_json(again, one) for one in again.throws]
            accounts = laboratory.accounts(asked)
            assert accounts is not None
            assert accounts[0].counts.tolist() == again.counted[0].counts.tolist()
    assert laboratory.throws(99) is None
    assert laboratory.throws(numbers[0]) is not None
    laboratory.stop()
