"""The course of teaching: which faces of a set somebody has named, what to ask about a throw, and what is missing.

It sees throws as they were read and says what to ask; a person's answer names what a find shows. Nothing here needs a
picture or a camera.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from companion.rules.dice import DiceSet, dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import CORNERS_OF
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE
from companion.vision.readings import ReadDie

FaceKey = tuple[int, str]
"""What the memory tells a face by: its outline and its marks. No picture distinguishes those that share both."""

HINT_AFTER: Final = 15
"""Throws after which it is quicker to put the missing faces up than to wait for them."""

DOUBTED_CHANCE: Final = 0.05
"""A doubtful find is asked about if it shows a face that is not known at least this likely."""

SIDES_EACH: Final = 2
"""How often a tetrahedron that lies on one face is asked about: more does not show its sides any better."""

THROWS_KEPT: Final = 5
"""How many throws wait for answers; somebody who throws on loses the oldest ones, and nothing else."""


@cache
def faces_of(dice: DiceSet | str) -> Mapping[FaceKey, tuple[str, ...]]:
    """Return the texts of each face of a set that the memory can tell from the others, in the order of the dice.

    ``dice``: the set, or the name of one that comes with the program.
    """
    found: dict[FaceKey, dict[str, None]] = {}
    for die in (dice_set(dice) if isinstance(dice, str) else dice).dice:
        outline = SIDE_OUTLINE if die.shape == "tetrahedron" else CORNERS_OF.get(die.shape)
        for face in die.faces if outline is not None else ():
            found.setdefault((outline or SIDE_OUTLINE, bag_of(face.text)), {})[face.text] = None
    return {key: tuple(texts) for key, texts in found.items()}


@dataclass(frozen=True)
class TeachingQuestion:
    """What does find number ``find`` of a throw show? ``choices``: every face that it may show, the likeliest first.

    Of a tetrahedron the face is meant on which it lies.
    """

    throw: int
    find: int
    choices: tuple[FaceKey, ...]

    @property
    def guess(self) -> FaceKey:
        """The face that the reader takes it for."""
        return self.choices[0]

    @property
    def lies_on(self) -> bool:
        """Whether the face is meant on which a tetrahedron lies."""
        return self.guess[0] == SIDE_OUTLINE


@dataclass(frozen=True)
class Answer:
    """The answer number ``number``: what lies at a place of a throw's picture; ``key``: None if it is no die."""

    number: int
    throw: int
    find: int
    place: tuple[float, float]
    key: FaceKey | None


class NotAskedError(ValueError):
    """That was not asked, or is no longer: the throw is too long ago, or somebody else answered."""


class TeachingCourse:
    """One course of teaching a set of dice, or the set of this name that comes with the program.

    Attributes:
        throws: how many throws with dice were seen.
    """

    def __init__(self, dice: DiceSet | str) -> None:
        known = dice_set(dice) if isinstance(dice, str) else dice
        self.set_name = known.name
        self.throws = 0
        self._faces = faces_of(known)
        self._shapes = {die.name: die.shape for die in known.dice}
        self._waiting: OrderedDict[int, tuple[ReadDie, ...]] = OrderedDict()
        self._answers: dict[tuple[int, int], Answer] = {}
        self._insisted: set[tuple[int, int]] = set()
        self._numbers = 0
        self._lay_on: Counter[FaceKey] = Counter()  # how often a tetrahedron was said to lie on a face

    def see(self, throw: int, dice: Sequence[ReadDie]) -> None:
        """Take in a throw as it was read, by a number of its own."""
        there = tuple(die for die in dice if die.status != "ignored")
        if not there:
            return
        self.throws += 1
        self._waiting[throw] = there
        while len(self._waiting) > THROWS_KEPT:
            gone, _ = self._waiting.popitem(last=False)
            self._answers = {place: one for place, one in self._answers.items() if place[0] != gone}
            self._insisted = {place for place in self._insisted if place[0] != gone}

    @property
    def last(self) -> Answer | None:
        """The last answer to a throw that still waits, which can be taken back."""
        return max(self._answers.values(), key=lambda one: one.number, default=None)

    def questions(self, known: Collection[FaceKey]) -> list[TeachingQuestion]:
        """Return what to ask now, the oldest throw first; ``known``: the faces that a person has named."""
        return [
            TeachingQuestion(throw, find, self._choices(die, known))
            for throw, dice in self._waiting.items()
            for find, die in enumerate(dice)
            if (throw, find) not in self._answers
            and ((throw, find) in self._insisted or self._worth_asking(die, known))
        ]

    def answer(self, throw: int, find: int, key: FaceKey | None) -> Answer:
        """Take in what a person says of a find; ``key`` None: it is no die.

        Raises:
            NotAskedError: the throw is too long ago, the find was answered, or it cannot show this face.
        """
        dice = self._waiting.get(throw, ())
        if not 0 <= find < len(dice) or (throw, find) in self._answers:
            raise NotAskedError
        die = dice[find]
        if key is not None and key not in self._choices(die, ()):
            raise NotAskedError
        self._numbers += 1
        middle = [sum(values) / len(die.polygon) for values in zip(*die.polygon, strict=True)]
        given = Answer(self._numbers, throw, find, (middle[0], middle[1]), key)
        self._answers[throw, find] = given
        if key is not None and key[0] == SIDE_OUTLINE:
            self._lay_on[key] += 1
        return given

    def take_back(self) -> Answer | None:
        """Undo the last answer and ask again; return it, None if there is none."""
        given = self.last
        if given is None:
            return None
        place = (given.throw, given.find)
        del self._answers[place]
        self._insisted.add(place)
        if given.key is not None and given.key[0] == SIDE_OUTLINE:
            self._lay_on[given.key] -= 1
        return given

    def ask_all(self) -> None:
        """Ask about every die of the last throw: the reader may take a new face for one that it knows."""
        for throw in list(self._waiting)[-1:]:
            self._insisted |= {(throw, find) for find in range(len(self._waiting[throw]))}

    def missing(self, known: Collection[FaceKey]) -> list[FaceKey]:
        """Return the faces that nobody has named yet, in the order of the dice."""
        return [key for key in self._faces if key not in known]

    def _chances(self, die: ReadDie) -> dict[FaceKey, float]:
        """Return the chance of each face that the reader thinks of, the likeliest first."""
        outline = self._outline(die)
        found: dict[FaceKey, float] = {}
        for text, chance in die.candidates:
            key = (outline, bag_of(text))
            if key in self._faces:
                found[key] = found.get(key, 0.0) + chance
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def _outline(self, die: ReadDie) -> int:
        shape = self._shapes.get(die.die or "")
        if shape is None:
            return len(die.polygon)
        return SIDE_OUTLINE if shape == "tetrahedron" else CORNERS_OF[shape]

    def _choices(self, die: ReadDie, known: Collection[FaceKey]) -> tuple[FaceKey, ...]:
        """Return what a find may show: what the reader thinks of, then the other faces, those still missing first."""
        likely, outline = list(self._chances(die)), self._outline(die)
        others = [key for key in self._faces if key[0] == outline and key not in likely]
        return (*likely, *sorted(others, key=lambda key: key in known))

    def _worth_asking(self, die: ReadDie, known: Collection[FaceKey]) -> bool:
        chances = self._chances(die)
        if not chances:
            return False
        guess = next(iter(chances))
        if guess[0] == SIDE_OUTLINE:
            seen = [key for key in self._faces if key[0] == SIDE_OUTLINE and (die.status != "read" or key != guess)]
            return self._lay_on[guess] < SIDES_EACH and any(key not in known for key in seen)
        if guess not in known:
            return True
        return (
            die.status != "read"
            and sum(chance for key, chance in chances.items() if key not in known) >= DOUBTED_CHANCE
        )
