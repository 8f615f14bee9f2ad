"""Reading the tetrahedron, which lies on the face that counts: its visible sides show which face that is."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from companion.vision.dice.answers import Answers
from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.faces import Chances, FaceReader, Marks
from companion.vision.dice.locate import Found, Tetrahedron
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE, View
from companion.vision.dice.memory.glimpses import SidesGlimpse
from companion.vision.dice.memory.handedness import Handedness, HandednessLearner, decode_hidden
from companion.vision.dice.memory.table import REMEMBERED_POSTERIOR, SIDE_TRUSTS, Shown, TableMemory
from companion.vision.dice.outlines import leaves
from companion.vision.dice.tetrahedra.pose import strain
from companion.vision.dice.tetrahedra.side_evidence import cut_side, rise, seen_sides, side_marks
from companion.vision.readings import Image, ReadDie

PHANTOM_CHANCE: Final = 0.6
"""An unreadable thing whose chance of being a tetrahedron is below this is none."""

LEAST_READABLE_SIDES: Final = 0.5
"""A tetrahedron is unreadable if less than this of its sides can be read, in sides."""

BARE_CHANCE: Final = 0.7
"""No side of a tetrahedron is marked if none bears marks of the set with a larger chance than this. If its corners are
not those of a tetrahedron either (their `strain` is above `MOST_STRAIN`), it is none: a board's corner, a man, a
shadow."""

SURE_CORNERS: Final = 0.0005
MOST_STRAIN: Final = 0.06
WRONG_CORNERS_CHANCE: Final = 0.13
"""How likely wrong corners are: `SURE_CORNERS` where their `strain` is up to `MOST_STRAIN`, certain where it is beyond
the sum of `MOST_STRAIN` and `WRONG_CORNERS_CHANCE`."""

LEAST_SECONDED: Final = 0.7
"""The least chance that a second mark net must give the hidden face that the first one reads."""

LEAST_TOGETHER: Final = 5.0
"""The least sum of the log odds of both: the second net must give 0.89 where the first gives 0.95. Of 2,000 drawn
tetrahedra in hands that only choose, `LEAST_SECONDED` alone leaves 704 read rightly and 5 wrongly, with this 687 and 2;
5.25 leaves 677 and 1."""

LEAST_ODDS: Final = 1e-9
"""Chances nearer to 0 or 1 than this count as equal."""


@dataclass(frozen=True, eq=False)
class Sides:
    """A tetrahedron and the marks on its visible sides.

    ``seen``: which of the three sides around the apex are visible; ``marks``: one row for each; ``shown``: how many of
    them can be read, 0 to 3, as a sum of chances. ``recalled``: for each of them what the exemplars say for each
    text, log likelihood ratios; ``views``: each side in three rotations.
    """

    solid: Tetrahedron
    seen: tuple[int, ...]
    marks: Marks
    shown: float
    recalled: tuple[Chances, ...]
    views: tuple[View, ...]

    @property
    def evidence(self) -> float:
        """The evidence that it is the thrown tetrahedron."""
        return self.solid.score * self.shown

    @property
    def bare(self) -> bool:
        """Whether it has neither a marked side nor a tetrahedron's corners, and the table remembers no side of it."""
        marked = float(self.marks.texts.max(initial=0.0)) > BARE_CHANCE or any(
            recalled.any() for recalled in self.recalled
        )
        return not marked and strain(self.solid) > MOST_STRAIN

    def around(self, trust: float = 0.0, marks: Marks | None = None) -> list[Chances | None]:
        """Return the sides clockwise around the apex, in the form for `handedness.decode_hidden`.

        ``trust``: how far the table's exemplars count, 0 to 1; ``marks``: other opinions of the sides than its own.
        """
        rows: list[Chances | None] = [None, None, None]
        for i, row, recalled in zip(self.seen, (marks or self.marks).spread(), self.recalled, strict=True):
            rows[i] = row * np.exp(trust * recalled)
        return rows


class TetrahedronReader:
    """Reads the tetrahedron of a set.

    Args:
        name: the die's name in the set; None if the dice include no tetrahedron.
        faces: reads the marks.
        second: reads them, too, of a die that would be read.
        answers: makes the answer for each found thing.
        least: the chosen least chance of the marks alone, from which `ReadDie.short` counts.
        handedness: what is known about its handedness.
        learns: whether the reader learns the handedness while it reads.
        memory: what the table remembers of its dice.

    Attributes:
        glimpses: the tetrahedra of the last picture, as the table may remember them.
    """

    def __init__(
        self,
        name: str | None,
        faces: FaceReader,
        second: SecondMarks,
        answers: Answers,
        *,
        least: float,
        handedness: Handedness | None,
        learns: bool,
        memory: TableMemory | None = None,
    ) -> None:
        self._name = name
        self._faces = faces
        self._second = second
        self._answers = answers
        self._least = least
        self._hand = HandednessLearner(handedness)
        self._learns = learns
        self._memory = memory
        self._shown = Shown(faces.texts.side)
        self.glimpses: list[SidesGlimpse] = []

    def judge(self, found: Found, image: Image, *, alone: bool = False) -> list[ReadDie]:
        """Return the answer for each tetrahedron of a picture: the text of the face that it lies on.

        ``alone``: the picture shows no other dice. Then what looks hardly like a tetrahedron is none; beside other dice
        it may be one that is seen badly.
        """
        self.glimpses = []
        if self._name is None:
            return [self._answers.ignored(one.outline(), "No tetrahedron is thrown here.") for one in found.tetrahedra]
        judged: list[ReadDie] = []
        whole: list[Sides] = []
        for one in found.tetrahedra:
            if leaves(one.outline(), image):
                judged.append(self._answers.ignored(one.outline(), "It lies partly outside the picture."))
                continue
            sides = self._sides(one, image)
            if (sides.shown < LEAST_READABLE_SIDES and one.score < PHANTOM_CHANCE) or (alone and sides.bare):
                judged.append(self._answers.ignored(one.outline(), "It does not look like a tetrahedron."))
            else:
                whole.append(sides)
        whole.sort(key=lambda sides: -sides.evidence)
        judged += [self._hidden(sides) for sides in whole[:1]]
        reason = "One tetrahedron is expected, and a clearer one was seen."
        return judged + [self._answers.ignored(sides.solid.outline(), reason) for sides in whole[1:]]

    def _sides(self, one: Tetrahedron, image: Image) -> Sides:
        flat = seen_sides(one)
        cuts = [cut_side(image, side) for _, side in flat]
        net_views = self._faces.views(cuts)
        opinions = self._faces.opinions(net_views)
        marks = side_marks(opinions, self._faces.texts.side_bags, [rise(side) for _, side in flat])
        readable = self._faces.judge_sides(opinions)  # this allows for marks outside the set
        views = [View(net_view.descriptors, cut) for net_view, cut in zip(net_views, cuts, strict=True)]
        recalled = [self._recalled(view, marks.row(i)) for i, view in enumerate(views)]
        shown = float((1 - readable.unreadable).sum())
        return Sides(one, tuple(i for i, _ in flat), marks, shown, tuple(recalled), tuple(views))

    def _recalled(self, view: View, marks: Marks) -> Chances:
        """Return what the table's exemplars say for each text of a side; zeros where it remembers none."""
        recalled = (
            None if self._memory is None else self._memory.recall(SIDE_OUTLINE, view.descriptors, marks, self._shown)
        )
        return np.zeros(len(self._faces.texts.side)) if recalled is None else recalled.log_odds

    def _unlearnt(self) -> bool:
        """Return whether a side may be one that neither a net nor the memory knows."""
        unknown = self._faces.texts.unknown_sides
        learnt = self._memory is not None and self._memory.exemplars.know(SIDE_OUTLINE, unknown)
        return bool(unknown) and not learnt

    def _seconded(self, sides: Sides, text: str, first: float, doubt: float) -> bool:
        """Return whether the second mark net reads a hidden face, too, to which the first one gives this chance."""
        opinions = [self._second.read(view.patches)[0] for view in sides.views]
        marks = side_marks(opinions, self._faces.texts.side_bags, [rise(side) for _, side in seen_sides(sides.solid)])
        says = decode_hidden(sides.around(marks=marks), self._faces.texts.side, self._hand.handedness, doubt)
        return sure_together(first, dict(says)[text])

    def _hidden(self, sides: Sides) -> ReadDie:
        one, doubt = sides.solid, misplaced(sides.solid)
        texts, hand = self._faces.texts.side, self._hand.handedness
        alone = decode_hidden(sides.around(), texts, hand, doubt)
        candidates = alone
        if self._memory is not None and any(recalled.any() for recalled in sides.recalled):
            ways = [dict(decode_hidden(sides.around(trust), texts, hand, doubt)) for trust in SIDE_TRUSTS]
            glimpsed = np.array([[way[text] for text in texts] for way in ways])
            candidates = tuple(sorted(ways[self._memory.sides.best].items(), key=lambda pair: -pair[1]))
        else:
            glimpsed = None
        text, first = alone[0]
        same = text == candidates[0][0]
        # two nets are two witnesses, as a net and exemplars are
        sure = first >= REMEMBERED_POSTERIOR
        seconded = not sure or self._seconded(sides, text, first, doubt)
        sure_alone = same and sure and seconded
        recognised = glimpsed is not None and candidates[0][1] >= REMEMBERED_POSTERIOR
        if self._learns:
            self._hand.see(sides.around(), one.base, doubt)
        views = dict(zip(sides.seen, sides.views, strict=True))
        trust = SIDE_TRUSTS[self._memory.sides.best] if self._memory is not None else 0.0
        around = sides.around()
        # without its apex the sides cannot be distinguished
        tell = partial(self._hand.answered, around, one.base, doubt) if self._learns and one.apex is not None else None
        self.glimpses.append(
            SidesGlimpse(one.outline(), views, texts, tuple(sides.around(trust)), hand, glimpsed, tell)
        )
        reason, short = "", None
        if one.apex is not None:
            short = _log_odds(self._least) - _log_odds(first) if same and seconded else None
        if one.apex is None:
            reason = "Its apex was not found, so its sides cannot be told apart."
        elif not (sure_alone or recognised) or self._unlearnt():
            all_seen = len(sides.seen) == 3  # noqa: PLR2004
            reason = "The marks on its sides are not clear." if all_seen else "Not all of its three sides are seen."
        remembered = not sure_alone
        return self._answers.die(self._name, candidates, one.outline(), reason, remembered=remembered, short=short)


def sure_together(first: float, second: float) -> bool:
    """Return whether the chances that two mark nets give the same hidden face are enough to read it."""
    return second >= LEAST_SECONDED and _log_odds(first) + _log_odds(second) >= LEAST_TOGETHER


def misplaced(one: Tetrahedron) -> float:
    """Return the chance that a tetrahedron's corners are so wrong that its sides were cut out wrongly."""
    return min(1.0, SURE_CORNERS + max(0.0, (strain(one) - MOST_STRAIN) / WRONG_CORNERS_CHANCE) ** 2)


def _log_odds(chance: float) -> float:
    bound = min(max(chance, LEAST_ODDS), 1 - LEAST_ODDS)
    return math.log(bound / (1 - bound))
