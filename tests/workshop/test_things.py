"""Learning which finds show that dice lie there: borders that lose no more dice than they are proved to."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.dice.asking.clutter import from_toml
from companion.vision.readings import DiceReading, ReadDie
from tests.vision.dice.asking.test_clutter import COIN, DIE, SQUARE
from workshop.training.choosing.chosen_files import clutter_to_toml
from workshop.training.choosing.confidence import upper_bound
from workshop.training.choosing.things import LOST, MOST, THINGS, Labelled, Tables, learn, with_answers


def finds(number: int, seed: int, family: str = "letters") -> list[Labelled]:
    """Return finds of which the nets are surer where dice lie: three in each picture."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(number):
        die = i % 2 == 0
        sure = DIE if die else COIN
        impression = replace(
            sure.impression, located=float(np.clip(rng.normal(sure.impression.located, 0.08), 0.05, 0.99))
        )
        picture = f"drawn/{i // 6}" if die else f"{THINGS}/{i // 6}"
        made.append(Labelled(replace(sure, family=family, impression=impression), die, die, picture))
    return made


def test_dice_and_other_things_are_told_apart_by_what_was_learnt() -> None:
    clutter = from_toml(clutter_to_toml(learn(finds(900, 1))))
    later = finds(300, 2)
    assert np.mean([clutter.likely(one.find) == one.die for one in later]) > 0.95
    border = clutter.borders["letters"]
    assert border.dice == 450
    assert border.lost <= LOST * border.dice
    assert border.bound == pytest.approx(upper_bound(border.lost, border.dice), abs=1e-5)


def test_a_family_without_things_is_not_learnt() -> None:
    clutter = learn([*finds(60, 3), *(one for one in finds(60, 4, "tile") if one.die)])
    assert set(clutter.weights) == set(clutter.borders) == {"letters"}


def tables(*dice: tuple[float, int]) -> Tables:
    return Tables("letters", (), sum(number for _, number in dice), dice, np.array([-6.0, -2.0, -0.75, 0.5]))


def test_a_border_stays_below_the_pictures_whose_dice_may_not_be_lost() -> None:
    one = tables((-5.0, 1), (-1.0, 3), (7.0, 500))
    assert [one.least(errors) for errors in (0, 1, 3)] == [-5.0, -1.0, -1.0]
    assert one.least(4) == MOST
    assert (one.border(1).lost, one.border(1).dice, one.border(4).lost) == (1, 504, 4)
    assert [one.gain(errors) for errors in (0, 1)] == [1, 2]


def test_a_find_is_labelled_with_the_die_on_which_it_lies() -> None:
    truth = [{"polygon": (SQUARE + 1).tolist(), "legible": True}]
    away = replace(DIE, corners=SQUARE + 50)
    spot = tuple((float(x), float(y)) for x, y in SQUARE)
    read = ReadDie("wibold", "1", "IO", "read", 1.0, (("IO", 1.0),), spot)
    on, beside = with_answers([DIE, away], DiceReading((read,), "read"), truth, "one")
    assert (on.die, on.legible, on.counts, on.read) == (True, True, True, True)
    assert (beside.die, beside.legible, beside.counts, beside.read) == (False, False, False, False)
