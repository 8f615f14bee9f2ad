"""A key with a dot is no 1, and dice beside it stay read."""

from dataclasses import replace

import numpy as np

from bench.reader.still_things import table
from companion.vision.dice.reader import DiceReader
from workshop.scenes.render import render


def test_a_key_with_a_dot_among_keys_is_not_read_as_a_die_that_shows_one() -> None:
    _, made, things = table(1, 1)
    shown = render(replace(made.scene(0), things=things))
    dice = DiceReader("pips").read(shown.image).dice
    middles = [np.mean(label.polygon, axis=0) for label in shown.labels]
    away = [die for die in dice if min(np.linalg.norm(np.mean(die.polygon, axis=0) - one) for one in middles) > 30]
    assert any(die.face == "1" for die in away), "the key is still found"
    assert not [die for die in away if die.status == "read"]
