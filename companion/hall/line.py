"""What a table and a hall's book ask of the line between them, whether a broker carries it or the hall itself."""

import selectors
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class LineLostError(Exception):
    """The line to the broker is lost or was refused; the text says why."""


class UnreachableError(LineLostError):
    """Nobody listens where the broker should."""


@dataclass(frozen=True)
class Will:
    """What the broker tells the others, retained, if this line ends without a word."""

    topic: str
    payload: bytes


@dataclass(frozen=True)
class Received:
    """A message from the broker. ``number`` and ``qos`` are for its acknowledgement."""

    topic: str
    payload: bytes
    retained: bool
    number: int
    qos: int


class Waker:
    """Wakes a thread that waits in `HallLine.turn`; any thread may call it."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.settimeout(0)

    def wake(self) -> None:
        """End the wait that is going on, or the next one."""
        try:
            self._write.send(b"!")
        except OSError:  # it is full, so the thread wakes anyway, or it is closed
            return

    def wait(self, line: int | None, seconds: float, *, writes: bool = False) -> bool:
        """Wait for the line, by its descriptor, for `wake` or for so many seconds; return whether the line is ready."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._read, selectors.EVENT_READ)
            if line is not None:
                selector.register(line, selectors.EVENT_READ | (selectors.EVENT_WRITE if writes else 0))
            ready = {key.fileobj for key, _ in selector.select(seconds)}
        if self._read in ready:
            try:
                while self._read.recv(4096):
                    pass
            except BlockingIOError:
                pass
        return line in ready

    def close(self) -> None:
        """Close both ends."""
        self._read.close()
        self._write.close()


class HallLine(Protocol):
    """An open line. For one thread; only its `Waker` is for others.

    Every method but `received` and `close` raises `LineLostError` where the line is lost; then it is thrown away and a
    new one opened.
    """

    def turn(self, seconds: float, /) -> None:
        """Wait at most so long for a message or a `Waker.wake`, then send and take what there is."""

    def publish(self, topic: str, payload: bytes, /, *, qos: int = 1, retain: bool = False) -> int:
        """Send a message; return its number."""

    def subscribe(self, *topics: str, needed: bool = True) -> None:
        """Ask for the messages of topics, first those that are retained."""

    def received(self, message: Received, /) -> None:
        """Acknowledge a message, so that it is not sent again."""

    def close(self, last: tuple[str, bytes] | None = None, /) -> None:
        """Sign out; ``last``: a retained message before that, instead of the last will."""


Opening = Callable[..., HallLine]
"""Opens a line as a client of a name, with its `Waker`; `LineLostError` where that does not succeed.

It takes what `companion.hall.mqtt.MqttLine` takes by name; a way that needs less leaves the rest out.
"""
