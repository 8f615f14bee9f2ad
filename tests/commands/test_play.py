"""A game at the prompt."""

from pathlib import Path

import pytest

from tests.commands.running import run


def test_a_short_match_is_played_to_teacher_and_pupil() -> None:
    typed = "A IO AEI MNPR\nhelp\nscore\nEIOU E OU MNPR\nundo\n?\nroll\nEIOU EIOUA IOUAEI STXZ\n"
    arguments = ["--player", "Ada", "--player", "Bo", "--seed", "1", "-o", "ending=first-to", "-o", "target=2"]
    result = run("play", "ludus-regularis", *arguments, typed=typed)
    assert result.exit_code == 0
    assert "Ada acquires it" in result.stdout
    assert "Ada: Pax" in result.stdout
    assert "Ada: 1\n" in result.stdout
    assert "Taken back: EIOU E OU MNPR." in result.stdout
    assert "Type the throw, like " in result.stdout
    assert "Ada holds the most virtues, 2, and is the teacher" in result.stdout
    assert "Bo, pupil, has still to acquire by good habits: Karitas" in result.stdout


def test_wrong_words_are_answered_and_cost_nothing() -> None:
    typed = "\nA A A A\n1 2 3\nundo\nauto x\ntime up\n2:UAE\nsave\n? time up\nquit\n"
    result = run("play", typed=typed)
    assert result.exit_code == 0
    assert result.stdout.count("Player 1 throws the three cubes") == 10
    for sentence in ("Expected how many", "nothing to take back", "Expected a file", "left unfinished"):
        assert sentence in result.stdout
    assert result.stdout.count("No time limit was agreed") == 2


def test_a_whole_game_goes_by_itself_and_alike_from_the_same_seed() -> None:
    one, other = (run("play", "ludus-regularis/sum", "--seed", "7", typed="auto\n").stdout for _ in range(2))
    assert one == other
    assert "given every virtue" in one


def test_auto_stops_after_so_many_moves() -> None:
    result = run("play", "--seed", "2", "--players", "4", typed="auto 3\n")
    assert [line for line in result.stdout.splitlines() if line.endswith("tetrahedron.")][-1].startswith("Player 4")
    assert "left unfinished" in result.stdout


def test_the_second_cast_is_asked_for_and_the_time_can_be_called() -> None:
    typed = "A E I STXZ\n?\n2:UAE\n?\ntime up\n"
    result = run("play", "ludus-regularis", "-o", "ending=time", typed=typed)
    assert "Player 1 throws one of the three cubes again" in result.stdout
    assert "1 to choose from: time up." in result.stdout
    assert "The agreed time is up." in result.stdout


def test_a_saved_game_goes_on_as_it_would_have(tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    wheel = ["ludus-regularis/wheel", "--seed", "5", "--player", "Ada", "-o", "karitas=always"]
    whole = run("play", *wheel, typed="auto 9\nroll\nroll\nquit\n").stdout
    assert f"continue with: companion play --load {file}" in run("play", *wheel, typed=f"auto 9\nsave {file}\n").stdout
    assert "option: karitas=always\n" in file.read_text(encoding="utf-8")
    again = run("play", "--load", str(file), typed="roll\nroll\nquit\n").stdout
    assert "Moves made already: 9." in again
    assert again.splitlines()[-8:] == whole.splitlines()[-8:]
    # saving over a saved game is what saving again means
    assert "11 moves so far" in run("play", "--load", str(file), typed=f"auto 2\nsave {file}\n").stdout


def test_a_throw_taken_back_and_made_again_is_the_same() -> None:
    shown = run("play", "--seed", "4", typed="roll\nundo\nroll\nquit\n").stdout
    made = [line for line in shown.splitlines() if line.strip().isupper()]
    assert len(made) == 2
    assert made[0] == made[1]


GOOD = [
    "Alea game, form 1",
    "game: ludus-regularis/wheel",
    "player: Ada",
    "player: Bo",
    "seed: 5",
    "move: Pax",
    "end: 1 moves",
]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["# a shopping list"], "is not a saved game"),
        (GOOD[:-1], "is damaged"),
        ([*GOOD[:-1], "move: Spes", GOOD[-1]], "is damaged"),
        ([*GOOD[:-2], "move: Superbia", GOOD[-1]], "Move 1 of this saved game, 'Superbia', does not fit"),
        ([*GOOD[:-1], "cheese", GOOD[-1]], "Line 7"),
        ([GOOD[0], "game: whist", *GOOD[2:]], "cannot be started: There is no game called"),
        ([GOOD[0], *GOOD[2:]], "one line 'game', but it has 0"),
        ([*GOOD[:4], "seed: today", *GOOD[5:]], "'today'"),
        ([*GOOD[:4], "option: karitas", *GOOD[4:]], "'karitas'"),
        ([*GOOD[:4], "option: karitas=thrice", *GOOD[4:]], "'thrice'"),
    ],
)
def test_a_torn_or_foreign_file_is_refused_in_one_sentence(tmp_path: Path, lines: list[str], text: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    refused = run("play", "--load", str(file))
    assert refused.exit_code == 1
    assert text in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert refused.stdout == ""


def test_a_file_that_is_no_game_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Bo", encoding="utf-8")
    assert "already exists and is not a saved game" in run("play", typed=f"save {file}\nquit\n").stdout
    assert file.read_text(encoding="utf-8") == "Dear Bo"
    assert "cannot be written" in run("play", typed=f"save {tmp_path}/no/such/folder.txt\nquit\n").stdout
    assert "No such file" in run("play", "--load", str(tmp_path / "none.txt")).stderr


def test_a_saved_game_is_of_the_game_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\n".join(GOOD) + "\n", encoding="utf-8")
    assert "holds one of ludus-regularis/wheel" in run("play", "ludus-regularis", "--load", str(file)).stderr
    assert "give only the file" in run("play", "--seed", "3", "--load", str(file)).stderr
    assert run("play", "ludus-regularis/wheel", "--load", str(file), typed="score\n").exit_code == 0


def test_auto_plays_each_seat_as_it_is_set() -> None:
    """The program's own seat is played by its strength, all others at random; the greeting says both."""
    for seat in (1, 2):
        shown = run(
            "play", "tables/fallas", "--program", str(seat), "--strength", "master", "--seed", "4", typed="auto\n"
        )
        assert "at random; in its own seats it plays at strength master" in shown.stdout
        assert f"Player {seat} wins." in shown.stdout
    stopped = run("play", "tables/fallas", "--program", "1", "--seed", "4", typed="auto 2\nsave\nquit\n").stdout
    assert "in its own seats it plays at strength club" in stopped
    assert "in its own seats" not in run("play", "tables/fallas", typed="quit\n").stdout


def test_virtues_are_typed_and_players_shown_as_they_are_called() -> None:
    shown = run("play", "ludus-regularis/wheel", "--player", "Ada", "--player", "Bo", typed="Peace\ncharity\nquit\n")
    assert "Ada: Pax\nBo: Karitas\n" in shown.stdout
    shown = run("play", "ludus-regularis/sum", typed="6\nquit\n")
    assert "Expected 3 faces, like 2 4 6, but got 1 in '6'." in shown.stdout


def test_a_hint_says_if_there_is_only_one_turn(tmp_path: Path) -> None:
    men = (
        '{"1": {"f": 7, "i": 1, "k": 2, "t": 2, "u": 2, "y": 1}'
        ', "2": {"h": 2, "l": 2, "m": 2, "n": 1, "o": 2, "p": 2, "s": 2, "w": 2}}'
    )
    file = tmp_path / "zeno.json"
    file.write_text(f'{{"game": "tables/zeno", "men": {men}, "dice": [2, 5, 6]}}', encoding="utf-8")
    shown = run("play", "tables/zeno", "--position", str(file), typed="hint\nquit\n").stdout
    assert "There is only one turn: k-q, t-z, u-x." in shown
    assert "Best is" not in shown
    doblet = run("play", "tables/doblet", "--seed", "1", typed="2 5 1\nhint\nquit\n").stdout
    assert "pips are to go" not in doblet
