"""Events as JSON: one frozen record for each kind of event, written and read back, checked field by field."""

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from string import Formatter
from types import NoneType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from companion.language.sentence import Listing, Sentence, Template

DEEPEST_SENTENCE: Final = 12
"""Most levels of sentences inside each other; the games' have four."""

LONGEST_QUOTED: Final = 4000
"""Most characters of a sentence, its parts and everything nested in it; the games' have three hundred."""

LONGEST_TEXT: Final = 2000
"""Most characters of a text outside a sentence; what people type in is cut at 300."""

Json = Mapping[str, Any]


class Check(NamedTuple):
    """What a field should be, in words, and the function that tests a value; part of its `Annotated` type."""

    expected: str
    holds: Callable[[Any], bool]


class EventFormatError(ValueError):
    """A stored or imported event does not have the form that this program writes."""


class Event(Protocol):
    """A frozen dataclass that names its ``kind``."""

    kind: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Any]]


E = TypeVar("E", bound=Event)


class Codec(Generic[E]):
    """Writes and reads the events of one ledger. Only a field's type says which values it takes."""

    def __init__(self, kinds: tuple[type[E], ...]) -> None:
        self._kinds = {kind.kind: kind for kind in kinds}
        self._checks = {kind.kind: _checks_of(kind) for kind in kinds}

    def to_json(self, event: E) -> dict[str, Any]:
        """Return the event as ``{"kind": ..., its fields}``, in plain JSON values."""
        data: dict[str, Any] = {"kind": event.kind}
        for entry in fields(event):
            value = getattr(event, entry.name)
            data[entry.name] = list(value) if isinstance(value, tuple) else value
        return data

    def from_json(self, data: Mapping[str, Any]) -> E:
        """Read what `to_json` wrote.

        Raises:
            EventFormatError: an unknown kind, or a field that is missing, unknown or not of its type.
        """
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in self._kinds:
            raise EventFormatError(f"Expected an event of kind {', '.join(self._kinds)}, but got {kind!r:.60}.")
        known = {entry.name: entry for entry in fields(self._kinds[kind])}
        if unknown := sorted(set(data) - set(known) - {"kind"}):
            raise EventFormatError(
                f"An event {kind} has the fields {', '.join(known)}, but got {', '.join(unknown):.200} too."
            )
        values: dict[str, Any] = {}
        for name, entry in known.items():
            if name not in data:
                if entry.default is MISSING:
                    raise EventFormatError(f"An event {kind} needs the field {name}, but it is missing.")
                continue
            expected, holds = self._checks[kind][name]
            value = data[name]
            if not holds(value):
                raise EventFormatError(f"The field {name} of an event {kind} is {expected}, but got {_short(value)}.")
            values[name] = tuple(value) if isinstance(value, list) else value
        return self._kinds[kind](**values)


def _checks_of(kind: type[Event]) -> dict[str, Check]:
    types = get_type_hints(kind, include_extras=True)
    return {entry.name: _check_of(types[entry.name]) for entry in fields(kind)}


def _check_of(declared: Any) -> Check:
    """Return the check for values of a declared type."""
    for extra in getattr(declared, "__metadata__", ()):
        if isinstance(extra, Check):
            return extra
    if declared in _PLAIN:
        return _PLAIN[declared]
    parts = get_args(declared)
    if get_origin(declared) is Literal:
        return Check(f"{', '.join(parts[:-1])} or {parts[-1]}", lambda value: isinstance(value, str) and value in parts)
    if len(parts) == 2 and parts[1] is NoneType:  # noqa: PLR2004  (a type or None)
        inner = _check_of(parts[0])
        return Check(f"{inner.expected} or null", or_none(inner.holds))
    raise TypeError(f"Expected a field with a plain type or a Check in its Annotated type, but got {declared!r}.")


def is_object(value: Any) -> bool:
    """Tell whether a value is a JSON object."""
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def is_whole(value: Any) -> bool:
    """Tell whether a value is a whole number, 0 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_number(value: Any) -> bool:
    """Tell whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_text(value: Any) -> bool:
    """Tell whether a value is a text, and no longer than anybody writes."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def is_sayable(value: Any) -> bool:
    """Tell whether a value is a sentence as `sentence_from_json` takes it."""
    try:
        sentence_from_json(value)
    except EventFormatError:
        return False
    return True


def list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a function that tells whether a value is a list of such values."""
    return lambda value: isinstance(value, list) and all(check(entry) for entry in value)


def or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a function that tells whether a value is such a value or null."""
    return lambda value: value is None or check(value)


_PLAIN: Final[dict[Any, Check]] = {
    str: Check("a text", is_text),
    bool: Check("true or false", lambda value: isinstance(value, bool)),
    int: Check("a whole number", is_whole),
    float: Check("a number", is_number),
    Json: Check("an object", is_object),
}

Sayable = Annotated[Json, Check("a sentence that can be said", is_sayable)]
"""A sentence as `Sentence.to_json` writes it."""


def sentence_from_json(data: Mapping[str, Any]) -> Sentence:
    """Read back what `Sentence.to_json` wrote.

    It may come from a foreign file, so a template may only name parts that exist, and do nothing else with them. A few
    sentences inside each other can say more than any memory holds, so their length is counted before they are shown.

    Raises:
        EventFormatError: not of that form, nested too deeply, or too long.
    """
    sentence = _sentence_within(data, DEEPEST_SENTENCE)
    if sentence.weight() > LONGEST_QUOTED:
        raise EventFormatError(f"Expected a sentence that says at most {LONGEST_QUOTED} characters, but it says more.")
    return sentence


def _sentence_within(data: Any, deeper: int) -> Sentence:
    if not deeper:
        raise EventFormatError(f"Expected at most {DEEPEST_SENTENCE} sentences inside each other, but there are more.")
    match data:
        case {"template": str(template), "parts": dict(parts)} if _fills(template, parts):
            return Sentence.of(
                Template(template), **{str(name): _part_from_json(part, deeper - 1) for name, part in parts.items()}
            )
    raise EventFormatError(f"Expected a sentence with template and parts, but got {_short(data)}.")


def _fills(template: str, parts: Mapping[str, Any]) -> bool:
    """Tell whether the parts fill a template that uses no attribute, item, width or conversion of them."""
    try:
        fields_of = list(Formatter().parse(template))
    except ValueError:
        return False
    return all(
        name is None or (name.isidentifier() and name in parts and not spec and not conversion)
        for _, name, spec, conversion in fields_of
    )


def _part_from_json(part: Any, deeper: int) -> Any:
    match part:
        case {"template": str()}:
            return _sentence_within(part, deeper)
        case {"list": list(items), "joint": ("and" | "or" | "comma") as joint} if deeper:
            return Listing((_part_from_json(item, deeper - 1) for item in items), joint)
        case str() | bool() | int() | None:
            return part
        case float() if math.isfinite(part):
            return part
    raise EventFormatError(f"Expected a text, a number, a sentence or a list of them, but got {_short(part)}.")


def _short(data: Any) -> str:
    try:
        return f"{data!r:.200}"
    except RecursionError:
        return "something nested far too deeply"
