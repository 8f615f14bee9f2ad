"""Draw matches: one owner's board and men, from the start position on, a picture a turn, with labels for each picture.

``python -m bench.boards.matches FOLDER --game tables/zeno --plies 12 --seed 3``; ``companion bench board FOLDER``
follows what it draws. Held-out fonts draw the numbers of the men.
"""

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from bench.boards.planted import Board, planted
from bench.boards.unlike import TracedUnlikeFilm, UnlikeFilm
from companion.odds.playouts import random_move
from companion.referee.board.seating import Seating, seatings
from companion.referee.board.standing import BAR, Stand, Waiting, expected_board
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.registry import game
from companion.rules.rithmomachia.men import PYRAMID
from companion.vision.board_readings import Men
from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from tests.referee.board.simulated import seen
from workshop.board_scenes.filming import BoardFilm
from workshop.photoreal.boards import TracedFilm
from workshop.scenes.fonts import Font, find_fonts
from workshop.scenes.things import random_hand

HANDS: Final = 0.1
"""The share of pictures with a hand; another picture without it follows."""

SIZES: Final = {TABLES: (1280, 960), RITHMOMACHIA: (1600, 1200)}

PYRAMIDS: Final = {1: 91, 2: 190}
"""The number on each side's pyramid, whatever parts it has left."""


def draw_match(
    folder: Path,
    slug: str,
    plies: int,
    seed: int,
    fonts: Sequence[Font],
    *,
    illegal: float = 0.0,
    filmed: Callable[..., BoardFilm] = BoardFilm,
) -> list[dict[str, Any]]:
    """Draw a match into a folder and return its labels, which are written there too.

    ``moves`` of a label: the throws and choices since the picture before. ``illegal``: before this share of the turns,
    a picture shows a move that is not legal; it is taken back. ``filmed`` makes the film of the match.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(f"{slug} {seed}")
    board = TABLES if slug.startswith("tables") else RITHMOMACHIA
    position: Position = game(slug).start(game(slug).least_players)
    ways = list(seatings(position.game))
    seating = ways[seed % len(ways)]
    moves: list[dict[str, Any]] = []  # since the picture before
    film = filmed(board, chance.randrange(2**20), fonts, size=SIZES[board], markers=bool(seed % 2))
    labels: list[dict[str, Any]] = []

    def shoot(men: Mapping[str, Men], faces: Sequence[str], *, hand: bool = False, forbidden: bool = False) -> None:
        shown = film.picture(
            {name: one.to_json() if board == TABLES else one for name, one in men.items()},
            len(labels),
            hand=random_hand(np.random.default_rng(chance.randrange(2**31)), reach=(0.2, 0.8)) if hand else None,
            light=chance.choice((1.0, 1.0, 0.85, 1.15)),
        )
        name = f"match_{len(labels):04}.jpg"
        cv2.imwrite(str(folder / name), shown.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        corners = [[round(float(x), 1), round(float(y), 1)] for x, y in shown.corners]
        sites = {site: one.to_json() for site, one in men.items()}
        thing = {"kind": "board", "board": board, "corners": corners, "markers": bool(seed % 2), "sites": sites}
        thrown = {"throw": list(faces)} if faces else {}
        conditions = {"hand": hand, **({"illegal": True} if forbidden else {})}
        labels.append({"image": name, "conditions": conditions, **thrown, "moves": list(moves), "objects": [thing]})
        moves.clear()

    shoot(_men(position, seating), ())
    for _ in range(plies):
        if position.outcome is not None:
            break
        position, throws = thrown(position, chance)
        faces = [face for _, face in throws[-1].shown] if throws else []
        if illegal and position.outcome is None and chance.random() < illegal:
            wrong = next(planted(position, seating, chance), None)
            if wrong is not None:
                shoot(_men_after(position, seating, wrong), faces, forbidden=True)
        position, choices = played(position, chance)
        moves += [move.to_json() for move in (*throws, *choices)]
        if chance.random() < HANDS:
            shoot(_men(position, seating), faces, hand=True)
        shoot(_men(position, seating), faces)
    lines = "".join(json.dumps(label) + "\n" for label in labels)
    (folder / "labels.jsonl").write_text(lines, encoding="utf-8")
    return labels


def thrown(position: Position, chance: random.Random) -> tuple[Position, list[Throw]]:
    """Throw until somebody can play; return the position, and the throws."""
    throws: list[Throw] = []
    while position.outcome is None and position.awaits.kind == "throw":
        move = random_move(position, chance)
        assert isinstance(move, Throw)
        throws.append(move)
        position = position.after(move)
    return position, throws


def played(position: Position, chance: random.Random) -> tuple[Position, list[Choice | Throw]]:
    """Play a random turn to its end; return the position, and the choices."""
    player = position.awaits.player
    choices: list[Choice | Throw] = []
    while position.outcome is None and position.awaits.kind == "choice" and position.awaits.player == player:
        choices.append(random_move(position, chance))
        position = position.after(choices[-1])
    return position, choices


def _men_after(position: Position, seating: Seating, board: Board) -> dict[str, Men]:
    """Return the men on each occupied site after a move: where it changed nothing, as many as truly stand there."""
    stood, before = _men(position, seating), seen(position, seating)
    changed = {name: men for name, (men, _) in board.items() if men != before[name][0] and name != BAR}
    return {name: men for name, men in (stood | changed).items() if men is not None}


def _men(position: Position, seating: Seating) -> dict[str, Men]:
    """Return the men on each occupied site, by the picture's names; those in hand lie beside the board."""
    found: dict[str, Men] = {}
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
    parser.add_argument("--illegal", type=float, default=0.0, help="the share of turns with an illegal move before")
    parser.add_argument("--blender", help="path trace the pictures: a Python interpreter that has bpy")
    parser.add_argument("--unlike", action="store_true", help="looks that no net learnt from")
    given = parser.parse_args()
    filmed: Callable[..., BoardFilm]
    if given.blender:
        filmed = partial(TracedUnlikeFilm if given.unlike else TracedFilm, blender=given.blender)
    else:
        filmed = UnlikeFilm if given.unlike else BoardFilm
    fonts = find_fonts("held-out")
    draw_match(given.folder, given.game, given.plies, given.seed, fonts, illegal=given.illegal, filmed=filmed)


if __name__ == "__main__":
    main()
