"""What the watching thread and the writer share of a die that is counted by likeness: its cuts, and its named rows."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.fairness.series.events import Thrown
from companion.language.sentence import Sentence
from companion.live.pictures import crop_of, digest, jpeg
from companion.live.watching.dice_settings import Reader
from companion.referee.readable import Dice
from companion.rules.dice import DiceSet
from companion.vision.images import decode_image
from companion.vision.readings import Image, ReadDie

if TYPE_CHECKING:
    from companion.vision.dice.atlas.method import Sorted
    from companion.vision.dice.atlas.throws import DieCut
    from companion.vision.dice.groups.crops import Crop

MOST_RECENT: Final = 32
"""The cuts that wait until the writer says whether they are throws."""

Outline = tuple[tuple[float, float], ...]


class Likes:
    """What the watching thread and the writer share of a die that is counted by likeness. Any thread."""

    def __init__(self, general: Callable[[Dice], Reader], own_sets: Mapping[str, DiceSet]) -> None:
        """``general``: makes the readers of all other series; ``own_sets``: an owner's own sets, by name."""
        self.general = general
        self.own_sets = own_sets
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, Crop | DieCut] = OrderedDict()
        self._late: list[tuple[bytes, Crop | DieCut | None]] = []
        self._cuts: Mapping[Outline, Crop | DieCut] = {}
        self.counting = False
        """Whether the open series is counted by likeness."""
        self.course: Sorted | None = None
        """What reads the throws, once their rows have names."""
        self.begin()

    def begin(self, *, by_surface: bool | None = None) -> None:
        """Start with a series. ``by_surface``: whether it compares a die's whole surface; None while that is open."""
        with self._lock:
            self.course = None
            self.begun = object()
            """The readers start again where this is another object."""
            self.by_surface = by_surface
            self.hindrance: Sentence | None = None
            """Why the last picture shows no throw that can be cut out."""
            self._late = []

    def saw(self, cuts: "Mapping[Outline, Crop | DieCut]") -> None:
        """Note what was cut out of the newest picture, by the outlines of the dice. The watching thread calls it."""
        self._cuts = cuts

    def saw_late(self, pictures: "list[tuple[bytes, Crop | DieCut | None]]") -> None:
        """Note throws that nobody could count when they were seen: each JPEG with its cut, None where it has none."""
        with self._lock:
            self._late += pictures

    def late(self, die: str, hold: Callable[[bytes], str]) -> list[Thrown]:
        """Return these throws of a die, once, as far as the rows read them; `take` then returns their cuts.

        ``hold`` keeps a picture.
        """
        with self._lock:
            late, self._late = self._late, []
        thrown = []
        for picture, cut in late:
            verdict = None if cut is None or self.course is None else self.course.read(cut)
            name = None if verdict is None else verdict.name
            sure = verdict is not None and verdict.sure
            thrown.append(Thrown(die, name if sure else None, "camera", None if sure else name, hold(picture)))
            if cut is not None:
                self._put(digest(picture), cut)
        return thrown

    def cut(self, image: Image, die: ReadDie) -> bytes:
        """Return the JPEG of a die: as it was cut out, else with some ground around it.

        Only the watching thread calls it, after it read the picture.
        """
        cut = self._cuts.get(die.polygon) if self.counting else None
        if cut is None:
            return crop_of(image, die)
        picture, cut = as_kept(cut)
        self._put(digest(picture), cut)
        return picture

    def _put(self, name: str, cut: "Crop | DieCut") -> None:
        with self._lock:
            self._recent[name] = cut
            while len(self._recent) > MOST_RECENT:
                self._recent.popitem(last=False)

    def take(self, picture: str) -> "Crop | DieCut | None":
        """Return the cut whose JPEG has this hash, once; None where the throw was not cut out."""
        with self._lock:
            return self._recent.pop(picture, None)

    def judged(self, die: ReadDie, cut: "Crop | DieCut") -> ReadDie:
        """Return a die as the rows that have names read it."""
        unknown = replace(die, face=None, status="ask", confidence=0.0, candidates=(), short=None)
        course = self.course
        verdict = None if course is None else course.read(cut)
        if verdict is None or verdict.name is None:
            return unknown
        if verdict.sure:
            return replace(unknown, face=verdict.name, status="read")
        # likeness is no chance, so the likeliest face has none
        return replace(unknown, candidates=((verdict.name, 0.0),))


def as_kept(cut: "Crop | DieCut") -> "tuple[bytes, Crop | DieCut]":
    """Return the JPEG of a cut, and the cut with the picture as it is kept: rows come out the same if sorted again."""
    picture = jpeg(cut.picture)
    return picture, replace(cut, picture=decode_image(picture))
