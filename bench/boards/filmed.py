"""Which move was made, from pictures: matches are drawn ply by ply, read by the board reader and followed.

The plies are those of `bench.boards.moves`, but each look is a picture: with noise, a camera that shakes, changing
light, sometimes a hand. The reader learns from each position that is agreed on, as at a table. It finds the board in
the first picture; where it fails, the place is given as if by a person.
"""

import argparse
import json
import os
import random
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from bench.boards.moves import SLUGS, watch
from calibration.workshop.board_scenes.filming import BoardFilm
from calibration.workshop.scenes.fonts import Font, find_fonts
from calibration.workshop.scenes.things import random_hand
from companion.rules.game import Game
from companion.vision.board_readings import BoardReading, Standing
from companion.vision.boards.layout import RITHMOMACHIA, TABLES, layout
from companion.vision.boards.places import FoundPlaces
from companion.vision.boards.reader import BoardReader
from companion.vision.dice.geometry import Points
from companion.vision.readings import Image

HANDS = 0.1
"""The share of pictures with a hand."""

FOUND = 0.03
"""A corner that is farther off than this share of the field's width counts as not found."""


@cache
def _fonts() -> tuple[Font, ...]:
    return find_fonts("held-out")


class FilmedCamera:
    """A camera that shows drawn boards to the reader."""

    def __init__(self, chance: random.Random, variant: Game, number: int, told: Counter[str]) -> None:
        self.chance = chance
        self.kind = TABLES if variant.slug.startswith("tables") else RITHMOMACHIA
        size = (1280, 960) if self.kind == TABLES else (1600, 1200)
        self.film = BoardFilm(self.kind, chance.randrange(2**20), _fonts(), size=size, markers=bool(number % 2))
        self.reader = BoardReader(layout(self.kind))
        self.told = told
        self.places = FoundPlaces(self.reader)
        self.marked: Points | None = None
        self.number = 0

    def look(self, sites: Mapping[str, tuple[Standing, bool]]) -> BoardReading:
        """Draw a picture of the board and return its reading."""
        self.number += 1
        truth = {name: men for name, (standing, piled) in sites.items() if (men := self._men(standing, piled=piled))}
        hand = None
        if self.number > 1 and self.chance.random() < HANDS:
            hand = random_hand(np.random.default_rng(self.chance.randrange(2**31)), reach=(0.2, 0.8))
        shake = tuple(self.chance.gauss(0, 0.01) for _ in range(2))
        shown = self.film.picture(
            truth,
            self.number,
            hand=hand,
            light=self.chance.choice((1.0, 1.0, 0.7, 1.3)),
            shift=(shake[0], shake[1], self.chance.gauss(0, 0.03)),
        )
        reading = self.reader.read(shown.image, self._place(shown.image, shown.corners))
        self._count(reading, sites)
        return reading

    def learn(self, men: Mapping[str, Standing]) -> None:
        """Learn from the newest picture: everybody agrees that these men stood there."""
        self.reader.learn(men)

    def _place(self, image: Image, corners: Points) -> Any:
        """Return the board's place, followed from picture to picture as at a table; given once if it is not found."""
        if self.number == 1:
            found = self.places.field(image)
            wide = float(np.linalg.norm(corners[0] - corners[1]))
            if found is not None and float(np.linalg.norm(found.corners - corners, axis=1).max()) / wide < FOUND:
                self.told["boards found"] += 1
            else:
                self.told["boards given by hand"] += 1
                self.marked = corners
            return found if self.marked is None else self.reader.known(image, corners)
        return self.places.field(image) if self.marked is None else self.reader.known(image, self.marked)

    def _men(self, standing: Standing, *, piled: bool) -> object:
        if standing is None:
            return None
        if self.kind == RITHMOMACHIA:
            return standing
        return standing.to_json() if not piled else {standing.colour: standing.count + 2}

    def _count(self, reading: BoardReading, sites: Mapping[str, tuple[Standing, bool]]) -> None:
        for name, (standing, piled) in sites.items():
            site = reading.sites.get(name)
            if site is None or piled:
                continue
            right = site.standing == standing
            kind = "occupied" if standing is not None else "empty"
            became = site.status if site.status != "read" else "right" if right else "wrong"
            self.told[f"{kind} sites {became}"] += 1


def main() -> None:
    """Print the figures of each slug."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(SLUGS))
    parser.add_argument("-n", type=int, default=50, help="matches of each")
    parser.add_argument("--plies", type=int, default=10, help="plies that are watched of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, object] = {"n": given.n, "plies": given.plies, "seed": given.seed}
    for slug in given.slugs:
        told: Counter[str] = Counter()
        before = os.getloadavg()[0]
        result = watch(
            slug,
            given.n,
            given.plies,
            given.seed,
            lambda chance, variant, number: FilmedCamera(chance, variant, number, told),  # noqa: B023
        )
        figures[slug] = result | {"looks": dict(told), "load": [round(before, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
