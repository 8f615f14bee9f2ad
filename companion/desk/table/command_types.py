"""The commands that a page or program can give the table: what each takes, who may give it, and what it is for.

``owner``: commands that decide about a whole match, rewrite one or change how it is played; ``seated``: commands that,
besides the owner, a visitor at a kiosk's own screen may give; ``anyone``: play itself, and what can be undone.
"""

from types import NoneType
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType, field

from companion.desk.command import Command, CommandDataError, CommandSet, Refusal, not_fitting, shown
from companion.desk.table.autoplay import FASTEST, SLOWEST, USUAL
from companion.language.sentence import Listing, Sentence
from companion.players.strengths import STRENGTHS
from companion.referee.events import DiceBy, MenBy

TABLE_COMMANDS: Final = CommandSet()
"""Every command of the table, by name."""

NO_REASON: Final = Sentence("A correction needs a reason that the others can read.")
KEEP_WHAT: Final = Sentence("Later throws no longer fit: keep all the others, or stop before the first of them?")

MatchNumber = Annotated[int, Meta(description="The match, by its number in the journal.")]
Question = Annotated[int, Meta(description="The question's event.")]
Face = Annotated[str, Refusal(Sentence("Expected the faces as texts under the names of their dice."))]
Faces = Annotated[dict[str, Face], Meta(description="The face of each die, under the die's name.")]
Reason = Annotated[str, Meta(description="Why, for the others to read; what is too long is cut.")]

Players = Annotated[
    list[Annotated[str, Refusal(Sentence("Expected the players' names as texts."))]],
    Meta(description="A name for each player, all different; the table names a seat that has none."),
]
DiceFrom = Annotated[
    DiceBy | UnsetType,
    Meta(description="Where the throws come from."),
    Refusal(lambda by, _: Sentence("Expected camera, tapped or program, but got {by}.", by=by), of=str),
]
MenFrom = Annotated[
    MenBy | UnsetType,
    Meta(description="Where the moves of the men come from."),
    Refusal(lambda by, _: Sentence("Expected camera or tapped, but got {by}.", by=by), of=str),
]
Programs = Annotated[
    list[Annotated[int, Meta(ge=1)]],
    Meta(description="The players for whom the program plays, by number."),
    Refusal(lambda _, data: no_such_seats(len(data.get("players", ())))),
]
Strengths = Annotated[
    list[Annotated[str, Refusal(lambda *_: no_such_strengths())]],
    Meta(description="How well the program plays for each of these players; the table's own strength where empty."),
]


@TABLE_COMMANDS.command("new_match", "owner")
class NewMatch(Command, frozen=True):
    """Begin a match; one that is open is paused and can be taken up again."""

    game: Annotated[str, Meta(description="The game, by slug.")]
    players: Players
    options: Annotated[dict[str, Any], Meta(description="The game's options that differ from the preset.")] = field(
        default_factory=dict
    )
    dice_by: DiceFrom = UNSET
    men_by: MenFrom = UNSET
    programs: Programs = field(default_factory=list)
    strengths: Strengths = field(default_factory=list)
    demo: Annotated[bool, Meta(description="Whether it is a demonstration, which is deleted once it is left.")] = False
    name: Annotated[str, Meta(description="What the match is called; the players' names if nothing is said.")] = ""
    invitation: Annotated[
        str,
        Meta(
            max_length=61,
            description="The tournament's invitation that the match follows; the table's own page says it.",
        ),
    ] = ""
    position: Annotated[
        dict[str, Any] | None,
        Meta(description="The position to begin from, in the game's form, with its own options; null for the start."),
    ] = None

    def __post_init__(self) -> None:
        """Refuse seats that nobody has, and strengths that are none or that nobody has."""
        check_seats(self)


def no_such_seats(players: int) -> Sentence:
    """Return the sentence for seats of the program that do not exist."""
    return Sentence("Expected the numbers of players for whom the program plays, 1 to {players}.", players=players)


def no_such_strengths() -> Sentence:
    """Return the sentence for strengths that do not exist."""
    return Sentence("The program plays as {strengths}, or at normal strength.", strengths=Listing(STRENGTHS, "or"))


@TABLE_COMMANDS.command("resume", "owner")
class ResumeMatch(Command, frozen=True):
    """Take up a match of the journal; one that is open is paused."""

    match: MatchNumber


@TABLE_COMMANDS.command("delete_match", "owner")
class DeleteMatch(Command, frozen=True):
    """Delete a match that is not on the table from the journal's file, for good."""

    match: MatchNumber
    last_hash: Annotated[str, Meta(description="The hash of its last event, as the list of matches shows it.")]


@TABLE_COMMANDS.command("pause", "anyone")
class PauseMatch(Command, frozen=True):
    """Pause the match."""


@TABLE_COMMANDS.command("unpause", "anyone")
class UnpauseMatch(Command, frozen=True):
    """Let a paused match go on."""


@TABLE_COMMANDS.command("stop_demo", "owner")
class StopDemo(Command, frozen=True):
    """End the demonstration on the table and delete it."""


@TABLE_COMMANDS.command("reseat", "owner")
class Reseat(Command, frozen=True):
    """Change who sits where, how the dice come or who moves the men, in the running match."""

    dice_by: DiceFrom = UNSET
    men_by: MenFrom = UNSET
    players: Players = field(default_factory=list)
    programs: Programs = field(default_factory=list)
    strengths: Strengths = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse seats that nobody has, and strengths that are none or that nobody has."""
        check_seats(self)


def check_seats(asked: NewMatch | Reseat) -> None:
    """Check the program's seats and strengths.

    Raises:
        CommandDataError: a seat that nobody has, or a strength that is none or that nobody has.
    """
    if any(seat > len(asked.players) for seat in asked.programs):
        raise CommandDataError(no_such_seats(len(asked.players)))
    if asked.strengths and len(asked.strengths) != len(asked.programs):
        raise CommandDataError(
            Sentence(
                "Expected as many strengths as players for whom the program plays ({count}), but got {given}.",
                count=len(asked.programs),
                given=len(asked.strengths),
            )
        )
    if not set(asked.strengths) <= {"", *STRENGTHS}:
        raise CommandDataError(no_such_strengths())


@TABLE_COMMANDS.command("throw", "anyone")
class EnterThrow(Command, frozen=True):
    """Enter what the dice show."""

    faces: Faces
    dice_set: Annotated[
        str | UnsetType, Meta(description="The set of dice; the one that is awaited if nothing is said.")
    ] = UNSET


@TABLE_COMMANDS.command("choose", "anyone")
class Choose(Command, frozen=True):
    """Make a choice, as its text or as the game writes it; one of both is needed."""

    text: Annotated[str | UnsetType, Meta(description="The choice as a player types it.")] = UNSET
    choice: Annotated[dict[str, Any] | UnsetType, Meta(description="The choice as the state lists it.")] = UNSET

    def __post_init__(self) -> None:
        """Refuse what names no choice at all."""
        if self.text is UNSET and self.choice is UNSET:
            raise CommandDataError(not_fitting("choice", dict, None))


@TABLE_COMMANDS.command("explain_choice", "anyone")
class ExplainChoice(Command, frozen=True):
    """Say what a typed choice would come to, without making it."""

    text: Annotated[str, Meta(description="The choice as a player types it; it may be short for several.")]


@TABLE_COMMANDS.command("take_back", "anyone")
class TakeBack(Command, frozen=True):
    """Take the last choice back."""

    event: Annotated[int, Meta(description="The event of that choice.")]
    reason: Reason = ""


@TABLE_COMMANDS.command("roll", "anyone")
class Roll(Command, frozen=True):
    """Let the program throw what is awaited."""


@TABLE_COMMANDS.command("autoplay", "owner")
class PlayByItself(Command, frozen=True):
    """Let the program throw by itself, or stop it."""

    on: Annotated[bool, Meta(description="Whether it throws.")]
    pace: Annotated[
        float,
        Meta(ge=SLOWEST, le=FASTEST, description="Throws a second."),
        Refusal(
            lambda pace, _: Sentence(
                "Expected {least} to {most} throws a second, but got {pace}.",
                least=SLOWEST,
                most=FASTEST,
                pace=shown(pace),
            )
        ),
    ] = USUAL


@TABLE_COMMANDS.command("answer", "anyone")
class AnswerDice(Command, frozen=True):
    """Say what dice show that were asked about."""

    ask: Question
    faces: Faces


@TABLE_COMMANDS.command("dismiss", "anyone")
class DismissDice(Command, frozen=True):
    """Say that what was asked about was no throw."""

    ask: Question
    reason: Reason = ""


@TABLE_COMMANDS.command("answer_board", "anyone")
class AnswerBoard(Command, frozen=True):
    """Say which of the candidates was played on the board."""

    ask: Question
    candidate: Annotated[int, Meta(description="The candidate, as the question numbers it.")]


@TABLE_COMMANDS.command("dismiss_board", "anyone")
class DismissBoard(Command, frozen=True):
    """Say that none of the candidates was played."""

    ask: Question
    reason: Reason = ""


@TABLE_COMMANDS.command("seat_board", "anyone")
class SeatBoard(Command, frozen=True):
    """Find out again how the board lies."""


class Correction(Command, frozen=True):
    """What is put in the place of an event: another choice, other faces, or nothing."""

    event: Annotated[int, Meta(description="The event that is to be corrected.")]
    faces: Annotated[
        dict[str, Face] | None,
        Meta(description="What the dice showed in truth; without it and a choice the event is voided."),
    ] = None
    choice: Annotated[dict[str, Any] | None, Meta(description="What was chosen in truth.")] = None
    reason: Reason = ""


@TABLE_COMMANDS.command("preview_correction", "owner")
class PreviewCorrection(Correction, frozen=True):
    """Show what a correction would do, without doing it."""


@TABLE_COMMANDS.command("correct", "owner")
class Correct(Correction, frozen=True, kw_only=True):
    """Correct an event as it was previewed."""

    reason: Annotated[Reason, Refusal(NO_REASON, of=NoneType)]
    token: Annotated[str, Meta(description="The preview's token.")]
    keep: Annotated[
        Literal["", "all", "until_misfit"],
        Meta(description="What to do with later events that no longer fit."),
        Refusal(KEEP_WHAT, of=str),
    ] = ""


BothThrow = Annotated[bool, Meta(description="Whether both tables throw real dice for each throw, one of them unseen.")]


@TABLE_COMMANDS.command("share", "owner")
class ShareMatch(Command, frozen=True):
    """Let another table play some seats of the open match."""

    remote: Annotated[
        list[Annotated[int, Meta(ge=1)]],
        Meta(description="The players who sit at the other table, by number."),
        Refusal(lambda _, __: Sentence("Expected the numbers of the players who sit at the other table.")),
    ]
    both_throw: BothThrow = False


@TABLE_COMMANDS.command("join_shared", "owner")
class JoinShared(Command, frozen=True):
    """Begin this table's part of a match that another table shares; the table's own page says it."""

    match: Annotated[str, Meta(min_length=1, max_length=64, description="What both tables call the match.")]
    game: Annotated[str, Meta(description="The game, by slug.")]
    rules: Annotated[str, Meta(description="The hash of the game's rules at the other table.")]
    players: Players
    options: Annotated[dict[str, Any], Meta(description="The game's options that differ from the preset.")]
    remote: Annotated[list[Annotated[int, Meta(ge=1)]], Meta(description="The players who sit at the other table.")]
    since: Annotated[int, Meta(ge=0, description="How many common events the match had when it was shared.")]
    name: Annotated[str, Meta(description="What the match is called.")]
    position: Annotated[dict[str, Any] | None, Meta(description="The position to begin from; null for the start.")] = (
        None
    )
    dice_by: DiceFrom = UNSET
    men_by: MenFrom = UNSET
    both_throw: BothThrow = False


@TABLE_COMMANDS.command("end_sharing", "owner")
class EndSharing(Command, frozen=True):
    """Let a match that another table plays with this one go on at this table alone."""


@TABLE_COMMANDS.command("finish", "owner")
class FinishMatch(Command, frozen=True):
    """End the match by agreement."""

    reason: Annotated[str, Meta(description="Why it ends; what is too long is cut.")] = ""


@TABLE_COMMANDS.command("reset", "owner")
class ResetMatch(Command, frozen=True):
    """End the match and start it again with the same players."""


@TABLE_COMMANDS.command("time_up", "seated")
class CallTimeUp(Command, frozen=True):
    """Say that the agreed time is up."""
