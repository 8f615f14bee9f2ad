"""Place men on a board: on points and bar as hands leave them, or on squares in any turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.rules.rithmomachia.men import COLOURS, army, array
from companion.vision.board_readings import Men
from companion.vision.boards.layout import BAR, LOWER, TABLES, UPPER, layout
from workshop.board_scenes.board import Board
from workshop.board_scenes.men import (
    NumberStyle,
    Prism,
    TablesStyle,
    numbered_man,
    random_number_styles,
    random_tables_styles,
    tables_man,
)
from workshop.scenes.fonts import Font

ABREAST: Final = 5
"""Number of men that lie side by side on a point before others lie on top of them."""

_COUNTS: Final = {1: 0.22, 2: 0.22, 3: 0.2, 4: 0.14, 5: 0.12, 6: 0.05, 9: 0.03, 15: 0.02}
"""Sizes of groups of men, and the frequency of each."""


@dataclass(frozen=True, eq=False)
class Standing:
    """One man on the board: its pieces from bottom to top, its site, and what it is."""

    pieces: tuple[Prism, ...]
    site: str
    men: Men
    x: float
    y: float
    upper: bool = False
    """Whether it lies on other men."""


def random_tables_men(rng: np.random.Generator, board: Board) -> tuple[Standing, ...]:
    """Return men of both sides on points and bar: some touch, some are fanned out or pushed askew, some are piled."""
    used = [str(site) for site in rng.permutation([*UPPER, *LOWER])]
    most = int(rng.integers(5, 16))
    truth: dict[str, dict[str, int]] = {}
    for colour in layout(TABLES).colours:
        left = most if rng.random() < 0.7 else int(rng.integers(0, 16))
        if rng.random() < 0.3:
            count = min(left, int(rng.integers(1, 4)))
            truth.setdefault(BAR, {})[colour] = count
            left -= count
        while left > 0 and used:
            count = min(left, int(rng.choice(list(_COUNTS), p=list(_COUNTS.values()))))
            truth[used.pop()] = {colour: count}
            left -= count
    if len(truth.get(BAR, {})) > 1 and rng.random() < 0.5:  # no label fits a bar with men of both sides
        truth[BAR].popitem()
    elif len(truth.get(BAR, {})) > 1:
        del truth[BAR]
    return tables_men(board, random_tables_styles(rng), truth, int(rng.integers(2**31)))


def tables_men(
    board: Board, styles: tuple[TablesStyle, TablesStyle], truth: Mapping[str, Mapping[str, int]], seed: int
) -> tuple[Standing, ...]:
    """Return men on points and bar; ``truth`` gives the number of each colour on each site.

    Of two colours on a point, the second lies beside the first, farther in. With the same seed a man lies in the same
    place whatever the men of other sites do: films of matches depend on this.
    """
    out: list[Standing] = []
    for site, sides in truth.items():
        there: list[Standing] = []
        for colour, count in sides.items():
            side = layout(TABLES).colours.index(colour)
            what, rng = (colour, site, count), np.random.default_rng([seed, ord(site[0]), side])
            there += (
                _on_bar(board, styles[side], what, rng)
                if site == BAR
                else _on_point(board, styles[side], what, rng, there)
            )
        out += there
    return tuple(out)


def _on_bar(board: Board, style: TablesStyle, what: tuple[str, str, int], rng: np.random.Generator) -> list[Standing]:
    colour, site, count = what
    high = max((rail.height for rail in board.rails if rail.bar), default=0.0)
    way = 1 if colour == "light" else -1
    y = way * (style.radius * 1.3 + float(rng.uniform(0, 0.15)) * board.height)
    out = []
    for _ in range(count):
        out.append(_man(rng, style, (colour, site), (float(rng.normal(0, 0.06)), y), high))
        y += way * style.radius * 2 * float(rng.uniform(1.0, 1.2))
    return out


def _on_point(
    board: Board,
    style: TablesStyle,
    what: tuple[str, str, int],
    rng: np.random.Generator,
    there: Sequence[Standing],
) -> list[Standing]:
    """Return men on a point beside those that are there already."""
    colour, site, count = what
    u, v = layout(TABLES).place(site, board.bar / board.width)
    x, y = board.at(u, v)
    way = -1 if site in UPPER else 1
    loose = float(rng.choice([0.0, 0.02, 0.06], p=[0.4, 0.4, 0.2]))
    # men that do not fit side by side overlap like a fan
    room = board.height * 0.5 - style.radius
    step = min(style.radius * 2 * float(rng.uniform(1.0, 1.12)), room / (ABREAST - 0.5))
    start = style.radius * float(rng.uniform(1.0, 1.25))
    out: list[Standing] = []
    for k in range(len(there), len(there) + count):
        if k < ABREAST:
            at = (x + float(rng.normal(0, loose)), y + way * (start + k * step) + float(rng.normal(0, loose * 0.5)))
            lift = 0.02 * k if step < 2 * style.radius * 0.99 else 0.0
            out.append(_man(rng, style, (colour, site), at, lift))
            continue
        below = [*there, *out][k % ABREAST]
        at = (below.x + float(rng.normal(0, 0.05)), below.y + float(rng.normal(0, 0.05)))
        out.append(_man(rng, style, (colour, site), at, k // ABREAST * style.height, upper=True))
    return out


def _man(
    rng: np.random.Generator,
    style: TablesStyle,
    what: tuple[str, str],
    at: tuple[float, float],
    low: float,
    *,
    upper: bool = False,
) -> Standing:
    colour, site = what
    pieces = tables_man(style, *at, low, seed=int(rng.integers(2**31)))
    return Standing(pieces, site, Men(colour), at[0], at[1], upper)


def random_numbered_men(
    rng: np.random.Generator, board: Board, fonts: Sequence[Font], *, read: bool
) -> tuple[Standing, ...]:
    """Return men of Rithmomachia on random squares; some have changed sides, some are parts of a pyramid."""
    styles = random_number_styles(rng, fonts)
    choices: list[Men] = []
    for owner, colour in COLOURS.items():
        kinds = [(man.shape, man.number) for row in array(owner) for man in row if man is not None]
        if rng.random() < 0.3:
            kinds += [(part.shape, part.number) for part in army(owner) if tuple(part) not in kinds]
        for shape, number in kinds:
            taken = rng.random() < 0.12
            side = colour if not taken else next(one for one in COLOURS.values() if one != colour)
            choices.append(Men(side, 1, shape, number))
    squares = [(column, row) for column in range(board.columns) for row in range(board.rows)]
    many = int(rng.integers(8, 49)) if read else int(rng.integers(0, min(40, len(squares) // 2)))
    many = min(many, len(choices))
    order, where = rng.permutation(len(choices))[:many], rng.permutation(len(squares))[:many]
    truth = {}
    for pick, spot in zip(order, where, strict=True):
        column, row = squares[int(spot)]
        truth[f"{chr(97 + row)}{column + 1}"] = choices[int(pick)]
    straight, loose = rng.random() < 0.15, float(rng.choice([0.02, 0.06, 0.1]))
    return numbered_men(board, styles, truth, int(rng.integers(2**31)), straight=straight, loose=loose)


def numbered_men(
    board: Board,
    styles: tuple[NumberStyle, NumberStyle],
    truth: Mapping[str, Men],
    seed: int,
    *,
    straight: bool = False,
    loose: float = 0.05,
) -> tuple[Standing, ...]:
    """Return men on squares, as ``truth`` gives them; ``loose`` is how far off the centre they may stand, in squares.

    With the same seed a man stands in the same way on the same square whatever the other men do.
    """
    out = []
    for site, men in truth.items():
        row, column = ord(site[0]) - 97, int(site[1:]) - 1
        rng = np.random.default_rng([seed, row, column, men.number])
        x, y = board.at((column + 0.5) / board.columns, (row + 0.5) / board.rows)
        x, y = x + float(np.clip(rng.normal(0, loose), -0.2, 0.2)), y + float(np.clip(rng.normal(0, loose), -0.2, 0.2))
        quarter = float(rng.normal(0, 0.08) + rng.integers(4) * np.pi / 2)
        turn = quarter if straight else float(rng.uniform(0, 2 * np.pi))
        style = styles[0] if men.colour == "white" else styles[1]
        pieces = numbered_man(rng, style, (men.shape, men.number), (x, y), turn)
        out.append(Standing(pieces, site, men, x, y))
    return tuple(out)
