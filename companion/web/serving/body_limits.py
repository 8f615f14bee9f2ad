"""How large a body may be: by what it is for, by who sends it, and by how much is being taken in already."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, request
from werkzeug.exceptions import HTTPException
from werkzeug.test import create_environ

from companion.web.camera import phone
from companion.web.owner.auth import pin_needed
from companion.web.security import LARGEST_BODY, largest
from companion.web.transfer import LARGEST_IMPORT

FREE: Final = 8 * 1024
"""Bytes of a body that is always taken: every command fits, however many others send large ones."""

OF_ADDRESS: Final = 2 * 1024 * 1024
"""Bytes of larger bodies that one address may be sending at a time, unless it is the owner who sends."""

OF_STRANGERS: Final = 16 * 1024 * 1024
"""Bytes that all who are not the owner may be sending at a time."""

OF_OWNERS: Final = LARGEST_IMPORT + 16 * 1024 * 1024
"""Bytes that owners may be sending at a time: one import, and pictures beside it. All bodies are kept in memory."""


@dataclass(frozen=True)
class Claim:
    """What a request asks room for: ``size`` in bytes as announced, or as many as it may have if it announces none."""

    size: int
    address: str
    owner: bool = False


class ClaimRefusedError(Exception):
    """A body is not taken; ``status`` and ``reason`` are those of HTTP."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


def claim(app: Flask, asked: Any, address: str, size: int) -> Claim:
    """Judge by its head alone whether a request may send so many bytes, and return what it claims.

    ``asked`` is a parsed head (`waitress.parser.HTTPRequestParser`).

    Raises:
        ClaimRefusedError: nobody may send that much there (413), or the owner alone may (401).
    """
    kind = asked.headers.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if size > largest(kind):
        raise ClaimRefusedError(413, "Request Entity Too Large")
    if size <= FREE:
        return Claim(size, address)
    owner = _from_owner(app, asked)
    if size > LARGEST_BODY and not owner:
        raise ClaimRefusedError(401, "Unauthorized")
    return Claim(size, address, owner=owner)


def has_room(asked: Claim, others: Iterable[Claim]) -> bool:
    """Tell whether there is room for a body beside those that are being taken in."""
    if asked.size <= FREE:
        return True
    alike = [other for other in others if other.size > FREE and other.owner == asked.owner]
    together = asked.size + sum(other.size for other in alike)
    if asked.owner:
        return together <= OF_OWNERS
    of_address = asked.size + sum(other.size for other in alike if other.address == asked.address)
    return together <= OF_STRANGERS and of_address <= OF_ADDRESS


def _from_owner(app: Flask, asked: Any) -> bool:
    """Tell whether a request comes from the owner, or from a telephone that was let in, by its cookies."""
    environ = create_environ(headers={"Host": asked.headers.get("HOST", ""), "Cookie": asked.headers.get("COOKIE", "")})
    try:
        with app.request_context(environ):
            known = phone.phones().knows(request.cookies.get(phone.COOKIE, ""))
            return known or not pin_needed()
    except (HTTPException, ValueError):
        return False
