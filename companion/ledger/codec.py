"""Events as JSON: one frozen record a kind of event, each written and read back, checked field by field."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from string import Formatter
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.rules.sentence import Listing, Sentence

Json = dict[str, Any]
Check = tuple[str, Callable[[Any], bool]]
"""What a field is to be, in words, and whether a value is that."""


class EventFormatError(ValueError):
    """A stored or imported event is not of the form that this program writes."""


class Event(Protocol):
    """A frozen dataclass that says its ``kind``."""

    kind: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Any]]


E = TypeVar("E", bound=Event)


class Codec(Generic[E]):
    """Writes and reads the events of one ledger."""

    def __init__(
        self,
        kinds: tuple[type[E], ...],
        checks: Mapping[str, Check],
        own: Mapping[tuple[str, str], Check] | None = None,
    ) -> None:
        """``checks``: what a field must be, by its name; ``own``: where it is something else in one kind of event."""
        self._kinds = {kind.kind: kind for kind in kinds}
        self._checks = checks
        self._own = own or {}

    def to_json(self, event: E) -> Json:
        """Return the event as ``{"kind": ..., its fields}``, in plain JSON values."""
        data: Json = {"kind": event.kind}
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
        if kind not in self._kinds:
            raise EventFormatError(f"Expected an event of kind {', '.join(self._kinds)}, but got {kind!r}.")
        known = {entry.name: entry for entry in fields(self._kinds[kind])}
        if unknown := sorted(set(data) - set(known) - {"kind"}):
            raise EventFormatError(
                f"An event {kind} has the fields {', '.join(known)}, but got {', '.join(unknown)} too."
            )
        values: dict[str, Any] = {}
        for name, entry in known.items():
            if name not in data:
                if entry.default is MISSING:
                    raise EventFormatError(f"An event {kind} needs the field {name}, but it is missing.")
                continue
            expected, check = self._own.get((kind, name)) or self._checks[name]
            value = data[name]
            if not check(value):
                raise EventFormatError(f"The field {name} of an event {kind} is {expected}, but got {value!r}.")
            values[name] = tuple(value) if isinstance(value, list) else value
        return self._kinds[kind](**values)


def is_object(value: Any) -> bool:
    """Tell whether a value is a JSON object."""
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def is_whole(value: Any) -> bool:
    """Tell whether a value is a whole number, 0 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_number(value: Any) -> bool:
    """Tell whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def is_sayable(value: Any) -> bool:
    """Tell whether a value is a sentence as `sentence_from_json` takes it."""
    try:
        sentence_from_json(value)
    except (EventFormatError, RecursionError):
        return False
    return True


def list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return what tells whether a value is a list of such values."""
    return lambda value: isinstance(value, list) and all(check(entry) for entry in value)


def or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return what tells whether a value is such a value or null."""
    return lambda value: value is None or check(value)


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
