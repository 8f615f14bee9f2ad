"""The tables that joined a hall by its code, and the code: kept by the hall in one file."""

import hmac
import json
import threading
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from companion.hall.acl import ASSISTANT, BOOK, OWNER
from companion.hall.direct.code import digest_of, new_code
from companion.hall.settings import NAME
from companion.rules.strict_json import read_json
from companion.whole_file import write_whole

MOST_TABLES: Final = 1000

Refused = Literal["code", "name", "taken", "full"]
"""Why a table is not let in: the code is wrong; it cannot be called so; another table is; there are enough tables."""

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class MembersError(Exception):
    """The file of the hall's tables cannot be used; the text is one sentence."""


class _Kept(msgspec.Struct, frozen=True):
    """What the file holds: the code, and by table the digest of its key."""

    code: Annotated[str, msgspec.Meta(pattern="^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$")]
    tables: dict[str, Digest] = {}


class Members:
    """Lets tables in by the code, and knows them by their keys. Thread-safe."""

    def __init__(self, path: Path) -> None:
        """Read the file; without one, begin with a new code and no table.

        Raises:
            MembersError: the file is there and cannot be read, or it cannot be written.
        """
        self._path = path
        self._lock = threading.Lock()
        try:
            self._kept = msgspec.convert(read_json(path.read_bytes()), _Kept)
        except FileNotFoundError:
            self._keep(_Kept(new_code()))
        except (OSError, ValueError) as why:
            raise MembersError(
                f"{path} cannot be read ({why}): mend it, or delete it and let all tables join."
            ) from why

    @property
    def code(self) -> str:
        """The code that lets a table in now."""
        return self._kept.code

    @property
    def tables(self) -> list[str]:
        """The names of the tables, sorted."""
        return sorted(self._kept.tables)

    def renew(self) -> None:
        """Make another code; tables that joined by the one before stay.

        Raises:
            MembersError: the file cannot be written, and the code stays.
        """
        with self._lock:
            self._keep(_Kept(new_code(), self._kept.tables))

    def join(self, code: str, table: str, key: str) -> Refused | None:
        """Let a table in, which shows itself by ``key`` from now on; return why not, None if it is in.

        Raises:
            MembersError: the file cannot be written, and the table is not in.
        """
        with self._lock:
            if not hmac.compare_digest(code.encode(), self._kept.code.encode()):
                return "code"
            if not NAME.fullmatch(table) or table in (ASSISTANT, BOOK, OWNER):
                return "name"
            known = self._kept.tables.get(table)
            if known is not None and not hmac.compare_digest(known, digest_of(key)):
                return "taken"
            if known is None and len(self._kept.tables) >= MOST_TABLES:
                return "full"
            self._keep(_Kept(self._kept.code, {**self._kept.tables, table: digest_of(key)}))
            return None

    def remove(self, table: str) -> bool:
        """Forget a table, so that it has to join again; return whether there was one of this name.

        Raises:
            MembersError: the file cannot be written, and the table stays.
        """
        with self._lock:
            if table not in self._kept.tables:
                return False
            self._keep(_Kept(self._kept.code, {one: its for one, its in self._kept.tables.items() if one != table}))
            return True

    def table_of(self, key: str) -> str | None:
        """Return the table whose key this is, None if it is nobody's."""
        asked = digest_of(key)
        return next((table for table, known in self._kept.tables.items() if hmac.compare_digest(known, asked)), None)

    def _keep(self, kept: _Kept) -> None:
        data = json.dumps(msgspec.to_builtins(kept), ensure_ascii=False, indent=1).encode()
        try:
            write_whole(self._path, data, mode=0o600, folders=True)
        except OSError as why:
            raise MembersError(f"{self._path} cannot be written ({why.strerror or why}).") from why
        self._kept = kept
