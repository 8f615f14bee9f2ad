"""Bodies of requests and answers as JSON: what comes in is checked once, and any browser reads what goes out."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from flask import abort, request
from flask.json.provider import DefaultJSONProvider

from companion.desk.command import CommandDataError, Record, read_record
from companion.language.sentence import SentenceText
from companion.rules.strict_json import NoJsonError, StrictJsonError, read_json, written_json

View = TypeVar("View", bound=Callable[..., object])
BODIES: Final = "alea_bodies"
"""The attribute by which a view says what bodies it takes."""


class JsonAnswers(DefaultJSONProvider):
    """Writes answers without NaN and Infinity, which JSON does not have; the order of dice and players stays."""

    sort_keys = False

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """Return an answer as JSON."""
        kwargs.setdefault("default", self.default)
        kwargs.setdefault("ensure_ascii", self.ensure_ascii)
        kwargs.setdefault("sort_keys", self.sort_keys)
        return written_json(obj, **kwargs)


def json_object() -> dict[str, Any] | None:
    """Return the JSON object that this request brings, None where it brings none: the caller says what is expected.

    A name that stands twice, a number that JSON does not have or that is too large, half a character and what is nested
    without end are refused here, each in its sentence.
    """
    try:
        body = read_json(request.get_data()) if request.is_json else None
    except NoJsonError:
        return None
    except StrictJsonError as why:
        abort(400, SentenceText(why.sentence))
    return body if isinstance(body, dict) else None


def takes(*records: type[msgspec.Struct]) -> Callable[[View], View]:
    """Declare of which records a view takes one as its body; it reads it by `body_as`."""

    def declared(view: View) -> View:
        setattr(view, BODIES, records)
        return view

    return declared


def bodies(view: Callable[..., object]) -> tuple[type[msgspec.Struct], ...]:
    """Return the records of which a view takes one as its body."""
    return getattr(view, BODIES, ())


def body_as(record: type[Record], body: Mapping[str, Any]) -> Record:
    """Return a body as a record; where it does not fit, the request is refused in the sentence of the field."""
    try:
        return read_record(record, body)
    except CommandDataError as why:
        abort(400, SentenceText(why.sentence))
