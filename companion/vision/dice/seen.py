"""A found face of one picture, with all that the reader has learnt of it so far."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.dice.faces import Chances, Marks, NetView
from companion.vision.dice.locate import UpperFace
from companion.vision.dice.marks import Witness
from companion.vision.readings import Image


@dataclass(frozen=True, eq=False)
class Cut:
    """A face cut out flat in all its rotations, and what the mark net saw there.

    ``upright``: for each rotation, the log chance that it is the upright one.
    """

    patches: Sequence[Image]
    view: NetView
    upright: Chances


@dataclass(frozen=True, eq=False)
class Seen:
    """A found face, its marks (``marks`` holds one row), and the evidence for it.

    ``evidence``: the evidence that it is one of the dice, 0 to 1: it looks like a die and shows one of the set's faces.
    ``witness``: the odds of its marks. ``cut``: the flat face, for a second
    pass; None where there is none. ``seconded``: whether a second count of
    its pips agrees; None where there is no second count. ``flat``: whether it lies like the other faces. ``beneath``:
    whether it lies where the cube of another face has a side. ``either``: whether it and another face may each be a
    side beneath the other. ``rival``: the evidence of the next best face of the same die. ``general``: the marks as
    the general reader alone sees them, and ``recalled``: what the table's exemplars say of each text, as a log
    likelihood ratio; both None where the table remembers nothing. ``thing``: whether it is a thing that lay there
    before, of which somebody said that it is no die. ``unlearnt``: whether it may show a face whose appearance neither
    a net nor the table knows: then the general reader alone reads nothing. ``strange``: whether what is remembered is
    of other dice than those that lie here: then it reads nothing alone.
    """

    face: UpperFace
    marks: Marks
    evidence: float
    witness: Witness
    cut: Cut | None = None
    seconded: bool | None = None
    flat: bool = True
    beneath: bool = False
    either: bool = False
    rival: float = 0.0
    general: Marks | None = None
    recalled: Chances | None = None
    unlearnt: bool = False
    thing: bool = False
    strange: bool = False
