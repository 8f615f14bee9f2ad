"""Whether the table's cameras watch the open match. In any other match, what they see neither counts nor shows."""

from dataclasses import dataclass, replace

from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.referee.match import Match

UNWATCHED = Sentence("No camera watches this match: tap in the dice.")


@dataclass(frozen=True)
class Watched:
    """What the table's cameras watch of a match: its dice, its men."""

    dice: bool
    men: bool

    @property
    def anything(self) -> bool:
        """Whether the cameras watch anything of this match."""
        return self.dice or self.men

    def of(self, sight: Sight) -> Sight:
        """Return what counts of a sight in this match: no dice and no men that the cameras do not watch."""
        board = sight.board if self.men else None
        if self.dice or sight.source is None:
            return replace(sight, board=board)
        return Sight(sentence=UNWATCHED, motion=sight.motion, board=board)


def watched(match: Match | None, sample: str = "") -> Watched:
    """Tell what the cameras watch of the open match; while none is open a real camera may be tried out.

    ``sample``: the name of the sample whose camera it is, which knows no match but its own; "" for a real camera.
    """
    if match is None:
        return Watched(dice=not sample, men=not sample)
    own = not sample or match.started.sample == sample
    return Watched(dice=own and match.started.dice_by == "camera", men=own and match.started.men_by == "camera")
