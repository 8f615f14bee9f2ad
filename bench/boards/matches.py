"""Draw matches: one owner's board and men, from the start position on, a picture a turn, with labels for each picture.

``python -m bench.boards.matches FOLDER --game tables/zeno --plies 12 --seed 3``; ``companion bench board FOLDER``
follows what it draws. Held-out fonts draw the numbers of the men.
"""

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.workshop.board_scenes.filming import BoardFilm
from calibration.workshop.scenes.fonts import Font, find_fonts
from calibration.workshop.scenes.things import random_hand
from companion.odds.playouts import random_move
from companion.referee.board.seating import Seating, seatings
from companion.referee.board.standing import Stand, Waiting, expected_board
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.rules.rithmomachia.men import PYRAMID
from companion.vision.boards.layout import RITHMOMACHIA, TABLES

HANDS: Final = 0.1
"""The share of pictures with a hand; another picture without it follows."""

SIZES: Final = {TABLES: (1280, 960), RITHMOMACHIA: (1600, 1200)}

PYRAMIDS: Final = {1: 91, 2: 190}
"""The number on each side's pyramid, whatever parts it has left."""

Sites = dict[str, Any]


def draw_match(folder: Path, slug: str, plies: int, seed: int, fonts: Sequence[Font]) -> list[dict[str, Any]]:
    """Draw a match into a folder and return its labels, which are written there too."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(f"{slug} {seed}")
    board = TABLES if slug.startswith("tables") else RITHMOMACHIA
    position: Position = game(slug).start(game(slug).least_players)
    ways = list(seatings(position.game))
    seating = ways[seed % len(ways)]
    film = BoardFilm(board, chance.randrange(2**20), fonts, size=SIZES[board], markers=bool(seed % 2))
    labels: list[dict[str, Any]] = []

    def shoot(faces: Sequence[str], *, hand: bool) -> None:
        shown = film.picture(
            {name: men.to_json() if board == TABLES else men for name, men in _men(position, seating).items()},
            len(labels),
            hand=random_hand(np.random.default_rng(chance.randrange(2**31)), reach=(0.2, 0.8)) if hand else None,
            light=chance.choice((1.0, 1.0, 0.85, 1.15)),
        )
        name = f"match_{len(labels):04}.jpg"
        cv2.imwrite(str(folder / name), shown.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        sites = {site: men.to_json() for site, men in _men(position, seating).items()}
        corners = [[round(float(x), 1), round(float(y), 1)] for x, y in shown.corners]
        thing = {"kind": "board", "board": board, "corners": corners, "markers": bool(seed % 2), "sites": sites}
        thrown = {"throw": list(faces)} if faces else {}
        labels.append({"image": name, "conditions": {"hand": hand}, **thrown, "objects": [thing]})

    shoot((), hand=False)
    for _ in range(plies):
        if position.outcome is not None:
            break
        position, faces = random_turn(position, chance)
        if chance.random() < HANDS:
            shoot(faces, hand=True)
        shoot(faces, hand=False)
    lines = "".join(json.dumps(label) + "\n" for label in labels)
    (folder / "labels.jsonl").write_text(lines, encoding="utf-8")
    return labels


def random_turn(position: Position, chance: random.Random) -> tuple[Position, list[str]]:
    """Play one random turn to its end; return where it leads and what the dice showed."""
    faces: list[str] = []
    player = position.awaits.player
    while position.outcome is None and (not faces or position.awaits.kind == "choice"):
        move = random_move(position, chance)
        if isinstance(move, Throw):
            faces = [face for _, face in move.shown]
        after = position.after(move)
        done = not isinstance(move, Throw) and after.awaits.player != player
        position = after
        if done:
            break
    return position, faces


def _men(position: Position, seating: Seating) -> Sites:
    """Return the men on each occupied site, by the picture's names; those in hand lie beside the board."""
    found: Sites = {}
    for site, stand in expected_board(position).items():
        men = seating.men(stand)
        if isinstance(stand, Waiting) or men is None:
            continue
        if isinstance(stand, Stand) and stand.shape == PYRAMID:
            men = replace(men, number=PYRAMIDS[stand.owner])
        found[seating.site(site)] = men
    return found


def main() -> None:
    """Draw one match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", required=True)
    parser.add_argument("--plies", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw_match(given.folder, given.game, given.plies, given.seed, find_fonts("held-out"))


if __name__ == "__main__":
    main()
