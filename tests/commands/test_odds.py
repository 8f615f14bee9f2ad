"""The odds as text and as JSON."""

import pytest

from tests.commands.running import json_of, run


def test_text_has_the_papers_figures() -> None:
    text = run("odds", "ludus-regularis", "--games", "100").stdout
    for figure in ("1656.0514", "821.59", "95% 3242", "nothing        447", "Benignitas      24"):
        assert figure in text


def test_json_of_the_sum_game() -> None:
    found = json_of("odds", "ludus-regularis/sum", "--games", "100", "--players", "3", "--distribution")
    assert found["mean"] == pytest.approx(338.4531, abs=5e-5)
    assert found["percentiles"]["95%"] == 793
    assert len(found["simulated"]["wins"]) == 3
    assert found["distribution"][793] >= 0.95 > found["distribution"][792]


def test_text_of_ludix_has_throws_policy_and_gain() -> None:
    text = run("odds", "ludix", "-o", "target=60").stdout
    for figure in ("LXVI  96   LXVI 66, LXIV 64", "VVII  24 (XII)", "No numeral: 368, a chance of 23/81", "= 109.04"):
        assert figure in text
    for words in ("The first player of the round", "The second player of the round", "goal", "against the simple rule"):
        assert words in text


def test_json_of_ludix() -> None:
    found = json_of("odds", "ludix", "-o", "target=30")
    assert found["simple_rule"] == 109
    assert found["best_play"]["hold"]["second"][0] == {"own": 0, "other": 0, "hold": 30, "again": []}
    assert json_of("odds", "ludix", "--players", "5")["best_play"] is None


def test_what_is_not_known_is_said() -> None:
    assert "games of virtues" in run("odds", "ludix", "--distribution").stderr
    assert "ludix" in run("odds", "whist").stderr
