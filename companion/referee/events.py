"""What is written into a journal: one frozen record a kind of event, each to JSON and back, checked."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from string import Formatter
from typing import Any, ClassVar, Literal, get_args

from companion.rules.sentence import Listing, Sentence

Json = dict[str, Any]
DiceBy = Literal["camera", "tapped", "program"]
MenBy = Literal["camera", "tapped"]


class EventFormatError(ValueError):
    """A stored or imported event is not of the form that this program writes."""


@dataclass(frozen=True)
class MatchStarted:
    """The first event of every match. ``rules`` is the game's `rules_hash` then; ``sample`` names sample frames.

    ``men_by``: whether a camera follows the men on the board, or every move is tapped in. ``programs``: the numbers of
    the players for whom the program plays.
    """

    kind: ClassVar[str] = "started"
    name: str
    game: str
    players: tuple[str, ...]
    options: Json
    dice_by: DiceBy
    rules: str
    sample: str = ""
    men_by: MenBy = "tapped"
    programs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Observed:
    """What the camera saw at one rest: dice as `ReadDie.to_json` has them; ``picture`` is the SHA-256 of its JPEG."""

    kind: ClassVar[str] = "observed"
    dice: tuple[Json, ...]
    status: str
    reason: str
    milliseconds: float
    frames: int
    picture: str = ""


@dataclass(frozen=True)
class Proposed:
    """A question to the people at the table; nothing is committed while it is open.

    ``arrangement`` is where the dice lay. The event's number is the question's name: a later question replaces it.
    """

    kind: ClassVar[str] = "proposed"
    player: int
    sentence: Json
    dice: tuple[Json, ...]
    suggestion: Json
    arrangement: tuple[Json, ...] = ()


@dataclass(frozen=True)
class Committed:
    """A throw or choice that counts: ``move`` as the game writes it, ``awaited`` what the position waited for.

    ``proposed`` is the question that it answers, or 0. ``arrangement`` is where the dice lay, empty when nobody looked.
    """

    kind: ClassVar[str] = "committed"
    player: int
    awaited: str
    move: Json
    by: DiceBy
    arrangement: tuple[Json, ...] = ()
    proposed: int = 0


@dataclass(frozen=True)
class Rejected:
    """A question was put aside: what lay there was no throw, or not one that counts."""

    kind: ClassVar[str] = "rejected"
    proposed: int
    reason: str


@dataclass(frozen=True)
class Corrected:
    """An earlier commit is changed (``move``) or voided (None). ``drops``: later commits that then no longer count."""

    kind: ClassVar[str] = "corrected"
    event: int
    move: Json | None
    reason: str
    drops: tuple[int, ...] = ()


@dataclass(frozen=True)
class BoardSeated:
    """How the board lies under the camera and whose each colour is: `Seating.to_json`, for as long as it stands so."""

    kind: ClassVar[str] = "seated"
    seating: Json


@dataclass(frozen=True)
class BoardObserved:
    """What the camera saw of the board at one rest: ``seen`` as `kept_reading` has it, pooled over ``frames`` looks.

    ``decision`` is what came of it: `commit` before the choices that were committed by it, `agreed` where it shows what
    was agreed already, `ask` before a question. ``picture`` is the SHA-256 of its JPEG.
    """

    kind: ClassVar[str] = "board"
    decision: str
    seen: Json
    milliseconds: float
    frames: int
    picture: str = ""


@dataclass(frozen=True)
class BoardAsked:
    """A question about the board. The event's number is its name; whatever is committed closes it.

    ``about``: `play` (which of the ``candidates`` was it?), `men` (do the men stand as agreed, though ``differences``
    are read?) or `seating` (how does the board lie, and whose is each colour?).
    """

    kind: ClassVar[str] = "board asked"
    about: str
    player: int
    sentence: Json
    candidates: tuple[Json, ...]
    differences: tuple[Json, ...] = ()


@dataclass(frozen=True)
class Paused:
    """The match rests, perhaps for days."""

    kind: ClassVar[str] = "paused"


@dataclass(frozen=True)
class Resumed:
    """The match goes on."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True)
class Finished:
    """An end that the rules themselves did not bring: by agreement, or because the agreed time was up."""

    kind: ClassVar[str] = "finished"
    by: str
    reason: str


Event = (
    MatchStarted
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
)

_KINDS: dict[str, type[Event]] = {event.kind: event for event in get_args(Event)}


def _json(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _sayable(value: Any) -> bool:
    try:
        sentence_from_json(value)
    except (EventFormatError, RecursionError):
        return False
    return True


def _candidate(value: Any) -> bool:
    return _json(value) and ("sentence" not in value or _sayable(value["sentence"]))


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(check(entry) for entry in value)


_TEXTS = ("name", "game", "rules", "sample", "status", "reason", "picture", "awaited")

# A field of one name holds the same kind of value in every event.
_CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(_TEXTS, ("a text", _text)),
    **dict.fromkeys(("player", "frames", "proposed", "event"), ("a whole number", _whole)),
    **dict.fromkeys(("dice", "arrangement", "differences"), ("a list of objects", _list_of(_json))),
    **dict.fromkeys(("options", "suggestion", "seating", "seen"), ("an object", _json)),
    "candidates": ("a list of objects, each with a sentence that can be said", _list_of(_candidate)),
    "sentence": ("a sentence that can be said", _sayable),
    "players": ("a list of names", _list_of(_text)),
    "drops": ("a list of event numbers", _list_of(_whole)),
    "programs": ("a list of players' numbers", _list_of(_whole)),
    "dice_by": ("camera, tapped or program", lambda value: value in {"camera", "tapped", "program"}),
    "men_by": ("camera or tapped", lambda value: value in {"camera", "tapped"}),
    "about": ("play, men or seating", lambda value: value in {"play", "men", "seating"}),
    "decision": ("commit, agreed or ask", lambda value: value in {"commit", "agreed", "ask"}),
    "by": (
        "camera, tapped, program, agreement or time",
        lambda value: value in {"camera", "tapped", "program", "agreement", "time"},
    ),
    "milliseconds": ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "move": ("an object or null", lambda value: value is None or _json(value)),
}


def to_json(event: Event) -> Json:
    """Return the event as ``{"kind": ..., its fields}``, in plain JSON values."""
    data: Json = {"kind": event.kind}
    for entry in fields(event):
        value = getattr(event, entry.name)
        data[entry.name] = list(value) if isinstance(value, tuple) else value
    return data


def from_json(data: Mapping[str, Any]) -> Event:
    """Read what `to_json` wrote.

    Raises:
        EventFormatError: an unknown kind, or a field that is missing, unknown or not of its type.
    """
    kind = data.get("kind")
    if kind not in _KINDS:
        raise EventFormatError(f"Expected an event of kind {', '.join(_KINDS)}, but got {kind!r}.")
    known = {entry.name: entry for entry in fields(_KINDS[kind])}
    if unknown := sorted(set(data) - set(known) - {"kind"}):
        raise EventFormatError(f"An event {kind} has the fields {', '.join(known)}, but got {', '.join(unknown)} too.")
    values: dict[str, Any] = {}
    for name, entry in known.items():
        if name not in data:
            if entry.default is MISSING:
                raise EventFormatError(f"An event {kind} needs the field {name}, but it is missing.")
            continue
        expected, check = _CHECKS[name]
        value = data[name]
        if not check(value) or (value is None and kind == Committed.kind):
            raise EventFormatError(f"The field {name} of an event {kind} is {expected}, but got {value!r}.")
        values[name] = tuple(value) if isinstance(value, list) else value
    return _KINDS[kind](**values)


def sentence_from_json(data: Mapping[str, Any]) -> Sentence:
    """Read back what `Sentence.to_json` wrote.

    It may come from a stranger's file: a template names parts that are there, and nothing else is done with them.

    Raises:
        EventFormatError: not of that form.
    """
    match data:
        case {"template": str(template), "parts": dict(parts)} if _fills(template, parts):
            return Sentence(template, **{str(name): _part_from_json(part) for name, part in parts.items()})
    raise EventFormatError(f"Expected a sentence with template and parts, but got {data!r:.200}.")


def _fills(template: str, parts: Mapping[str, Any]) -> bool:
    """Tell whether the parts fill a template that asks for no attribute, item, width or conversion of them."""
    try:
        fields_of = list(Formatter().parse(template))
    except ValueError:
        return False
    return all(
        name is None or (name in parts and not spec and not conversion) for _, name, spec, conversion in fields_of
    )


def _part_from_json(part: Any) -> Any:
    match part:
        case {"template": str()}:
            return sentence_from_json(part)
        case {"list": list(items), "joint": ("and" | "or" | "comma") as joint}:
            return Listing((_part_from_json(item) for item in items), joint)
    return part
