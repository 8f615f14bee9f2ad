"""Which phone may send pictures, and which one's pictures are the table's: one camera at a time, never two mixed.

A phone is let in by a token that the table's page shows as a code, once and not for long. Then it may send pictures and
nothing else. No clock but the one that is handed in, nothing of the web.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Sentence

INVITED: Final = 5 * 60.0
"""Seconds for which a code lets a phone in."""

REMEMBERED: Final = 12 * 3600.0
"""Seconds after its last picture for which a phone may go on without a new code."""

MOST_PHONES: Final = 8
"""Phones that are remembered; the one that was let in first makes room."""

GIVES_WAY: Final = 10.0
"""Seconds without a picture after which another camera takes over by sending one."""


class PairingError(Exception):
    """A phone is not let in, or its pictures are not taken; ``sentence`` says why and what to do. ``kind``: other."""

    def __init__(self, sentence: Sentence, kind: str) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.kind = kind


OVER = Sentence("This code was used already or is too old: scan the code that the table's page shows now.")
OTHER = Sentence("Another device is this table's camera: tap to take over from it.")


@dataclass(frozen=True)
class Invitation:
    """A token and the clock until which it lets one phone in. ``number`` grows with each."""

    token: str
    until: float
    number: int


@dataclass(frozen=True)
class Sending:
    """Who sends: how many pictures were taken, and how many seconds ago the last one; ``phone``: it was let in."""

    pictures: int
    ago: float
    phone: bool


@dataclass
class _Phone:
    used: float


class Pairing:
    """The phones of one table. Safe for threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds, never set back."""
        self._clock = clock
        self._lock = threading.Lock()
        self._turn = threading.Lock()  # held while a picture is handed in; taken before the other, never after it
        self._invitation: Invitation | None = None
        self._invited = 0
        self._phones: OrderedDict[str, _Phone] = OrderedDict()
        self._sender: str | None = None
        self._pictures = 0
        self._last = 0.0

    def invite(self) -> Invitation:
        """Return a new token; an older one lets nobody in any more."""
        with self._lock:
            self._invited += 1
            self._invitation = Invitation(secrets.token_urlsafe(12), self._clock() + INVITED, self._invited)
            return self._invitation

    def invitation(self) -> tuple[Invitation, float] | None:
        """Return the token that still lets a phone in, and for how many seconds; None where there is none."""
        with self._lock:
            invited = self._invitation
            left = 0.0 if invited is None else invited.until - self._clock()
            return None if invited is None or left <= 0 else (invited, left)

    def pair(self, token: str) -> str:
        """Let a phone in; return the key by which it is known from now on.

        Raises:
            PairingError: the token is none, was used, or is too old.
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
        """Tell whether this is the key of a phone that was let in, and not too long ago."""
        with self._lock:
            phone = self._phones.get(key)
            if phone is not None and self._clock() - phone.used > REMEMBERED:
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
        """Hand in a picture of this sender while the block runs; nobody else's comes in meanwhile.

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
            yield  # a picture that is refused is raised through here, and does not count
            with self._lock:
                self._pictures += 1
                self._last = self._clock()
                if sender in self._phones:
                    self._phones[sender].used = self._last

    def take_over(self, sender: str) -> None:
        """Make this sender the table's camera: its owner has said so."""
        with self._turn, self._lock:
            self._sender, self._pictures, self._last = sender, 0, self._clock()

    def sending(self) -> Sending | None:
        """Return who sends, None before anybody did."""
        with self._lock:
            if self._sender is None or not self._pictures:
                return None
            return Sending(self._pictures, self._clock() - self._last, self._sender in self._phones)

    @property
    def phones(self) -> int:
        """How many phones may send."""
        with self._lock:
            return len(self._phones)
