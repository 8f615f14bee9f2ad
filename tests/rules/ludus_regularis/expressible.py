"""Every choice that the games of virtues have words for."""

from collections.abc import Sequence

from companion.rules.game import Choice, Position
from companion.rules.ludus_regularis.choices import TimeUp


def expressible(_: Position) -> Sequence[Choice]:
    """The end of an agreed time is the only choice: everything else is thrown."""
    return (TimeUp(),)
