"""The riddle at the prompt."""

import pytest

from tests.commands.running import json_of, run


def test_it_is_solved_step_by_step() -> None:
    lines = run("puzzle").stdout.splitlines()
    assert lines[-1] == "20 20 9 2 14 11 4 20 18 = VVIBOLDVS"
    assert [line.split()[-1] for line in lines if " is " in line][:2] == ["VV.....V.", "VVI....V."]


@pytest.mark.parametrize("words", [("Wiboldus",), ("20", "20", "9", "2", "14", "11", "4", "20", "18")])
def test_names_and_numbers_are_turned_into_each_other(words: tuple[str, ...]) -> None:
    assert json_of("puzzle", *words) == {"numbers": [20, 20, 9, 2, 14, 11, 4, 20, 18], "letters": "VVIBOLDVS"}


def test_what_it_cannot_write_is_refused_in_a_sentence() -> None:
    refused = run("puzzle", "Ödön")
    assert refused.exit_code == 1
    assert refused.stderr == (
        "Error: Expected a name in the letters A to Z, but got Ö: leave out accents and other signs.\n"
    )
