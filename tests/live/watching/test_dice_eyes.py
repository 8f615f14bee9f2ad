"""When a table learns its ground: nobody who waits for what the dice show waits for that."""

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest

from companion.live.watching.dice_eyes import DiceEyes, Read
from companion.live.watching.dice_settings import WatchSettings
from companion.vision.ground import Ground
from companion.vision.mat import Mat
from companion.vision.readings import DiceReading, Frame, Image
from tests.live.drawn import SURE, DrawnReader, draw, joined, placed

WIBOLD = ("wibold", None)


class Grounded(DrawnReader):
    """A reader that knows drawn dice, and the ground."""

    ground: Ground | None = None


@dataclass
class Table:
    """Eyes over drawn dice, and the pictures from which their ground was learnt."""

    eyes: DiceEyes
    learnt: list[Image] = field(default_factory=list)

    def read(self, number: int, image: Image) -> Read:
        return self.eyes.read([Frame(image, float(number), "drawn", number)], WIBOLD)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    made = Table(DiceEyes(WatchSettings(Mat(), lambda _: Grounded(), joined), lambda *_: None))
    rest = Ground.rest

    def watched(ground: Ground, image: Image, reading: DiceReading) -> Any:
        made.learnt.append(image)
        return rest(ground, image, reading)

    monkeypatch.setattr(Ground, "rest", watched)
    return made


def test_the_ground_is_learnt_after_the_answer_and_once(table: Table) -> None:
    read = table.read(1, draw(placed("EI E OU STXZ")))
    assert table.eyes.examined(read, WIBOLD, lit=None).reading == read.reading
    assert not table.learnt
    table.eyes.work()
    table.eyes.work()
    assert [image is read.image for image in table.learnt] == [True]


def test_the_ground_is_learnt_before_the_next_throw_is_read(table: Table) -> None:
    first = table.read(1, draw(placed("EI E OU STXZ")))
    table.eyes.examined(first, WIBOLD, lit=None)
    table.read(2, draw(placed("A E OU STXZ")))
    assert [image is first.image for image in table.learnt] == [True]


def test_where_a_die_is_missing_the_answer_says_what_came_to_lie_there(table: Table) -> None:
    for number in (1, 2):
        read = table.read(number, draw(placed("EI E OU STXZ", shift=40 * number)))
        table.eyes.examined(read, WIBOLD, lit=None)
    lying = placed("EI E OU STXZ", shift=120)
    del lying["1"]
    image = draw(lying)
    cv2.rectangle(image, (30, 400), (70, 440), (SURE, 133, 133), cv2.FILLED)  # its colour, and no face of it
    read = table.read(3, image)
    there = table.eyes.examined(read, WIBOLD, lit=None).reading.dice
    assert len(table.learnt) == 3  # the last at once
    assert there[: len(read.reading.dice)] == read.reading.dice
    (unread,) = there[len(read.reading.dice) :]
    assert (unread.face, unread.status) == (None, "ask")
    assert np.abs(np.mean(unread.polygon, axis=0) - [50, 420]).max() < 10
    table.eyes.work()
    assert len(table.learnt) == 3
