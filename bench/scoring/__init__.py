"""How good a reader is, measured on labelled pictures: what became of each die, rates, reliability, confusion."""

from bench.scoring.confusion import Confusion
from bench.scoring.intervals import rate
from bench.scoring.outcomes import Label, Outcome, outcomes
from bench.scoring.reliability import Reliability, reliability
from bench.scoring.score import Score
from bench.scoring.tally import Tally

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
]
