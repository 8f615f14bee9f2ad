"""How frames get to a board: the protocol that every transport keeps, and the two that need no board."""

from dataclasses import dataclass
from typing import Literal, Protocol

from firmware_bridge.bell import Bell
from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.protocols.uplink import Button, Hello, Message

Speech = Literal["own", "awa", "adalight", "wled", "ddp"]


class BoardError(OSError):
    """A board cannot be used, or no longer; the text is one sentence for a person."""

    def __str__(self) -> str:
        return str(self.args[0])


class BoardAwayError(BoardError):
    """The board is not plugged in: looking for it costs little, so it is looked for often."""


class EndedError(BoardError):
    """The driver was to end while it waited for a board."""

    def __init__(self) -> None:
        super().__init__("The LED board is no longer wanted.")


@dataclass(frozen=True)
class Board:
    """What answered: by which frames it is spoken to, and what it says of itself."""

    speech: Speech
    name: str
    leds: int | None = None
    speed: int | None = None  # baud, of a serial one
    hello: Hello | None = None  # of our own firmware

    def __str__(self) -> str:
        parts = [self.name]
        if self.leds is not None:
            parts.append(f"{self.leds} LEDs")
        if self.hello is not None:
            parts.append(f"buttons: {self.hello.buttons}, squares: {self.hello.squares}")
        if self.speed is not None:
            parts.append(f"{self.speed} baud")
        return ", ".join(parts)


def too_few(board: Board | None, leds: int) -> str | None:
    """Return what to say where a frame has more LEDs than the board says it has; None where it fits."""
    if board is None or board.leds is None or leds <= board.leds:
        return None
    return f"The LED board says that it has {board.leds} LEDs, but {leds} are wanted: the rest stays dark."


class Transport(Protocol):
    """Somewhere that frames can be sent to. Used by one thread only: the driver's.

    Every method may raise an `OSError`: the board is gone, and is to be closed and opened again.
    """

    @property
    def name(self) -> str:
        """What a player would call it."""
        ...

    @property
    def keep_alive(self) -> float | None:
        """Seconds after which an equal frame is sent again, or None."""
        ...

    @property
    def board(self) -> Board | None:
        """What answered when it was opened last."""
        ...

    @property
    def notice(self) -> str | None:
        """What a person should know although frames arrive, in a sentence; None if there is nothing."""
        ...

    def open(self, bell: Bell) -> None:
        """Find the board and take hold of it; gives up when the bell rings for the last time.

        Raises:
            BoardError: there is none, or it cannot be used.
        """
        ...

    def busy(self) -> float:
        """Return for how many seconds no frame should be sent; 0 if one may be sent now."""
        ...

    def send(self, frame: LedFrame) -> None:
        """Send a frame; may take as long as the wire needs."""
        ...

    def refused(self) -> bool:
        """Return, once, whether the frame that was sent last was not shown and should be sent again."""
        ...

    def receive(self, bell: Bell, timeout: float) -> list[Message]:
        """Wait for the board to say something, for the bell or for ``timeout`` seconds; return what it said."""
        ...

    def answer(self, press: Button) -> None:
        """Tell the board that a press has arrived."""
        ...

    def shown(self) -> tuple[Colour, ...] | None:
        """Return what its LEDs show, as a screen has it, where that can be seen: of a simulated board. Any thread."""
        ...

    def close(self) -> None:
        """Make the board dark if it still listens, and let go of it; it may be opened again. Never raises."""
        ...

    def end(self) -> None:
        """Let go of everything else: it is opened no more."""
        ...


class Silent:
    """What a transport does that has no wire: it is always there, always free and says nothing."""

    keep_alive: float | None = None
    board: Board | None = None
    notice: str | None = None

    def open(self, bell: Bell) -> None:
        """Do nothing."""

    def busy(self) -> float:
        """Return 0: it is free."""
        return 0.0

    def refused(self) -> bool:
        """Return False: whatever was sent is shown."""
        return False

    def receive(self, bell: Bell, timeout: float) -> list[Message]:
        """Wait for the bell; return nothing."""
        bell.wait(timeout)
        return []

    def answer(self, press: Button) -> None:
        """Do nothing."""

    def shown(self) -> tuple[Colour, ...] | None:
        """Return None: nobody sees it."""
        return None

    def close(self) -> None:
        """Do nothing."""

    def end(self) -> None:
        """Do nothing."""


class Nothing(Silent):
    """No board: frames go nowhere."""

    name = "no LED board"

    def send(self, frame: LedFrame) -> None:
        """Do nothing."""


class Recorder(Silent):
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
