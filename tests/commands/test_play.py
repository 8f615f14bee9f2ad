"""A game at the prompt."""

from tests.commands.running import run


def test_a_short_match_is_played_to_teacher_and_pupil() -> None:
    typed = "A IO AEI MNPR\nhelp\nscore\nEIOU E OU MNPR\nundo\nwhat\nroll\nEIOU EIOUA IOUAEI STXZ\n"
    arguments = ["--player", "Ada", "--player", "Bo", "--seed", "1", "-o", "ending=first-to", "-o", "target=2"]
    result = run("play", "ludus-regularis", *arguments, typed=typed)
    assert result.exit_code == 0
    assert "Ada acquires it" in result.stdout
    assert "Ada: 1 (Pax)" in result.stdout
    assert "taken back" in result.stdout
    assert "Ada holds most virtues, 2, and is the teacher" in result.stdout
    assert "Bo, pupil, has still to acquire by good habits: Karitas" in result.stdout


def test_wrong_words_are_answered_and_cost_nothing() -> None:
    typed = "\nA A A A\n1 2 3\nundo\nauto x\ntime up\n2:UAE\nquit\n"
    result = run("play", typed=typed)
    assert result.exit_code == 0
    assert result.stdout.count("Player 1 throws the three cubes") == 8
    for said in ("Expected how many", "nothing to take back", "No time was agreed", "left unfinished"):
        assert said in result.stdout


def test_a_whole_game_goes_by_itself_and_alike_from_the_same_seed() -> None:
    one, other = (run("play", "ludus-regularis/sum", "--seed", "7", typed="auto\n").stdout for _ in range(2))
    assert one == other
    assert "given every virtue" in one


def test_auto_stops_after_so_many_throws() -> None:
    result = run("play", "--seed", "2", typed="auto 3\n")
    assert result.stdout.count("Player 1 throws") + result.stdout.count("Player 2 throws") == 2
    assert "left unfinished" in result.stdout


def test_the_second_cast_is_asked_for_and_the_time_can_be_called() -> None:
    typed = "A E I STXZ\nwhat\n2:UAE\nwhat\ntime up\n"
    result = run("play", "ludus-regularis", "-o", "ending=time", typed=typed)
    assert "Dice: 1, 2, 3 of wibold" in result.stdout
    assert "time up" in result.stdout
    assert "The agreed time is up." in result.stdout
