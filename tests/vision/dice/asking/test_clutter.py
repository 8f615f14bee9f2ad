"""Whether a table shows dice: what separates faces of dice from coins, men, squares of boards and words."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.asking.clutter import NAMES, Border, Clutter, Find, from_toml, shipped
from companion.vision.dice.locate import Impression
from companion.vision.dice.marks import Witness
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import Image
from workshop.scenes import find_fonts, random_scene, render
from workshop.scenes.scene import USUAL
from workshop.training.choosing.chosen_files import clutter_to_toml

SQUARE = np.array([[0.0, 0], [9, 0], [9, 9], [0, 9]])
DIE = Find("letters", SQUARE, Impression(0.93, 0.9999, 0.04, 0.9), Witness(7.0, 0.0, 7.0), 0.99, 6.0)
COIN = Find("letters", SQUARE, Impression(0.6, 0.9, 0.5, 0.1), Witness(-0.5, 2.0, 1.5), 0.2, 0.0)
FAMILIES = ("letters", "pips", "tile", "octahedron", "trapezohedron", "dodecahedron", "icosahedron")
CHANCE = st.floats(0, 1)
LOG = st.floats(-1e6, 1e6)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_plain_die_shows_that_dice_lie_there_and_a_coin_does_not(family: str) -> None:
    assert shipped().likely(replace(DIE, family=family))
    # coins look so much like badly seen faces of a die with twelve faces that its border leaves out next to none
    assert family == "dodecahedron" or not shipped().likely(replace(COIN, family=family))


@pytest.mark.parametrize(("families", "most"), [(FAMILIES[:3], 0.001), (FAMILIES[3:], 0.004)])
def test_the_borders_lose_next_to_no_dice_and_keep_most_tables_quiet(families: tuple[str, ...], most: float) -> None:
    borders = [shipped().borders[family] for family in families]
    assert sum(border.lost for border in borders) <= most * sum(border.dice for border in borders)
    assert all(border.bound < 0.06 for border in borders)
    assert sum(border.left for border in borders) < sum(border.tables for border in borders) / 2


def test_of_a_family_that_was_not_learnt_nothing_is_left_out() -> None:
    assert shipped().likely(replace(COIN, family="wheel"))


@given(
    st.builds(Impression, CHANCE, CHANCE, st.floats(0, np.inf), CHANCE),
    st.builds(Witness, LOG, LOG, LOG),
    CHANCE,
    st.floats(allow_nan=False),
)
def test_a_score_is_a_number_whatever_was_seen(
    impression: Impression, witness: Witness, fits: float, pose: float
) -> None:
    assert np.isfinite(shipped().score(Find("pips", SQUARE, impression, witness, fits, pose)))
    assert np.isfinite(shipped().score(Find("icosahedron", SQUARE, impression, witness, fits, pose)))


def test_it_is_the_same_after_it_was_written() -> None:
    clutter = Clutter(
        {"letters": tuple(float(i) for i in range(len(NAMES) + 1)), "tile": (0.5,) * (len(NAMES) + 1)},
        {"letters": Border(-1.25, 3000, 2, 0.0021, 18, 5)},
    )
    assert from_toml(clutter_to_toml(clutter)) == clutter


def test_weights_for_other_things_are_refused() -> None:
    with pytest.raises(ValueError, match="learn again"):
        from_toml(clutter_to_toml(Clutter({}, {})).replace('"odds"', '"ends"') + "\n[border]\n")


@pytest.fixture(scope="module")
def tables() -> list[Image]:
    """Return drawn tables with many things on them and no dice."""
    fonts = find_fonts("train", bundled=True)
    ranges = replace(USUAL, things=0.9, size=(800, 600))
    seeds = ([3, number] for number in range(4))
    return [render(random_scene(np.random.default_rng(seed), fonts, ranges=ranges, bodies=())).image for seed in seeds]


@pytest.mark.parametrize("name", ["wibold", "pips"])
def test_most_tables_without_dice_lead_to_no_question(name: str, tables: list[Image]) -> None:
    asking, quiet = DiceReader(name, likely=lambda _: True), DiceReader(name)
    before = sum(asking.read(table).status == "ask" for table in tables)
    after = sum(quiet.read(table).status == "ask" for table in tables)
    assert after < before / 2
    assert after <= len(tables) / 3
