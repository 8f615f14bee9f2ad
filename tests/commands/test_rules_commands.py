"""The commands of the rules and odds rooms, as they are typed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from tests.rules.ludus_regularis.plays import played, start


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=typed)


def told(*arguments: str, typed: str | None = None) -> Any:
    result = run(*arguments, "--json", typed=typed)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["games", "whist"], "The games are ludus-regularis"),
        (["odds", "whist"], "Exact odds are known for"),
        (["odds", "ludus-regularis", "--players", "1"], "takes 2 to 6 players, but 1 came"),
        (["simulate", "ludus-regularis", "-n", "999999999"], "999999999"),
        (["simulate", "ludus-regularis", "-o", "karitas=thrice"], "'thrice'"),
        (["legal", "ludus-regularis", "--throw", "A E"], "Expected 4 faces"),
        (["legal", "ludus-regularis", "--throw", "time up"], "is a choice"),
        (["perft", "whist", "1"], "whist"),
        (["play", "ludus-regularis", "-o", "wine=red"], "'wine'"),
    ],
)
def test_a_refusal_is_one_sentence_on_standard_error(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_option_needs_a_value() -> None:
    assert "Expected NAME=VALUE" in run("simulate", "ludus-regularis", "-o", "karitas").stderr


class TestGames:
    def test_lists_every_game(self) -> None:
        assert "ludus-regularis/sum" in run("games").stdout
        assert {"slug", "title", "players"} == set(told("games")[0])

    def test_tells_story_source_and_rulings_of_one(self) -> None:
        text = run("games", "ludus-regularis").stdout
        for word in ("Pulskamp", "second_cast = added | replaced", "120 (1 to 100000)"):
            assert word in text

    def test_json_has_the_boards_for_page_and_lights(self) -> None:
        boards = {board["name"]: board["sites"] for board in told("games", "ludus-regularis")["boards"]}
        assert {name: len(sites) for name, sites in boards.items()} == {"rim": 56, "pairs": 56, "wheel": 56}


class TestLegal:
    def test_tells_what_a_first_position_waits_for(self) -> None:
        found = told("legal", "ludus-regularis")
        assert found["awaits"]["kind"] == "throw"
        assert found["choices"] == []

    def test_tells_what_a_throw_comes_to(self) -> None:
        found = told("legal", "ludus-regularis", "--throw", "A E I STXZ")
        assert found["throw"]["details"]["result"] == "recast"
        assert found["awaits"]["kind"] == "recast"
        assert found["position"]["recast"]["faces"]["consonants"] == "STXZ"

    def test_reads_a_position_from_a_file_or_standard_input(self, tmp_path: Path) -> None:
        position = played(start(3, ending="time"), ["A IO AEI MNPR"])
        file = tmp_path / "position.json"
        file.write_text(json.dumps(position.to_json()), encoding="utf-8")
        found = told("legal", "ludus-regularis", "--position", str(file), "--plays")
        assert found["position"] == position.to_json()
        assert [play["text"] for play in found["plays"]] == ["time up"]
        assert found["plays"][0]["position"]["time_up"] is True
        typed = file.read_text(encoding="utf-8")
        assert told("legal", "ludus-regularis", "--position", "-", typed=typed)["choices"][0]["text"] == "time up"
        assert "time up" in run("legal", "ludus-regularis", "--position", str(file)).stdout

    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("{", "is not JSON"),
            ("[1]", "it holds list"),
            ("{}", "Expected an object"),
            ('{"players": 2, "virtues": {}, "turn": 2}', "This position cannot be"),
        ],
    )
    def test_refuses_what_is_no_sound_position(self, typed: str, said: str) -> None:
        result = run("legal", "ludus-regularis", "--position", "-", typed=typed)
        assert result.exit_code == 1
        assert said in result.stderr


class TestPerft:
    def test_counts_throws_and_second_casts(self) -> None:
        """861 throws end a turn at once; each of the 3 for Karitas leads to 18 second casts."""
        levels = told("perft", "ludus-regularis", "2")["levels"]
        assert [level["sequences"] for level in levels] == [1, 864, 861 * 864 + 3 * 18]
        # 55 virtues, nothing won, and three positions that wait for a second cast
        assert levels[1]["positions"] == 59

    def test_counts_sums(self) -> None:
        result = run("perft", "ludus-regularis/sum", "2")
        assert result.stdout.splitlines()[-1] == "2: 46656 sequences, 256 positions"


class TestOdds:
    def test_text_has_the_papers_figures(self) -> None:
        text = run("odds", "ludus-regularis", "--games", "100").stdout
        for figure in ("1656.0514", "821.59", "95% 3242", "nothing        447", "Benignitas      24"):
            assert figure in text

    def test_json_of_the_sum_game(self) -> None:
        found = told("odds", "ludus-regularis/sum", "--games", "100", "--players", "3", "--distribution")
        assert found["mean"] == pytest.approx(338.4531, abs=5e-5)
        assert found["percentiles"]["95%"] == 793
        assert len(found["simulated"]["wins"]) == 3
        assert found["distribution"][793] >= 0.95 > found["distribution"][792]


class TestSimulate:
    def test_tells_lengths_and_chances(self) -> None:
        found = told("simulate", "ludus-regularis/sum", "-n", "200", "--seed", "4", "--players", "4")
        assert (found["games"], found["seed"], found["players"]) == (200, 4, 4)
        again = told("simulate", "ludus-regularis/sum", "-n", "200", "--seed", "4", "--players", "4")
        assert found | {"seconds": 0} == again | {"seconds": 0}

    def test_honours_options(self) -> None:
        found = told("simulate", "ludus-regularis", "-n", "20", "-o", "ending=throws", "-o", "throws=10")
        assert found["mean"] == 10

    def test_a_single_game_has_no_deviation(self) -> None:
        assert run("simulate", "ludus-regularis", "-n", "1", "--seed", "1").exit_code == 0


class TestPlay:
    def test_a_short_match_is_played_to_teacher_and_pupil(self) -> None:
        typed = "A IO AEI MNPR\nhelp\nscore\nEIOU E OU MNPR\nundo\nwhat\nroll\nEIOU EIOUA IOUAEI STXZ\n"
        arguments = ["--player", "Ada", "--player", "Bo", "--seed", "1", "-o", "ending=first-to", "-o", "target=2"]
        result = run("play", "ludus-regularis", *arguments, typed=typed)
        assert result.exit_code == 0
        assert "Ada acquires it" in result.stdout
        assert "Ada: 1 (Pax)" in result.stdout
        assert "taken back" in result.stdout
        assert "Ada holds most virtues, 2, and is the teacher" in result.stdout
        assert "Bo, pupil, has still to acquire by good habits: Karitas" in result.stdout

    def test_wrong_words_are_answered_and_cost_nothing(self) -> None:
        typed = "\nA A A A\n1 2 3\nundo\nauto x\ntime up\n2:UAE\nquit\n"
        result = run("play", typed=typed)
        assert result.exit_code == 0
        assert result.stdout.count("Player 1 throws the three cubes") == 8
        for said in ("Expected how many", "nothing to take back", "No time was agreed", "left unfinished"):
            assert said in result.stdout

    def test_a_whole_game_goes_by_itself_and_alike_from_the_same_seed(self) -> None:
        one, other = (run("play", "ludus-regularis/sum", "--seed", "7", typed="auto\n").stdout for _ in range(2))
        assert one == other
        assert "given every virtue" in one

    def test_auto_stops_after_so_many_throws(self) -> None:
        result = run("play", "--seed", "2", typed="auto 3\n")
        assert result.stdout.count("Player 1 throws") + result.stdout.count("Player 2 throws") == 2
        assert "left unfinished" in result.stdout

    def test_the_second_cast_is_asked_for_and_the_time_can_be_called(self) -> None:
        typed = "A E I STXZ\nwhat\n2:UAE\nwhat\ntime up\n"
        result = run("play", "ludus-regularis", "-o", "ending=time", typed=typed)
        assert "Dice: 1, 2, 3 of wibold" in result.stdout
        assert "time up" in result.stdout
        assert "The agreed time is up." in result.stdout
