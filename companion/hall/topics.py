"""The topics of a hall, and what is written to them: one message for each event of a table's journal."""

import json
import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, TypeVar

import msgspec

from companion.hall.settings import NAME, HallSettings
from companion.rules.strict_json import read_json

ROOT: Final = "alea"
MESSAGE_FORM: Final = 1
MOST_BYTES: Final = 4 * 1024 * 1024
"""The most bytes of an event: a journal takes a line of a million characters, though most have some thousands."""

MOST_SHORT_BYTES: Final = 64 * 1024
"""The most bytes of the start of a match, and of every other message: they have some hundreds."""

MOST_MATCH_BYTES: Final = 256 * 1024
"""The most bytes of a message from table to table; forty events of a match have some ten thousand."""

MOST_PLAYERS: Final = 20
"""The most names in the start of a match: no game has so many players."""

MATCH, JOIN = "match", "join"
"""The levels of what tables say to one another; the receiver's name follows the first one."""

ONLINE, OFFLINE = b"online", b"offline"

Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Before = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")]
Short = Annotated[str, msgspec.Meta(max_length=2000)]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=253_402_300_799)]


class MessageError(ValueError):
    """A message does not have the form that this program writes."""


class Topics:
    """The topics of one table."""

    def __init__(self, hall: str, table: str) -> None:
        self._own = own = f"{ROOT}/{hall}/{table}"
        self.event = f"{own}/event"
        """Every event of the journal, in its order."""
        self.state = f"{own}/state"
        """How the table is; retained."""
        self.status = f"{own}/status"
        """``online``, or ``offline`` as the last will; retained."""
        self.command = f"{own}/command"
        """What an owner asks of the table from outside."""
        self.answer = f"{own}/answer"
        """What came of a command."""
        self.invitation = f"{own}/invitation"
        """Whom the organiser invites to the table, empty for nobody; retained."""
        self.again = f"{own}/again"
        """After which event the book wants everything once more."""
        self.join = f"{own}/{JOIN}"
        """That the table wants to join a match of another one, for all tables."""
        self.from_tables = f"{ROOT}/{hall}/+/{MATCH}/{table}", f"{ROOT}/{hall}/+/{JOIN}"
        """What the table hears of all others."""

    @classmethod
    def of(cls, settings: HallSettings) -> "Topics":
        """Return the topics of the table that the settings name."""
        return cls(settings.hall, settings.table)

    def match(self, other: str) -> str:
        """How a match stands at the table, for the other one that plays it."""
        return f"{self._own}/{MATCH}/{other}"


def after_table(topic: str) -> str:
    """Return what follows the table in a topic."""
    return topic.split("/", 3)[-1]


def sender_of(topic: str, hall: str, table: str) -> str | None:
    """Return which table of this hall speaks to another one, or to all, by this topic; None for any other topic."""
    sender = topic.removeprefix(f"{ROOT}/{hall}/").partition("/")[0]
    if after_table(topic) not in (JOIN, f"{MATCH}/{table}") or not NAME.fullmatch(sender):
        return None
    return sender


def receivers(to: str, tables: Iterable[str]) -> list[str] | None:
    """Return which of these tables hear what one says to others, by what follows its name in the topic.

    None where that goes to no table.
    """
    if to == JOIN:
        return list(tables)
    level, _, name = to.partition("/")
    return [one for one in tables if one == name] if level == MATCH and NAME.fullmatch(name) else None


def table_in(topic: str, hall: str) -> tuple[str, str] | None:
    """Return the table and the last level of a topic of this hall; None for any other topic."""
    parts = topic.split("/")
    if len(parts) != 4 or parts[:2] != [ROOT, hall] or not NAME.fullmatch(parts[2]):  # noqa: PLR2004  (alea/hall/table/last)
        return None
    return parts[2], parts[3]


class Message(msgspec.Struct, frozen=True):
    """What goes over the broker as one JSON object."""

    def written(self) -> bytes:
        """Return the message as it is sent."""
        return json.dumps(msgspec.structs.asdict(self), ensure_ascii=False, separators=(",", ":")).encode()


class EventMessage(Message, frozen=True):
    """One event of a journal on its way.

    ``match``: its number in the journal; ``first``: the hash of the match's first event, which names the match for
    ever; ``number``: counted from 1 within the match; ``event``: as the journal holds it, perhaps without names;
    ``hash``: names the event for ever; ``after``: the hash of the event before it in the journal, of whatever match,
    "" where there is none.
    """

    form: Annotated[int, msgspec.Meta(ge=MESSAGE_FORM, le=MESSAGE_FORM)]
    match: Number
    first: Hash
    number: Number
    at: Seconds
    actor: Short
    kind: Short
    event: dict[str, Any]
    hash: Hash
    after: Before


STARTED: Final = "started"


class _Start(msgspec.Struct, frozen=True):
    """What the book takes from the start of a match: as many as a game has players, each as long as a journal takes."""

    players: Annotated[list[Short], msgspec.Meta(max_length=MOST_PLAYERS)] = []
    programs: Annotated[list[int], msgspec.Meta(max_length=MOST_PLAYERS)] = []
    name: Short = ""
    game: Short = ""


class Again(msgspec.Struct, frozen=True):
    """The wish for everything after the event with the hash ``after``, up to that with ``until``; "" for no bound."""

    after: Before
    until: Before = ""


Named = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class Invitation(Message, frozen=True):
    """Two players who are invited to a table, in the order in which they throw, and to what.

    ``game``: its name, "" for any; ``best_of``: the most games of their pairing; ``id``: names this invitation, so that
    a match that follows it can say so.
    """

    tournament: Named
    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    game: Annotated[str, msgspec.Meta(max_length=80)]
    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)]
    players: tuple[Named, Named]
    id: Annotated[str, msgspec.Meta(max_length=60)] = ""


OptionValue = bool | int | Annotated[str, msgspec.Meta(max_length=80)]


class Given(Message, frozen=True, forbid_unknown_fields=True):
    """A game that a teacher gives to all tables, with its options; it names nobody and begins nothing."""

    given: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    options: Annotated[dict[Named, OptionValue], msgspec.Meta(max_length=60)] = {}


class CommandAnswer(msgspec.Struct, frozen=True):
    """What came of a command at a table, on its topic ``answer``."""

    command: Annotated[str, msgspec.Meta(max_length=40)]
    ok: bool
    sentence: Short


M = TypeVar("M")


def read_message(payload: bytes, kind: type[M], most: int = MOST_SHORT_BYTES) -> M:
    """Read a message of this kind, one of the classes above, of at most so many bytes.

    Raises:
        MessageError: it is of another form, or longer.
    """
    if len(payload) > most:
        raise MessageError(f"Expected a message of at most {most} bytes, but got {len(payload)}.")
    try:
        return msgspec.convert(read_json(payload), kind)
    except ValueError as why:
        raise MessageError(f"Expected a message of this program: {why}") from why


def read_event(payload: bytes) -> EventMessage:
    """Read what lies on the topic ``event``. The start of a match has as many players as a game, and short names.

    Raises:
        MessageError: it is no event, or more than one may be.
    """
    event = read_message(payload, EventMessage, MOST_BYTES)
    if event.kind == STARTED or event.number == 1:
        if len(payload) > MOST_SHORT_BYTES:
            raise MessageError(f"Expected a start of a match of at most {MOST_SHORT_BYTES} bytes, not {len(payload)}.")
        try:
            msgspec.convert(event.event, _Start)
        except ValueError as why:
            raise MessageError(f"Expected the start of a match: {why}") from why
    return event


def read_invitation(payload: bytes) -> Invitation | Given:
    """Read what lies on the topic ``invitation``: two players, or a game that all tables are given.

    Raises:
        MessageError: it is neither.
    """
    try:
        return read_message(payload, Invitation)
    except MessageError:
        return read_message(payload, Given)


def by_number(name: str) -> list[tuple[int, str]]:
    """Return a key that puts table-2 before table-10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
