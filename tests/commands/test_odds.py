"""The odds as text and as JSON."""

import pytest

from tests.commands.running import run, told


def test_text_has_the_papers_figures() -> None:
    text = run("odds", "ludus-regularis", "--games", "100").stdout
    for figure in ("1656.0514", "821.59", "95% 3242", "nothing        447", "Benignitas      24"):
        assert figure in text


def test_json_of_the_sum_game() -> None:
    found = told("odds", "ludus-regularis/sum", "--games", "100", "--players", "3", "--distribution")
    assert found["mean"] == pytest.approx(338.4531, abs=5e-5)
    assert found["percentiles"]["95%"] == 793
    assert len(found["simulated"]["wins"]) == 3
    assert found["distribution"][793] >= 0.95 > found["distribution"][792]
