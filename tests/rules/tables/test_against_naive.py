"""The engine and the naive rules agree on every position of random games: what stands, what is legal, what follows."""

import random
from zlib import crc32

import pytest

from companion.rules.options import OptionValue
from companion.rules.registry import game
from tests.rules.tables import naive
from tests.rules.tables.against_naive import Both, begin, compare, meant, playout, under_way
from tests.rules.tables.naive_variants import VARIANTS

OPTIONS: list[tuple[str, int, dict[str, OptionValue]]] = [
    ("tables/zeno", 2, {"doubles_twice": True, "extra_turn": True, "dice": "2"}),
    ("tables/zeno", 2, {"goal": "bear"}),
    ("tables/zeno", 2, {"second_side": "z"}),
    ("tables/zeno", 2, {"second_side": "n"}),
    ("tables/zeno", 2, {"second_side": "m", "goal": "bear"}),
    ("tables/ludus-anglicorum", 2, {"dice": "2+6"}),
    ("tables/ludus-anglicorum", 2, {"dice": "3-turn", "enter_first": False}),
    ("tables/emperador", 2, {"enter_first": False}),
    ("tables/pyf", 4, {}),
    ("tables/pyf", 2, {"unused": "opponent"}),
    ("tables/laquet", 2, {"dice": "majoret"}),
    ("tables/todas-tablas", 2, {"dice": "minoret"}),
    ("tables/todas-tablas", 6, {"unused": "opponent", "extra_turn": True}),
    ("tables/paume-carie-2", 2, {"ad_fallum": True}),
    ("tables/twelve-dogs", 2, {"unused": "opponent"}),
    ("tables/buffa-cortesa", 2, {"unused": "lost", "dice": "2"}),
    ("tables/reencontrat", 2, {"enter_first": False}),
    ("tables/quinze-tablas", 2, {"men": 7}),
    ("tables/pyf", 2, {"all_enter_first": True}),
    ("tables/paume-carie", 2, {"slaps": False}),
    ("tables/baralie", 2, {"reversed": True}),
    ("tables/backgammon", 2, {"unused": "offered"}),
]


@pytest.mark.parametrize("slug", VARIANTS)
def test_the_engine_agrees_with_the_naive_rules(slug: str) -> None:
    agree(slug, 2, {})


@pytest.mark.parametrize(("slug", "players", "options"), OPTIONS)
def test_they_agree_under_options(slug: str, players: int, options: dict[str, OptionValue]) -> None:
    agree(slug, players, options)


BATTLES: list[tuple[str, dict[str, OptionValue]]] = [
    ("tables/zeno", {}),
    ("tables/baralie", {}),
    ("tables/baralie", {"reversed": True}),
    ("tables/baralie", {"turned_by_battle": False}),
]


@pytest.mark.parametrize(("slug", "options"), BATTLES)
@pytest.mark.parametrize("players", [2, 4])
def test_they_agree_on_what_the_throw_for_the_start_decides(
    slug: str, options: dict[str, OptionValue], players: int
) -> None:
    generator = random.Random(3)
    for ours, theirs in (("6 5 4", "1 2 3"), ("1 1 1", "6 6 6")):
        engine = game(slug).start(players, battle=True, **options)
        shown = [text.split()[: len(engine.awaits.dice)] for text in (ours, theirs)]
        for dice in shown:
            engine = engine.after(engine.parse(" ".join(dice)))
        sums = [sum(map(int, dice)) for dice in shown]
        begun = Both(engine, naive.begun_by_battle(slug, players, *sums, **meant(options)))
        compare(begun)
        for both in playout(begun, generator, 8):
            compare(both)


def agree(slug: str, players: int, options: dict[str, OptionValue]) -> None:
    """Follow a game for some moves from its start, and from positions that are reached late."""
    generator = random.Random(crc32(slug.encode()))
    compare(begin(slug, players, **options))
    for moves in (0, 150, 450):
        begun = under_way(slug, players, options, generator, moves)
        for number, both in enumerate(playout(begun, generator, 10)):
            compare(both, plays=number == 5)
