"""How frames get to a board: the protocol that every transport keeps, and the two that need no board."""

from typing import Protocol

from firmware_bridge.frame import LedFrame


class Transport(Protocol):
    """Somewhere that frames can be sent to. Used by one thread only."""

    @property
    def name(self) -> str:
        """What a player would call it."""
        ...

    def send(self, frame: LedFrame) -> None:
        """Show a frame; may take as long as the wire needs."""
        ...

    def close(self) -> None:
        """Let go of the wire."""
        ...


class Nothing:
    """No board: frames go nowhere."""

    name = "no LED board"

    def send(self, frame: LedFrame) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Recorder:
    """Keeps every frame that was sent, for tests of whoever sends them."""

    name = "recorder"

    def __init__(self) -> None:
        self.frames: list[LedFrame] = []
        self.closed = False

    def send(self, frame: LedFrame) -> None:
        """Keep the frame."""
        self.frames.append(frame)

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True
