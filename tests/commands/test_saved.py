"""Games that were saved once can be taken up for ever: the form of the file and the rules that it was played by."""

from pathlib import Path

import pytest

from companion.commands.saved import load, save

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("name", "moves", "ended", "scores"),
    [
        ("wheel.txt", 25, "The agreed count of 8 virtues is reached.", {1: 8, 2: 5, 3: 6}),
        ("sums.txt", 93, "Player 1 holds most virtues, 32", {1: 32, 2: 25}),
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
