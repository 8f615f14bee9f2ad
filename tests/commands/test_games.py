"""The list of games and what is told of one."""

from companion.odds.usual_lengths import lengths_by, usual_length
from companion.rules.registry import game
from tests.commands.running import json_of, run


def test_lists_every_game() -> None:
    assert "ludus-regularis/sum" in run("games").stdout
    assert {"slug", "title", "players"} == set(json_of("games")[0])


def test_tells_story_source_and_rulings_of_one() -> None:
    text = run("games", "ludus-regularis").stdout
    for word in ("Pulskamp", "second_cast = added | replaced", "120 (1 to 100000)"):
        assert word in text


def test_json_has_the_boards_for_page_and_lights() -> None:
    boards = {board["name"]: board["sites"] for board in json_of("games", "ludus-regularis")["boards"]}
    assert {name: len(sites) for name, sites in boards.items()} == {"rim": 56, "pairs": 56, "wheel": 56}


def test_tells_how_a_game_begins_and_how_long_it_lasts() -> None:
    for slug in ("ludus-regularis/wheel", "tables/zeno", "rithmomachia/durnil-guardia"):
        text, one = run("games", slug).stdout, game(slug)
        for line in one.start(2).drawn().splitlines():
            assert line.strip() in text
        length = usual_length(slug)
        assert length is not None
        assert str(length.sentence()) in " ".join(text.split())
        for option in one.options:
            for value, other in lengths_by(one, option).items():
                assert f"{value}: {other.sentence()}" in text
