"""Commands: frozen records of what a page or program asks for, read from JSON by the types of their fields.

A class declares a command once: its fields with types, limits and descriptions, and in its docstring what it is for.
`CommandSet.command` adds the name and who may give the command. Checks, guards and the interface description follow
from these.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import getdoc
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from companion.language.sentence import N_, Sentence
from companion.referee.refused import RefusedError

Who = Literal["anyone", "seated", "owner"]
"""Who may give a command where the page is open to a network and asks for a PIN.

``anyone``: everybody who reaches the page plays. ``owner``: the person who has given the PIN. ``seated``: the owner, or
a visitor at the kiosk's own screen.
"""


class CommandDataError(RefusedError):
    """A command's data does not have the form that the command takes."""


@dataclass(frozen=True, eq=False)
class Refusal:
    """Annotation of a type: the sentence for a value that does not fit it, in place of the general one.

    ``says``: a sentence, or a function that makes one from the value and all data of the command. ``of``: the type of
    the values that it answers, by default all. A missing value is ``None``.
    """

    says: Sentence | Callable[[Any, Mapping[str, Any]], Sentence | None]
    of: type = object

    def sentence(self, value: Any, data: Mapping[str, Any]) -> Sentence | None:
        """Return the sentence about a value, or None to leave it to the refusal of the whole."""
        return self.says if isinstance(self.says, Sentence) else self.says(value, data)


class Command(msgspec.Struct, frozen=True):
    """What somebody asks for, checked. Other keys of the JSON are ignored."""


Record = TypeVar("Record", bound=msgspec.Struct)
Asked = TypeVar("Asked", bound=Command)


@dataclass(frozen=True)
class Contract:
    """One command: its name, who may give it, and its class."""

    name: str
    who: Who
    type: type[Command]

    @property
    def about(self) -> str:
        """What the command is for."""
        return (getdoc(self.type) or "").partition("\n")[0]

    @property
    def guarded(self) -> bool:
        """Whether the command needs the owner's PIN, at least away from a kiosk's own screen."""
        return self.who != "anyone"


class CommandSet(dict[str, Contract]):
    """All commands that one desk takes, by name."""

    def command(self, name: str, who: Who) -> Callable[[type[Asked]], type[Asked]]:
        """Declare a class as a command."""

        def declared(kind: type[Asked]) -> type[Asked]:
            self[name] = Contract(name, who, kind)
            return kind

        return declared

    def read(self, name: str, data: Mapping[str, Any]) -> Command:
        """Return the command that this data asks for.

        Raises:
            CommandDataError: there is no such command, or its data does not fit its fields.
        """
        if name not in self:
            raise CommandDataError(no_command(self, name))
        return read_record(self[name].type, data)

    def require_handlers(self, handled: Iterable[object]) -> None:
        """Check, while the program starts, that every command has a handler.

        Raises:
            TypeError: a command has none.
        """
        if missing := sorted({one.type.__name__ for one in self.values() if one.type not in set(handled)}):
            raise TypeError(f"Nothing carries out {', '.join(missing)}.")


def read_record(kind: type[Record], data: Mapping[str, Any]) -> Record:
    """Read a record from a JSON object.

    Raises:
        CommandDataError: a field is missing, or its value does not fit; the sentence says which.
    """
    given = {}
    for field in msgspec.structs.fields(kind):
        if not field.required and field.name not in data:
            continue
        value = data.get(field.name)
        try:
            given[field.name] = msgspec.convert(value, field.type)
        except msgspec.ValidationError as why:
            refusal = _refusal(field.type, value, data)
            raise CommandDataError(refusal or not_fitting(field.name, _kind(field.type), value)) from why
    return kind(**given)


def no_command(known: Iterable[str], name: str) -> Sentence:
    """Return the sentence for a command that nobody declared."""
    return Sentence("The commands are {known}, not {name}.", known=", ".join(known), name=name[:60])


_KINDS: Final = {
    str: N_("a text"),
    int: N_("a whole number"),
    dict: N_("an object"),
    list: N_("a list"),
    bool: N_("true or false"),
}


def not_fitting(name: str, kind: type, value: Any) -> Sentence:
    """Return the sentence for a value that does not fit its field, which takes values of this ``kind``."""
    expected = Sentence.of(_KINDS[kind])
    return Sentence("Expected {name} as {kind}, but got {value}.", name=name, kind=expected, value=shown(value))


def shown(value: Any) -> str:
    """Return a JSON value as a sentence shows it; a long one is cut."""
    return repr(value)[:60]


def _kind(hint: Any) -> type:
    """Return the Python type of the JSON values that a type is written as; of several, the first."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return type(arguments[0])
    if origin is Annotated or origin in _UNIONS:
        return _kind(arguments[0])
    return origin or hint  # type: ignore[no-any-return]


_UNIONS: Final = (Union, UnionType)


def _refusal(hint: Any, value: Any, data: Mapping[str, Any]) -> Sentence | None:
    """Return the refusal that a type's annotations hold for a wrong value: its first wrong member's, or its own."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        inner = _refusal(arguments[0], value, data)
        own = (one for one in hint.__metadata__ if isinstance(one, Refusal) and isinstance(value, one.of))
        return inner or next((one.sentence(value, data) for one in own), None)
    if origin in _UNIONS:
        return next((refusal for one in arguments if (refusal := _refusal(one, value, data))), None)
    if origin not in (list, dict) or not isinstance(value, origin):
        return None
    members = value.values() if origin is dict else value
    wrong = (member for member in members if not _fits(arguments[-1], member))
    return next((refusal for member in wrong if (refusal := _refusal(arguments[-1], member, data))), None)


def _fits(hint: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True
