"""How large a body may be: it depends on its type, its sender, and the bodies that the server receives already."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie
from werkzeug.test import create_environ

from companion.web.access.auth import GATE, pin_needed
from companion.web.camera import phone
from companion.web.security import LARGEST_BODY, LARGEST_IMPORT, largest

FREE_BODY_BYTES: Final = 8 * 1024
"""Bytes of a body that the server always takes: every command fits, however many others send large bodies."""

OF_ADDRESS: Final = 2 * 1024 * 1024
"""Bytes of larger bodies that one address may send at a time, unless the sender is the owner."""

OF_STRANGERS: Final = 16 * 1024 * 1024
"""Bytes that all senders but the owner may send at a time."""

OF_OWNERS: Final = LARGEST_IMPORT + 16 * 1024 * 1024
"""Bytes that owners may send at a time: one import, and pictures beside it. All bodies are kept in memory."""


@dataclass(frozen=True)
class RoomClaim:
    """The room that a request needs: ``size`` in bytes as announced, or the most it may have if it announces none."""

    size: int
    address: str
    owner: bool = False


class ClaimRefusedError(Exception):
    """A body is refused; ``status`` and ``reason`` are those of HTTP."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


def claim(asked: Any, address: str, size: int, *, owner: bool) -> RoomClaim:
    """Check from its head alone whether a request may send ``size`` bytes, and return its claim.

    ``asked`` is a parsed head (`waitress.parser.HTTPRequestParser`); ``owner``: whether a known device sent it.

    Raises:
        ClaimRefusedError: nobody may send that much there (413), or only the owner may (401).
    """
    kind = asked.headers.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if size > largest(kind):
        raise ClaimRefusedError(413, "Request Entity Too Large")
    if size <= FREE_BODY_BYTES:
        return RoomClaim(size, address)
    if size > LARGEST_BODY and not owner:
        raise ClaimRefusedError(401, "Unauthorized")
    return RoomClaim(size, address, owner=owner)


def has_room(asked: RoomClaim, others: Iterable[RoomClaim]) -> bool:
    """Return whether there is room for a body beside those that the server receives already."""
    if asked.size <= FREE_BODY_BYTES:
        return True
    alike = [other for other in others if other.size > FREE_BODY_BYTES and other.owner == asked.owner]
    together = asked.size + sum(other.size for other in alike)
    if asked.owner:
        return together <= OF_OWNERS
    of_address = asked.size + sum(other.size for other in alike if other.address == asked.address)
    return together <= OF_STRANGERS and of_address <= OF_ADDRESS


def is_known(app: Flask, asked: Any) -> bool:
    """Return whether a request comes from the owner, or over the encrypted line from a phone that was admitted."""
    cookies = asked.headers.get("COOKIE", "")
    if asked.adj.url_scheme == "https":
        return phone.PHONES.get(app).knows(parse_cookie(cookies).get(phone.COOKIE, ""))
    if not cookies or GATE.get(app) is None:
        return GATE.get(app) is None  # without a PIN everybody is the owner
    environ = create_environ(headers={"Host": asked.headers.get("HOST", ""), "Cookie": cookies})
    try:
        with app.request_context(environ):
            return not pin_needed()
    except (HTTPException, ValueError):
        return False
