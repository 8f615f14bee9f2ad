"""What all commands of the rules have in common: refusals and options."""

import pytest

from tests.commands.running import run


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["games", "whist"], "There is no game called 'whist'. The nearest names are "),
        (["odds", "whist"], "Odds are known for"),
        (["odds", "ludus-regularis", "--players", "1"], "is for 2 to 6 players, but there are 1"),
        (["simulate", "ludus-regularis", "-n", "999999999"], "999999999"),
        (["simulate", "ludus-regularis", "-o", "karitas=thrice"], "'thrice'"),
        (["legal", "ludus-regularis", "--throw", "A E"], "Expected 4 faces"),
        (["legal", "ludus-regularis", "--throw", "time up"], "is a choice"),
        (["perft", "whist", "--depth", "1"], "whist"),
        (["play", "ludus-regularis", "-o", "wine=red"], "'wine'"),
    ],
)
def test_a_refusal_is_one_sentence_on_standard_error(arguments: list[str], text: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert text in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_option_needs_a_value() -> None:
    assert "Expected NAME=VALUE" in run("simulate", "ludus-regularis", "-o", "karitas").stderr
