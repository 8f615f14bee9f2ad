"""Readings of dice with a known numbering, mended by what the whole of each die says."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.rules.die import Die
from companion.vision.dice.answers import NOT_CLEAR, NOT_UPPER, SPOILT, Answers
from companion.vision.dice.faces import CORNERS_OF, FaceReader
from companion.vision.dice.geometry import Points, inside
from companion.vision.dice.solids.model import Batch, Poses
from companion.vision.dice.solids.numbering import lyings
from companion.vision.dice.solids.things import Thing
from companion.vision.dice.solids.upper import Lying
from companion.vision.dice.solids.votes import Vote, Votes
from companion.vision.readings import Image, ReadDie

MOST_DICE: Final = 12
"""The whole of no more dice in a picture is examined: it limits the time for a table full of other things."""

PART: Final = "It is another face of a die that is seen."


class WholeDice:
    """Mends the readings of one set's dice.

    Args:
        dice: that may lie on the table.
        faces: reads their faces.
        answers: makes the answer for each found thing.
        named: whether it is known which dice lie on the table.
    """

    def __init__(self, dice: Sequence[Die], faces: FaceReader, answers: Answers, *, named: bool) -> None:
        of_shape: dict[int, set[tuple[str, ...]]] = {}
        for die in dice:
            if die.shape in CORNERS_OF:
                of_shape.setdefault(CORNERS_OF[die.shape], set()).add(tuple(face.text for face in die.faces))
        known = {
            CORNERS_OF[die.shape]: die
            for die in dice
            if die.shape in CORNERS_OF and len(of_shape[CORNERS_OF[die.shape]]) == 1 and lyings(die) is not None
        }
        self._votes = {corners: Votes(die, faces) for corners, die in known.items()}
        self._alone = dice[0].name if named and len(dice) == 1 else None
        self._most = 1 if self._alone else MOST_DICE
        self._answers = answers

    @property
    def known(self) -> bool:
        """Return whether the numbering of any of the dice is known."""
        return bool(self._votes)

    def mended(
        self,
        image: Image,
        dice: Sequence[ReadDie],
        posed: Sequence[tuple[Points, Lying, Poses]],
        things: Sequence[Thing],
        before: Batch | None = None,
    ) -> list[ReadDie]:
        """Return a picture's dice, with those whose numbers explain each other read, or asked about, by their whole.

        ``posed``: see `SolidReader.posed`. ``things``: what has the outline of a die. ``before``: the log chances of
        the table's upright, see `SolidReader.settle`. A die whose numbers explain nothing stays as it was.
        """
        answers = list(dice)
        there = [i for i, die in enumerate(answers) if die.status != "ignored"]
        covered: list[Points] = []
        for i in sorted(there, key=lambda one: (answers[one].status != "read", -answers[one].confidence))[:MOST_DICE]:
            corners = np.array(answers[i].polygon)
            if len(corners) not in self._votes or answers[i].reason not in ("", NOT_CLEAR, NOT_UPPER, *SPOILT):
                continue
            if any(inside(corners.mean(axis=0), outline) for outline in covered):
                answers[i] = self._answers.ignored(corners, PART)
                continue
            poses = next((poses for upper, _, poses in posed if np.array_equal(upper, corners)), None)
            mine = self._votes[len(corners)]
            if answers[i].status == "read" and poses is not None and mine.lies_up(image, poses, corners, before):
                continue
            vote = None if poses is None else mine.near(image, poses, before)
            if vote is not None:
                answers[i] = self._answer(answers[i], vote)
                covered.append(vote.outline)
        if not there:
            for thing in things[: self._most]:
                votes = [each.standing(image, thing.outline, before) for each in self._votes.values()]
                answers += [self._answer(None, vote) for vote in votes if vote is not None]
        return answers

    def _answer(self, die: ReadDie | None, vote: Vote) -> ReadDie:
        name = self._alone if die is None else die.die
        against = die is not None and die.status == "read" and die.face != vote.candidates[0][0]
        reason = "" if vote.sure and not against else NOT_CLEAR if against else NOT_UPPER
        short = None if die is None else die.short
        return replace(self._answers.die(name, vote.candidates, vote.corners, reason), short=short)
