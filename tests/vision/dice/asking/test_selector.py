"""When a face is read: the score of its features against the threshold of its class."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.asking.rows import IMPOSSIBLE_LOG_CHANCE, RowWitness
from companion.vision.dice.asking.selector import (
    AGAIN_NAMES,
    NAMES,
    Bar,
    Features,
    SecondPass,
    Selector,
    from_toml,
    shipped,
)
from companion.vision.dice.marks import Witness
from companion.vision.dice.nets import WeightsError
from workshop.training.choosing.chosen_files import selector_to_toml

SURE = Features(
    family="letters",
    odds=9.0,
    beside=0.0,
    readable=8.0,
    chance=0.998,
    seconded=None,
    die=0.9999,
    upper=float("inf"),
    on_top=0.98,
    error=0.03,
    edge=90.0,
    tilt=5.0,
    marks=3,
    off_shape=0.02,
    off_size=0.01,
    alike=3,
    rival=0.0,
)
NUMBER = st.floats(-1e6, 1e6)
AGREES = Witness(6.0, 0.0, 8.0)
UNDECIDED = Witness(1.0, 0.0, 8.0)


def test_a_selector_that_nothing_was_chosen_for_can_be_written_and_read() -> None:
    assert from_toml(selector_to_toml(Selector({}, {}, ()))) == Selector({}, {}, ())


def test_a_sure_face_is_read_and_doubtful_ones_are_not() -> None:
    reads = shipped().reads
    assert reads(SURE)
    assert not reads(replace(SURE, odds=0.2, chance=0.4))
    assert not reads(replace(SURE, odds=1.0, beside=6.0, chance=0.7))


@pytest.mark.parametrize("family", ["letters", "pips", "tile"])
def test_more_odds_never_turn_a_reading_into_a_question(family: str) -> None:
    score = shipped().score
    likelier = [
        replace(SURE, family=family, odds=odds, chance=chance) for odds, chance in ((1, 0.6), (4, 0.95), (9, 0.998))
    ]
    assert sorted(likelier, key=score) == likelier


def test_a_face_of_no_class_is_asked_about() -> None:
    assert not shipped().reads(replace(SURE, family="wheel"))
    assert not Selector({"letters": [0.0] * len(NAMES) + [9.0]}, {}, ()).reads(SURE)


TWO_PASSES = SecondPass(RowWitness(-0.1, -8.0, -8.0, 3), AGREES)


@pytest.mark.parametrize(
    ("family", "again"),
    [("letters", None), ("letters", TWO_PASSES), ("tile", None), ("tile", TWO_PASSES), ("pips", None)],
)
@given(tilt=st.floats(0, 90), marks=st.integers(0, 9), turned=st.booleans())
def test_each_face_is_of_one_class_at_each_look(
    family: str, again: SecondPass | None, tilt: float, marks: int, *, turned: bool
) -> None:
    face = replace(SURE, family=family, tilt=tilt, marks=marks, turned=turned, again=again)
    assert sum(bar.holds(face) for bar in shipped().bars) == 1


def test_a_tile_with_a_letter_that_others_become_when_turned_must_be_surer() -> None:
    bars = {bar.turned: bar.least for bar in shipped().bars if bar.family == "tile" and not bar.again}
    assert bars.keys() == {True, False}
    assert bars[True] > bars[False]


DOUBTFUL = [(0.25 * step, 1 / (1 + np.exp(-0.25 * step))) for step in range(1, 25)]
"""Odds and chance of faces from a toss-up to nearly sure; where each class reads is chosen anew with each net."""


@pytest.mark.parametrize("family", ["letters", "tile", "trapezohedron", "dodecahedron"])
def test_the_row_net_confirms_a_doubtful_face_and_its_contradiction_does_not(family: str) -> None:
    settled = 0
    for odds, chance in DOUBTFUL:
        doubtful = replace(SURE, family=family, odds=odds, chance=chance, marks=2)
        confirmed = replace(doubtful, again=SecondPass(RowWitness(-0.01, -9.0, -9.0, 2), UNDECIDED))
        unheard = replace(
            doubtful,
            again=SecondPass(
                RowWitness(IMPOSSIBLE_LOG_CHANCE, IMPOSSIBLE_LOG_CHANCE, IMPOSSIBLE_LOG_CHANCE, 2), UNDECIDED
            ),
        )
        contradicted = replace(doubtful, again=SecondPass(RowWitness(-9.0, -0.01, -0.01, 2), UNDECIDED))
        assert shipped().score(confirmed) > max(shipped().score(unheard), shipped().score(contradicted))
        settled += shipped().reads(confirmed) and not shipped().reads(contradicted)
    assert settled >= 1


@pytest.mark.parametrize("family", ["letters", "tile", "trapezohedron", "dodecahedron"])
def test_a_mark_net_that_contradicts_turns_a_reading_into_a_question(family: str) -> None:
    rows, turned = RowWitness(-0.1, -5.0, -5.0, 2), 0
    for odds, chance in DOUBTFUL:
        agreed = replace(SURE, family=family, odds=odds, chance=chance, marks=2, again=SecondPass(rows, AGREES))
        contradicted = replace(agreed, again=SecondPass(rows, Witness(-6.0, 4.0, 8.0)))
        assert shipped().score(agreed) > shipped().score(contradicted)
        turned += shipped().reads(agreed) and not shipped().reads(contradicted)
    assert turned >= 1


@given(NUMBER, NUMBER, NUMBER, st.floats(0, 1), st.floats(0, 1))
def test_a_score_is_a_number_whatever_was_seen(
    odds: float, beside: float, readable: float, chance: float, die: float
) -> None:
    face = replace(SURE, odds=odds, beside=beside, readable=readable, chance=chance, die=die, error=np.inf, edge=0.0)
    assert np.isfinite(shipped().score(face))
    assert np.isfinite(
        shipped().score(
            replace(face, again=SecondPass(RowWitness(odds, beside, readable, 0), Witness(odds, beside, readable)))
        )
    )


def test_a_selector_is_the_same_after_it_was_written() -> None:
    bars = (
        Bar("letters", (0.0, 12.0), (0, 3), 2.5, 3000, 1, 0.00158),
        Bar("pips", (12.0, 91.0), (4, 99), 0.25, again=True),
        Bar("tile", (0.0, 91.0), (0, 99), 5.5, turned=True),
        Bar("tile", (0.0, 91.0), (0, 99), 3.5, turned=False),
    )
    first = {"letters": tuple(float(i) for i in range(len(NAMES) + 1))}
    again = {"tile": tuple(float(i) for i in range(len(NAMES) + len(AGAIN_NAMES) + 1))}
    selector = Selector(first, again, bars)
    assert from_toml(selector_to_toml(selector)) == selector


def test_a_selector_for_other_features_is_refused() -> None:
    text = selector_to_toml(Selector({}, {}, ())).replace('"odds", ', "")
    with pytest.raises(WeightsError, match="choose again"):
        from_toml(text + "\nbar = []\n")
