"""A reader cannot get worse unnoticed: on fixed pictures it is held to what the one that was kept made of them."""

from bench.scoring.baseline import Baseline
from tests.bench.scoring.fixed_pictures import KEPT, score_fixed


def test_the_reader_is_no_worse_than_the_one_that_was_kept() -> None:
    assert Baseline.load(KEPT).worse(Baseline.of(score_fixed())) is None
