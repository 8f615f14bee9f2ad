"""The owner's PIN: how it is kept, and how slowly it can be guessed. Nothing here depends on the page."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from werkzeug.security import check_password_hash, generate_password_hash

from companion.language.sentence import Sentence, SentenceError
from companion.web.access.tries import Tries
from companion.whole_file import write_whole

log = logging.getLogger(__name__)

ADDRESSES_SHOWN: Final = 5  # of those that tried, to show the owner
SHORTEST_PIN: Final = 4  # characters of a PIN that is given at the start
SHORTEST_CHOSEN: Final = 6  # of one that is chosen on the page: as long as those that the program makes
LONGEST_PIN: Final = 128

_METHOD: Final = "scrypt"


class PinFileError(SentenceError):
    """A PIN cannot be read from its file; the text is one sentence."""


class TooManyTriesError(SentenceError):
    """The PIN was wrong too often; ``seconds``: how long to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            Sentence("Too many wrong PINs: wait {count} seconds and try again.", count=round(seconds) or 1)
        )
        self.seconds = seconds


def make_pin() -> str:
    """Return a fresh PIN of six digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


def hashed(pin: str) -> str:
    """Return the salted scrypt hash of a PIN, which is kept instead of the PIN."""
    return generate_password_hash(pin, method=_METHOD)


def read_pin(path: Path) -> str | None:
    """Return the hash of the PIN in a file, which has the hash or the plain PIN on its first line; None without a file.

    Raises:
        PinFileError: the file cannot be read, or it holds no PIN.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as why:
        raise PinFileError(
            Sentence("Expected a PIN in {path}, but the file cannot be read: check it.", path=str(path))
        ) from why
    line = text.splitlines()[0].strip() if text.strip() else ""
    if line.startswith(f"{_METHOD}:"):
        if line.count("$") != len(("salt", "hash")):
            raise PinFileError(
                Sentence(
                    "The PIN's hash in {path} is damaged: delete the file and choose a new PIN on the page.",
                    path=str(path),
                )
            )
        return line
    if not SHORTEST_PIN <= len(line) <= LONGEST_PIN:
        raise PinFileError(
            Sentence(
                "Expected a PIN of {least} to {most} characters on the first line of {path}, but it has {count}.",
                least=SHORTEST_PIN,
                most=LONGEST_PIN,
                path=str(path),
                count=len(line),
            )
        )
    return hashed(line)


def keep_pin(path: Path, kept: str) -> None:
    """Keep the hash of a PIN in a file that only its owner may read.

    Raises:
        UnwrittenFileError: it cannot be written.
    """
    write_whole(path, f"{kept}\n".encode(), mode=0o600, folders=True)


@dataclass(frozen=True)
class Attempts:
    """Wrong PINs since the owner last looked: how many, from which addresses (the newest few), and when the last.

    ``locked``: whether anybody had to wait because of them. ``last`` is in seconds since 1970.
    """

    wrong: int = 0
    addresses: tuple[str, ...] = ()
    last: float | None = None
    locked: bool = False


class PinGate:
    """Checks PINs, slower with every wrong one of an address; nobody can lock the owner out (`Tries`)."""

    def __init__(
        self, pin: str | None, clock: Callable[[], float] = time.monotonic, *, kept: str | None = None
    ) -> None:
        """``pin``: in plain, or None if ``kept`` is its hash; ``clock``: in seconds."""
        if pin is None and kept is None:
            raise ValueError("Expected a PIN or its hash, but got neither.")
        self._hash = hashed(pin) if pin is not None else str(kept)
        self._lock = threading.Lock()  # one check at a time: scrypt takes 32 MB
        self.tries = Tries(clock)
        """Who has to wait because of wrong PINs."""
        self._attempts = Attempts()

    @property
    def attempts(self) -> Attempts:
        """What the owner should know about wrong PINs."""
        return self._attempts

    def seen(self) -> None:
        """Forget the wrong PINs that the owner has seen; this shortens nobody's wait."""
        self._attempts = Attempts()

    def change(self, kept: str) -> None:
        """Require another PIN from now on, given as its hash."""
        with self._lock:
            self._hash = kept

    def check(self, pin: str, address: str, sender: str) -> bool:
        """Return whether this is the PIN; comparing takes equally long for every wrong one.

        ``sender``: by which name the tries are counted (`Tries.wait`); ``address``: where the owner sees it came from.

        Raises:
            TooManyTriesError: the sender has to wait first; the PIN was not checked.
        """
        if (seconds := self.tries.wait(sender)) > 0:  # before the line of those whose PIN is compared
            raise TooManyTriesError(seconds)
        with self._lock:
            if (seconds := self.tries.wait(sender)) > 0:
                raise TooManyTriesError(seconds)
            if check_password_hash(self._hash, pin[: LONGEST_PIN + 1]):
                self.tries.right(sender)
                return True
            self._note(address, locked=self.tries.wrong(sender))
            return False

    def _note(self, address: str, *, locked: bool) -> None:
        before = self._attempts
        if locked and not before.locked:
            log.warning("The owner's PIN was wrong so often that the next tries have to wait.")
        others = tuple(one for one in before.addresses if one != address)
        self._attempts = Attempts(
            before.wrong + 1, (address, *others)[:ADDRESSES_SHOWN], time.time(), before.locked or locked
        )
