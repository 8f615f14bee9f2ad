"""Learn from drawings what edges of solids look like; write the table that fits many-sided dice."""

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from companion.rules.dice import dice_set
from companion.vision.dice.solids import edges as solid_edges
from companion.vision.dice.solids.edges import (
    CHANGE_SHARES,
    CHANGE_STRENGTHS,
    COARSE,
    CREASE_KIND,
    EDGE_DIRECTIONS,
    FINE,
    OUTLINE_KIND,
    PATCH_SIDE,
    RINGS,
    Level,
    Lines,
    Patch,
)
from companion.vision.dice.solids.model import Numbers, SeenSolids, Solid, solids
from companion.vision.readings import Image
from workshop.hands import split_fonts
from workshop.scenes.bodies import sides
from workshop.scenes.camera import Points
from workshop.scenes.render import render
from workshop.scenes.scene import RANGES, random_scene

SETS: Final = ("d8", "d10", "d12", "d20")
SEED: Final = 7002
PICTURES: Final = 200
"""Number of pictures of each set."""

LEVELS: Final = ((COARSE, 52.0, 2.2, 0.3), (FINE, 74.0, 0.8, 0.1))
"""For each level: the size of a die in its patch, the error of its edges, and the uncertainty of its size.

The size is in pixels from corner to corner, the error in pixels, the uncertainty that of a logarithm.
"""

ELSEWHERE: Final = 1
TURNED: Final = 2
WRONG: Final = (ELSEWHERE, TURNED, ELSEWHERE, TURNED)
"""Wrong poses that each die is compared with: another place, size and turn, or a turn in its place.

Outlines must differ from those of the first kind, creases and marks from those of the second, whose outline is often
the same.
"""

SMOOTH: Final = 3.0
"""Count added everywhere, so that what never occurred does not count as impossible."""

HEAD: Final = """\
# Log odds that a change of colour is an edge of a solid, by its strength (ten steps, each twice the last) and the
# share of it across the edge (five steps, the last is the whole). Learnt from drawings with the training fonts by
# `python -m workshop.training.solid_edges`.
"""


class Counts:
    """How often each cell of the tables occurred: at a die's edges and faces, and elsewhere."""

    def __init__(self) -> None:
        self.edges = {level.name: np.zeros((4, CHANGE_STRENGTHS * CHANGE_SHARES)) for level, *_ in LEVELS}
        self.marks = np.zeros((2, len(RINGS), CHANGE_STRENGTHS))

    def add(self, image: Image, solid: Solid, pixels: Points, shown: list[bool], rng: np.random.Generator) -> None:
        """Count one die, given the pixels of its corners and which of its faces are visible."""
        middle = pixels.mean(axis=0)
        across = 2 * float(np.linalg.norm(pixels - middle, axis=1).max())
        for level, size, off, unsure in LEVELS:
            patch = Patch.around(middle, size / across * float(np.exp(rng.uniform(-unsure, unsure))))
            products = solid_edges.changes(image, patch, level)
            cells, strengths = solid_edges.cells(products), solid_edges.strengths(products[0] + products[2])
            placed = pixels * patch.scale + patch.shift
            for wrong in (0, *WRONG):
                corners = placed + rng.normal(0, off, 2)
                if wrong:
                    turn = rng.uniform(0, 2 * np.pi)
                    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
                    way = way * (np.exp(rng.uniform(-0.5, 0.4)) if wrong == ELSEWHERE else 1.0)
                    moved = rng.normal(0, 5, 2) if wrong == ELSEWHERE else np.zeros(2)
                    corners = (placed - PATCH_SIDE / 2) @ way.T + PATCH_SIDE / 2 + moved
                seen = SeenSolids(np.empty(0), np.empty(0), corners[None], np.array([shown]))
                self._edges(level, solid, seen, cells, wrong)
                if level is FINE and wrong != ELSEWHERE:
                    places = np.rint(solid_edges.on_faces(solid, seen)[0][np.array(shown)])
                    places = np.clip(places, 0, PATCH_SIDE - 1).astype(int)
                    rings = np.broadcast_to(solid_edges.ring_of(solid), places.shape[:2])
                    np.add.at(self.marks[wrong // TURNED], (rings, strengths[places[..., 1], places[..., 0]]), 1)

    def _edges(self, level: Level, solid: Solid, seen: SeenSolids, cells: Numbers, wrong: int) -> None:
        lines = Lines.of(solid, seen, 8)
        angle = np.arctan2(lines.across[..., 1], lines.across[..., 0])
        way = np.rint(angle * (EDGE_DIRECTIONS / np.pi)).astype(int) % EDGE_DIRECTIONS
        places = np.clip(np.rint(lines.points), 0, PATCH_SIDE - 1).astype(int)
        found = cells[way[..., None], places[..., 1], places[..., 0]]
        kinds = {0: (OUTLINE_KIND, CREASE_KIND), ELSEWHERE: (OUTLINE_KIND,), TURNED: (CREASE_KIND,)}[wrong]
        for kind in kinds:
            np.add.at(self.edges[level.name][kind + 2 * (wrong > 0)], found[lines.kinds == kind], 1)

    def text(self) -> str:
        """Return the data file."""
        parts = [HEAD]
        for name, counts in self.edges.items():
            shares = (counts + SMOOTH) / (counts + SMOOTH).sum(axis=1, keepdims=True)
            logs = np.log(shares[:2] / shares[2:]).reshape(2, CHANGE_STRENGTHS, CHANGE_SHARES)
            parts.append(
                f"\n[{name}]\noutline = [\n{_rows(logs[OUTLINE_KIND])}]\ncrease = [\n{_rows(logs[CREASE_KIND])}]\n"
            )
        rings = (self.marks + SMOOTH) / (self.marks + SMOOTH).sum(axis=2, keepdims=True)
        parts.append("\n# Log odds by ring of a face, from its middle outwards, and by strength of the change.\n")
        parts.append(f"[marks]\nrings = [\n{_rows(np.log(rings[0] / rings[1]))}]\n")
        return "".join(parts)


def _rows(logs: Points) -> str:
    return "".join("    " + ", ".join(f"{value:.2f}" for value in row) + ",\n" for row in logs)


def count(pictures: int, seed: int = SEED) -> Counts:
    """Count in ``pictures`` drawn pictures of each of `SETS`, with the training fonts."""
    fonts, _ = split_fonts(1)
    counts, rng = Counts(), np.random.default_rng(3)
    for name in SETS:
        for number in range(pictures):
            own = np.random.default_rng([seed, number, int(name[1:])])
            scene = random_scene(own, fonts, ranges=RANGES["usual"], set_name=name)
            drawn = render(scene)
            placed = scene.dice[0]
            shown = [bool((scene.camera.position - one.corners.mean(axis=0)) @ one.normal > 0) for one in sides(placed)]
            shape = dice_set(name).dice[0].shape
            counts.add(drawn.image, solids()[shape], scene.camera.project(placed.vertices), shown, rng)
    return counts


def main() -> None:
    """Count and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=PICTURES, help="pictures of each set")
    parser.add_argument("--out", type=Path, default=Path(solid_edges.__file__).with_name(solid_edges.DATA))
    given = parser.parse_args()
    given.out.write_text(count(given.n).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
