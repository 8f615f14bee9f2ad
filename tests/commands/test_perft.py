"""How many sequences and positions."""

import json

import pytest

from tests.commands.running import json_of, run


def test_counts_throws_and_second_casts() -> None:
    """861 throws end a turn at once; each of the 3 for Karitas leads to 18 second casts."""
    levels = json_of("perft", "ludus-regularis", "--depth", "2")["levels"]
    assert [level["sequences"] for level in levels] == [1, 864, 861 * 864 + 3 * 18]
    # 55 virtues, nothing won, and three positions that wait for a second cast
    assert levels[1]["positions"] == 59


def test_counts_sums() -> None:
    result = run("perft", "ludus-regularis/sum", "--depth", "2")
    assert result.stdout.splitlines()[-1] == "2: 46656 sequences, 256 positions"


def test_a_throw_may_be_made_first_and_is_not_counted() -> None:
    found = json_of("perft", "ludus-regularis", "--depth", "1", "--throw", "A,E,I,STXZ")
    assert found["throw"] == "A E I STXZ"
    assert [level["sequences"] for level in found["levels"]] == [1, 18]
    # each cube brings the A with four of its six faces, so Karitas is won or not: two positions
    assert found["levels"][1]["positions"] == 2


def test_counts_from_a_position_and_the_ends_of_games() -> None:
    typed = json.dumps({"players": 2, "options": {"ending": "throws", "throws": 1}, "virtues": {}})
    levels = json_of("perft", "ludus-regularis/wheel", "--depth", "2", "--position", "-", typed=typed)["levels"]
    assert [(level["sequences"], level["over"]) for level in levels] == [(1, 0), (56, 56), (0, 0)]


@pytest.mark.parametrize(
    ("arguments", "text"), [(["--throw", "time up"], "is a choice"), (["--throw", "A"], "Expected 4 faces")]
)
def test_refuses_what_is_no_throw(arguments: list[str], text: str) -> None:
    refused = run("perft", "ludus-regularis", "--depth", "1", *arguments)
    assert refused.exit_code == 1
    assert text in refused.stderr
