"""Games played many at once are the games of the rules core, move by move."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from companion.odds.playouts import PLY_CAP
from companion.odds.tables.duty import legal
from companion.odds.tables.layout import NotVectorisedError, TrackLayout, laid_out
from companion.odds.tables.men import TAKEN_BIT, WIDTH, sliced
from companion.odds.tables.simulation import simulate
from companion.odds.tables.steps import Turns
from companion.rules.options import OptionValue
from companion.rules.registry import game, games
from companion.rules.tables.position import TablesPosition
from companion.rules.tables.tables import Tables
from tests.odds.plain_stream import Stream
from tests.odds.tables_both_ways import by_the_rules, differences, places_of, steps_of, vectorised

Options = dict[str, OptionValue]

VARIANTS = [slug for slug in games() if slug.startswith("tables/")]
BARS = ["tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum"]


def tables(slug: str) -> Tables:
    found = game(slug)
    assert isinstance(found, Tables)
    return found


def covered(slug: str) -> bool:
    try:
        laid_out(slug, 2, {})
    except NotVectorisedError:
        return False
    return True


COVERED = [slug for slug in VARIANTS if covered(slug)]


def equal_games(slug: str, count: int, cap: int, players: int = 2, options: Options | None = None) -> int:
    """Assert that so many games are the same both ways; return how many moves were compared."""
    start = tables(slug).start(players, **(options or {}))
    at_once = vectorised(laid_out(slug, players, options or {}), 11, count, cap)
    one_by_one = [by_the_rules(start, Stream(11, number), cap) for number in range(count)]
    assert list(differences(one_by_one, at_once)) == []
    return sum(len(entry.moments) for entry in at_once)


@pytest.mark.parametrize("slug", COVERED)
def test_every_covered_variant_is_played_as_the_rules_play_it(slug: str) -> None:
    assert equal_games(slug, 2, 100) > 20


@pytest.mark.parametrize("slug", BARS)
def test_whole_games_end_alike(slug: str) -> None:
    assert slug in COVERED
    count = 2
    played = simulate(slug, count, 23)
    assert list(played.records) == [
        by_the_rules(tables(slug).start(2), Stream(23, number), PLY_CAP).record for number in range(count)
    ]
    assert all(record.winners is not None for record in played.records)


def test_what_is_not_covered_has_a_rule_of_its_own() -> None:
    for slug in sorted(set(VARIANTS) - set(COVERED)):
        known = game(slug)
        assert not isinstance(known, Tables) or known.variant.rule, f"{slug} is as others and should be covered"


OPTIONS: list[tuple[str, Options]] = [
    ("tables/zeno", {"dice": "2"}),
    ("tables/zeno", {"dice": "majoret", "doubles_twice": True}),
    ("tables/zeno", {"dice": "minoret", "extra_turn": True}),
    ("tables/zeno", {"dice": "3-turn", "doubles_twice": True, "extra_turn": True}),
    ("tables/zeno", {"goal": "bear", "ad_fallum": True}),
    ("tables/ludus-anglicorum", {"dice": "2+6"}),
    ("tables/ludus-anglicorum", {"enter_first": False}),
    ("tables/ludus-anglicorum", {"goal": "home", "unused": "opponent"}),
    ("tables/pyf", {"unused": "opponent", "extra_turn": True, "doubles_twice": True}),
    ("tables/pyf", {"unused": "opponent", "ad_fallum": True}),
    ("tables/twelve-dogs", {"table": "tz", "unused": "opponent", "extra_turn": True}),
    ("tables/emperador", {"enter_first": False, "dice": "2"}),
]


@pytest.mark.parametrize(("slug", "options"), OPTIONS)
def test_options_are_played_as_the_rules_play_them(slug: str, options: Options) -> None:
    assert equal_games(slug, 2, 150, options=options) > 10


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("slug", ["tables/pyf", "tables/ludus-anglicorum"])
def test_teams_are_played_as_the_rules_play_them(slug: str, players: int) -> None:
    assert equal_games(slug, 2, 100, players, {"unused": "opponent", "extra_turn": True}) > 10


@pytest.mark.parametrize("slug", COVERED)
def test_any_position_has_the_same_legal_steps(slug: str) -> None:
    """Random positions, most of them late and crowded: where the duty is hard to meet."""
    layout = laid_out(slug, 2, {})
    generator = np.random.default_rng([*slug.encode()])
    found = [_random_position(layout, slug, generator) for _ in range(80)]
    positions = [position for position in found if position.outcome is None]
    assert len(positions) > 30
    steps = legal(layout, _turns(layout, positions))
    for column, position in enumerate(positions):
        here = steps.game == column
        pips = layout.pools.value[steps.kind[here], layout.pools.dice.index(position.dice)]
        places = places_of(layout, position.turn - 1)
        named = tuple((places[place], int(die)) for place, die in zip(steps.place[here], pips, strict=True))
        assert named == steps_of(position), position


def _random_position(layout: TrackLayout, slug: str, generator: np.random.Generator) -> TablesPosition:
    """Set up a position by drawing a place for each man, with dice that can be left of a throw."""
    points = generator.permutation(sorted({*layout.tracks[0], *layout.tracks[1]}))
    mine = set(points[: generator.integers(1, len(points))])
    most = int(layout.start[0, :TAKEN_BIT].sum())
    men: dict[str, dict[str, Any]] = {}
    for side, track in enumerate(layout.tracks):
        if layout.pairs:
            men[str(side + 1)] = _random_pairs(track, generator)
            continue
        free = [point for point in track if (point in mine) == (side == 0)]
        if generator.random() < 0.4:
            free = [point for point in free if point in track[-6:]]
        single = {point for place, point in enumerate(track, 1) if layout.single >> place & 1}
        here: dict[str, Any] = {"hand": 0}
        for _ in range(generator.integers(1, most + 1)):
            point = str(generator.choice(free)) if free and generator.random() > 0.04 else "hand"
            limit = 2 if layout.most_two else 1 if point in single else most
            if point == "hand" or here.get(point, 0) < limit:
                here[point] = here.get(point, 0) + 1
        if layout.start[0, 0]:
            here["hit"] = int(generator.integers(0, here["hand"] + 1))
        if layout.corners:
            tables = generator.choice(["af", "gm", "ns", "tz"], here["hand"])
            here["hit_in"] = {str(table): int((tables == table).sum()) for table in set(tables)}
        men[str(side + 1)] = here
    laid = [dice for dice, turned in zip(layout.pools.dice, layout.pools.turned[0], strict=True) if dice and not turned]
    dice = list(laid[generator.integers(0, len(laid))])
    data = {"game": slug, "men": men, "turn": int(generator.integers(1, 3)), "dice": dice}
    position = game(slug).from_json(data)
    assert isinstance(position, TablesPosition)
    return position


def _random_pairs(track: Sequence[str], generator: np.random.Generator) -> dict[str, Any]:
    """Draw which pairs of Doblet are down, or all of them, and then how many men are left."""
    down = [point for point in track if generator.random() < 0.6]
    if len(down) < len(track):
        return {"down": down} | dict.fromkeys(track, 2)
    return {"down": down} | {point: int(generator.integers(0, 3)) for point in track}


def _turns(layout: TrackLayout, positions: list[TablesPosition]) -> Turns:
    own, hit, block, pool = [], [], [], []
    for position in positions:
        side = position.turn - 1
        ours, theirs = (position.to_json()["men"][str(number)] for number in (side + 1, 2 - side))
        track = layout.tracks[side]
        counts = [0] * WIDTH
        counts[: len(track) + 1] = [ours.get(place, 0) for place in ("hand", *track)]
        if layout.pairs:
            counts[len(track) + 1 : 2 * len(track) + 1] = [point not in ours["down"] for point in track]
        if layout.corners:
            counts[0], counts[TAKEN_BIT:] = 0, [ours["hit_in"].get(table, 0) for table in ("af", "gm", "ns", "tz")]
        own.append(counts)
        hit.append(position.course.hit(position.own))
        block.append(sum(1 << place for place, point in enumerate(track, 1) if theirs.get(point, 0) > 1))
        pool.append(layout.pools.dice.index(position.dice))
    return Turns(
        sliced(np.array(own, np.int8)), np.array(hit, np.int8), np.array(block, np.uint32), np.array(pool, np.int16)
    )
