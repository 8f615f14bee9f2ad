"""Networks learn from games against themselves, and ship only where they win; heats let a beginner win some games."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from companion.odds.tables.games import RunningGames
from companion.odds.tables.layout import TrackLayout, laid_out
from companion.players.tables import evaluation, network
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, by_hand, heat_of, heats, judge_of, weights_of
from companion.players.tables.features import NAMES
from companion.players.tables.network import Network, networks
from companion.players.tables.search import Leaves, TablesSearch
from companion.rules.registry import games
from workshop.players import heats as heats_command
from workshop.players import ship_networks as command
from workshop.players.networks import (
    ASTRAY,
    UNITS,
    Course,
    Learner,
    Lessons,
    beginner,
    lessons_of,
    looked_back,
    slopes,
    trained,
)
from workshop.players.vectorised import against_itself, exploring

TABLES = laid_out("tables/fallas", 2, {})
SEEN = 30


def some_network(seed: int) -> Network:
    chance = np.random.default_rng(seed)
    shapes = ((SEEN, UNITS), (UNITS,), (UNITS,), (SEEN,), (1,))
    return Network(*(chance.normal(size=shape).astype(np.float32) for shape in shapes))


def some_lessons(seed: int) -> Lessons:
    chance = np.random.default_rng(seed)
    return Lessons(chance.normal(size=(50, SEEN)).astype(np.float32), chance.random(50).astype(np.float32))


def loss(one: Network, lessons: Lessons) -> float:
    odds = one.odds(lessons.seen)
    return float((np.logaddexp(0, odds) - lessons.chance * odds).mean())


def some_leaves(
    scale: float, layout: TrackLayout = TABLES, judge: Network | None = None, boards: int = 200
) -> tuple[Boards, Leaves, npt.NDArray[np.intp]]:
    """Return the ends of turns of many boards, with chances that lie apart by ``scale``."""
    search = TablesSearch(layout, Evaluation(layout, judge or by_hand()))
    games = RunningGames(layout, 7, 1000, np.arange(boards))
    games.throw()
    before = Boards(games.men, games.hit, games.block, games.blots, games.pool, games.side)
    leaves = search.leaves(before, np.zeros(len(before), bool))
    return before, replace(leaves, chance=0.5 + scale * (leaves.chance - 0.5)), leaves.turn


def test_a_learner_strays_equally_far_however_close_the_chances_lie() -> None:
    glad = [exploring(0.15, 3)(*some_leaves(scale)) for scale in (1.0, 0.1)]
    assert glad[0] == pytest.approx(glad[1], rel=1e-2, abs=1e-2)
    before, leaves, owner = some_leaves(1.0)

    def lost(share: float) -> float:
        found = np.lexsort((-exploring(share, 3)(before, leaves, owner), owner))
        chosen = found[np.unique(owner[found], return_index=True)[1]]
        best = np.zeros(len(before))
        np.maximum.at(best, owner, leaves.chance)
        return float((best - leaves.chance[chosen]).mean())

    assert lost(1e-6) == pytest.approx(0.0, abs=1e-6)
    assert 0 < lost(0.15) < lost(1.0)


def test_each_slope_is_what_a_small_change_does() -> None:
    one, lessons, chance, little = some_network(1), some_lessons(2), np.random.default_rng(3), 0.01
    found = slopes(one, lessons)
    for name, weights in one.arrays().items():
        place = tuple(int(chance.integers(size)) for size in weights.shape)
        weights[place] += little
        more = loss(one, lessons)
        weights[place] -= 2 * little
        less = loss(one, lessons)
        weights[place] += little
        assert found[name][place] == pytest.approx((more - less) / (2 * little), abs=1e-3)


def test_steps_make_the_loss_fall() -> None:
    learner, lessons = Learner(some_network(4)), some_lessons(5)
    before = loss(learner.network, lessons)
    for _ in range(50):
        learner.step(lessons, 0.01)
    learner.remember()
    assert loss(learner.mean(), lessons) < before / 2


def test_a_position_learns_from_those_after_it() -> None:
    game, worth = np.array([0, 1, 0]), np.array([0.1, 0.2, 0.3])
    won = np.array([1.0, 0.0])
    assert looked_back(game, worth, won, 1.0).tolist() == [1, 0, 1]
    assert looked_back(game, worth, won, 0.0).tolist() == [0.3, 0, 1]
    assert looked_back(game, worth, won, 0.5).tolist() == pytest.approx([(0.3 + 1) / 2, 0, 1])


def test_lessons_show_the_positions_before_each_throw_and_who_won() -> None:
    lessons = lessons_of(TABLES, Evaluation(TABLES, by_hand()), 4, 6, 1.0)
    search, rows = TablesSearch(TABLES, Evaluation(TABLES, by_hand())), list[npt.NDArray[np.float32]]()
    pick = exploring(ASTRAY, 6)
    game, side, won = against_itself(search, pick, 4, 6, lambda b: rows.append(search.evaluation.features.rows(b)))
    assert np.allclose(lessons.seen[:, : len(NAMES)], np.concatenate(rows))
    assert np.array_equal(lessons.chance, np.where(side == 0, won[game], 1 - won[game]))


def test_a_network_begins_as_the_weights_made_less_sure() -> None:
    lessons = lessons_of(TABLES, Evaluation(TABLES, by_hand()), 8, 6, 1.0)
    begun = beginner(lessons, by_hand(), np.random.default_rng(1))
    stated, odds = begun.odds(lessons.seen), lessons.seen[:, : len(NAMES)] @ by_hand()
    scale = float((stated @ odds) / (odds @ odds))
    assert 0 < scale < 1
    assert np.allclose(stated, scale * odds, atol=1e-3)


def test_the_same_seed_trains_the_same() -> None:
    course = Course(seed=3, batches=3, games=4, passes=1, remembered=2)
    one, other = (trained(TABLES, by_hand(), course) for _ in range(2))
    for name, weights in one.arrays().items():
        assert np.array_equal(weights, other.arrays()[name])
        assert np.isfinite(weights).all()


def test_only_a_network_that_wins_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[str] = []
    won = {"tables/zeno": (0.6, 0.02), "tables/pyf": (0.53, 0.02)}

    def one(*_: object) -> Network:
        return some_network(len(made))

    def match(*_: object) -> tuple[float, float]:
        made.append(list(won)[len(made)])
        return won[made[-1]]

    for name, value in (("FILE", tmp_path / "networks.npz"), ("CARD", tmp_path / "networks.toml")):
        monkeypatch.setattr(command, name, value)
    for name, called in (("trained", one), ("match", match), ("networks", dict)):
        monkeypatch.setattr(command, name, called)
    command.CARD.write_text("", encoding="utf-8")
    for _ in range(2):  # the second time, all is trained already
        monkeypatch.setattr("sys.argv", ["ship", *won, "--seed", "4"])
        assert command.main() == 0
        assert made == list(won)
    with np.load(command.FILE) as arrays:
        assert {key.split(":")[0] for key in arrays.files} == {"tables/zeno"}
    assert set(tomllib.loads(command.CARD.read_text(encoding="utf-8"))) == set(won)


def test_the_networks_that_ship_won_more_than_the_weights() -> None:
    card = tomllib.loads(command.CARD.read_text(encoding="utf-8"))
    assert command.FILE.stat().st_size < 14_000 * len(networks())
    assert set(networks()) == {slug for slug, won in card.items() if won["share"] - 2 * won["error"] > 0.5}
    for slug in card:
        assert slug in games()
    for slug, one in networks().items():
        assert judge_of(slug) is one
        _, leaves, _ = some_leaves(1.0, laid_out(slug, 2, {}), one, 4)
        assert np.isfinite(leaves.chance).all()
        assert 0 < leaves.chance.min() < leaves.chance.max() < 1


def test_a_variant_without_a_network_is_judged_by_its_weights() -> None:
    slug = "tables/twelve-dogs"  # its choices do not matter, so no network can win more
    assert slug not in networks()
    judge = judge_of(slug)
    assert not isinstance(judge, Network)
    assert np.array_equal(judge, weights_of(slug))


def test_many_boards_are_evaluated_in_parts_as_they_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    _, leaves, _ = some_leaves(1.0)
    judged = Evaluation(TABLES, judge_of("tables/fallas"))
    together = judged.chances(leaves.boards)
    monkeypatch.setattr(evaluation, "AT_A_TIME", len(together) // 3 - 1)
    assert np.allclose(judged.chances(leaves.boards), together, atol=1e-6)


def test_a_heat_falls_until_the_beginner_wins_some(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[float] = []

    def share(_: str, heat: float, *__: int) -> tuple[float, float]:
        asked.append(heat)
        return (0.99 if heat > 0.2 else 0.9, 0.01)

    monkeypatch.setattr(heats_command, "share", share)
    monkeypatch.setattr(heats_command, "FILE", tmp_path / "heats.toml")
    heats_command.FILE.write_text("", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["heats", "tables/pyf", "--heat", "1.0"])
    assert heats_command.main() == 0
    assert asked == pytest.approx([1.0, 0.4, 0.16])
    assert tomllib.loads(heats_command.FILE.read_text(encoding="utf-8"))["tables/pyf"]["heat"] == 0.16


def test_a_heat_rises_where_the_master_wins_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {0.04: 0.7, 0.08: 0.8, 0.16: 0.99, 0.11: 0.9}
    monkeypatch.setattr(heats_command, "share", lambda _, heat, *__: (shares[round(heat, 2)], 0.01))
    assert heats_command.found("tables/pyf", 0.04, 5, 1)["heat"] == 0.113


@pytest.mark.parametrize("slug", sorted(heats()))
def test_the_heats_that_ship_let_a_beginner_win(slug: str) -> None:
    stated = heats()[slug]
    assert heats_command.WANTED[0] <= stated["share"] <= heats_command.WANTED[1]
    assert heat_of(slug) == stated["heat"]


def test_the_master_beats_a_beginner_more_the_hotter_it_is() -> None:
    shares = [heats_command.share("tables/fallas", heat, 10, 3)[0] for heat in (0.01, 2.0)]
    assert shares[0] < shares[1]
    assert network.FILE in {path.name for path in Path(evaluation.__file__).parent.iterdir()}
