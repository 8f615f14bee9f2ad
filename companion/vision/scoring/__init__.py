"""How good a reader is, measured on labelled pictures: what became of each die, rates, reliability, confusion."""

from companion.vision.scoring.confusion import Confusion
from companion.vision.scoring.intervals import rate, wilson
from companion.vision.scoring.outcomes import Label, Outcome, outcomes
from companion.vision.scoring.reliability import Reliability, reliability
from companion.vision.scoring.score import Score
from companion.vision.scoring.tally import Tally

__all__ = [
    "Confusion",
    "Label",
    "Outcome",
    "Reliability",
    "Score",
    "Tally",
    "outcomes",
    "rate",
    "reliability",
    "wilson",
]
