"""The events of a journal: one frozen record for each kind of event, checked on the way to JSON and back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from companion.ledger.codec import (
    Check,
    Codec,
    Json,
    Sayable,
    is_number,
    is_object,
    is_sayable,
    is_text,
    is_whole,
    list_of,
    or_none,
)
from companion.referee.arrangement import LyingDie
from companion.referee.board.seating import Seating, SeatingFormatError

DiceBy = Literal["camera", "tapped", "program"]
MenBy = Literal["camera", "tapped"]
Way = Literal["correction", "takeback"]
EndedBy = Literal["agreement", "time"]
BoardDecision = Literal["commit", "agreed", "ask"]
BoardMatter = Literal["play", "men", "seating"]

DEMO: Final = "demo"
"""The sample of a match that the program plays against itself, to be watched."""


def _candidate(value: Any) -> bool:
    """Tell whether a value is an answer to a question about the board, as a page shows it and a person chooses it."""
    match value:
        case {"text": str(text)} if is_text(text) and list_of(_arrow)(value.get("arrows", [])):
            return ("sentence" not in value or is_sayable(value["sentence"])) and _answers(value)
    return False


def _answers(value: Json) -> bool:
    """Tell whether an answer says how the board lies, or which moves were made."""
    if "seating" not in value:
        return list_of(is_object)(value.get("moves", []))
    try:
        Seating.from_json(value["seating"])
    except SeatingFormatError:
        return False
    return True


def _arrow(value: Any) -> bool:
    return is_object(value) and all(is_text(value.get(end)) for end in ("from", "to"))


def _seen(value: Any) -> bool:
    """Tell whether a value is a die as `ReadDie.to_json` writes it; fields that later versions added may be missing."""
    match value:
        case {"set": str(), "status": str(), "candidates": list(candidates), "polygon": list(polygon)}:
            named = all(or_none(is_text)(value.get(name)) for name in ("set", "die", "face", "status", "reason"))
            known = named and isinstance(value.get("remembered", False), bool)
            return known and all(map(_likely, candidates)) and all(map(_point, polygon))
    return False


def _likely(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_text(value[0]) and is_number(value[1])  # noqa: PLR2004  (face, chance)


def _point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == len("xy") and all(map(is_number, value))


def _lies(value: Any) -> bool:
    """Tell whether a value says where a die lies."""
    try:
        LyingDie.from_json(value)
    except ValueError:
        return False
    return True


def _faces(value: Any) -> bool:
    return is_object(value) and all(map(is_text, value.values()))


Dice = Annotated[tuple[Json, ...], Check("a list of dice as they were seen", list_of(_seen))]
Arrangement = Annotated[tuple[Json, ...], Check("a list of where dice lie", list_of(_lies))]
Objects = Annotated[tuple[Json, ...], Check("a list of objects", list_of(is_object))]
Numbers = Annotated[tuple[int, ...], Check("a list of whole numbers", list_of(is_whole))]
Names = Annotated[tuple[str, ...], Check("a list of names", list_of(is_text))]
Suggestion = Annotated[Json, Check("a face for each die", _faces)]
Answers = Annotated[
    tuple[Json, ...], Check("a list of answers, each with a text and a sentence that can be said", list_of(_candidate))
]


@dataclass(frozen=True)
class MatchStarted:
    """The first event of every match. ``rules``: the game's `rules_hash` then.

    ``sample`` names sample frames, or is `DEMO` where the program plays against itself and somebody only watches.

    ``men_by``: whether a camera follows the men on the board, or people tap in every move. ``programs``: the numbers of
    the players for whom the program plays; ``strengths``: how well, by name, one for each of these; none, or
    an empty name, for the table's own. ``invitation``: the one of a tournament that the match follows, by its id, with
    a minus sign before it if the two sit the other way round; "" for none. ``position``: the one that the match begins
    from, in the game's form, where somebody set it up; None for the game's start.
    """

    kind: ClassVar[str] = "started"
    name: str
    game: str
    players: Names
    options: Json
    dice_by: DiceBy
    rules: str
    sample: str = ""
    men_by: MenBy = "tapped"
    programs: Numbers = ()
    strengths: Names = ()
    invitation: str = ""
    position: Json | None = None

    @property
    def programs_strengths(self) -> dict[int, str]:
        """The strength of each player for whom the program plays; an empty name for the table's own."""
        return dict(zip(self.programs, (*self.strengths, *[""] * len(self.programs)), strict=False))

    def reseated(self, event: "Reseated") -> "MatchStarted":
        """Return how the match would have begun as it is played now; its name still follows that of the players."""
        by = replace(self, dice_by=event.dice_by or self.dice_by, men_by=event.men_by or self.men_by)
        if not event.players:
            return by
        name = ", ".join(event.players) if self.name == ", ".join(self.players) else self.name
        return replace(by, name=name, players=event.players, programs=event.programs, strengths=event.strengths)


@dataclass(frozen=True)
class Reseated:
    """From here on the dice come otherwise, the men are moved otherwise, or others sit there.

    The program writes one event for each of these three. The fields are as in `MatchStarted`; what is None or empty
    stays as it was, and ``programs`` and ``strengths`` come with the ``players``.
    """

    kind: ClassVar[str] = "reseated"
    dice_by: DiceBy | None = None
    men_by: MenBy | None = None
    players: Names = ()
    programs: Numbers = ()
    strengths: Names = ()


@dataclass(frozen=True)
class Observed:
    """What the camera saw in one still interval: dice from `ReadDie.to_json`; ``picture``: the SHA-256 of its JPEG."""

    kind: ClassVar[str] = "observed"
    dice: Dice
    status: str
    reason: str
    milliseconds: float
    frames: int
    picture: str = ""


@dataclass(frozen=True)
class Proposed:
    """A question to the people at the table; nothing is committed while it is open.

    ``arrangement``: where the dice lay. The event's number is the question's name; a later question replaces this one.
    ``seen`` as in `Committed`.
    """

    kind: ClassVar[str] = "proposed"
    player: int
    sentence: Sayable
    dice: Dice
    suggestion: Suggestion
    arrangement: Arrangement = ()
    seen: int | None = None


@dataclass(frozen=True)
class Committed:
    """A throw or choice that counts: ``move`` as the game writes it; ``awaited``: what the position waited for.

    ``proposed``: the question that it answers, or 0. ``arrangement``: where the dice lay, empty when nobody looked.
    ``seen``: the observation that led to it, or 0; None in events of earlier versions, which did not write it.
    """

    kind: ClassVar[str] = "committed"
    player: int
    awaited: str
    move: Json
    by: DiceBy
    arrangement: Arrangement = ()
    proposed: int = 0
    seen: int | None = None


@dataclass(frozen=True)
class Rejected:
    """A question was put aside: what lay there was no throw, or none that counts."""

    kind: ClassVar[str] = "rejected"
    proposed: int
    reason: str


@dataclass(frozen=True)
class Corrected:
    """An earlier commit is changed (``move``) or voided (None). ``drops``: later commits that no longer count.

    ``way``: the owner corrects, or (`takeback`) a player takes back the last choice.
    """

    kind: ClassVar[str] = "corrected"
    event: int
    move: Json | None
    reason: str
    drops: Numbers = ()
    way: Way = "correction"


@dataclass(frozen=True)
class BoardSeated:
    """How the board lies under the camera and whose each colour is: `Seating.to_json`, while the board lies so."""

    kind: ClassVar[str] = "seated"
    seating: Json


@dataclass(frozen=True)
class BoardObserved:
    """What the camera saw of the board in one still interval.

    ``seen``: from `kept_reading`, pooled over ``frames`` readings. ``decision``: what came of it; `commit` before the
    choices that it led to, `agreed` where it shows what was agreed already, `ask` before a question. ``picture``: the
    SHA-256 of its JPEG.
    """

    kind: ClassVar[str] = "board"
    decision: BoardDecision
    seen: Json
    milliseconds: float
    frames: int
    picture: str = ""


@dataclass(frozen=True)
class BoardAsked:
    """A question about the board. The event's number is its name; every commit closes it.

    ``about``: `play` (which of the ``candidates`` was it?), `men` (do the men stand as agreed, though ``differences``
    are read?) or `seating` (how does the board lie, and whose is each colour?). ``seen`` as in `Committed`.
    """

    kind: ClassVar[str] = "board asked"
    about: BoardMatter
    player: int
    sentence: Sayable
    candidates: Answers
    differences: Objects = ()
    seen: int | None = None


@dataclass(frozen=True)
class Paused:
    """The match is paused, perhaps for days."""

    kind: ClassVar[str] = "paused"


@dataclass(frozen=True)
class Resumed:
    """The match continues."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True)
class Finished:
    """An end that the rules did not bring: by agreement, or because the agreed time was up."""

    kind: ClassVar[str] = "finished"
    by: EndedBy
    reason: str


@dataclass(frozen=True)
class MatchShared:
    """From here on another table plays some of the seats; an empty ``match`` and no ``remote`` seats end that.

    ``match``: what both tables call the match; ``remote``: the numbers of the players who sit at the other table;
    ``since``: how many throws, choices, corrections and ends the match had by then, made at one table alone;
    ``both_throw``: both tables throw real dice for each throw, the one that waits unseen by the other.
    """

    kind: ClassVar[str] = "shared"
    match: str
    remote: Numbers = ()
    since: int = 0
    both_throw: bool = False


@dataclass(frozen=True)
class JointDice:
    """What one table fixed of a throw that both make, before it learns the other's part; see `joint_dice`.

    ``number``: which of the shared events the throw will be; ``commitment``: of the table that waits; ``share``: of the
    table that throws, for these ``dice``, "" while it is not known; ``opening``: what the commitment held, ""
    until it is opened.
    """

    kind: ClassVar[str] = "joint dice"
    number: int
    commitment: str
    share: str
    dice: Names
    opening: str = ""


Event = (
    MatchStarted
    | Reseated
    | Observed
    | Proposed
    | Committed
    | Rejected
    | Corrected
    | BoardSeated
    | BoardObserved
    | BoardAsked
    | Paused
    | Resumed
    | Finished
    | MatchShared
    | JointDice
)


_CODEC: Codec[Event] = Codec(get_args(Event))

to_json = _CODEC.to_json


def from_json(data: Mapping[str, Any]) -> Event:
    """Read an event that this version or an earlier one wrote.

    Raises:
        EventFormatError: as `Codec.from_json`.
    """
    return _CODEC.from_json(_with_its_way(data))


_TAKEN_BACK: Final = re.compile(r"taken back(: (?P<why>.*))?", re.DOTALL)
"""The reason that marked a takeback before corrections had a ``way``; the player's reason may follow after a colon."""


def _with_its_way(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a correction from an earlier version with its way added, every other event unchanged."""
    match data:
        case {"kind": Corrected.kind, "move": None, "reason": str(reason)} if "way" not in data:
            taken = _TAKEN_BACK.fullmatch(reason)
            return data if taken is None else {**data, "reason": taken["why"] or "", "way": "takeback"}
    return data
