"""What may be asked of a table over the broker: the owner's few commands, each only where it is switched on."""

import json
import logging
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from companion.hall.settings import OUTSIDE
from companion.hall.table_seen import Doors, DoorsError, HallTable
from companion.rules.strict_json import read_json

log = logging.getLogger(__name__)

ACTOR: Final = "hall"
"""The actor of these commands in the journal."""

MOST_BYTES: Final = 1000


class OutsideCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command from outside; ``language`` is for the command of that name."""

    command: Annotated[str, msgspec.Meta(max_length=40)]
    language: Annotated[str, msgspec.Meta(max_length=20)] = ""


class OutsideCommands:
    """Carries out what is allowed and refuses everything else in a sentence."""

    def __init__(self, table: HallTable, doors: Doors, allowed: frozenset[str]) -> None:
        self._table = table
        self._doors = doors
        self._allowed = allowed & frozenset(OUTSIDE)

    def do(self, payload: bytes, *, retained: bool) -> bytes:
        """Carry out a command: JSON such as ``{"command": "pause"}``, or the bare word. Return the answer as JSON.

        A retained one is refused: the broker would give it again after every start.
        """
        name = ""
        try:
            asked = _read(payload)
            name = asked.command
            if retained:
                raise DoorsError("A command must not be retained.")  # noqa: TRY301  (one way out)
            reply = self._done(asked)
            answer: Mapping[str, Any] = {"command": name, "ok": True, "sentence": reply}
        except DoorsError as why:
            answer = {"command": name, "ok": False, "sentence": str(why)}
        log.info("from outside: %s", answer)
        return json.dumps(answer, ensure_ascii=False).encode()

    def _done(self, asked: OutsideCommand) -> str:
        name = asked.command
        if name not in OUTSIDE:
            raise DoorsError(f"Expected one of {', '.join(OUTSIDE)}.")
        if name not in self._allowed:
            raise DoorsError(f"The command {name} is not switched on at this table.")
        if name == "language":
            return self._doors.language(asked.language)
        if name == "pause":
            reply = self._table.command("pause", {}, ACTOR)
            if not reply.ok:
                raise DoorsError(str(reply.sentence))
            return str(reply.sentence)
        return {"attract": self._doors.attract, "close": self._doors.close, "open": self._doors.open}[name]()


def _read(payload: bytes) -> OutsideCommand:
    if len(payload) > MOST_BYTES:
        raise DoorsError(f"Expected a command of at most {MOST_BYTES} bytes.")
    if payload.decode("ascii", "replace") in OUTSIDE:
        return OutsideCommand(payload.decode("ascii"))
    try:
        return msgspec.convert(read_json(payload), OutsideCommand)
    except ValueError as why:
        raise DoorsError('Expected a command, e.g. {"command": "pause"}.') from why
