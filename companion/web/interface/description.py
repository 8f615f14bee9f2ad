"""The description of the interface: an OpenAPI 3.1 document, made from the app's addresses and the table's commands."""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

import msgspec
from flask import Blueprint, Flask, Response, current_app, has_request_context, request
from flask import json as answers
from werkzeug.routing import Rule

from companion.desk.command import Contract
from companion.desk.shapes.table import TableState
from companion.desk.table.command_types import TABLE_COMMANDS
from companion.program import program_version
from companion.web.access.auth import is_guarded
from companion.web.camera.calibrating import ACTS
from companion.web.json_bodies import bodies

Json = dict[str, Any]
Schemas = Mapping[type[msgspec.Struct], Json]

ERROR: Final = {"$ref": "#/components/responses/Error"}
REFERENCE: Final = "#/components/schemas/{name}"


DECLARED: Final[Json] = json.loads((files(__package__) / "description.json").read_text(encoding="utf-8"))
"""The components of the document, and the answers that a view does not declare, by endpoint: Flask's name of a view."""

TYPES: Final[Mapping[str, str]] = {"api.frames": "image/jpeg", "transfer.take_in": "application/x-ndjson"}
"""The type of body that a view takes and does not declare, by endpoint."""

EMPTY: Final = frozenset({"api.frames"})
"""Endpoints that answer with success only, without a body."""
blueprint = Blueprint("description", __name__)


@blueprint.get("/api/description.json")
def described() -> Response:
    """Return this description of the interface."""
    response = Response(answers.dumps(description(current_app)), mimetype="application/json")
    response.headers["Cache-Control"] = "no-cache"
    return response


def description(app: Flask) -> Json:
    """Return the OpenAPI document of an app: every address under /api, and every command with its body."""
    records: list[type[msgspec.Struct]] = [contract.type for contract in TABLE_COMMANDS.values()]
    records += [record for view in app.view_functions.values() for record in bodies(view)]
    references, components = msgspec.json.schema_components([*records, TableState], ref_template=REFERENCE)
    schemas: Schemas = dict(zip(records, references[: len(records)], strict=True))
    paths: Json = {}
    known: Json = DECLARED["components"]
    for rule in sorted(app.url_map.iter_rules(), key=lambda one: one.rule):
        if not rule.rule.startswith("/api/") and rule.rule != "/healthz":
            continue
        if rule.endpoint == "api.command":
            paths |= {
                f"/api/command/{name}": {"post": _command(contract, schemas[contract.type])}
                for name, contract in sorted(TABLE_COMMANDS.items())
            }
            continue
        address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            paths.setdefault(address, {})[method.lower()] = _operation(app, rule, method, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Alea",
            "version": program_version(),
            "description": "The running table over HTTP. Every POST has to come from the table's own page or from a "
            "program: with the Content-Type that stands here, and without a foreign Origin.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        **({"servers": [{"url": request.script_root}]} if has_request_context() and request.script_root else {}),
        "paths": paths,
        "components": {**known, "schemas": {**known["schemas"], **components}},
    }


def _command(contract: Contract, body: Json) -> Json:
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


def _operation(app: Flask, rule: Rule, method: str, schemas: Schemas) -> Json:
    endpoint, group = rule.endpoint, rule.endpoint.partition(".")[0]
    summary = (app.view_functions[endpoint].__doc__ or endpoint).strip().splitlines()[0]
    success: Json = {"description": "It is done."}
    if endpoint in EMPTY:
        success["description"] = "It is taken."
    else:
        success["content"] = DECLARED["answers"].get(endpoint, {"application/json": {"schema": {"type": "object"}}})
    operation: Json = {
        "operationId": f"{endpoint.replace('.', '_')}_{method.lower()}",
        "tags": [group],
        "summary": summary,
        "responses": {"204" if endpoint in EMPTY else "200": success, "default": ERROR},
    }
    parameters = [_parameter(rule, name) for name in sorted(rule.arguments)]
    if endpoint == "api.state":
        operation["responses"]["304"] = {"description": "Nothing has changed since the If-None-Match that was given."}
    if parameters:
        operation["parameters"] = parameters
    if method == "POST":
        operation["requestBody"] = {"required": True, "content": _body(app, endpoint, schemas)}
    if is_guarded(app.view_functions[endpoint]):
        operation["security"] = [{"owner": []}]
    return operation


def _body(app: Flask, endpoint: str, schemas: Schemas) -> Json:
    if endpoint in TYPES:
        return {TYPES[endpoint]: {"schema": {"type": "string", "contentMediaType": TYPES[endpoint]}}}
    taken = [schemas[record] for record in bodies(app.view_functions[endpoint])]
    one = taken[0] if len(taken) == 1 else {"anyOf": taken}
    return {"application/json": {"schema": one if taken else {"type": "object"}}}


def _parameter(rule: Rule, name: str) -> Json:
    schema: Json = {"type": "string"}
    if f"<int:{name}>" in rule.rule:
        schema = {"type": "integer", "minimum": 0}
    elif rule.endpoint == "calibrating.do":
        schema["enum"] = list(ACTS)
    return {"name": name, "in": "path", "required": True, "schema": schema}
