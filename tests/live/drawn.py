"""A drawn table for the tests: dice as patches of colours, a reader that knows them, a source that never waits."""

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.language.sentence import Sentence
from companion.rules.dice import dice_set
from companion.vision.readings import DiceReading, Frame, Image, ReadDie, Status
from companion.vision.sources.source import SourceState
from tests.referee.build import PLACES, square

WIDTH, HEIGHT = 640, 480
RATE = 15
STILL = 8  # frames that are surely a still interval
DICE = {die.name: die for die in dice_set("wibold").dice}
Placed = dict[str, tuple[str, float, float]]


SURE, UNSURE = 250, 200  # the blue of a die that can be read, and of one that cannot
COLOURS = {
    (blue << 16) + ((120 + 30 * which) << 8) + 120 + 20 * shown: (die.name, face.text, blue == SURE)
    for which, die in enumerate(DICE.values())
    for shown, face in enumerate(die.faces)
    for blue in (SURE, UNSURE)
}


def placed(text: str, shift: float = 0.0) -> Placed:
    """Return faces, in the order of the dice, at their usual places shifted sideways."""
    return {
        die: (face, PLACES[die][0] + shift, PLACES[die][1] + shift / 3)
        for die, face in zip(DICE, text.split(), strict=True)
    }


def draw(dice: Placed, unsure: Iterable[str] = ()) -> Image:
    """Draw dice whose colour says which die shows which face; an ``unsure`` one is a little bluer."""
    image = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    for name, (face, x, y) in dice.items():
        which = list(DICE).index(name)
        shown = [known.text for known in DICE[name].faces].index(face)
        corners = 4 if DICE[name].shape == "cube" else 3
        outline = np.array(square(x, y, corners=corners), np.float32).round().astype(np.int32)
        blue = UNSURE if name in unsure else SURE
        cv2.fillPoly(image, [outline], (blue, 120 + 30 * which, 120 + 20 * shown))
    return image


class DrawnReader:
    """Reads what `draw` drew."""

    def __init__(self, expected: Sequence[str] | None = None) -> None:
        self.expected = tuple(expected or DICE)
        self.reads = 0
        self.fails = False

    def read(self, image: Image) -> DiceReading:
        self.reads += 1
        if self.fails:
            raise RuntimeError("the net is missing")
        codes = image.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
        shown, counts = np.unique(codes, return_counts=True)
        dice = []
        for code in (int(code) for code, count in zip(shown, counts, strict=True) if count > 50):
            name, face, sure = COLOURS.get(code, ("", "", False))
            if name in self.expected:
                dice.append(self._die(name, face, codes == code, sure=sure))
        dice.sort(key=lambda die: self.expected.index(die.die or ""))
        status: Status = "read" if dice and all(die.status == "read" for die in dice) else "ask"
        return DiceReading(tuple(dice), status, "", 1.0, 1, self.expected)

    @staticmethod
    def _die(name: str, face: str, mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], *, sure: bool) -> ReadDie:
        rows, columns = np.nonzero(mask)
        x, y = float(columns.min() + columns.max()) / 2, float(rows.min() + rows.max()) / 2
        corners = 4 if DICE[name].shape == "cube" else 3
        candidates = ((face, 0.99),) if sure else ((face, 0.6), (DICE[name].faces[0].text, 0.4))
        status: Status = "read" if sure else "ask"
        outline = square(x, y, corners=corners)
        return ReadDie("wibold", name, face, status, candidates[0][1], candidates, outline, "" if sure else "glare")


def joined(readings: Sequence[DiceReading]) -> DiceReading:
    return replace(readings[-1], frames=len(readings))


class DrawnSource:
    """Gives the frames it was handed, as fast as they are taken, in the time of a camera at 15 a second."""

    name = "a drawn table"

    def __init__(self) -> None:
        self.state = SourceState.STARTING
        self.sentence = Sentence("A drawn table.")
        self._changed = threading.Condition()
        self._waiting: deque[Image] = deque()
        self._number = 0
        self._taken = 1000.0
        self._closed = False

    def start(self) -> None:
        pass

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def newest(self, after: int, timeout: float) -> Frame | None:
        with self._changed:
            if not self._waiting:
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting or self._closed, min(timeout, 0.02))
            if not self._waiting:
                return None
            self._number = max(after, self._number) + 1
            self._taken += 1 / RATE
            return Frame(self._waiting.popleft(), self._taken, self.name, self._number)

    def show(self, image: Image, frames: int = STILL) -> None:
        """Show a picture for so many frames and wait until they were taken."""
        with self._changed:
            self.state = SourceState.LIVE
            self._waiting.extend([image] * frames)
            self._changed.notify_all()

    def lose(self) -> None:
        """Lose the camera, once everything was seen."""
        self.seen()
        self.state = SourceState.LOST
        self.sentence = Sentence("The camera is gone.")

    def seen(self) -> None:
        """Wait until all frames were taken."""
        with self._changed:
            assert self._changed.wait_for(lambda: not self._waiting, 60)

    def empty(self) -> None:
        """Show the empty table until nothing moves."""
        self.show(draw({}))

    def throw(self, dice: Placed, unsure: Iterable[str] = ()) -> None:
        """Roll dice across the table, then let them lie."""
        for step in (150.0, 60.0):
            rolling = {name: (face, WIDTH - x / 2 - step, HEIGHT - y) for name, (face, x, y) in dice.items()}
            self.show(draw(rolling), 1)
        self.show(draw(dice, unsure))
