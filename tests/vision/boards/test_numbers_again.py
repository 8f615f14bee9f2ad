"""Numbers are read again only where a square has changed since the lesson."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.board_readings import Men
from companion.vision.boards.layout import layout
from companion.vision.boards.numbers import NumberReader
from companion.vision.boards.reader import BoardReader
from companion.vision.readings import Image
from workshop.board_scenes.filming import BoardFilm
from workshop.scenes.fonts import find_fonts
from workshop.scenes.things import random_hand

BEGUN = {
    "b3": ("square", "white", 289),
    "b4": ("circle", "white", 8),
    "c6": ("triangle", "white", 81),
    "d4": ("circle", "white", 4),
    "e5": ("square", "white", 169),
    "b13": ("triangle", "black", 36),
    "c14": ("square", "black", 361),
    "d12": ("circle", "black", 9),
    "f13": ("triangle", "black", 100),
    "g14": ("circle", "black", 5),
}
MOVED = {**{site: man for site, man in BEGUN.items() if site != "d4"}, "d5": BEGUN["d4"]}

Board = dict[str, tuple[str, str, int]]


def men(board: Board) -> dict[str, Men]:
    return {site: Men(colour, 1, shape, number) for site, (shape, colour, number) in board.items()}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many men the number net was asked about, look by look."""
    counts: list[int] = []
    read = NumberReader.read

    def counted(self: NumberReader, patches: Sequence[Image]) -> npt.NDArray[np.float64]:
        counts.append(len(patches))
        return read(self, patches)

    monkeypatch.setattr(NumberReader, "read", counted)
    return counts


def test_only_changed_squares_are_read_again_and_a_moved_man_keeps_his_number(asked: list[int]) -> None:
    film = BoardFilm("rithmomachia", 5, find_fonts(bundled=True), size=(1280, 960), tilt=12.0)
    reader = BoardReader(layout("rithmomachia"))
    first = film.picture(men(BEGUN), 0)
    reader.read(first.image, reader.known(first.image, first.corners))
    reader.learn(men(BEGUN))
    still, moved = film.picture(men(BEGUN), 1), film.picture(men(MOVED), 2)
    for shown, board in ((still, BEGUN), (moved, MOVED)):
        reading = reader.read(shown.image, reader.find(shown.image))
        assert {site: one.standing for site, one in reading.sites.items() if one.standing} == men(board)
    assert asked[0] == len(BEGUN)
    assert asked[1] <= len(BEGUN) // 2
    assert 1 <= asked[2] <= len(BEGUN) // 2


def test_what_everybody_agreed_on_is_remembered_of_men_who_lie_under_a_hand_now(asked: list[int]) -> None:
    agreed = men(BEGUN | {"c14": ("triangle", "white", 25), "g14": ("triangle", "white", 16)})  # never read like this
    film = BoardFilm("rithmomachia", 5, find_fonts(bundled=True), size=(1280, 960), tilt=12.0)
    reader = BoardReader(layout("rithmomachia"))
    hand = random_hand(np.random.default_rng(3), reach=(0.6, 0.75))
    pictures = [film.picture(men(BEGUN), number, hand=hand if number == 1 else None) for number in range(3)]
    readings = []
    for shown in pictures:
        readings.append(reader.read(shown.image, reader.known(shown.image, shown.corners)))
        reader.learn(agreed)
    covered = [site for site in ("c14", "g14") if readings[1].sites[site].status == "hidden"]
    assert covered
    for site in covered:
        assert readings[2].sites[site].standing == agreed[site]
    assert asked[2] <= len(BEGUN) // 2
