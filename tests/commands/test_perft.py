"""How many sequences and positions."""

from tests.commands.running import run, told


def test_counts_throws_and_second_casts() -> None:
    """861 throws end a turn at once; each of the 3 for Karitas leads to 18 second casts."""
    levels = told("perft", "ludus-regularis", "2")["levels"]
    assert [level["sequences"] for level in levels] == [1, 864, 861 * 864 + 3 * 18]
    # 55 virtues, nothing won, and three positions that wait for a second cast
    assert levels[1]["positions"] == 59


def test_counts_sums() -> None:
    result = run("perft", "ludus-regularis/sum", "2")
    assert result.stdout.splitlines()[-1] == "2: 46656 sequences, 256 positions"
