"""Many games at once."""

from tests.commands.running import run, told


def test_tells_lengths_and_chances() -> None:
    found = told("simulate", "ludus-regularis/sum", "-n", "200", "--seed", "4", "--players", "4")
    assert (found["games"], found["seed"], found["players"]) == (200, 4, 4)
    again = told("simulate", "ludus-regularis/sum", "-n", "200", "--seed", "4", "--players", "4")
    assert found | {"seconds": 0} == again | {"seconds": 0}


def test_honours_options() -> None:
    found = told("simulate", "ludus-regularis", "-n", "20", "-o", "ending=throws", "-o", "throws=10")
    assert found["mean"] == 10


def test_a_single_game_has_no_deviation() -> None:
    assert run("simulate", "ludus-regularis", "-n", "1", "--seed", "1").exit_code == 0
