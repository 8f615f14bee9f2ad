"""A running table's place in a hall: it has one from its settings, or joins one by a code on the owner's page.

Nothing of `companion.hall` is imported before the table has or wants a place.
"""

import logging
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from flask import Blueprint, Flask, Response, jsonify

from companion.language.sentence import Sentence
from companion.live.table import LiveTable
from companion.settings.file import MEMBERSHIP_END
from companion.web.access.auth import owner_only
from companion.web.app_state import AppKey
from companion.web.errors import refused
from companion.web.json_bodies import body_as, object_body, takes

if TYPE_CHECKING:
    from companion.hall.match_post import MatchPost
    from companion.hall.member import Member
    from companion.hall.settings import HallSettings, Membership
    from companion.web.kiosk.attendant import Attendant

log = logging.getLogger(__name__)

OF_DESK: Final = ("pause",)
"""What the desk of a hall that a table joined by its code may ask of it; the owner's page says so."""

SAMPLE: Final = Sentence("This table shows a demonstration: start your own table, then join.")
BY_FILE: Final = Sentence("This table's place in the hall is set in a file (--hall): change it there.")

blueprint = Blueprint("owner_hall", __name__, url_prefix="/api/owner/hall")


@dataclass(frozen=True)
class HallSeen:
    """What the owner's page says: the hall and the table's name in it, "" for none; why the hall is away."""

    hall: str = ""
    table: str = ""
    names: bool = False
    trouble: str | None = None
    by_file: bool = False


class HallPlace:
    """The place of one running table. Thread-safe."""

    def __init__(
        self,
        app: Flask,
        table: LiveTable,
        attendant: "Attendant | None",
        journal: Path,
        settings: "HallSettings | None" = None,
        *,
        sample: bool = False,
    ) -> None:
        """``settings``: of a ``hall.toml``; ``sample``: whether the table is a sample's, which joins by no code."""
        self._app, self._table, self._attendant = app, table, attendant
        self._journal, self._given, self._sample = journal, settings, sample
        self._lock = threading.Lock()
        self._joined: Membership | None = None
        self._member: Member | None = None

    def start(self) -> None:
        """Take part in the hall that the settings name or that the table joined before; in none without them.

        Raises:
            ValueError, OSError: the file of what it joined cannot be read.
        """
        with self._lock:
            self._joined = self._read()
            self._begin()

    def _read(self) -> "Membership | None":
        if self._given is not None or self._sample:
            return None
        if not self._journal.with_name(self._journal.name + MEMBERSHIP_END).exists():
            return None
        from companion.hall.direct.joining import read_membership  # noqa: PLC0415  (only a table in a hall needs it)

        return read_membership(self._journal)

    def _begin(self) -> None:
        settings = self._given or self._settings()
        if settings is None:
            return
        from companion.hall.member import Member  # noqa: PLC0415  (only a table in a hall needs it)
        from companion.web.owner.doors import TableDoors  # noqa: PLC0415

        doors = TableDoors(self._app, self._table, self._attendant)
        self._member = Member(settings, self._journal, self._table, doors)
        self._member.start()

    def _settings(self) -> "HallSettings | None":
        joined = self._joined
        if joined is None:
            return None
        from companion.hall.settings import HallSettings  # noqa: PLC0415  (only a table in a hall needs it)

        return HallSettings(
            joined.hall,
            joined.table,
            names=joined.names,
            outside=frozenset(OF_DESK),
            prefix="",
            invitations=True,
            membership=joined,
        )

    @property
    def matches(self) -> "MatchPost | None":
        """The way to other tables of the hall, None where the table is in none."""
        member = self._member
        return None if member is None else member.publisher.matches

    def stop(self) -> None:
        """End the table's part in the hall."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._member is not None:
            self._member.stop()
        self._member = None

    def move(self, table: LiveTable, journal: Path) -> None:
        """Go on with the table that follows a sample's."""
        with self._lock:
            self._end()
            self._table, self._journal, self._sample = table, journal, False
            try:
                self._joined = self._read()
            except (OSError, ValueError) as why:
                log.warning("the table joins no hall: %s", why)
            self._begin()

    def seen(self) -> HallSeen:
        """Return what the owner's page says of it."""
        with self._lock:
            settings, member = self._given or self._settings(), self._member
            if settings is None:
                return HallSeen()
            trouble = None if member is None else member.publisher.trouble
            return HallSeen(settings.hall, settings.table, settings.names, trouble, by_file=self._given is not None)

    def join(self, address: str, code: str, table: str, *, names: bool) -> Sentence | None:
        """Join the hall at an address by its code; return why not, None if the table is in."""
        from companion.hall.direct.joining import JoinError, join, keep_membership  # noqa: PLC0415

        if self._given is not None:
            return BY_FILE
        if self._sample:
            return SAMPLE
        with self._lock:
            try:
                joined = join(address, code, table, names=names, before=self._joined)
                keep_membership(self._journal, joined)
            except JoinError as why:
                return why.sentence
            except OSError as why:
                return Sentence("The table's place cannot be kept ({why}): make room on the disk.", why=str(why))
            self._end()
            self._joined = joined
            self._begin()
            return None

    def leave(self) -> Sentence | None:
        """Leave the hall that the table joined by a code; return why not, None if it has left."""
        if self._given is not None:
            return BY_FILE
        with self._lock:
            self._journal.with_name(self._journal.name + MEMBERSHIP_END).unlink(missing_ok=True)
            self._end()
            self._joined = None
            return None


PLACE = AppKey[HallPlace | None]("hall_place")


class HallJoined(msgspec.Struct, frozen=True):
    """Which hall the table joins, and under which name."""

    address: Annotated[
        str, msgspec.Meta(max_length=260, description="Where the hall's desk is, e.g. 192.168.1.5:8643.")
    ]
    code: Annotated[str, msgspec.Meta(max_length=40, description="The code that the desk shows.")]
    table: Annotated[str, msgspec.Meta(max_length=40, description="What this table is called in the hall.")]
    names: Annotated[bool, msgspec.Meta(description="Whether players' names go to the hall.")] = False


@blueprint.post("/join")
@owner_only
@takes(HallJoined)
def join() -> Response:
    """Join a hall of tables by the code that its desk shows."""
    asked, place = body_as(HallJoined, object_body()), PLACE.get()
    why = SAMPLE if place is None else place.join(asked.address, asked.code, asked.table, names=asked.names)
    if why is not None:
        return refused(why)
    return jsonify({"ok": True, "sentence": Sentence("This table is in the hall now.").to_json()})


@blueprint.post("/leave")
@owner_only
def leave() -> Response:
    """Leave the hall; what it has already stays there."""
    place = PLACE.get()
    why = None if place is None else place.leave()
    if why is not None:
        return refused(why)
    return jsonify({"ok": True, "sentence": Sentence("This table has left the hall.").to_json()})
