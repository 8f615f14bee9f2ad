"""The nets of the kit's dice lie on their sheets (that they fold is tested beside what unfolds them)."""

from itertools import combinations

import pytest

from calibration.kit.dice import net_places
from calibration.kit.paper import PAPERS

SETS = (("wibold",), ("ludix",), ("d8", "d10"), ("d12", "d20"))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("names", SETS)
def test_the_nets_of_a_set_lie_apart_and_within_the_sheet(names: tuple[str, ...], paper: str) -> None:
    boxes = []
    for one, x, y in net_places(names, PAPERS[paper]):
        left, top, right, bottom = one.bounds
        boxes.append((left + x, top + y, right + x, bottom + y))
    width, height = PAPERS[paper].room
    for left, top, right, bottom in boxes:
        assert left > 1
        assert top > 1
        assert right < width - 1
        assert bottom < height - 1
    for one_box, other in combinations(boxes, 2):
        gaps = (other[0] - one_box[2], one_box[0] - other[2], other[1] - one_box[3], one_box[1] - other[3])
        assert max(gaps) > 2
