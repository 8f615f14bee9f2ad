"""One way to ask two databases, an SQLite file or PostgreSQL by its address, and the form of the book in both."""

import contextlib
import errno
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, Self

from companion.data_file import data_of
from companion.whole_file import for_owner_alone

STEPS: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(step["statements"]) for step in data_of(__package__, "steps.toml")["step"]
)
"""What each form of the book adds to the one before it; the file says what the columns hold."""


POSTGRESQL: Final = ("postgresql://", "postgres://")

BOOK_FORM_LOCK: Final = 0x416C6561
"""The name of the lock that one collector holds while it changes PostgreSQL's form of the book."""

CONNECT_WAIT: Final = 5
"""Seconds that connecting to PostgreSQL may take."""

ANSWER_WAIT: Final = 15_000
"""Milliseconds after which PostgreSQL, or the way to it, is given up: less than a broker waits for a sign of life."""

OF_VALUES: tuple[type[Exception], ...] = (sqlite3.DataError, sqlite3.IntegrityError, ValueError, OverflowError)
"""What a database raises that does not take a value."""

FULL: Final = {"SQLITE_FULL", "53100"}
"""What SQLite and PostgreSQL call a full disk."""


UNREADABLE: Final = (
    "Expected an address of PostgreSQL such as postgresql://alea@localhost/hall, but the one that is given cannot be "
    "read: in a name or password write each of the signs : / @ # ? % as % and its two digits, e.g. %40 for @."
)


class BookError(Exception):
    """The book cannot be opened, read or written now; the text is one sentence. ``full``: its disk is full."""

    def __init__(self, message: str, *, full: bool = False) -> None:
        super().__init__(message)
        self.full = full


class NotTakenError(BookError):
    """The book is there, and does not take these values."""


class _Connection(Protocol):
    """What `sqlite3` and `psycopg` have in common."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any: ...

    def cursor(self) -> Any: ...

    def close(self) -> None: ...


class Database:
    """An open database. SQL has ``%s`` for values, as PostgreSQL's driver wants it. For one thread."""

    def __init__(self, url: str) -> None:
        """``url``: ``postgresql://...``, or the path of an SQLite file, which is made if it is missing.

        Raises:
            BookError: it cannot be opened, or a newer program wrote it.
        """
        self.is_postgresql = url.startswith(POSTGRESQL)
        self._secret = ""
        self._errors: tuple[type[Exception], ...] = (sqlite3.Error, OSError)
        self._of_values = OF_VALUES
        with self._in_words():
            self._db = self._opened(url)
        try:
            self._bring_up_to_date()
            if not self.is_postgresql:
                for_owner_alone(Path(url), "-wal", "-shm")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self, url: str) -> _Connection:
        if self.is_postgresql:
            import psycopg  # noqa: PLC0415  (an SQLite book needs no PostgreSQL driver)

            try:
                named = psycopg.conninfo.conninfo_to_dict(url)
            except (psycopg.Error, ValueError):  # what they say quotes the address, perhaps with its password
                raise BookError(UNREADABLE) from None
            self._errors = (psycopg.Error, OSError)
            self._of_values = (psycopg.DataError, psycopg.IntegrityError, *OF_VALUES)
            self._secret = str(named.get("password") or "")
            patience: dict[str, str | int] = {
                "options": f"-c statement_timeout={ANSWER_WAIT}",
                "tcp_user_timeout": ANSWER_WAIT,
            }
            missing = {name: value for name, value in patience.items() if name not in named}
            with self._in_words():
                url = psycopg.conninfo.make_conninfo(url, **missing)
                return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_WAIT)
        if "://" in url or url in ("", ":memory:"):  # SQLite would keep these two nowhere
            raise BookError("Expected a file or an address that begins with postgresql://.")
        Path(url).parent.mkdir(parents=True, exist_ok=True)
        if not Path(url).exists():
            for_owner_alone(Path(url))
        db = sqlite3.connect(url, isolation_level=None, timeout=10)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        return db

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except self._of_values as why:
            raise NotTakenError(f"The book does not take this ({self._reason_of(why)}).") from why
        except self._errors as why:
            code = getattr(why, "sqlite_errorname", None) or getattr(why, "sqlstate", None)
            full = code in FULL or getattr(why, "errno", None) == errno.ENOSPC
            raise BookError(f"The book cannot be used ({self._reason_of(why)}).", full=full) from why

    def _reason_of(self, why: Exception) -> str:
        """Return what a database says of a fault, on one line and without its password."""
        reason = " ".join(str(getattr(why, "strerror", None) or why).split()) or type(why).__name__
        return reason.replace(self._secret, "***") if self._secret else reason

    def close(self) -> None:
        """Close the database; what was not committed is lost."""
        with contextlib.suppress(*self._errors):
            self._db.close()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement; return its rows.

        Raises:
            BookError: it failed, and with it the transaction.
        """
        with self._in_words():
            cursor = self._db.execute(sql if self.is_postgresql else sql.replace("%s", "?"), values)
            found = [] if cursor.description is None else cursor.fetchall()
            cursor.close()
            return [tuple(row) for row in found]

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run one statement, which returns nothing, for each of these rows of values; PostgreSQL gets them together.

        Raises:
            BookError: it failed, and with it the transaction.
        """
        if not rows:
            return
        with self._in_words():
            cursor = self._db.cursor()
            cursor.executemany(sql if self.is_postgresql else sql.replace("%s", "?"), rows)
            cursor.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep everything that the block does, durably, or nothing of it.

        Raises:
            BookError: it could not be kept.
        """
        self.rows("BEGIN" if self.is_postgresql else "BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            with contextlib.suppress(BookError):
                self.rows("ROLLBACK")
            raise

    def _bring_up_to_date(self) -> None:
        with contextlib.suppress(BookError):  # a new book has nothing to count yet
            if self._steps() == len(STEPS):
                return  # a reader never waits for a writer
        numbered = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY" if self.is_postgresql else "INTEGER PRIMARY KEY"
        with self.transaction():
            if self.is_postgresql:
                self.rows("SET LOCAL statement_timeout = 0")  # a step may take its time, and wait for another's
                self.rows("SELECT pg_advisory_xact_lock(%s)", BOOK_FORM_LOCK)
            self.rows("CREATE TABLE IF NOT EXISTS alea_book (step BIGINT PRIMARY KEY)")
            done = self._steps()
            if done > len(STEPS):
                raise BookError("A newer companion wrote this book: update this one, or name another book.")
            for step, statements in enumerate(STEPS[done:], start=done + 1):
                for statement in statements:
                    self.rows(statement.replace("{id}", numbered))
                self.rows("INSERT INTO alea_book VALUES (%s)", step)

    def _steps(self) -> int:
        return int(self.rows("SELECT COUNT(*) FROM alea_book")[0][0])
