"""Gathering throws from moving pictures: one sharp picture of each still interval, none of a hand or a roll."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from calibration.learning.gather import throws_of
from companion.vision.images import load_image
from companion.vision.sources.source import SourceError

SAMPLE = Path(__file__).resolve().parents[3] / "sample_images" / "ludus-regularis"
THROWS = 3


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a script of the sample table's first throws."""
    folder = tmp_path_factory.mktemp("table")
    data = json.loads((SAMPLE / "script.json").read_text("utf-8"))
    rows = data.get("timeline") or data["frames"]
    numbers = sorted({row["throw"] for row in rows if row.get("throw") is not None})[:THROWS]
    end = max(place for place, row in enumerate(rows) if row.get("throw") in numbers)
    for row in rows[: end + 1]:
        shutil.copy(SAMPLE / row["image"], folder / Path(row["image"]).name)
    shown = [row | {"image": Path(row["image"]).name} for row in rows[: end + 1]]
    (folder / "script.json").write_text(json.dumps({"frames": shown}), "utf-8")
    return folder


def test_each_still_interval_gives_one_picture(table: Path) -> None:
    rows = json.loads((table / "script.json").read_text("utf-8"))["frames"]
    still = [
        load_image(table / row["image"]) for row in rows if row["phase"] == "still" and row.get("throw") is not None
    ]
    seen = list(throws_of(str(table), 10))
    assert len(seen) == THROWS
    shown = [[bool(np.array_equal(one, picture)) for picture in still] for one in seen]
    assert all(any(row) for row in shown)
    assert len({tuple(row) for row in shown}) == THROWS  # no still interval is given twice


def test_no_more_throws_are_given_than_are_wanted(table: Path) -> None:
    assert len(list(throws_of(str(table), 1))) == 1
    assert len(list(throws_of(str(table), 1, at_once=True))) == 1


def test_a_source_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nothing"):
        list(throws_of(str(tmp_path / "nothing.mp4"), 3))
