"""A second witness for doubtful faces: a net that reads rows of letters, and knows nothing of dice.

The mark net counts the marks of a whole face. The row net reads letters from left to right, row by row, as print is
read. Both see the same pixels, but they were taught on different material and err on different faces. So the row net
confirms or contradicts what the mark net reads, and never names a face by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.die import UNDERLINE
from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.marks import SINGLE, spelled
from companion.vision.dice.nets import ROWS, Nets
from companion.vision.readings import Image

Numbers = npt.NDArray[np.float64]

ROW_HEIGHT: Final = 48
"""Height of a row in the row net's input, in pixels; its width is a multiple of `WIDTH_STEP`, and no less."""

WIDTH_STEP: Final = 8

CHARACTERS: Final = "characters"
CHANCES: Final = "chances"
"""The row net's input and output."""

LINES: Final[dict[int, tuple[int, ...]]] = {1: (1,), 2: (1, 2), 3: (1, 2, 3), 4: (1, 2)}
MANY_LINES: Final = (2, 3)
"""In how many rows a face with so many letters may be written; `MANY_LINES`: a face with more letters."""

MOST_LETTERS: Final = 4
"""The most letters in one row of a face."""

LEAST_LOG_CHANCE: Final = -12.0
"""The least log chance of a character at one place. It limits what a spot or a scratch can say against a text."""

MOST_TILT_LOSS: Final = 3.0
"""The net reads the rotations that are upright with a log chance no more than this below the best."""

UPRIGHT_WEIGHT: Final = 0.3
"""What the log chance of a rotation counts beside the log chance of the letters."""

EMPTY_CELL_CHANCE: Final = 0.1
"""A cell of the face with less than this chance of a mark is empty."""

ROW_REACH: Final = 0.26
"""The most that a row reaches up and down from its middle, in parts of the patch."""

NEIGHBOUR_REACH: Final = 0.56
"""The same in parts of the distance to the next row."""

CLOSEST_ROWS: Final = 0.15
"""The least distance of two rows, in parts of the patch."""

RIM_PARTS: Final = 0.06
"""How far a row goes on beyond its first and last mark, in parts of the patch."""

IMPOSSIBLE_LOG_CHANCE: Final = -60.0
"""The log chance of a text that cannot be written on this face."""


@dataclass(frozen=True)
class RowWitness:
    """What the row net says of a text of so many ``letters``, as log chances.

    ``own``: of this text; ``other``: of the likeliest other text; ``alike``: of the likeliest other text that is
    written in as many rows as this one in its likeliest way.
    """

    own: float
    other: float
    alike: float
    letters: int


class RowReader:
    """Asks the row net how likely a face shows a text.

    Args:
        faces: the marks of each text, in the order of the posteriors.
        nets: where the net is loaded, on first use.
    """

    def __init__(self, faces: Sequence[Sequence[str]], nets: Nets) -> None:
        self._texts = [
            tuple(SINGLE.index(mark) for mark in spelled(marks) if mark in SINGLE and mark != UNDERLINE)
            for marks in faces
        ]
        self._nets = nets

    def witness(
        self,
        patches: Sequence[Image],
        places: npt.NDArray[np.float32],
        upright: Numbers,
        shown: int,
        among: Sequence[int],
    ) -> RowWitness:
        """Return what the row net says of the text with the index ``shown`` and of the others ``among`` the texts.

        ``patches``: the flat face in its n rotations; ``places``: (n, 8, 8), the chances that letters stand there;
        ``upright``: (n,), the log chances that a rotation is upright. Texts with the same letters count as one.
        """
        own = self._texts[shown]
        texts = {self._texts[i] for i in among} | {own}
        likely: dict[int, dict[tuple[int, ...], float]] = {}
        for number in map(int, np.flatnonzero(upright > upright.max() - MOST_TILT_LOSS)):
            for lines in _lines(len(own)):
                strips = cut_rows(patches[number], places[number], lines)
                fits = [text for text in texts if text and lines in _lines(len(text))]
                if strips is None or not fits:
                    continue
                best = likely.setdefault(lines, dict.fromkeys(fits, IMPOSSIBLE_LOG_CHANCE))
                for text, score in zip(fits, self._score(strips, fits), strict=True):
                    best[text] = max(best[text], float(score) + UPRIGHT_WEIGHT * float(upright[number]))
        others = {lines: _best_other(best, own) for lines, best in likely.items()}
        lines = max(likely, key=lambda lines: likely[lines].get(own, IMPOSSIBLE_LOG_CHANCE), default=0)
        return RowWitness(
            likely.get(lines, {}).get(own, IMPOSSIBLE_LOG_CHANCE),
            max(others.values(), default=IMPOSSIBLE_LOG_CHANCE),
            others.get(lines, IMPOSSIBLE_LOG_CHANCE),
            len(own),
        )

    def _score(self, strips: npt.NDArray[np.uint8], texts: Sequence[tuple[int, ...]]) -> Numbers:
        """Return the log chance of each text, written in these rows in the likeliest way."""
        pixels = (strips.astype(np.float32) / 255 - 0.5) / 0.5
        batch = np.ascontiguousarray(pixels.transpose(0, 3, 1, 2), np.float32)
        chances = self._nets.load(ROWS).run(batch).astype(np.float64)
        logs = np.log(np.maximum(chances, np.exp(LEAST_LOG_CHANCE)))
        ways = [(i, way) for i, text in enumerate(texts) for way in _ways(len(text), len(strips))]
        parts: list[dict[tuple[int, ...], float]] = []
        for row in range(len(strips)):
            every = sorted({texts[i][way[row] : way[row + 1]] for i, way in ways})
            parts.append(dict(zip(every, log_chances(logs[row], every), strict=True)))
        scores = np.full(len(texts), IMPOSSIBLE_LOG_CHANCE)
        for i, way in ways:
            score = sum(part[texts[i][way[row] : way[row + 1]]] for row, part in enumerate(parts))
            scores[i] = max(scores[i], score)
        return scores


def cut_rows(patch: Image, places: npt.NDArray[np.float32], lines: int) -> npt.NDArray[np.uint8] | None:
    """Return the rows of a flat face, (lines, `ROW_HEIGHT`, width, 3); None if its marks do not stand in so many rows.

    ``places``: (8, 8), the chances that letters stand in the cells of the face.
    """
    there = np.where(places > EMPTY_CELL_CHANCE, places, 0.0).astype(np.float64)
    down, across = there.sum(axis=1), there.sum(axis=0)
    if not down.any():
        return None
    centres = (np.arange(len(down)) + 0.5) / len(down)
    middle = float(np.average(centres, weights=down))
    if lines == 1:
        middles, reach = np.array([middle]), ROW_REACH
    else:
        spread = float(np.sqrt(np.average((centres - middle) ** 2, weights=down)))
        middles = _settled(middle + np.linspace(-1, 1, lines) * spread, centres, down)
        closest = float(np.diff(middles).min())
        if closest < CLOSEST_ROWS:
            return None
        reach = min(ROW_REACH, closest * NEIGHBOUR_REACH)
    columns = np.flatnonzero(across)
    left = max(0.02, columns[0] / len(across) - RIM_PARTS)
    right = min(0.98, (columns[-1] + 1) / len(across) + RIM_PARTS)
    scale = ROW_HEIGHT / (2 * reach * PATCH_PIXELS)
    width = max(ROW_HEIGHT, round((right - left) * PATCH_PIXELS * scale / WIDTH_STEP) * WIDTH_STEP)
    strips = []
    for one in middles:
        x, y = left * PATCH_PIXELS - 0.5, one * PATCH_PIXELS - 0.5
        place = np.array([[scale, 0, -scale * x - 0.5], [0, scale, ROW_HEIGHT / 2 - scale * y - 0.5]], np.float32)
        strips.append(
            cv2.warpAffine(patch, place, (width, ROW_HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        )
    return np.asarray(np.stack(strips), np.uint8)


def log_chances(logs: Numbers, texts: Sequence[tuple[int, ...]]) -> Numbers:
    """Return the log chance of each text in one row, over all ways to lay its letters along the places of the row.

    ``logs``: (places, 1 + marks), the log chances of nothing and of each mark. Two equal letters need a place with
    nothing between them (connectionist temporal classification, Graves et al. 2006).
    """
    longest = max(len(text) for text in texts)
    wanted = np.zeros((len(texts), 2 * longest + 1), np.int64)
    for i, text in enumerate(texts):
        wanted[i, 1 : 2 * len(text) : 2] = np.array(text, np.int64) + 1
    skips = np.zeros(wanted.shape, bool)
    skips[:, 2:] = (wanted[:, 2:] != 0) & (wanted[:, 2:] != wanted[:, :-2])
    reached = np.full(wanted.shape, -np.inf)
    reached[:, :2] = logs[0][wanted[:, :2]]
    for place in logs[1:]:
        before = reached.copy()
        reached[:, 1:] = np.logaddexp(reached[:, 1:], before[:, :-1])
        reached[:, 2:] = np.where(skips[:, 2:], np.logaddexp(reached[:, 2:], before[:, :-2]), reached[:, 2:])
        reached += place[wanted]
    last = 2 * np.array([len(text) for text in texts])
    rows = np.arange(len(texts))
    ended: Numbers = np.logaddexp(reached[rows, last], reached[rows, last - 1])
    return ended


def _settled(middles: Numbers, centres: Numbers, weights: Numbers) -> Numbers:
    """Return the middles of the rows, each moved to the mean of the cells that are nearest to it."""
    for _ in range(15):
        nearest = np.abs(centres[:, None] - middles).argmin(axis=1)
        for row in range(len(middles)):
            own = weights * (nearest == row)
            if own.any():
                middles[row] = np.average(centres, weights=own)
    return middles


def _best_other(chances: Mapping[tuple[int, ...], float], own: tuple[int, ...]) -> float:
    """Return the log chance of the likeliest text that has other letters."""
    return max(
        (chance for text, chance in chances.items() if sorted(text) != sorted(own)), default=IMPOSSIBLE_LOG_CHANCE
    )


def _lines(letters: int) -> tuple[int, ...]:
    return LINES.get(letters, MANY_LINES)


@cache
def _ways(letters: int, lines: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to write so many letters in so many rows: where each row begins, and the end."""
    if lines == 1:
        return ((0, letters),) if letters <= MOST_LETTERS else ()
    return tuple(
        (0, *(first + place for place in rest))
        for first in range(1, min(MOST_LETTERS, letters - 1) + 1)
        for rest in _ways(letters - first, lines - 1)
    )
