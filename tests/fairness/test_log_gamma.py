"""The logarithm of the gamma function is SciPy's."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.log_gamma import log_gamma, log_rising


def test_it_is_scipys_over_all_that_throws_can_ask_for() -> None:
    x = np.geomspace(1e-3, 1e7, 20_001)
    theirs = scipy.special.gammaln(x)
    assert (np.abs(log_gamma(x) - theirs) <= 1e-13 * np.maximum(1, np.abs(theirs))).all()


@given(st.floats(0.05, 2000), st.integers(0, 60))
def test_a_rising_product_is_the_product(start: float, steps: int) -> None:
    product = sum(np.log(start + step) for step in range(steps))
    assert float(log_rising(start, steps)) == pytest.approx(product, abs=1e-10)
