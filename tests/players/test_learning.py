"""Weights are learnt from games of the program against itself, and kept only where they win more than those by hand."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from companion.odds.tables.layout import laid_out
from companion.players.tables.evaluation import by_hand, card, in_order, weights_of
from companion.players.tables.features import NAMES
from companion.rules.registry import games
from workshop.players import __main__ as command
from workshop.players.learning import Learnt, Recipe, fitted, learn, match, self_play

TABLES = laid_out("tables/fallas", 2, {})


def test_the_fit_finds_what_decided() -> None:
    chance = np.random.default_rng(5)
    rows = chance.random((20_000, len(NAMES)))
    true = chance.normal(0, 2, len(NAMES))
    won = (chance.random(len(rows)) < 1 / (1 + np.exp(-rows @ true))).astype(np.float64)
    found = fitted(rows, won, by_hand(), 1e-6)
    assert np.abs(found - true).max() < 0.5
    held = fitted(rows, won, by_hand(), 1e6)
    assert np.allclose(held, by_hand(), atol=0.01)


def test_weights_win_half_of_their_games_against_themselves() -> None:
    assert match(TABLES, by_hand(), by_hand(), 5, 3) == (0.5, 0.0)


def test_weights_that_want_the_wrong_thing_lose() -> None:
    share, _ = match(TABLES, by_hand(), -by_hand(), 5, 4)
    assert share > 0.85
    assert share + match(TABLES, -by_hand(), by_hand(), 5, 4)[0] == 1


def test_each_throw_of_a_game_tells_who_won_it() -> None:
    rows, won = self_play(TABLES, by_hand(), 4, 6)
    assert rows.shape == (len(won), len(NAMES))
    assert set(won) <= {0.0, 0.5, 1.0}
    start = rows[:4, NAMES.index("own_hand")]
    assert np.allclose(start, start[0])  # all four games begin alike


def test_the_same_seed_learns_the_same() -> None:
    recipe = Recipe(seed=2, rounds=1, games=4, pairs=2)
    one, other = (learn("tables/fallas", recipe) for _ in range(2))
    assert np.array_equal(one.weights, other.weights)
    assert (one.share, one.error, one.changed) == (other.share, other.error, other.changed)


def test_what_was_learnt_already_is_not_learnt_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[str] = []

    def learnt(slug: str, _: Recipe) -> Learnt:
        made.append(slug)
        return Learnt(slug, in_order({"race": 2.5}), 1, 0.75 if slug.endswith("zeno") else 0.52, 0.02)

    monkeypatch.setattr(command, "FILE", tmp_path / "weights.toml")
    monkeypatch.setattr("workshop.players.learning.learn", learnt)
    command.FILE.write_text("", encoding="utf-8")
    arguments = ["players", "--jobs", "1", "--seed", "4"]
    for more, done in ((["tables/zeno"], 1), (["tables/zeno", "tables/pyf"], 2), ([], len(command.variants()))):
        monkeypatch.setattr("sys.argv", [*arguments[:1], *more, *arguments[1:]])
        assert command.main() == 0
        assert len(made) == len(set(made)) == done
    known = tomllib.loads(command.FILE.read_text(encoding="utf-8"))
    assert known["tables/zeno"]["weights"]["race"] == 2.5
    assert "weights" not in known["tables/pyf"]  # 0.52 may be chance


@pytest.mark.parametrize("slug", sorted(card()))
def test_weights_that_are_kept_won_more_than_those_by_hand(slug: str) -> None:
    stated = card()[slug]
    assert slug in games()
    assert ("weights" in stated) == (stated["changed"] > 0 and stated["share"] - 2 * stated["error"] > 0.5)
    weights = weights_of(slug)
    assert np.isfinite(weights).all()
    assert np.array_equal(weights, by_hand()) == ("weights" not in stated)


def test_a_feature_that_does_not_exist_has_no_weight() -> None:
    with pytest.raises(ValueError, match="glory"):
        in_order({"glory": 1.0})
