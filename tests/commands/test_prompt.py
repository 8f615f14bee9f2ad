"""What is said at the prompt: who wins, what is offered, and what may be typed."""

import json
import random
import re
from pathlib import Path

import pytest

from companion.commands.play.prompt_session import Sitting
from companion.rules.game import Play, Position
from companion.rules.registry import game, games
from tests.commands.running import json_of, run
from tests.rules.rithmomachia.naive_positions import crowded
from tests.rules.tables.standing import stand, typed

NAMED = ["--player", "Ada", "--player", "Bo"]
RITHMOMACHIA = [slug for slug in games() if slug.startswith("rithmomachia/")]
OVER = {"game": "tables/zeno", "men": {"1": {"z": 15}, "2": {"b": 14, "g": 1}}}
ZENO = {
    "men": {
        "1": {"f": 7, "i": 1, "k": 2, "t": 2, "u": 2, "y": 1},
        "2": {"h": 2, "l": 2, "m": 2, "n": 1, "o": 2, "p": 2, "s": 2, "w": 2},
    }
}


def kept(data: object, folder: Path) -> str:
    """Write JSON into a file and return its name."""
    file = folder / "position.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("slug", "seed"),
    [("tables/zeno", 3), ("tables/paume-carie", 3), ("tables/twelve-dogs", 3), ("tables/doblet", 4), ("ludix", 5)],
)
def test_a_game_that_is_played_to_its_end_says_who_won(slug: str, seed: int) -> None:
    lines = run("play", slug, *NAMED, "--seed", str(seed), typed="auto\n").stdout.splitlines()
    ended = next(line for line in lines if line in ("Ada wins.", "Bo wins."))
    scores = {name: int(score) for name, _, score in (line.partition(": ") for line in lines[-2:])}
    assert ended == f"{max(scores, key=lambda name: scores[name])} wins."


def test_a_team_wins_together_and_a_shared_win_is_shared() -> None:
    shown = run("play", "tables/twelve-dogs", "--players", "4", "--seed", "3", typed="auto\n").stdout
    assert "\nPlayer 1 and Player 2 win.\n" in shown
    shared = run("play", "tables/xii-scripta", *NAMED, typed="end\n").stdout
    assert "\nAda and Bo share the win.\n" in shared


def test_a_finished_position_says_who_won(tmp_path: Path) -> None:
    file = kept(OVER, tmp_path)
    assert run("legal", "tables/zeno", "--position", file).stdout.splitlines() == [
        "The game is over.",
        "Player 1 wins.",
        "Player 1 has all men in the last table.",
    ]
    found = json_of("legal", "tables/zeno", "--position", file)
    assert found["outcome"]["winners"] == [1]
    assert "outcome" not in json_of("legal", "tables/zeno")
    assert "\nAda wins.\n" in run("play", "--position", file, "--player", "Ada").stdout


def test_the_end_of_paume_carie_tells_the_slaps_and_counts_each_sides_own_men() -> None:
    shown = run("play", "tables/paume-carie", *NAMED, "--seed", "3", typed="auto\n").stdout
    assert "Ada has borne off all men and wins, and then bears off 13 of the other side: a slap for each." in shown
    assert shown.endswith("Ada: 15\nBo: 2\n")


def test_men_borne_off_for_a_slap_do_not_count_for_those_who_lost() -> None:
    won = typed(stand("tables/paume-carie", "a1 off14", "c1 b2 off12", 6), "a-off")
    slapped = typed(won, "4 1", "c-off")
    assert (slapped.aside.slaps, slapped.scores()) == (1, {1: 15, 2: 12})


def test_a_pair_of_doblet_is_taken_down_and_goes_nowhere() -> None:
    shown = run("play", "tables/doblet", *NAMED, "--seed", "3", typed="auto\n").stdout
    assert "Ada takes down the pair on a with the 1." in shown
    assert " goes from " not in shown


@pytest.mark.parametrize("slug", games())
def test_dice_are_offered_only_where_there_are_any(slug: str) -> None:
    shown = run("play", slug, "--seed", "1", typed="roll\nquit\n").stdout
    greeting = shown.splitlines()[0]
    start = game(slug).start(game(slug).least_players)
    assert game(slug).teaches == (type(start).teaching is not Position.teaching)
    assert ", hint, " in greeting
    dice = bool(start.throws())
    assert (": roll, " in greeting) == dice
    assert ("dice" in greeting) == dice
    assert ("thrown" in greeting) == dice
    assert ("This game has no dice." in shown) == (not dice)


@pytest.mark.parametrize("slug", RITHMOMACHIA)
def test_the_board_of_numbers_has_a_legend_with_the_players(slug: str) -> None:
    shown = run("play", slug, *NAMED, typed="quit\n").stdout
    assert (
        "w White (Ada), b Black (Bo); (circle), <triangle>, [square], {pyramid}; the number is the man's own" in shown
    )


@pytest.mark.parametrize("typing", ["takes z9", "z9", "takes z9 by siege", "takes z9 by encounter"])
@pytest.mark.parametrize("slug", RITHMOMACHIA)
def test_a_square_that_the_board_does_not_have_is_called_so(slug: str, typing: str) -> None:
    last = game(slug).start(2).to_json()["options"]["ranks"]
    shown = run("play", slug, typed=f"{typing}\nquit\n").stdout
    assert f"\nThe board has the squares a1 to h{last}; z9 is not one of them.\n" in shown


def test_the_pad_of_ludix_calls_the_players_by_name() -> None:
    shown = run("play", "ludix", "--player", "Bartholomew", "--player", "Ada", typed="LXVI\nstop\nquit\n").stdout
    pad = [line.split() for line in shown.splitlines() if line.startswith(("  Target", "  Bart", "> Ada"))]
    assert pad[-3:] == [["Target", "300"], ["Bartholomew", "66"], [">", "Ada", "0"]]
    assert "Player 1" not in shown


def test_the_board_of_tables_names_both_sides() -> None:
    shown = run("play", "tables/zeno", "--players", "4", "--player", "Ada", typed="quit\n").stdout
    assert "x side 1 (Ada, Player 2): 0 in hand, 0 off" in shown


@pytest.mark.parametrize(("slug", "dice"), [("tables/zeno", "256"), ("tables/zeno", "25 6"), ("tables/laquet", "25")])
def test_a_throw_may_be_typed_without_spaces(slug: str, dice: str) -> None:
    shown = run("play", slug, *NAMED, typed=f"{dice}\nquit\n").stdout
    assert f"Ada throws {', '.join(dice.replace(' ', ''))}." in shown


def test_so_may_the_pips_of_the_game_of_sums_but_not_a_wrong_number_of_dice() -> None:
    shown = run("play", "ludus-regularis/sum", typed="124\n12\n1234\nquit\n").stdout
    assert "7: Player 1 acquires" in shown
    assert shown.count("Expected 3 faces") == 2


def test_a_whole_turn_is_typed_as_it_is_listed(tmp_path: Path) -> None:
    file = kept(ZENO, tmp_path)
    (play,) = json_of("legal", "tables/zeno", "--position", file, "--throw", "256", "--plays")["plays"]
    assert play["text"] == "k-q, t-z, u-x"
    shown = run("play", "tables/zeno", "--position", file, *NAMED, typed=f"256\n{play['text']}\nundo\nquit\n").stdout
    for sentence in ("from k to q with the 6", "from t to z with the 5", "from u to x with the 2", "Taken back: u-x."):
        assert sentence in shown


def test_a_turn_of_which_one_step_is_wrong_is_not_played_at_all(tmp_path: Path) -> None:
    file = kept(ZENO, tmp_path)
    typing = "256\nk-q, t-z, k-i\nfoo, bar\n? k-q, t-z, u-x\nscore\nundo\nquit\n"
    shown = run("play", "tables/zeno", "--position", file, typed=typing).stdout
    assert "\nk-i: k-i goes the wrong way" in shown
    assert "but got 'foo, bar'." in shown
    assert "u-x is allowed: Player 1 goes from u to x with the 2." in shown
    assert "Taken back: 2 5 6." in shown


def listed(position: Position, play: Play) -> str:
    """Return a whole turn as ``companion legal --plays`` prints it."""
    texts = []
    for choice in play.choices:
        texts.append(position.text(choice))
        position = position.after(choice)
    return ", ".join(texts)


def reached(position: Position, text: str) -> Position:
    """Return the position after what would be typed at the prompt."""
    for move in Sitting(("Ada", "Bo"), {}, 1, [position]).read(text):
        position = position.after(move)
    return position


@pytest.mark.parametrize("slug", [slug for slug in games() if slug.startswith("tables/")] + ["ludix"])
def test_every_whole_turn_of_a_random_game_is_taken_as_it_is_printed(slug: str) -> None:
    chance = random.Random(2)
    position: Position = game(slug).start(2)
    for _ in range(30):
        if position.outcome is not None:
            break
        if position.awaits.kind == "throw":
            position = position.after(chance.choice(position.throws()))
            continue
        plays = position.plays()
        for play in chance.sample(plays, min(len(plays), 4)):
            assert reached(position, listed(position, play)) == play.position
        position = position.after(chance.choice(list(position.legal())))


def test_so_is_one_of_rithmomachia_with_captures_that_name_several_men() -> None:
    several = 0
    for seed in range(4):
        position = game("rithmomachia/mebben").from_json(crowded("rithmomachia/mebben", seed))
        for play in position.plays()[::25]:
            text = listed(position, play)
            several += text.count("takes") > 1 and " and " in text
            assert reached(position, text) == play.position
    assert several


def test_a_game_begun_from_a_position_is_saved_and_taken_up_with_it(tmp_path: Path) -> None:
    file, saved = kept(ZENO, tmp_path), tmp_path / "game.txt"
    typing = f"256\nk-q\nsave {saved}\nt-z, u-x\nboard\nquit\n"
    shown = run("play", "tables/zeno", "--position", file, *NAMED, "--seed", "6", typed=typing).stdout
    again = run("play", "--load", str(saved), typed="t-z, u-x\nboard\nquit\n").stdout
    assert "Moves made already: 2." in again
    assert again.splitlines()[-9:] == shown.splitlines()[-9:]


@pytest.mark.parametrize(
    ("data", "more", "text"),
    [
        ([1], [], "Expected a JSON object"),
        ({"game": "tables/zeno", "men": {"1": {"z": 15}, "2": {"z": 15}}}, [], "Men of both sides stand on z."),
        (OVER, ["-o", "dice=2"], "A position has its own number of players and options"),
        (OVER, ["--players", "2"], "A position has its own number of players and options"),
        (OVER, ["--player", "A", "--player", "B", "--player", "C"], "Expected at most 2 names, but got 3."),
        ({"game": "whist"}, [], "There is no game called"),
    ],
)
def test_a_position_that_cannot_be_played_from_is_refused(
    data: object, more: list[str], text: str, tmp_path: Path
) -> None:
    refused = run("play", "--position", kept(data, tmp_path), *more)
    assert refused.exit_code == 1
    assert text in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_position_is_not_read_from_where_moves_are_typed(tmp_path: Path) -> None:
    refused = run("play", "--position", "-", typed=json.dumps(OVER))
    assert refused.exit_code == 1
    assert "name a file for the position" in refused.stderr
    refused = run("play", "tables/todas-tablas", "--position", kept(OVER, tmp_path))
    assert refused.exit_code == 1
    assert "tables/todas-tablas" in refused.stderr


def test_a_saved_position_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    run("play", "--position", kept(OVER | ZENO, tmp_path), typed=f"save {saved}\nquit\n")
    whole = saved.read_text(encoding="utf-8")
    for wrong, sentence in (
        (whole.replace('"players": 2', '"players": 4'), "its position has 4 players, but it names 2"),
        (whole.replace('{"game"', '{"game'), "position as JSON"),
        (whole.replace('"f": 7', '"f": 8'), "Side 1 has 16 men"),
    ):
        saved.write_text(wrong, encoding="utf-8")
        refused = run("play", "--load", str(saved))
        assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
        assert sentence in refused.stderr


def test_a_hint_names_the_best_turn_a_reason_and_what_others_lose() -> None:
    shown = run("play", "tables/todas-tablas", *NAMED, "--seed", "4", typed="hint\nroll\nhint\nquit\n").stdout
    assert "There is nothing to choose now: throw the dice." in shown
    (best,) = re.findall(r"The best turn is (.*): it wins about \d+ of 100 games\.", shown)
    assert "throws can then hit" in shown
    assert len(re.findall(r"loses \d+\.\d more of 100 games", shown)) == 2
    played = run("play", "tables/todas-tablas", *NAMED, "--seed", "4", typed=f"roll\n{best}\nquit\n").stdout
    assert "Bo throws the two dice." in played, "the hint can be typed as it stands"


def test_a_hint_where_nobody_plays_better_says_so() -> None:
    timed = ("play", "ludus-regularis", "-o", "ending=time", "--seed", "1")
    assert "There is" in run(*timed, typed="hint\nquit\n").stdout
    assert "No choice is better than another here." in run("play", "tables/xii-scripta", typed="hint\nquit\n").stdout


def test_the_program_takes_a_seat_and_its_strength() -> None:
    asked = ("play", "tables/laquet", *NAMED, "--seed", "4", "--program", "1", "--program", "2")
    club = run(*asked).stdout
    assert " has borne off all men" in club
    assert "> " not in club, "nobody is asked"
    assert run(*asked, "--strength", "club").stdout == club
    assert run(*asked, "--strength", "child").stdout != club


def test_a_seat_that_the_program_cannot_take_is_refused() -> None:
    assert (
        "Expected --program with a number from 1 to 2, but got 3."
        in run("play", "tables/zeno", "--program", "3").output
    )
    assert "nobody knows its rules" in run("play", "tables/xii-scripta", "--program", "1").output


def test_a_saved_game_is_looked_over(tmp_path: Path) -> None:
    file = str(tmp_path / "evening.txt")
    run("play", "tables/laquet", *NAMED, "--seed", "4", typed=f"auto 12\nsave {file}\nquit\n")
    looked = json_of("analyse", file)
    assert looked["players"] == ["Ada", "Bo"]
    assert [one["cost"] for one in looked["worst"]] == sorted((one["cost"] for one in looked["worst"]), reverse=True)
    assert looked["worst"][0]["cost"] > 0
    assert looked["luck"]["1"] == pytest.approx(
        sum(one["luck"] for one in looked["curve"] if one["player"] == 1), abs=0.01
    )
    shown = run("analyse", file).stdout
    assert f"better was {looked['worst'][0]['better']}." in shown
    assert shown.count("luck ") == 2


def test_what_is_no_match_is_not_looked_over(tmp_path: Path) -> None:
    file = tmp_path / "nothing.txt"
    file.write_text("once upon a time\n", encoding="utf-8")
    refused = run("analyse", str(file))
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    file.write_text('{"format": "other"}\n', encoding="utf-8")
    refused = run("analyse", str(file))
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
