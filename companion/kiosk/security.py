"""What keeps a stranger's page away from the table: response headers and the check of where a request comes from."""

from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request

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
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# The types that a foreign page cannot send without asking first (CORS): with them, a request that carries neither
# Origin nor Sec-Fetch-Site comes from a program, not from a browser that was led astray.
UNFORGEABLE_TYPES = frozenset({"application/json", "application/x-ndjson", "image/jpeg"})


def protect(app: Flask) -> None:
    """Check every request that changes something, and put the headers on every response."""
    app.before_request(_refuse_foreign)
    app.after_request(_with_headers)


def foreign(asked: Request) -> bool:
    """Tell whether a request was made by another site's page.

    `Sec-Fetch-Site` is set by the browser alone, but only on addresses that it trusts; `Origin` comes with every POST.
    Each must fit where it is present. Another port of the same machine is another site too.
    """
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = asked.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != asked.host


def _refuse_foreign() -> None:
    if request.method in SAFE_METHODS:
        return
    if foreign(request):
        abort(403, "This table takes orders from its own page only; open the address that the table printed.")
    if request.mimetype not in UNFORGEABLE_TYPES:
        expected = ", ".join(sorted(UNFORGEABLE_TYPES))
        abort(415, f"Expected a body of type {expected}, but got {request.mimetype or 'none'}.")


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-cache" if request.endpoint == "static" else "no-store"
    return response
