"""Another table that plays the open match: the owner shares the match, or joins that of another table by its code."""

from dataclasses import dataclass
from typing import Annotated, Final, Protocol

import msgspec
from flask import Blueprint, Response, jsonify

from companion.language.sentence import Sentence
from companion.web.access.auth import owner_only
from companion.web.app_state import AppKey
from companion.web.errors import refused
from companion.web.json_bodies import body_as, object_body, takes

NOT_HERE: Final = Sentence("This table cannot play with another one: start it by companion serve.")

blueprint = Blueprint("owner_other_table", __name__, url_prefix="/api/owner/other-table")


@dataclass(frozen=True)
class OtherTableSeen:
    """What the owner's page says: where another table joins, and whether one has; why it does not answer.

    ``hall``: the hall in which both may be, "" for none.
    """

    address: str = ""
    code: str = ""
    joined: bool = False
    trouble: Sentence | None = None
    hall: str = ""


class OtherTableLine(Protocol):
    """The line to the other table, as the owner's page needs it."""

    def seen(self) -> OtherTableSeen:
        """Return what the page says of it."""

    def join(self, address: str, code: str) -> Sentence | None:
        """Join the match of another table by its code; return why not, None if it is open here."""


LINE = AppKey[OtherTableLine | None]("other_table")


class MatchJoined(msgspec.Struct, frozen=True):
    """Which match the table joins."""

    address: Annotated[
        str, msgspec.Meta(max_length=260, description="Where the other table listens, e.g. 192.168.1.5:8644.")
    ]
    code: Annotated[str, msgspec.Meta(max_length=40, description="The code that its owner's page shows.")]


@blueprint.post("/join")
@owner_only
@takes(MatchJoined)
def join() -> Response:
    """Join a match of another table by the code that its owner's page shows."""
    asked, line = body_as(MatchJoined, object_body()), LINE.get()
    why = NOT_HERE if line is None else line.join(asked.address, asked.code)
    if why is not None:
        return refused(why)
    return jsonify({"ok": True, "sentence": Sentence("The match of both tables is open.").to_json()})
