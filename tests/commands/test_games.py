"""The list of games and what is told of one."""

from tests.commands.running import run, told


def test_lists_every_game() -> None:
    assert "ludus-regularis/sum" in run("games").stdout
    assert {"slug", "title", "players"} == set(told("games")[0])


def test_tells_story_source_and_rulings_of_one() -> None:
    text = run("games", "ludus-regularis").stdout
    for word in ("Pulskamp", "second_cast = added | replaced", "120 (1 to 100000)"):
        assert word in text


def test_json_has_the_boards_for_page_and_lights() -> None:
    boards = {board["name"]: board["sites"] for board in told("games", "ludus-regularis")["boards"]}
    assert {name: len(sites) for name, sites in boards.items()} == {"rim": 56, "pairs": 56, "wheel": 56}
