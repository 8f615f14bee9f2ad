"""Men make the found field exact, and never drag it where nothing speaks for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.boards.align import EDGES, FEWEST, TOLD, aligned
from companion.vision.boards.frame import Field
from companion.vision.boards.layout import BAR, layout
from companion.vision.boards.men import FoundMan, canvas_of
from companion.vision.dice.geometry import Points, mapped, mapping

_UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
TRUE = np.array([[310.0, 120.0], [1480.0, 160.0], [1620.0, 800.0], [190.0, 760.0]])
BAR_WIDE = 0.06


def _men(name: str, field: Points, sites: list[str], rng: np.random.Generator) -> list[FoundMan]:
    """Return men on the middles of sites, a little off them, as a canvas of the found field shows them."""
    board = layout(name)
    canvas = canvas_of(board)
    out = []
    for site in sites:
        u, v = board.place(site, BAR_WIDE)
        if board.is_tables:
            v = 0.1 if v == 0 else 0.9
        du, dv = np.clip(rng.normal(0, 0.05, 2), -0.1, 0.1)
        u, v = u + du / board.columns, v + dv / board.rows
        seen = mapped(mapping(field, canvas.places) @ mapping(_UNIT, TRUE), np.array([[u, v]]))[0]
        x, y = float(seen[0]), float(seen[1])
        out.append(FoundMan(x, y, (x, y - 1.0), 0.99, 0.5, ()))
    return out


def _sites_read(name: str, field: Field, men: tuple[FoundMan, ...]) -> list[str | None]:
    board = layout(name)
    canvas = canvas_of(board)
    places = [np.clip(canvas.to_field(man.x, man.y), 0, 1) for man in men]
    return [board.site_at(float(u), float(v), field.bar) for u, v in places]


@pytest.mark.parametrize("name", ["tables", "rithmomachia"])
@given(data=st.data())
def test_men_off_the_middle_of_their_sites_move_the_field_there(name: str, data: st.DataObject) -> None:
    board = layout(name)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    wide = float(np.linalg.norm(TRUE[1] - TRUE[0]))
    astray = TRUE + np.clip(rng.normal(0, EDGES, (4, 2)), -1.5 * EDGES, 1.5 * EDGES) * wide
    many = data.draw(st.integers(12, 24))
    sites = [str(site) for site in rng.choice([one for one in board.sites if one != BAR], many, replace=False)]
    bar = BAR_WIDE + float(rng.uniform(-0.01, 0.01)) if board.is_tables else 0.0
    found = aligned(Field(astray, bar, 0.004, 1.0), _men(name, astray, sites, rng), board, canvas_of(board))
    assert found.trusted
    assert _sites_read(name, found.field, found.men) == sites
    # where men stand the field is known to a fifth of a site, whatever was found before
    there = np.array([board.place(site, BAR_WIDE) for site in sites])
    off = mapped(mapping(found.field.corners, _UNIT) @ mapping(_UNIT, TRUE), there) - there
    assert np.abs(off[:, 0]).max() * board.columns < 0.35
    assert np.median(np.abs(off[:, 0])) * board.columns < 0.15


@given(seed=st.integers(0, 2**32 - 1), few=st.integers(0, FEWEST - 1))
def test_few_men_change_nothing(seed: int, few: int) -> None:
    rng = np.random.default_rng(seed)
    board = layout("rithmomachia")
    astray = TRUE + rng.normal(0, 10.0, (4, 2))
    sites = [str(site) for site in rng.choice(board.sites, 20, replace=False)]
    men = _men("rithmomachia", astray, sites, rng)
    found = aligned(Field(astray, 0.0, 0.004, 1.0), men[:few], board, canvas_of(board))
    assert np.array_equal(found.field.corners, astray)
    assert list(found.men) == men[:few]


@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(["tables", "rithmomachia"]))
def test_a_calibrated_field_that_is_right_stays_where_it_is(seed: int, name: str) -> None:
    rng = np.random.default_rng(seed)
    board = layout(name)
    sites = [str(site) for site in rng.choice([one for one in board.sites if one != BAR], 16, replace=False)]
    men = _men(name, TRUE, sites, rng)
    known = aligned(Field(TRUE, BAR_WIDE if board.is_tables else 0.0, 0.0, 1.0), men, board, canvas_of(board))
    assert known.trusted
    assert known.field.error == 0.0
    assert np.abs(known.field.corners - TRUE).max() < 4 * TOLD * np.linalg.norm(TRUE[1] - TRUE[0])
    assert _sites_read(name, known.field, known.men) == sites


@pytest.mark.parametrize("name", ["tables", "rithmomachia"])
@given(seed=st.integers(0, 2**32 - 1), part=st.floats(-0.35, 0.35))
def test_a_calibrated_field_that_slipped_is_mended_or_not_trusted(name: str, seed: int, part: float) -> None:
    board = layout(name)
    wide = float(np.linalg.norm(TRUE[1] - TRUE[0]))
    slipped = TRUE + np.array([part / board.columns * wide, 0.0])
    sites = [site for site in board.sites if site != BAR]
    men = _men(name, slipped, sites, np.random.default_rng(seed))
    bar = BAR_WIDE if board.is_tables else 0.0
    told = aligned(Field(slipped, bar, 0.0, 1.0), men, board, canvas_of(board))
    if told.trusted:
        assert _sites_read(name, told.field, told.men) == sites
    else:
        assert np.array_equal(told.field.corners, slipped)
        assert list(told.men) == men


def test_a_calibrated_field_that_slipped_by_half_a_square_is_not_trusted() -> None:
    board = layout("rithmomachia")
    slipped = TRUE + np.array([0.4 / board.columns * float(np.linalg.norm(TRUE[1] - TRUE[0])), 0.0])
    men = _men("rithmomachia", slipped, list(board.sites), np.random.default_rng(3))
    assert not aligned(Field(slipped, 0.0, 0.0, 1.0), men, board, canvas_of(board)).trusted
