"""Errors in one sentence: as JSON for the page's own requests, as a page for a person."""

import logging
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from companion.language.sentence import Sentence, SentenceText, Template
from companion.web import languages
from companion.web.names import named
from companion.whole_file import UnwrittenFileError

log = logging.getLogger(__name__)

SENTENCES = {
    400: Sentence("The table did not understand this request; open the address that it printed."),
    401: Sentence("This needs the owner's PIN."),
    404: Sentence("There is nothing at this address."),
    405: Sentence("This address does not allow that method."),
    413: Sentence("This is larger than the table accepts."),
    503: Sentence("The table is too busy: send this again in a moment."),
    500: Sentence("Something went wrong inside the program; the match is safe in the journal. Reload the page."),
}
UNTRUSTED_HOST = "This table is not asked under this name; open the address that it printed.\n"


def explain(app: Flask) -> None:
    """Answer every error with its sentence."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unexpected)


def refusal(status: int, why: Sentence) -> Response:
    """Return an error in the language of the request: as JSON, or as a page if a person asked for one."""
    sentence = languages.here().translate(named(why.to_json()))
    if request.path.startswith(("/api/", "/lab/api/")) or request.accept_mimetypes.best == "application/json":
        response = jsonify({"error": sentence})
    else:
        response = make_response(render_template("page/error.html", sentence=sentence, status=status))
    response.status_code = status
    return response


def refused(sentence: Sentence, status: int = 409, **more: Any) -> Response:
    """Answer a request of a page's script with why it was not done: in the visitor's language, and as it is."""
    words = sentence.to_json()
    response = jsonify({"ok": False, "error": languages.here().translate(named(words)), "sentence": words, **more})
    response.status_code = status
    return response


def _http_error(error: HTTPException) -> Response:
    if isinstance(error, SecurityError):
        return Response(UNTRUSTED_HOST, status=400, mimetype="text/plain")  # no page: its addresses need a trusted name
    if error.response is not None and isinstance(error.response, Response):
        return error.response  # its text is complete already
    status = error.code or 500
    # werkzeug's own descriptions are for programmers; ours, passed to abort(), are for the person at the table
    if error.description and error.description != type(error).description:
        sentence = _constant(error.description)
    else:
        sentence = SENTENCES.get(status, SENTENCES[400])
    response = refusal(status, sentence)
    for name, value in error.get_headers():
        if name.lower() in {"allow", "retry-after"}:
            response.headers[name] = value
    return response


def _constant(sentence: str) -> Sentence:
    """Return the argument of abort(): a sentence, or a constant text, which is its own template in a catalogue."""
    if isinstance(sentence, SentenceText):
        return sentence.sentence
    return Sentence.of(Template(sentence.replace("{", "{{").replace("}", "}}")))


def _unexpected(error: Exception) -> Response:
    if isinstance(error, UnwrittenFileError):
        log.warning("at %s: %s", request.path, error)
        return refusal(507, error.sentence)
    log.error("Unexpected error at %s", request.path, exc_info=error)
    return refusal(500, SENTENCES[500])
