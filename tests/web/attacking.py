"""Requests of a program that knows the description: each operation with right and with wrong data."""

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

PLAIN = {"Accept-Encoding": "identity"}  # so that the checks need not decompress an answer
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@schemathesis.serializer("application/x-ndjson", "image/jpeg")
def as_it_is(context: Any, value: Any) -> bytes:
    """Send lines and pictures as their bytes, and any other generated value as its text."""
    del context
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def attack(app: Flask, examples: int, *, derandomize: bool = True) -> int:
    """Ask each described operation ``examples`` times with right and with wrong data; return the number of requests.

    Raises what schemathesis raises when an answer is a fault of the program or does not match its description.
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

            # an operation without data cannot get wrong data
            with contextlib.suppress(Unsatisfiable):
                ask()
    return asked
