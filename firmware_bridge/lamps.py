"""Two lamps beside a table, each lit alone for one view: WLED strips, or two segments of one, switched by HTTP.

WLED takes ``POST /json/state``: ``on`` switches the strip or a segment, and ``tt`` 0 leaves out the crossfade (WLED,
interfaces/json-api). Colour and brightness stay as the owner set them.
"""

import http.client
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.address import address
from firmware_bridge.phrase import Phrase

EXPECTED: Final = "wled://HOST[:PORT][/SEGMENT] once or twice, with a comma between them"
ANSWER_WITHIN: Final = 0.3
"""Seconds that one step of a request may take; a strip in the same network answers within some hundredths."""

AGAIN_AFTER: Final = 2.0
"""Seconds until a strip that failed is sent again how it should shine."""

MOST_ANSWER: Final = 4096  # bytes

Lit = tuple[bool, bool]
"""Whether the one and the other lamp shines."""

BOTH: Final[Lit] = (True, True)

State = tuple[tuple[int | None, bool], ...]
"""Which segments of one strip shine; None is the whole strip."""


class UnknownLampsError(ValueError):
    """These words name no pair of lamps; the text is one sentence."""


class LampError(Exception):
    """A lamp did not do what was asked of it; the argument is a `Phrase`."""


@dataclass(frozen=True)
class Lamp:
    """A WLED strip, or one segment of it."""

    host: str
    port: int = 80
    segment: int | None = None


class Lamps:
    """Switches a pair of lamps. A thread for each strip asks it, so no caller waits longer than it says.

    A strip that failed is asked again until it does what was asked last: one lost answer leaves no lamp dark.
    """

    def __init__(self, one: Lamp, other: Lamp, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds, with any start; deadlines are in its time.

        Raises:
            UnknownLampsError: both are the same.
        """
        if one == other or ((one.host, one.port) == (other.host, other.port) and None in (one.segment, other.segment)):
            raise UnknownLampsError("Expected two lamps, but got one twice: name two strips, or two segments of one.")
        self.pair = (one, other)
        self._clock = clock
        self._strips = {place: _Strip(*place) for place in dict.fromkeys((lamp.host, lamp.port) for lamp in self.pair)}

    def start(self) -> None:
        """Light both."""
        for strip in self._strips.values():
            strip.start()
        self._want(BOTH)

    def stop(self) -> None:
        """End the threads; the lamps stay as they are."""
        for strip in self._strips.values():
            strip.end()

    def light(self, lit: Lit, within: float = ANSWER_WITHIN) -> None:
        """Light each lamp or not, and wait up to ``within`` seconds until both have answered.

        Raises:
            LampError: one did not answer, or not as WLED does.
        """
        until = self._clock() + within
        self._want(lit)
        for strip in self._strips.values():
            trouble = strip.wait(max(0.0, until - self._clock()))
            if trouble is not None:
                raise LampError(trouble)

    def _want(self, lit: Lit) -> None:
        each = dict(zip(self.pair, lit, strict=True))
        for place, strip in self._strips.items():
            strip.want(tuple((lamp.segment, on) for lamp, on in each.items() if (lamp.host, lamp.port) == place))


class _Strip(threading.Thread):
    """Tells one WLED strip what it should show, the newest wish alone."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(name=f"lamp {host}", daemon=True)
        self._place = (host, port)
        self._turn = threading.Condition()
        self._wanted: State | None = None  # guarded by _turn, as is what follows
        self._shown: State | None = None
        self._trouble: Phrase | None = None
        self._ending = False

    def want(self, state: State) -> None:
        with self._turn:
            self._wanted, self._trouble = state, None
            self._turn.notify_all()

    def wait(self, seconds: float) -> Phrase | None:
        """Wait until the strip shows what is wanted; return what went wrong."""
        with self._turn:
            self._turn.wait_for(lambda: self._wanted == self._shown or self._trouble is not None, seconds)
            if self._wanted == self._shown:
                return None
            return self._trouble or Phrase("The lamp at {host} does not answer.", host=self._place[0])

    def end(self) -> None:
        with self._turn:
            self._ending = True
            self._turn.notify_all()

    def run(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._ending or self._wanted != self._shown)
                if self._ending:
                    return
                wanted, self._shown = self._wanted, None  # while it is asked, nobody knows what it shows
            assert wanted is not None, "nothing else differs from what is shown"
            trouble = self._tell(wanted)
            with self._turn:
                if trouble is None:
                    self._shown = wanted
                if self._wanted == wanted:
                    self._trouble = trouble
                self._turn.notify_all()
                if trouble is not None and self._wanted == wanted:
                    self._turn.wait(AGAIN_AFTER)  # `want` and `end` wake it

    def _tell(self, state: State) -> Phrase | None:
        host, port = self._place
        connection = http.client.HTTPConnection(host, port, timeout=ANSWER_WITHIN)
        try:
            connection.request("POST", "/json/state", json.dumps(_body(state)), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer_text = answer.read(MOST_ANSWER)
            if answer.status == http.client.OK and json.loads(answer_text).get("success") is True:
                return None
        except (OSError, http.client.HTTPException):
            return Phrase("The lamp at {host} does not answer.", host=host)
        except (ValueError, AttributeError):
            pass  # no JSON, or no object
        finally:
            connection.close()
        return Phrase("The device at {host} is not a WLED strip, or it cannot be switched.", host=host)


def _body(state: Sequence[tuple[int | None, bool]]) -> dict[str, object]:
    """Return WLED's request for the state of one strip."""
    if state[0][0] is None:
        return {"on": state[0][1], "tt": 0}
    return {"on": True, "tt": 0, "seg": [{"id": segment, "on": on} for segment, on in state]}


def lamps_of(words: str) -> Lamps:
    """Return the pair of lamps that ``words`` name; one strip alone means its first two segments.

    Raises:
        UnknownLampsError: they name no pair.
    """
    named = [_lamp(one.strip()) for one in words.split(",")]
    if len(named) == 1 and named[0].segment is None:
        named = [Lamp(named[0].host, named[0].port, segment) for segment in (0, 1)]
    if len(named) != 2:  # noqa: PLR2004  (a pair)
        raise UnknownLampsError(f"Expected {EXPECTED} for the lamps, but got {words!r}.")
    return Lamps(named[0], named[1])


def _lamp(words: str) -> Lamp:
    found = address(words)
    if found is not None and found.scheme == "wled" and (not found.path or found.path.isdecimal()):
        return Lamp(found.host, found.port or 80, int(found.path) if found.path else None)
    raise UnknownLampsError(f"Expected {EXPECTED} for the lamps, but got {words!r}.")
