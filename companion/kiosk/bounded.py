"""Bodies are bounded before they are taken: waitress would spool a gigabyte to the disk before any page saw it."""

import json
from typing import Any, Final

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.utilities import Error  # type: ignore[import-untyped]

from companion.kiosk.errors import SENTENCES
from companion.kiosk.security import HEADERS, largest

ENCODING: Final = 64 * 1024
"""Bytes that a body sent in chunks may have beyond its own: their lengths are counted too."""


class RefusedError(Error):  # type: ignore[misc]  # waitress has no types
    """What the server itself refuses, as every refusal of the page: one sentence, and the headers of every response."""

    def __init__(self, cause: Any) -> None:
        super().__init__(cause.body)
        self.code, self.reason = cause.code, cause.reason

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return status, headers and body."""
        del ident
        sentence = SENTENCES.get(self.code, SENTENCES[400])
        headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store"), *HEADERS.items()]
        return f"{self.code} {self.reason}", headers, json.dumps({"error": str(sentence)}).encode()


class _Limited:
    """The server's adjustments with a limit of this one request."""

    def __init__(self, adjustments: Any, most: int) -> None:
        self._adjustments = adjustments
        self.max_request_body_size = most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._adjustments, name)


class BoundedParser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Refuses a body by its announced length, or as soon as it has grown too long."""

    adj: Any
    error: Any

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head; from here on it is known what kind of body comes."""
        super().parse_header(header_plus)
        kind = self.headers.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
        self.adj = _Limited(self.adj, largest(kind) + ENCODING)

    def received(self, data: bytes) -> int:
        """Take in what came; return how much of it belongs to this request."""
        consumed: int = super().received(data)
        if self.error is not None and not isinstance(self.error, RefusedError):
            self.error = RefusedError(self.error)
        return consumed


class BoundedChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """One connection whose requests are bounded."""

    parser_class = BoundedParser
