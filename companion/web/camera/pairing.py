"""Which phones may send pictures, and whose pictures the table uses: one camera at a time, never a mix of two.

The table's page shows a token as a code. The token admits one phone, for a short time. That phone may then send
pictures and nothing else. This module uses only the clock that the caller passes, and nothing of the web.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Sentence, SentenceError

CODE_SECONDS: Final = 5 * 60.0
"""Seconds for which a code admits a phone."""

PHONE_REMEMBERED_SECONDS: Final = 12 * 3600.0
"""Seconds after its last picture in which a phone may continue without a new code."""

MOST_PHONES: Final = 8
"""The most phones to remember; a further one replaces the one that was admitted first."""

GIVES_WAY: Final = 10.0
"""Seconds without a picture after which another camera takes over when it sends one."""


class PairingError(SentenceError):
    """A phone or its pictures are refused; ``sentence`` says why and what to do; ``kind`` is over or other."""

    def __init__(self, sentence: Sentence, kind: str) -> None:
        super().__init__(sentence)
        self.kind = kind


OVER = Sentence("This code has been used already or has expired: scan the code that the table's page shows now.")
OTHER = Sentence("Another device is this table's camera: tap to take over.")


@dataclass(frozen=True)
class PairingToken:
    """A token, and the time on the clock ``until`` which it admits one phone. ``number`` grows with each token."""

    token: str
    until: float
    number: int


@dataclass(frozen=True)
class Sending:
    """The sender: how many pictures it sent, and how many seconds ``ago`` the last; ``phone``: it is a known phone."""

    pictures: int
    ago: float
    phone: bool


@dataclass
class _Phone:
    used: float


class PhonePairing:
    """The phones of one table. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds, never set back."""
        self._clock = clock
        self._lock = threading.Lock()
        self._turn = threading.Lock()  # held while a picture is handed in; take it before the other lock, never after
        self._invitation: PairingToken | None = None
        self._invited = 0
        self._phones: OrderedDict[str, _Phone] = OrderedDict()
        self._sender: str | None = None
        self._pictures = 0
        self._last = 0.0

    def invite(self) -> PairingToken:
        """Return a new token; an older one no longer admits anybody."""
        with self._lock:
            self._invited += 1
            self._invitation = PairingToken(secrets.token_urlsafe(12), self._clock() + CODE_SECONDS, self._invited)
            return self._invitation

    def invitation(self) -> tuple[PairingToken, float] | None:
        """Return the valid token and for how many more seconds it admits a phone, or None if there is none."""
        with self._lock:
            invited = self._invitation
            left = 0.0 if invited is None else invited.until - self._clock()
            return None if invited is None or left <= 0 else (invited, left)

    def pair(self, token: str) -> str:
        """Admit a phone; return the key that identifies it from now on.

        Raises:
            PairingError: the token is wrong, used, or too old.
        """
        with self._lock:
            invited = self._invitation
            right = invited is not None and secrets.compare_digest(invited.token.encode(), token.encode())
            if invited is None or not right or self._clock() >= invited.until:
                raise PairingError(OVER, "over")
            self._invitation = None
            key = secrets.token_urlsafe(24)
            self._phones[key] = _Phone(self._clock())
            while len(self._phones) > MOST_PHONES:
                self._phones.popitem(last=False)
            return key

    def knows(self, key: str) -> bool:
        """Return whether this is the key of an admitted phone that may still send."""
        with self._lock:
            phone = self._phones.get(key)
            if phone is not None and self._clock() - phone.used > PHONE_REMEMBERED_SECONDS:
                del self._phones[key]
                phone = None
            return phone is not None

    def dismiss(self) -> None:
        """Forget all phones and the open invitation."""
        with self._lock:
            if self._sender in self._phones:
                self._sender = None
            self._phones.clear()
            self._invitation = None

    @contextmanager
    def turn(self, sender: str) -> Iterator[None]:
        """Reserve the time of the block for a picture of this sender; nobody else hands one in meanwhile.

        Raises:
            PairingError: another camera is sending; ``kind`` is other.
        """
        with self._turn:
            with self._lock:
                if self._sender not in (None, sender) and self._clock() - self._last <= GIVES_WAY:
                    raise PairingError(OTHER, "other")
                if self._sender != sender:
                    self._sender, self._pictures = sender, 0
                self._last = self._clock()
            yield  # the error of a refused picture passes through here, so the picture does not count
            with self._lock:
                self._pictures += 1
                self._last = self._clock()
                if sender in self._phones:
                    self._phones[sender].used = self._last

    def take_over(self, sender: str) -> None:
        """Make this sender the table's camera, because its user asked for it."""
        with self._turn, self._lock:
            self._sender, self._pictures, self._last = sender, 0, self._clock()

    def sending(self) -> Sending | None:
        """Return who sends, or None before the first picture."""
        with self._lock:
            if self._sender is None or not self._pictures:
                return None
            return Sending(self._pictures, self._clock() - self._last, self._sender in self._phones)

    @property
    def phones(self) -> int:
        """The number of phones that may send."""
        with self._lock:
            return len(self._phones)
