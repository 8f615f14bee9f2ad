"""The naive rules of the tests know every game and every option there is: what they do not know, they cannot judge."""

import tomllib
from collections.abc import Collection
from pathlib import Path

import pytest

from companion.rules.registry import games
from tests.rules.rithmomachia.naive_options import OWN, SHARED, SLUGS
from tests.rules.tables.naive_variants import VARIANTS
from tests.rules.tables.planted import FREE

KNOWN: dict[str, Collection[str]] = {"tables": [*VARIANTS, FREE], "rithmomachia": SLUGS, "ludix": ["ludix"]}
"""By family; on the free board nothing is forbidden, so there is nothing to judge a second time."""


def of_family(family: str) -> set[str]:
    return {slug for slug in games() if slug.partition("/")[0] == family}


@pytest.mark.parametrize("family", KNOWN)
def test_every_game_has_naive_rules(family: str) -> None:
    assert set(KNOWN[family]) == of_family(family)


@pytest.mark.parametrize("family", KNOWN)
def test_the_positions_of_every_game_are_counted_by_both(family: str) -> None:
    listed = tomllib.loads((Path(__file__).parent / family / "perft.toml").read_text(encoding="utf-8"))["perft"]
    assert {entry.get("game", family) for entry in listed} == of_family(family) - {FREE}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_option_of_rithmomachia_has_a_naive_default(slug: str) -> None:
    known = SHARED | OWN[slug]
    assert {option.name: option.default for option in games()[slug].options}.items() <= known.items()
