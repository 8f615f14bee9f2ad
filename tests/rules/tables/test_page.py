"""The page for players and the data tell of the same games and options."""

import re
from pathlib import Path

import pytest

from companion.rules.game import Game
from companion.rules.registry import games
from companion.rules.tables.variants import Variant, variants

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "tables.md").read_text(encoding="utf-8")
TABLES = [listed for slug, listed in games().items() if slug.startswith("tables/")]


@pytest.mark.parametrize("listed", TABLES, ids=lambda listed: listed.slug)
def test_every_game_has_a_section_that_names_its_options(listed: Game) -> None:
    assert f": `{listed.slug}`\n" in PAGE
    for option in listed.options:
        assert f"`{option.name}`" in PAGE, option.name


def test_every_section_is_of_a_game_there_is() -> None:
    named = {
        line.partition("`")[2].rstrip("`") for line in PAGE.splitlines() if line.startswith("### ") and "`" in line
    }
    assert named == {listed.slug for listed in TABLES}


@pytest.mark.parametrize("variant", variants().values(), ids=lambda variant: variant.slug)
def test_every_entry_names_its_source_and_what_is_ruled(variant: Variant) -> None:
    assert re.match(r"[A-Z][^,]*, \w", variant.source), "an author or a book, whoever's, and the place in it"
    assert variant.ruled.endswith(".")
    assert all(len(set(track)) == len(track) for track in variant.tracks)
    for track, side in zip(variant.tracks, variant.start, strict=True):
        assert set(side) <= set(track)
        assert sum(side.values()) in {0, variant.men}
