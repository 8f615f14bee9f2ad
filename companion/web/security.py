"""What keeps other sites' pages away from the table: response headers and the check of a request's origin."""

from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request
from werkzeug.exceptions import SecurityError

from companion.language.sentence import Sentence, SentenceText

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}
# What a browser asks of a response that it shows as a page or runs as a worker, and of no script, style or letters
# that a page has. Some fifty files of the first page would bring half a kilobyte of them each.
OF_DOCUMENTS = frozenset(HEADERS) - {"X-Content-Type-Options", "Cross-Origin-Resource-Policy"}
NO_DOCUMENTS = frozenset({"text/javascript", "application/javascript", "text/css", "font/woff2"})
LARGEST_BODY = 256 * 1024  # bytes; pictures and imports have limits of their own
LARGEST_FRAME = 6 * 1024 * 1024  # bytes; a 4K JPEG at quality 0.85 has about 3 MB
LARGEST_IMPORT = 64 * 1024 * 1024  # bytes; a match of 10,000 throws has about 15 MB
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# The types that another site's page cannot send without asking first (CORS). A request of such a type without Origin
# and Sec-Fetch-Site comes from a program, not from a browser that another site misuses.
UNFORGEABLE_TYPES = frozenset({"application/json", "application/x-ndjson", "image/jpeg"})


LIMITS = {"image/jpeg": LARGEST_FRAME, "application/x-ndjson": LARGEST_IMPORT}
"""The most bytes of a body, by its type; a body of any other type has at most `LARGEST_BODY`."""


def protect(app: Flask) -> None:
    """Check every request that changes something, and add the headers to every response."""
    app.before_request(_refuse_foreign)
    app.after_request(_with_headers)


def foreign(asked: Request) -> bool:
    """Return whether another site's page made a request.

    Only the browser sets `Sec-Fetch-Site`, and only for addresses that it trusts; `Origin` comes with every POST. Each
    must fit if it is present. Another port of the same machine is another site too.
    """
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = asked.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != asked.host


def largest(mimetype: str) -> int:
    """Return how many bytes a body of this type may have."""
    return LIMITS.get(mimetype, LARGEST_BODY)


def _refuse_foreign() -> None:
    if isinstance(request.routing_exception, SecurityError):
        raise request.routing_exception  # an untrusted name learns nothing about how to ask
    if request.method in SAFE_METHODS:
        return
    if foreign(request):
        abort(403, "This table accepts commands only from its own page; open the address that the table printed.")
    if request.mimetype not in UNFORGEABLE_TYPES:
        expected = ", ".join(sorted(UNFORGEABLE_TYPES))
        sentence = Sentence(
            "Expected a body of type {expected}, but got {got}.", expected=expected, got=request.mimetype or "-"
        )
        abort(415, SentenceText(sentence))
    if (request.content_length or 0) > largest(request.mimetype):
        abort(413)


def _with_headers(response: Response) -> Response:
    file = request.endpoint == "static"
    for name, value in HEADERS.items():
        if not (file and response.mimetype in NO_DOCUMENTS and name in OF_DOCUMENTS):
            response.headers.setdefault(name, value)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-cache" if file else "no-store"
    return response
