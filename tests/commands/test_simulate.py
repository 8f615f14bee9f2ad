"""Many games at once."""

from tests.commands.running import json_of, run


def test_tells_lengths_and_chances() -> None:
    found = json_of("simulate", "ludus-regularis/sum", "-n", "200", "--seed", "4", "--players", "4")
    assert (found["games"], found["seed"], found["players"]) == (200, 4, 4)
    again = json_of("simulate", "ludus-regularis/sum", "-n", "200", "--seed", "4", "--players", "4")
    assert found | {"seconds": 0} == again | {"seconds": 0}


def test_honours_options() -> None:
    found = json_of("simulate", "ludus-regularis", "-n", "20", "-o", "ending=throws", "-o", "throws=10")
    assert found["mean"] == 10


def test_a_single_game_has_no_deviation() -> None:
    assert run("simulate", "ludus-regularis", "-n", "1", "--seed", "1").exit_code == 0


def test_any_game_is_played_by_its_rules() -> None:
    arguments = ("simulate", "ludus-regularis/wheel", "-n", "30", "--seed", "3", "--rules")
    found = json_of(*arguments)
    assert found["capped"]["value"] == 0
    assert found["length"]["low"] < found["length"]["value"] < found["length"]["high"]
    text = run(*arguments).stdout
    assert "30 random games with 2 players" in text
    assert "Player 2 wins" in text
    assert "Wilson" in text


def test_a_cap_is_told() -> None:
    text = run("simulate", "ludus-regularis", "-n", "4", "--cap", "10").stdout
    assert "at most 10 throws and choices each" in text
    assert "Capped: 100.0%" in text


def test_tables_games_are_played_side_by_side_unless_the_rules_are_asked_for() -> None:
    arguments = ("simulate", "tables/laquet", "-n", "20", "--seed", "3")
    found, by_rules = json_of(*arguments), json_of(*arguments, "--rules")
    assert (found["side_by_side"], by_rules["side_by_side"]) == (True, False)
    assert found["games"] == by_rules["games"] == 20
    text = run(*arguments, "--cap", "30").stdout
    assert "at most 30 throws and choices each" in text
    assert "Percentiles: 5% 30" in text


def test_what_cannot_be_played_side_by_side_is_played_by_the_rules_and_says_so() -> None:
    text = run("simulate", "tables/laquet", "-n", "3", "-o", "battle=true", "--seed", "1").stdout
    assert "the start is rolled for" in text
    assert "3 random games" in text


def test_teams_are_told_to_win_together() -> None:
    text = run("simulate", "tables/laquet", "-n", "40", "--players", "4", "--seed", "1").stdout
    assert "Players 1, 2 win together" in text
