"""The reader of a die that is counted by likeness: it cuts out each throw, and reads it by the rows that were named."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.live.pictures import crop_of, digest, jpeg
from companion.live.watch import Reader
from companion.referee.readable import Dice
from companion.rules.dice import DiceSet, dice_set
from companion.vision.images import decode_image
from companion.vision.readings import DiceReading, Image, ReadDie

if TYPE_CHECKING:
    from companion.vision.dice.groups.course import Course
    from companion.vision.dice.groups.crops import Crop, Cropper

MOST_RECENT: Final = 16
"""The crops that wait until the writer says whether they are throws."""


class Likes:
    """What the watching thread and the writer share of a die that is counted by likeness. Any thread."""

    def __init__(self, general: Callable[[Dice], Reader], own_sets: Mapping[str, DiceSet]) -> None:
        """``general``: makes the readers of all other series; ``own_sets``: an owner's own sets, by name."""
        self._general = general
        self._own_sets = own_sets
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, Crop] = OrderedDict()
        self._reader: _LikenessReader | None = None
        self.counting = False
        """Whether the open series is counted by likeness."""
        self.course: Course | None = None
        """What reads the throws, once their rows have names."""

    def reader(self, dice: Dice) -> Reader:
        """Return a reader of these dice. Only the watching thread calls it, and reads with it."""
        return _Either(self, dice)

    def general(self, dice: Dice) -> Reader:
        """Return a reader of a series that is not counted by likeness."""
        return self._general(dice)

    def likeness(self, dice: Dice) -> "_LikenessReader":
        """Return the reader that cuts dice out."""
        from companion.vision.dice.groups.crops import Cropper  # noqa: PLC0415  (nets load slowly)

        name, which = dice
        found = self._own_sets[name] if name in self._own_sets else dice_set(name)
        self._reader = _LikenessReader(self, Cropper(found, which[0] if which else None))
        return self._reader

    def cut(self, image: Image, die: ReadDie) -> bytes:
        """Return the JPEG of a die: its upper face, straight, where it was cut out.

        Only the watching thread calls it, after it read the picture.
        """
        crop = None if self._reader is None or not self.counting else self._reader.cuts.get(die.polygon)
        if crop is None:
            return crop_of(image, die)
        picture = jpeg(crop.picture)
        # the picture as it is kept: the rows come out the same when they are sorted again
        crop = replace(crop, picture=decode_image(picture))
        with self._lock:
            self._recent[digest(picture)] = crop
            while len(self._recent) > MOST_RECENT:
                self._recent.popitem(last=False)
        return picture

    def take(self, picture: str) -> "Crop | None":
        """Return the crop whose JPEG has this hash, once; None where the throw was not cut out."""
        with self._lock:
            return self._recent.pop(picture, None)


class _Either:
    """Reads by likeness while the open series wants it, else as usual."""

    def __init__(self, likes: Likes, dice: Dice) -> None:
        self._likes, self._dice = likes, dice
        self._readers: dict[bool, Reader] = {}

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""
        way = self._likes.counting
        if way not in self._readers:
            self._readers[way] = self._likes.likeness(self._dice) if way else self._likes.general(self._dice)
        return self._readers[way].read(image)


class _LikenessReader:
    """Cuts out what lies there, and says what it shows as far as the rows have names.

    ``cuts``: the crops of the last picture, by the outline of the die.
    """

    def __init__(self, likes: Likes, cropper: "Cropper") -> None:
        self._likes, self._cropper = likes, cropper
        self.cuts: dict[tuple[tuple[float, float], ...], Crop] = {}

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows.

        The reading as a whole is ``read`` if each die was cut out: other frames of the same throw would say no more.
        """
        self.cuts = {}
        reading = self._cropper.read(image)
        dice = tuple(die if die.status == "ignored" else self._judged(image, die) for die in reading.dice)
        whole = all(die.status == "ignored" or die.polygon in self.cuts for die in dice)
        return replace(reading, dice=dice, status="read" if whole and dice else "ask")

    def _judged(self, image: Image, die: ReadDie) -> ReadDie:
        unknown = replace(die, face=None, status="ask", confidence=0.0, candidates=(), short=None)
        crop = self._cropper.cut(image, die)
        if crop is None:
            return unknown
        self.cuts[die.polygon] = crop
        course = self._likes.course
        verdict = None if course is None else course.read(crop)
        if verdict is None or verdict.name is None:
            return unknown
        if verdict.sure:
            return replace(unknown, face=verdict.name, status="read")
        # likeness is no chance, so the likeliest face has none
        return replace(unknown, candidates=((verdict.name, 0.0),))
