"""What a program that knows the description may send: each operation asked with right and with wrong data."""

import contextlib
from typing import Any, cast

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

PLAIN = {"Accept-Encoding": "identity"}  # nothing unpacks an answer on the way to the checks
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@schemathesis.serializer("application/x-ndjson", "image/jpeg")
def as_it_is(context: Any, value: Any) -> bytes:
    """Send lines and pictures as the bytes that they are, and whatever else was thought of as its text."""
    del context
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def attack(app: Flask, examples: int, *, derandomize: bool = True) -> int:
    """Ask every described operation ``examples`` times with right and with wrong data; return how often it was asked.

    Raises what schemathesis raises when an answer is a fault of the program or not as it is described.
    """
    schema = schemathesis.openapi.from_wsgi("/api/description.json", app)
    asked = 0
    for found in schema.get_all_operations():
        operation = cast("Any", found).ok()
        for mode in schemathesis.GenerationMode:

            @given(operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=examples,
                derandomize=derandomize,
                deadline=None,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            def ask(case: Any) -> None:
                nonlocal asked
                asked += 1
                case.call_and_validate(checks=CHECKS, headers=PLAIN)

            # what takes nothing cannot be asked with wrong data
            with contextlib.suppress(Unsatisfiable):
                ask()
    return asked
