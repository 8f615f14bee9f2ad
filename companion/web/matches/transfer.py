"""Matches in and out: the list, the export of one match as JSON lines, and the import of one."""

import re
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request

from companion.desk.page.library import UnreadableMatchError
from companion.language.sentence import Sentence, SentenceText
from companion.web.access.auth import owner_only
from companion.web.answers import answered, as_file
from companion.web.app_state import table
from companion.web.names import named
from companion.web.security import LARGEST_IMPORT

MATCHES_AT_A_TIME: Final = 50  # hundreds on one page are slow to draw, and each request would compute all of them

blueprint = Blueprint("transfer", __name__, url_prefix="/api/matches")


def listed() -> dict[str, Any]:
    """Return what a page shows of the matches: some at a time, newest first, from the place that its address names."""
    count = table().match_count()
    first = min(max(0, request.args.get("from", 0, type=int)), count)
    return {
        "matches": named(table().matches(first, MATCHES_AT_A_TIME)),
        "newer": max(0, first - MATCHES_AT_A_TIME) if first else None,
        "older": first + MATCHES_AT_A_TIME if first + MATCHES_AT_A_TIME < count else None,
    }


@blueprint.get("")
def matches() -> Response:
    """List the matches of this journal."""
    return jsonify({"matches": table().matches()})


@blueprint.get("/<int:match>.jsonl")
@owner_only
def export(match: int) -> Response:
    """Return one whole match as JSON lines."""
    try:
        lines = table().export(match)
    except UnreadableMatchError as why:
        abort(409, SentenceText(why.sentence))
    if lines is None:
        abort(404, SentenceText(Sentence("There is no match {match} in this journal.", match=match)))
    return as_file(_ended(lines), "application/x-ndjson", _file_name(match))


@blueprint.post("")
@owner_only
def take_in() -> Response:
    """Import a match that was exported here or elsewhere."""
    request.max_content_length = LARGEST_IMPORT
    try:
        lines = request.get_data().decode("utf-8").splitlines()
    except UnicodeDecodeError:
        abort(400, "Expected the JSON lines of an exported match, but this file is not text.")
    return answered(table().import_lines(lines, "owner"))


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n"


def _file_name(match: int) -> str:
    name = "".join(str(line["name"]) for line in table().matches(only=match))
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    return f"{plain or 'match'}-{match}.jsonl"
