"""The interface described: an OpenAPI 3.1 document, written from the app's own addresses and the table's commands."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from flask import Blueprint, Flask, Response, current_app, json
from werkzeug.routing import Rule

from companion.desk.command import Contract
from companion.desk.page.shapes.table import TableState
from companion.desk.table.command_types import TABLE_COMMANDS
from companion.web.camera.calibrating import ACTS
from companion.web.owner.auth import is_guarded
from companion.web.owner.health import program_version

Json = dict[str, Any]

ERROR: Final = {"$ref": "#/components/responses/Error"}
SENTENCE: Final = {"$ref": "#/components/schemas/Sentence"}
BODY: Final = "#/components/schemas/{name}"
DONE: Final = {"$ref": "#/components/schemas/Done"}

COMPONENTS: Final[Json] = {
    "schemas": {
        "Error": {
            "type": "object",
            "required": ["error"],
            "properties": {"error": {"type": "string", "description": "One sentence for a person."}},
        },
        "Sentence": {
            "type": "object",
            "description": "A sentence in English, with the template and the parts by which it can be translated.",
            "required": ["text", "template", "parts"],
            "properties": {
                "text": {"type": "string"},
                "template": {"type": "string"},
                "parts": {"type": "object"},
            },
        },
        "Done": {"type": "object", "required": ["ok"], "properties": {"ok": {"const": True}}},
        "Reply": {
            "type": "object",
            "required": ["ok", "sentence", "data"],
            "properties": {"ok": {"const": True}, "sentence": SENTENCE, "data": {"type": "object"}},
        },
        "Matches": {
            "type": "object",
            "required": ["matches"],
            "properties": {"matches": {"type": "array", "items": {"type": "object", "required": ["id", "name"]}}},
        },
    },
    "responses": {
        "Error": {
            "description": "It was refused: why, in one sentence.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        }
    },
    "securitySchemes": {
        "owner": {
            "type": "apiKey",
            "in": "cookie",
            "name": "alea_owner",
            "description": "Given by POST /api/owner for the owner's PIN. Where only this machine reaches the page and "
            "no PIN was chosen, everyone is the owner.",
        }
    },
}

# What is told of an address beyond what its own docstring says: the body that it takes and the answer that it gives, by
# endpoint, which is Flask's name of a view. Whether it is the owner's, its guard says.
BODIES: Final[Mapping[str, Json]] = {
    "owner.sign_in": {"pin": {"type": "string"}},
    "owner.change_pin": {"pin": {"type": "string"}, "old": {"type": "string"}},
    "owner_actions.settings": {
        "languages": {"type": "array", "items": {"type": "string"}},
        "pictures": {"type": "object", "properties": {"keep": {"type": "string"}, "days": {"type": "integer"}}},
        "lights": {"type": "number"},
    },
    "owner_actions.advise": {"dice": {"type": "string"}},
    "calibrating.do": {
        "session": {"type": "string"},
        "board": {"type": "string"},
        "kit": {"type": "boolean"},
        "over": {"type": "boolean"},
        "corners": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
        "name": {"type": "string"},
        "replace": {"type": "boolean"},
    },
}
TYPES: Final[Mapping[str, str]] = {"api.frames": "image/jpeg", "transfer.take_in": "application/x-ndjson"}
ANSWERS: Final[Mapping[str, Json]] = {
    "api.state": {"application/json": {"schema": {"$ref": "#/components/schemas/TableState"}}},
    "api.picture": {"image/jpeg": {}},
    "calibrating.live": {"image/jpeg": {}, "application/json": {"schema": {"type": "object"}}},
    "calibrating.picture": {"image/jpeg": {}},
    "streams.events": {"text/event-stream": {}},
    "transfer.matches": {"application/json": {"schema": {"$ref": "#/components/schemas/Matches"}}},
    "transfer.export": {"application/x-ndjson": {}},
    "transfer.take_in": {"application/json": {"schema": {"$ref": "#/components/schemas/Reply"}}},
    "owner_actions.told_diagnostics": {"application/zip": {}},
}
EMPTY: Final = frozenset({"api.frames"})
"""Those that answer with nothing but success."""
blueprint = Blueprint("description", __name__)


@blueprint.get("/api/description.json")
def described() -> Response:
    """Return this description of the interface."""
    response = Response(json.dumps(description(current_app)), mimetype="application/json")
    response.headers["Cache-Control"] = "no-cache"
    return response


def description(app: Flask) -> Json:
    """Return the OpenAPI document of an app: every address under /api, and every command with its body."""
    paths: Json = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda one: one.rule):
        if not rule.rule.startswith("/api/") and rule.rule != "/healthz":
            continue
        if rule.endpoint == "api.command":
            paths |= commands()
            continue
        address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            paths.setdefault(address, {})[method.lower()] = _operation(app, rule, method)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Alea",
            "version": program_version(),
            "description": "The running table over HTTP. Every POST has to come from the table's own page or from a "
            "program: with the Content-Type that stands here, and without a foreign Origin.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {**COMPONENTS, "schemas": {**COMPONENTS["schemas"], **_schemas()}},
    }


@cache
def commands() -> Json:
    """Return the addresses of the commands, each with the body that it takes."""
    return {f"/api/command/{name}": {"post": _command(TABLE_COMMANDS[name])} for name in sorted(TABLE_COMMANDS)}


@cache
def _schemas() -> Json:
    """Return the JSON schema of each command's body and of the table's state, part by part, by their names."""
    bodies = [contract.type for contract in TABLE_COMMANDS.values()]
    return msgspec.json.schema_components([*bodies, TableState], ref_template=BODY)[1]


def _command(contract: Contract) -> Json:
    body = {"$ref": BODY.format(name=contract.type.__name__)}
    return {
        "operationId": f"command_{contract.name}",
        "tags": ["commands"],
        "summary": contract.about,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "200": {
                "description": "It is done, and in the journal.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Reply"}}},
            },
            "default": ERROR,
        },
        **({"security": [{"owner": []}]} if contract.guarded else {}),
    }


def _operation(app: Flask, rule: Rule, method: str) -> Json:
    endpoint, group = rule.endpoint, rule.endpoint.partition(".")[0]
    told = (app.view_functions[endpoint].__doc__ or endpoint).strip().splitlines()[0]
    success: Json = {"description": "It is done."}
    if endpoint in EMPTY:
        success["description"] = "It is taken."
    else:
        success["content"] = ANSWERS.get(endpoint, {"application/json": {"schema": {"type": "object"}}})
    operation: Json = {
        "operationId": f"{endpoint.replace('.', '_')}_{method.lower()}",
        "tags": [group],
        "summary": told,
        "responses": {"204" if endpoint in EMPTY else "200": success, "default": ERROR},
    }
    parameters = [_parameter(rule, name) for name in sorted(rule.arguments)]
    if endpoint == "api.state":
        operation["responses"]["304"] = {"description": "Nothing has changed since the If-None-Match that was given."}
    if parameters:
        operation["parameters"] = parameters
    if method == "POST":
        operation["requestBody"] = {"required": True, "content": _body(endpoint)}
    if is_guarded(app.view_functions[endpoint]):
        operation["security"] = [{"owner": []}]
    return operation


def _body(endpoint: str) -> Json:
    if endpoint in TYPES:
        return {TYPES[endpoint]: {"schema": {"type": "string", "contentMediaType": TYPES[endpoint]}}}
    return {"application/json": {"schema": {"type": "object", "properties": BODIES.get(endpoint, {})}}}


def _parameter(rule: Rule, name: str) -> Json:
    schema: Json = {"type": "string"}
    if f"<int:{name}>" in rule.rule:
        schema = {"type": "integer", "minimum": 0}
    elif rule.endpoint == "calibrating.do":
        schema["enum"] = list(ACTS)
    return {"name": name, "in": "path", "required": True, "schema": schema}
