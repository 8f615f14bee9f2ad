"""What becomes of a board on which something happens that is no move: it must be noticed, and nothing committed.

A drawn board stands as its game begins and is a lesson. In the next picture, dice lie thrown and one man was knocked to
another site, or two men of unlike sides or numbers were exchanged, or the board was knocked, or the light changed.
"""

import argparse
import json
import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bench.boards.matches import SIZES
from bench.boards.planted import legal_pictures
from companion.odds.intervals import share
from companion.odds.playouts import random_move
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import CommitPlay, Mismatch, Unchanged
from companion.referee.board.standing import BAR, expected_board
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.board_readings import Men, Standing
from companion.vision.boards.layout import RITHMOMACHIA, TABLES, layout
from companion.vision.boards.reader import BoardReader
from tests.referee.board.simulated import seating_of, seen
from workshop.board_scenes.filming import BoardFilm
from workshop.scenes.fonts import Font, find_fonts

SLUGS: Final = ("tables/todas-tablas", "rithmomachia/durnil-guardia")
LIGHTS: Final = (0.6, 1.5)
"""By these factors the light changes."""

Board = dict[str, Standing]


def disturbed(slug: str, boards: int, seed: int, fonts: tuple[Font, ...]) -> dict[str, Counter[str]]:
    """Return what became of each disturbance of each drawn board."""
    results: dict[str, Counter[str]] = {}
    for number in range(boards):
        chance = random.Random(f"{slug} {seed} {number}")
        kind = TABLES if slug.startswith("tables") else RITHMOMACHIA
        film = BoardFilm(kind, chance.randrange(2**20), fonts, size=SIZES[kind], markers=bool(number % 2))
        position: Position = game(slug).start(2)
        seating = seating_of(position.game, number)
        while position.awaits.kind != "choice":
            position = position.after(random_move(position, chance))
        stood = {site: men for site, (men, _) in seen(position, seating).items() if men is not None and site != BAR}
        reader = BoardReader(layout(kind))
        first = film.picture(_drawn(stood, kind), 0)
        lay = reader.find(first.image)
        before = reader.read(first.image, lay)
        if lay is None or before.status != "read":
            results.setdefault("board not found", Counter())["boards"] += 1
            continue
        reader.learn(seating.board(expected_board(position)))
        agreed = AgreedPosition(position, seating, before)
        names = [site for site in seen(position, seating) if site != BAR]
        legal = [dict(zip(names, sites, strict=True)) for sites in legal_pictures(position, seating)]
        for what, board in (
            ("man knocked away", _knocked(stood, chance, legal)),
            ("men exchanged", _exchanged(stood, chance)),
            ("board knocked", stood),
            ("light changed", stood),
        ):
            shown = film.picture(
                _drawn(board, kind),
                1,
                light=chance.choice(LIGHTS) if what == "light changed" else 1.0,
                shift=(0.6, 0.4, chance.choice((-3.0, 3.0))) if what == "board knocked" else (0.0, 0.0, 0.0),
            )
            field = reader.correct(shown.image, lay.corners) or reader.find(shown.image)
            decision = explain(agreed, reader.read(shown.image, field))
            row = results.setdefault(what, Counter())
            row[type(decision).__name__] += 1
            moved = field is None or not field.as_it_lay
            if what == "board knocked":
                row["noticed"] += moved and not isinstance(decision, CommitPlay)
            elif what == "light changed":
                row["noticed"] += isinstance(decision, Unchanged)
            else:
                row["noticed"] += not isinstance(decision, CommitPlay | Unchanged)
                row["named"] += isinstance(decision, Mismatch)
    return results


def _drawn(board: Mapping[str, Standing], kind: str) -> dict[str, object]:
    return {site: men.to_json() if kind == TABLES else men for site, men in board.items() if men is not None}


def _knocked(
    stood: Mapping[str, Standing], chance: random.Random, legal: Sequence[Mapping[str, tuple[Standing, bool]]]
) -> Board:
    """Move one man to an empty site at random, but not as a legal turn would; ``legal``: what a turn can leave."""
    shown = [{site: men for site, (men, _) in board.items() if men is not None} for board in legal]
    while True:
        board = dict(stood)
        start, end = chance.choice(list(stood)), chance.choice([site for site in legal[0] if site not in stood])
        men = board.pop(start)
        assert men is not None
        if men.count > 1:
            board[start] = Men(men.colour, men.count - 1)
        board[end] = men if men.shape else Men(men.colour)
        if board not in shown:
            return board


def _exchanged(stood: Mapping[str, Standing], chance: random.Random) -> Board:
    """Exchange the men of two sites that look unlike."""
    board = dict(stood)
    one = chance.choice(list(stood))
    other = chance.choice([site for site in stood if stood[site] != stood[one]])
    board[one], board[other] = board[other], board[one]
    return board


def main() -> None:
    """Print what became of the disturbances of each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(SLUGS))
    parser.add_argument("-n", type=int, default=30, help="boards of each game")
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, object] = {"n": given.n, "seed": given.seed}
    for slug in given.slugs:
        before = os.getloadavg()[0]
        results = disturbed(slug, given.n, given.seed, find_fonts("held-out"))
        figures[slug] = {
            what: dict(row) | {"of": total, "share": share(row["noticed"], total).to_json()}
            for what, row in results.items()
            if (total := sum(row.values()) - row["noticed"] - row["named"])
        } | {"load": [round(before, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
