"""The readers of a die that is counted by likeness: they cut out each throw, and read it by the rows that were named.

Of a d12 or d20 what moves is the die, also where no net finds it.
"""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from companion.language.sentence import Sentence, why_of
from companion.live.laboratory.likes import Likes, Outline, as_kept
from companion.live.pictures import jpeg
from companion.live.watching.dice_settings import Reader
from companion.referee.readable import Dice
from companion.rules.dice import DiceSet, dice_set
from companion.rules.die import Die
from companion.vision.dice.atlas.facets import SHAPES
from companion.vision.dice.atlas.method import ByWhatMoves, NotCut
from companion.vision.dice.atlas.throws import FIRST_PICTURES, DieCut
from companion.vision.dice.groups.crops import Crop, Cropper
from companion.vision.readings import DiceReading, Image, ReadDie

COMPARED_PIXELS = 96  # pixels at which pictures are compared, across and down
DIFFERENT_STEPS = 24.0  # steps of a channel; noise and flicker stay below
OUTLINE_CORNERS = 6  # of the outline in which such a die is shown


def likeness_readers(likes: Likes) -> Callable[[Dice], Reader]:
    """Return what makes the readers of dice. Only the watching thread calls it, and reads with them."""
    return lambda dice: _Either(likes, dice)


class _Either:
    """Reads by likeness while the open series wants it, else as usual."""

    def __init__(self, likes: Likes, dice: Dice) -> None:
        self._likes, self._dice = likes, dice
        self._readers: dict[bool, Reader] = {}

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""
        way = self._likes.counting
        if way not in self._readers:
            self._readers[way] = _likeness_reader(self._likes, self._dice) if way else self._likes.general(self._dice)
        return self._readers[way].read(image)


def _likeness_reader(likes: Likes, dice: Dice) -> Reader:
    name, which = dice
    found = likes.own_sets[name] if name in likes.own_sets else dice_set(name)
    die = found.dice[0] if which is None else found.die(which[0])
    upper = UpperFaceReader(likes, Cropper(found, which[0] if which else None))
    return SurfaceReader(likes, upper, found, die) if die.shape in SHAPES else upper


class UpperFaceReader:
    """Cuts out the upper faces that lie there, and says what they show as far as the rows have names."""

    def __init__(self, likes: Likes, cropper: Cropper) -> None:
        self._likes, self.cropper = likes, cropper

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows.

        The reading as a whole is ``read`` if each die was cut out: other frames of the same throw would say no more.
        """
        reading = self.cropper.read(image)
        cuts: dict[Outline, Crop | DieCut] = {}
        dice = []
        for die in reading.dice:
            crop = None if die.status == "ignored" else self.cropper.cut(image, die)
            if crop is not None:
                cuts[die.polygon] = crop
                dice.append(self._likes.judged(die, crop))
            elif die.status == "ignored":
                dice.append(die)
            else:
                dice.append(replace(die, face=None, status="ask", confidence=0.0, candidates=(), short=None))
        self._likes.saw(cuts)
        whole = all(die.status == "ignored" or die.polygon in cuts for die in dice)
        return replace(reading, dice=tuple(dice), status="read" if whole and dice else "ask")


class SurfaceReader:
    """Cuts out what moves. The first pictures show where that is, so their throws count late.

    Args:
        likes: what the writer knows of the series.
        upper: reads the upper faces where that is the better method.
        dice: the set of the die.
        die: the die.
    """

    def __init__(self, likes: Likes, upper: UpperFaceReader, dice: DiceSet, die: Die) -> None:
        self._likes, self._upper, self._dice, self._die = likes, upper, dice, die
        self._begun: object = None

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows: nothing while the place is not known."""
        if self._begun is not self._likes.begun:
            self._begun = self._likes.begun
            self._method = ByWhatMoves(self._upper.cropper, surface=self._likes.by_surface)
            self._watched = False  # what lies there at first was thrown before anybody watched
            self._last: DieCut | Crop | None = None
            self._turned = False
            self._unread: Image | None = None  # the picture before, if the throw in it could not be cut out
        by_surface = self._method.by_surface
        if by_surface is False:
            self._likes.hindrance = None
            return self._upper.read(image)
        settled = self._method.see(image)
        self._likes.saw({})
        if not settled:
            self._likes.hindrance = Sentence(
                "The camera learns the place: throw {number} of {count}. These throws count, too.",
                number=self._method.waiting,
                count=FIRST_PICTURES,
            )
            return DiceReading((), "ask")
        *earlier, (image, now) = settled
        late = [one for picture, cut in earlier if (one := self._late(picture, cut)) is not None]
        self._likes.hindrance = None
        if not self._method.by_surface:  # that is settled now
            self._likes.saw_late(late)
            return self._upper.read(image)
        if isinstance(now, NotCut):
            self._likes.hindrance = why_of(now)
            self._likes.saw_late(late + [one for one in [self._late(image, now)] if one is not None])
            return DiceReading((), "ask")
        self._likes.saw_late(late)
        self._unread = None
        self._another_rest(now)
        die = ReadDie(
            self._dice.name,
            None if self._dice.alike else self._die.name,
            None,
            "ask",
            0.0,
            (),
            outline(now, turned=self._turned),
        )
        self._likes.saw({die.polygon: now})
        die = self._likes.judged(die, now)
        return DiceReading((die,), "read")

    def _late(self, picture: Image, cut: DieCut | Crop | NotCut) -> tuple[bytes, DieCut | Crop | None] | None:
        """Return a picture as a throw that no arrangement shows; None where nothing was thrown since the one before."""
        watched, self._watched = self._watched, True
        if isinstance(cut, NotCut):
            before, self._unread = self._unread, picture if cut.seen else None
            another = before is None or _differ(before, picture)
            return (jpeg(picture), None) if watched and cut.seen and another else None
        self._unread = None
        return as_kept(cut) if self._another_rest(cut) and watched else None

    def _another_rest(self, cut: DieCut | Crop) -> bool:
        """Whether the die was thrown since the picture before; then its outline is turned."""
        last, self._last = self._last, cut
        if isinstance(last, DieCut) and isinstance(cut, DieCut) and cut.at_rest_with(last):
            return False
        self._turned = not self._turned
        return True


def _differ(before: Image, now: Image) -> bool:
    """Whether two pictures of one camera show different things, rather than one thing in other light."""
    if before.shape != now.shape:
        return True
    small = [
        cv2.resize(one, (COMPARED_PIXELS, COMPARED_PIXELS), interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (before, now)
    ]
    off = small[1] - small[0]
    return bool(np.abs(off - np.median(off)).max() > DIFFERENT_STEPS)


def outline(cut: DieCut, *, turned: bool) -> tuple[tuple[float, float], ...]:
    """Return the corners of a hexagon around a die, in pixels of the picture.

    ``turned``: by half a step, so that a die that comes to rest where it lay before is seen to have been thrown.
    """
    angles = np.pi / OUTLINE_CORNERS * (2 * np.arange(OUTLINE_CORNERS) + turned)
    x, y = cut.spot.x + cut.spot.radius * np.cos(angles), cut.spot.y + cut.spot.radius * np.sin(angles)
    return tuple((float(across), float(down)) for across, down in zip(x, y, strict=True))
