"""Games that were saved once can be taken up for ever: the form of the file and the rules that it was played by."""

from pathlib import Path

import pytest

from companion.commands.play.saved import load, save
from companion.rules.registry import game
from tests.commands.running import run

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("name", "moves", "ended", "scores"),
    [
        ("wheel.txt", 25, "The agreed number of 8 virtues is reached.", {1: 8, 2: 5, 3: 6}),
        ("sums.txt", 93, "Player 1 holds the most virtues, 32", {1: 32, 2: 25}),
        ("zeno.txt", 747, "Player 2 has all men in the last table.", {1: 11, 2: 15}),
        ("ludix.txt", 58, "Player 2 has the highest score, 327 points", {1: 315, 2: 327, 3: 246}),
    ],
)
def test_a_kept_game_ends_as_it_did(name: str, moves: int, ended: str, scores: dict[int, int], tmp_path: Path) -> None:
    kept = load(GOLDEN / name)
    path = kept.replayed()
    assert len(path) == moves + 1
    assert all(position.outcome is None for position in path[:-1])
    assert ended in str(path[-1].outcome and path[-1].outcome.why)
    assert path[-1].scores() == scores
    save(tmp_path / name, kept)
    assert (tmp_path / name).read_bytes() == (GOLDEN / name).read_bytes()


OLD = """Alea game, form 1
game: tables/baralie
player: Ada
player: Bo
option: battle=true
seed: 1
move: 1 2
move: 6 6
move: 1 5
move: b-g
end: 4 moves
"""


def test_a_game_of_the_first_version_is_played_by_the_rules_that_it_was_begun_with(tmp_path: Path) -> None:
    """It keeps no hash of its rules; one that is saved now does."""
    file = tmp_path / "old.txt"
    file.write_text(OLD, encoding="utf-8")
    last = load(file).replayed()[-1]
    assert (last.awaits.player, last.options["reversed"]) == (2, False)
    run("play", "tables/baralie", "-o", "battle=true", typed=f"12\n66\nsave {tmp_path}/new.txt\nquit\n")
    kept = load(tmp_path / "new.txt")
    assert kept.rules == game("tables/baralie").rules_hash
    assert kept.replayed()[-1].options["reversed"] is True
    assert "(4 moves so far)" in run("play", "--load", str(file), typed=f"save {file}\nquit\n").stdout
    assert file.read_text(encoding="utf-8") == OLD
