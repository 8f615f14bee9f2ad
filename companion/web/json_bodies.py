"""Bodies of requests and answers as JSON: requests are checked once, and any browser can read the answers."""

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
"""The attribute of a view that holds the records of its body."""


class JsonAnswers(DefaultJSONProvider):
    """Writes answers without NaN and Infinity, which JSON does not have; keeps the order of dice and players."""

    sort_keys = False

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """Return an answer as JSON."""
        kwargs.setdefault("default", self.default)
        kwargs.setdefault("ensure_ascii", self.ensure_ascii)
        kwargs.setdefault("sort_keys", self.sort_keys)
        return written_json(obj, **kwargs)


def json_object() -> dict[str, Any] | None:
    """Return the JSON object in this request's body, or None without one: then the caller says what it expected.

    This refuses, each in its own sentence: a repeated name, a number that JSON does not have or that is too large, half
    a character, and endless nesting.
    """
    try:
        body = read_json(request.get_data()) if request.is_json else None
    except NoJsonError:
        return None
    except StrictJsonError as why:
        abort(400, SentenceText(why.sentence))
    return body if isinstance(body, dict) else None


def object_body() -> dict[str, Any]:
    """Return the JSON object in this request's body; refuse a request without one."""
    body = json_object()
    if body is None:
        abort(400, "Expected a JSON object, e.g. {}.")
    return body


def takes(*records: type[msgspec.Struct]) -> Callable[[View], View]:
    """Declare the records of which a view takes one as its body; the view reads it with `body_as`."""

    def declared(view: View) -> View:
        setattr(view, BODIES, records)
        return view

    return declared


def bodies(view: Callable[..., object]) -> tuple[type[msgspec.Struct], ...]:
    """Return the records that `takes` declared for a view; its body is one of them."""
    return getattr(view, BODIES, ())


def body_as(record: type[Record], body: Mapping[str, Any]) -> Record:
    """Return a body as a record; refuse a request that does not fit, in the sentence of the field."""
    try:
        return read_record(record, body)
    except CommandDataError as why:
        abort(400, SentenceText(why.sentence))
