"""Weights of Rithmomachia are learnt by matches of the program against itself, and kept only where they win."""

import random
from math import log
from pathlib import Path

import pytest

from companion.parallel.parts import Here
from companion.players.rithmomachia.evaluation import (
    BY_HAND,
    NAMES,
    Weights,
    by_hand,
    card,
    measures,
    weights_of,
    worth,
)
from companion.rules.registry import game
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import kind_of
from tests.players.on_the_way import choosing
from workshop.players import rithmomachia as command
from workshop.players.rithmomachia import (
    SLUGS,
    Match,
    Recipe,
    against_itself,
    best_of,
    challengers,
    learn,
    opening,
    pair,
)

HAND: Weights = tuple(BY_HAND.values())
DURNIL, MEBBEN, ITALIAN = SLUGS


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CAP", 12)


def test_measures_are_what_the_page_shows() -> None:
    for slug in SLUGS:
        position = opening(slug, random.Random(4))
        shown = list(position.occupancy().values())
        for colour, measured in zip(("white", "black"), measures(position), strict=True):
            named = dict(zip(NAMES, measured, strict=True))
            own = [man for man in shown if man["colour"] == colour]
            assert named["men"] == len(own)
            began = [man for man in game(slug).start(2).occupancy().values() if man["colour"] == colour]
            logs = [sum(log(man["number"] + 1) for man in men) for men in (own, began)]
            assert named["logs"] == pytest.approx(logs[0] - logs[1])
            assert named["king"] == (slug == ITALIAN)


def test_a_game_begins_about_even() -> None:
    for slug in SLUGS:
        position = game(slug).start(2)
        assert isinstance(position, RithmoPosition)
        assert abs(worth(position, HAND)) < 0.7


def test_the_worth_for_one_player_is_the_others_with_the_sign_turned() -> None:
    for slug in SLUGS:
        position = choosing(slug, 3, 60)
        assert position is not None
        passed = position.passed()
        assert passed is not None
        assert worth(position, HAND) == pytest.approx(-worth(passed, HAND))  # type: ignore[arg-type]


def test_weights_win_half_of_their_games_against_themselves() -> None:
    assert pair(DURNIL, HAND, HAND, "1") == 0.5


def test_weights_that_want_the_wrong_thing_lose() -> None:
    wrong: Weights = tuple(-one for one in HAND)
    assert pair(ITALIAN, HAND, wrong, "0") > 0.5


def test_each_position_of_a_game_learns_who_won_it() -> None:
    rows = list(against_itself(MEBBEN, HAND, random.Random(2)))
    assert len(rows) == 12 // command.EVERY
    assert len({won for _, won in rows}) == 1
    assert {len(row) for row, _ in rows} == {len(NAMES)}


def test_the_same_seed_learns_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "challengers", lambda slug, champion: challengers(slug, champion)[:2])
    monkeypatch.setattr(command, "LAST", 1)
    monkeypatch.setattr(command, "CAP", 2)
    recipe = Recipe(seed=3, rounds=1, pairs=2)
    one, other = (learn(Here(), DURNIL, recipe) for _ in range(2))
    assert one == other
    assert one["pairs"] == 2


def test_challengers_differ_in_one_weight_that_counts() -> None:
    for slug in SLUGS:
        found = challengers(slug, HAND)
        changed = [[name for name, one, other in zip(NAMES, HAND, each, strict=True) if one != other] for each in found]
        assert all(len(names) == 1 for names in changed)
        assert ("king" in {name for (name,) in changed}) == (slug == ITALIAN)
        assert len(set(found)) == len(found)


def test_the_challenger_that_wins_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: Weights = tuple(-one for one in HAND)
    played: list[int] = []

    def match(_: object, task: Match, pairs: int) -> tuple[float, float]:
        played.append(pairs)
        return 0.9 if task.one == HAND else 0.1, 0.1

    monkeypatch.setattr(command, "match", match)
    assert best_of(Here(), ITALIAN, [wrong] * 3 + [HAND] + [wrong] * 3, wrong, 2, "1") == HAND
    assert played == [2] * 7 + [4] * 2


def test_what_was_learnt_already_is_not_learnt_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[str] = []

    def learnt(_: object, slug: str, recipe: Recipe) -> dict[str, object]:
        made.append(slug)
        return {"seed": recipe.seed, "rounds": recipe.rounds, "pairs": recipe.pairs}

    file = tmp_path / "weights.toml"
    file.write_text("", encoding="utf-8")
    monkeypatch.setattr(command, "FILE", file)
    monkeypatch.setattr(command, "learn", learnt)
    for seed in ("1", "1", "2"):
        command.main([DURNIL, "--seed", seed, "--jobs", "1"])
    assert made == [DURNIL, DURNIL]
    assert '["durnil-guardia"]' in file.read_text(encoding="utf-8")


def test_the_weights_that_ship_won_more_than_those_by_hand() -> None:
    for slug in SLUGS:
        reply = card().get(kind_of(slug), {})
        if "weights" in reply:
            assert reply["share"] - 2 * reply["error"] > 0.5
            assert weights_of(slug) == tuple(reply["weights"][name] for name in NAMES)
        else:
            assert weights_of(slug) == tuple(by_hand(slug).values())
