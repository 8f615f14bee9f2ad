"""The way from the laboratory back to the games, where a table runs beside it on this computer."""

from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import Final

from flask import request

from companion.settings.record import DECLARED
from companion.web.access.tries import on_loopback

USUAL: Final = int(DECLARED["port"].default)
"""The port at which a table listens that was given no other."""

PATIENCE: Final = 1.0
"""Seconds for the table's answer; a port where nobody listens refuses at once."""


def games_address(port: int = USUAL) -> str | None:
    """Return the address of a table's start page for a browser of this computer, None where no table listens."""
    host, _, mine = request.host.rpartition(":")
    if not host or mine == str(port) or not on_loopback(request.remote_addr or ""):
        return None
    table = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        table.request("HEAD", "/join")  # a page that only a table has, and that costs little
        answers = table.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return None
    finally:
        table.close()
    return f"http://{host}:{port}/start" if answers else None
