"""The form of an exported match as a JSON schema, made from the records that the journal checks its events with."""

import re
from functools import cache
from typing import Any, Final, get_args

import msgspec
from flask import Blueprint, Response, json

from companion.referee.events import Event
from companion.referee.journal import JOURNAL_SCHEMA
from companion.referee.transfer import FORMAT

REFERENCE: Final = "#/$defs/{name}"
HASH: Final = "^[0-9a-f]{64}$"

blueprint = Blueprint("export_schema", __name__, url_prefix="/api/schemas")


@blueprint.get("/match.json")
def match() -> Response:
    """Return the JSON schema of one line of an exported match: its head, or an event."""
    response = Response(json.dumps(schema()), mimetype="application/schema+json")
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def schema() -> dict[str, Any]:
    """Return the schema of a line; the text in an event's ``body`` is JSON of its own, as ``$defs/Body`` says."""
    kinds = get_args(Event)
    _, records = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    for kind in kinds:
        record = records[kind.__name__]
        record["description"] = re.sub(r"\s+", " ", record.get("description", ""))
        record["properties"] = {"kind": {"const": kind.kind}, **record["properties"]}
        record["required"] = ["kind", *record.get("required", [])]
    head = {
        "type": "object",
        "required": ["format", "version", "events"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"type": "integer", "minimum": 1, "maximum": JOURNAL_SCHEMA},
            "events": {"type": "integer", "minimum": 1},
        },
    }
    line = {
        "type": "object",
        "required": ["number", "at", "actor", "body", "hash"],
        "properties": {
            "number": {"type": "integer", "minimum": 1},
            "at": {"type": "number", "description": "Seconds since 1970, UTC."},
            "actor": {"type": "string"},
            "body": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": REFERENCE.format(name="Body")},
            },
            "hash": {"type": "string", "pattern": HASH, "description": "SHA-256; chains it to the event before."},
        },
    }
    body = {"oneOf": [{"$ref": REFERENCE.format(name=kind.__name__)} for kind in kinds]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of an exported match",
        "oneOf": [{"$ref": REFERENCE.format(name="Head")}, {"$ref": REFERENCE.format(name="Line")}],
        "$defs": {"Head": head, "Line": line, "Body": body, **records},
    }
