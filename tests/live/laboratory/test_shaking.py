"""Throws on ground that shakes: no picture comes to rest, yet each throw counts if no die moves against another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.watching.shaking import SHAKES
from tests.live.drawn import draw
from tests.live.laboratory.build import Drawn

SHIFTS = (0, 9, -6, 12, -9, 5)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Drawn]:
    drawn = Drawn(tmp_path / "throws.db", ("1", "2"))
    drawn.begin()
    yield drawn
    drawn.stop()


def shake(table: Drawn, faces: str, *, seconds: float = 3.0, slips: float = 0.0, at: float = 0.0) -> None:
    """Show dice that move with the ground all the time; ``slips``: how far the first one slips in each picture."""
    for number in range(round(15 * seconds)):
        lying = table.lying(faces, at + SHIFTS[number % len(SHIFTS)])
        face, x, y = lying["1"]
        lying["1"] = face, x, y + slips * (number % 15)
        table.source.show(draw(lying), 1)
    table.seen()


def test_each_throw_counts_once_although_nothing_comes_to_rest(table: Drawn) -> None:
    shake(table, "A E")
    assert table.last() == [(1, "1", "A"), (2, "2", "E")]
    shake(table, "A E", seconds=4)  # they lie there on
    shake(table, "EI E", at=70)
    assert table.last() == [(1, "1", "A"), (2, "2", "E"), (3, "1", "EI"), (4, "2", "E")]
    # the ground comes to rest a little further on: no throw, and no question about it
    table.source.show(draw(table.lying("EI E", 80)))
    table.seen()
    assert (len(table.last()), table.state()["series"]["question"]) == (4, None)


def test_dice_that_move_against_each_other_count_for_nothing_and_the_page_says_why(table: Drawn) -> None:
    shake(table, "A E", seconds=5, slips=7.0)
    assert table.last() == []
    assert (table.state()["sentence"]["text"], table.state()["sign"]) == (str(SHAKES), "blind")
