"""The commands that a page or program can give the laboratory: what each takes, who may give it, what it is for.

``owner``: commands that decide about a whole series or about whose throws the next ones are, or that change what was
counted; ``anyone``: all others.
"""

from collections.abc import Mapping
from types import NoneType
from typing import Annotated, Any, Final

from msgspec import Meta

from companion.desk.command import Command, CommandSet, Refusal, shown
from companion.fairness.series.dice import WantedDie
from companion.language.sentence import Sentence

LARGEST_BIAS: Final = 0.5
LEAST_BIAS: Final = 0.001
MOST_DICE: Final = 24
MOST_FIXED: Final = 1_000_000

SERIES_COMMANDS: Final = CommandSet()
"""Every command of the laboratory, by name."""

NO_REASON: Final = Sentence("A correction needs a reason that the others can read.")


def _no_face(face: Any, _: Mapping[str, Any]) -> Sentence:
    return Sentence("Expected a face as a text, but got {value}.", value=shown(face))


def _no_wanted_die(die: Any, _: Mapping[str, Any]) -> Sentence | None:
    if not isinstance(die, dict):
        return None
    if not isinstance(die.get("set"), str) or not all(
        isinstance(die.get(of), str | NoneType) for of in ("die", "name")
    ):
        return Sentence("Expected the set of each die, and its name in the set, as texts.")
    return Sentence("Expected whether twins are told apart as true or false, and a number of dice of 1 or more.")


SeriesNumber = Annotated[int, Meta(description="The series, by its number.")]
Question = Annotated[int, Meta(description="The question's number.")]
ThrowNumber = Annotated[int, Meta(description="The throw, by its number in the series.")]
DieName = Annotated[str | None, Meta(description="The die, as the series calls it; needed where there are several.")]
Label = Annotated[str, Meta(description="The outcome, by its label.")]
Shown = Annotated[str | None, Refusal(_no_face)]
Truth = Annotated[Shown, Meta(description="What it shows; null or nothing where that cannot be told.")]


@SERIES_COMMANDS.command("begin", "owner")
class BeginSeries(Command, frozen=True, kw_only=True):
    """Begin a series; one that is open is laid aside and can be taken up again."""

    title: Annotated[
        str | None, Meta(description="What the series is called; the dice's names if nothing is said.")
    ] = None
    dice: Annotated[
        list[Annotated[WantedDie, Refusal(_no_wanted_die)]],
        Meta(
            max_length=MOST_DICE,
            description="Each die: set, die (its name in the set), name (what its owner calls it), twins_apart "
            "(whether faces that bear the same count apart), together (how many there are that nobody can tell apart), "
            "by_looks (whether a person tells it from like dice thrown with it, and it is judged by itself).",
        ),
        Refusal(Sentence("Expected the dice as a list of at most {most}, each with its set.", most=MOST_DICE)),
    ]
    smallest: Annotated[
        Annotated[float, Meta(ge=LEAST_BIAS, le=LARGEST_BIAS)] | None,
        Meta(description="The bias that matters, as a difference of chances, named before the first throw."),
        Refusal(
            lambda bias, _: Sentence(
                "Expected the bias that matters from {least} to {most}, but got {value}.",
                least=LEAST_BIAS,
                most=LARGEST_BIAS,
                value=shown(bias),
            )
        ),
    ] = None
    fear: Annotated[
        str | None,
        Meta(description="What is feared of the dice, said before the first throw: face, axis, pips or corner."),
    ] = None
    fixed: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_FIXED)] | None,
        Meta(description="The number of throws, where it is fixed before the first one."),
        Refusal(
            lambda count, _: Sentence(
                "Expected a number of throws from 1 to {most}, but got {value}.", most=MOST_FIXED, value=shown(count)
            )
        ),
    ] = None
    about: Annotated[
        dict[str, str] | None,
        Meta(description="Texts that the owner writes down: who, surface, method."),
        Refusal(Sentence("Expected the details to record as texts under their names.")),
    ] = None


@SERIES_COMMANDS.command("resume", "owner")
class ResumeSeries(Command, frozen=True):
    """Take up a series; one that is open is laid aside."""

    series: SeriesNumber


@SERIES_COMMANDS.command("end", "owner")
class EndSeries(Command, frozen=True):
    """Lay the open series aside; it can be taken up again."""


@SERIES_COMMANDS.command("delete", "owner")
class DeleteSeries(Command, frozen=True):
    """Delete a series that is not open, with its pictures, for good."""

    series: SeriesNumber


@SERIES_COMMANDS.command("throw", "anyone")
class EnterThrow(Command, frozen=True, kw_only=True):
    """Enter what a die shows."""

    die: DieName = None
    face: Annotated[Label, Refusal(Sentence("Expected what the die shows."), of=NoneType), Refusal(_no_face)]


@SERIES_COMMANDS.command("answer", "anyone")
class AnswerQuestion(Command, frozen=True):
    """Say what dice show that were asked about."""

    number: Question
    faces: Annotated[
        dict[str, Shown],
        Meta(description="The label of each die under its key, or null where it cannot be told."),
        Refusal(Sentence("Expected what each die shows under its name.")),
    ]


@SERIES_COMMANDS.command("dismiss", "anyone")
class DismissQuestion(Command, frozen=True):
    """Say that what was asked about was no throw."""

    number: Question
    reason: Annotated[str | None, Meta(description="Why; what is too long is cut.")] = None


@SERIES_COMMANDS.command("correct", "owner")
class CorrectThrow(Command, frozen=True, kw_only=True):
    """Change a throw that was counted."""

    number: ThrowNumber
    face: Truth = None
    withdrawn: Annotated[
        bool,
        Meta(description="Whether it was no throw at all."),
        Refusal(Sentence("Expected true or false for whether it was not a throw.")),
    ] = False
    reason: Annotated[
        str, Meta(description="Why, for others to read; what is too long is cut."), Refusal(NO_REASON, of=NoneType)
    ]


@SERIES_COMMANDS.command("audit", "anyone")
class AuditThrow(Command, frozen=True):
    """Say what a throw shows that was drawn to be checked."""

    number: ThrowNumber
    face: Truth = None


@SERIES_COMMANDS.command("sort", "anyone")
class SortThrows(Command, frozen=True):
    """Sort the throws of a die that is counted by likeness into rows now; afterwards those that are doubtful."""


@SERIES_COMMANDS.command("name_row", "owner")
class NameRow(Command, frozen=True, kw_only=True):
    """Say what all throws of a row show."""

    row: Annotated[int, Meta(description="The row, by its number.")]
    face: Annotated[Shown, Meta(description="What it shows; null or nothing to leave it out.")] = None


@SERIES_COMMANDS.command("session", "owner")
class BeginSession(Command, frozen=True):
    """Begin another session, or let another hand throw."""

    name: Annotated[str | None, Meta(description="The session; empty for none.")]
    hand: Annotated[str | None, Meta(description="Who or what throws.")] = None


@SERIES_COMMANDS.command("photograph", "anyone")
class PhotographFace(Command, frozen=True, kw_only=True):
    """Keep a picture of the face that lies up now, for the report."""

    die: DieName = None
    face: Annotated[Label, Refusal(Sentence("Expected which face is up."), of=NoneType), Refusal(_no_face)]
