"""A table's place in a hall that it joined by a code: how it joins, and what it keeps of that."""

import http.client
import json
import secrets
from pathlib import Path
from typing import Final

import msgspec

from companion.hall.direct.code import read_address, read_code
from companion.hall.direct.pinned import HallRefusesError
from companion.hall.direct.proving import OtherCodeError, proven, text_in
from companion.hall.settings import NAME, Membership
from companion.language.sentence import Sentence, SentenceError
from companion.rules.strict_json import read_json
from companion.settings.file import MEMBERSHIP_END
from companion.whole_file import write_whole

KEY_BYTES: Final = 32

REFUSALS: Final = {
    "code": Sentence("The hall has another code now: ask its organiser for it."),
    "name": Sentence("A table's name has 1 to 40 small letters, digits, - and _: choose another."),
    "taken": Sentence(
        "The hall has a table of this name already: choose another, or let the organiser remove that one."
    ),
    "full": Sentence("The hall takes no more tables, or no more from this address: let the organiser remove one."),
    "wait": Sentence("Too many wrong codes came from here: wait a minute, then try again."),
}
"""What to say of a hall's refusal, by its word."""


class JoinError(SentenceError):
    """The table is not in the hall; ``sentence`` says why and what to do."""


def join(address: str, code: str, table: str, *, names: bool, before: Membership | None = None) -> Membership:
    """Join the hall at an address by its code, under this name.

    ``before``: what this table has joined already; only the same hall is shown the same key again.

    Raises:
        JoinError: it has not joined; the text says why.
    """
    where, read = read_address(address), read_code(code)
    if where is None:
        raise JoinError(
            Sentence("Expected the hall's address, e.g. 192.168.1.5:8643, but got {got}.", got=address[:60])
        )
    if read is None:
        raise JoinError(Sentence("Expected a code of twelve letters and digits, e.g. 7KQM-2XD9-P4TN; check it."))
    if not NAME.fullmatch(table):
        raise JoinError(REFUSALS["name"])
    try:
        with proven(*where, read) as connection:
            fingerprint = connection.fingerprint
            again = before is not None and before.fingerprint == fingerprint
            key = before.key if before is not None and again else secrets.token_urlsafe(KEY_BYTES)
            asked = json.dumps({"code": read, "table": table, "key": key}).encode()
            hall = text_in(connection.ask("/join", asked), "hall")
        made = {"hall": hall, "table": table, "host": where[0], "port": where[1]}
        return msgspec.convert({**made, "fingerprint": fingerprint, "key": key, "names": names}, Membership)
    except OtherCodeError as why:
        raise JoinError(OTHER_CODE) from why
    except HallRefusesError as why:
        raise JoinError(REFUSALS.get(why.why, _NO_HALL)) from why
    except (OSError, http.client.HTTPException, ValueError) as why:
        raise JoinError(_NO_HALL) from why


OTHER_CODE: Final = Sentence("The hall at this address has another code: check the code and the address.")
_NO_HALL: Final = Sentence("No hall answers at this address: is its desk running, and in the same network?")


def file_of(journal: Path) -> Path:
    """Return where a table with this journal keeps its membership."""
    return journal.with_name(f"{journal.name}{MEMBERSHIP_END}")


def read_membership(journal: Path) -> Membership | None:
    """Return the membership that a table with this journal keeps, None if it keeps none.

    Raises:
        ValueError, OSError: its file cannot be read.
    """
    try:
        return msgspec.convert(read_json(file_of(journal).read_bytes()), Membership)
    except FileNotFoundError:
        return None


def keep_membership(journal: Path, membership: Membership) -> None:
    """Keep a membership for the next start.

    Raises:
        OSError: the file cannot be written.
    """
    data = json.dumps(msgspec.to_builtins(membership), ensure_ascii=False).encode()
    write_whole(file_of(journal), data, mode=0o600, folders=True)
