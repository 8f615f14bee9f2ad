"""Where sites lie: every site has its place, every place its site, and the men are those of the rules."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.registry import game
from companion.rules.rithmomachia.men import COLOURS, army, array
from companion.vision.boards.layout import BAR, UnknownBoardError, layout
from companion.vision.boards.numbers import copies, kinds

BOARDS = ("tables", "rithmomachia", "8x14", "8x9")
shares = st.floats(0, 1)
bars = st.floats(0.02, 0.12)


@pytest.mark.parametrize("name", BOARDS)
@given(u=shares, v=shares, bar=bars)
def test_every_place_of_the_field_belongs_to_one_of_the_sites(name: str, u: float, v: float, bar: float) -> None:
    board = layout(name)
    assert board.site_at(u, v, bar) in board.sites


@pytest.mark.parametrize("name", BOARDS)
@given(bar=bars)
def test_the_place_of_a_site_belongs_to_it(name: str, bar: float) -> None:
    board = layout(name)
    for site in board.sites:
        assert board.site_at(*board.place(site, bar), bar) == site


@given(u=st.floats(-3, 3), v=st.floats(-3, 3))
def test_outside_the_field_there_is_no_site(u: float, v: float) -> None:
    inside = 0 <= u <= 1 and 0 <= v <= 1
    assert (layout("tables").site_at(u, v) is not None) is inside


def test_a_tables_board_is_named_as_murray_names_it() -> None:
    board = layout("tables")
    points = {site.name for site in game("tables/zeno").board.sites if len(site.name) == 1}
    assert set(board.sites) == points | {BAR}
    along_the_bottom = [board.site_at((k + 0.5) / 12, 0.9, 0.0001) for k in range(12)]
    assert "".join(str(site) for site in along_the_bottom) == "mlkihgfedcba"
    along_the_top = [board.site_at((k + 0.5) / 12, 0.1, 0.0001) for k in range(12)]
    assert "".join(str(site) for site in along_the_top) == "nopqrstuwxyz"


def test_a_board_of_rithmomachia_has_the_squares_of_the_game() -> None:
    squares = {site.name for site in game("rithmomachia/durnil-guardia").board.sites}
    assert set(layout("rithmomachia").sites) == squares
    assert layout("8x16") == layout("rithmomachia")


def test_a_board_that_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownBoardError, match="tables, rithmomachia"):
        layout("chess")


def test_the_men_that_can_be_seen_are_those_of_the_rules() -> None:
    most: Counter[tuple[str, int]] = Counter()
    for owner in COLOURS:
        whole = Counter((man.shape, man.number) for row in array(owner) for man in row if man is not None)
        parts = Counter((part.shape, part.number) for part in army(owner).elements())
        most += whole | parts  # a pyramid stands whole or in parts
    assert dict(zip(kinds(), copies(), strict=True)) == dict(most)
