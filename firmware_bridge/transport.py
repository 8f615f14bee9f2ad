"""How frames get to a board: what every transport does, and the two transports that need no board."""

from dataclasses import dataclass

from firmware_bridge.bell import Bell
from firmware_bridge.brightness import Brightness, seen
from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.phrase import Phrase
from firmware_bridge.protocols.uplink import Button, Hello, Message

SIMULATED_LEDS = 200
"""LEDs that a simulated board says it has; it lights as many as it is sent."""

_LED_BYTES = 3  # of a frame: red, green and blue


class BoardError(OSError):
    """A board cannot be used, or no longer; the text is one sentence for a person."""

    def __str__(self) -> str:
        return str(self.args[0])


class BoardAwayError(BoardError):
    """The board is not plugged in: a search costs little, so the driver searches often."""


class EndedError(BoardError):
    """The driver was to end while it waited for a board."""

    def __init__(self) -> None:
        super().__init__("The LED board is no longer wanted.")


@dataclass(frozen=True)
class ConnectedBoard:
    """The board that answered: the name of its protocol, and what it says of itself."""

    protocol: str
    name: str
    leds: int | None = None
    speed: int | None = None  # baud, of a serial board
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


def too_few(board: ConnectedBoard | None, leds: int) -> Phrase | None:
    """Return what to say if a frame has more LEDs than the board reports; None if it fits."""
    if board is None or board.leds is None or leds <= board.leds:
        return None
    return Phrase(
        "The LED board says that it has {has} LEDs, but {wanted} are needed: the rest stays dark.",
        has=str(board.leds),
        wanted=str(leds),
    )


class Transport:
    """A destination for frames. Used by one thread only: the driver's.

    Every method may raise an `OSError`: the board is gone; close it and open it again. As the methods stand here, they
    are those of a transport without a wire: it is always there, always free and says nothing.
    """

    keep_alive: float | None = None
    """Seconds after which an equal frame is sent again, or None."""

    board: ConnectedBoard | None = None
    """The board that answered at the last opening."""

    @property
    def name(self) -> str:
        """The name of the board for a player."""
        raise NotImplementedError

    @property
    def notice(self) -> Phrase | None:
        """What a person should know although frames arrive, in a sentence; None if there is nothing."""
        return None

    def open(self, bell: Bell) -> None:
        """Find the board and open it; gives up when the bell rings for the last time.

        Raises:
            BoardError: there is none, or it cannot be used.
        """

    def busy(self) -> float:
        """Return for how many seconds no frame should be sent; 0 if one may be sent now."""
        return 0.0

    def send(self, frame: LedFrame) -> None:
        """Send a frame; may take as long as the wire needs."""

    def refused(self) -> bool:
        """Return, once, whether the last frame was not shown and should be sent again."""
        return False

    def receive(self, bell: Bell, timeout: float) -> list[Message]:
        """Wait for a message of the board, for the bell or for ``timeout`` seconds; return the messages."""
        bell.wait(timeout)
        return []

    def answer(self, press: Button) -> None:
        """Confirm a press to the board."""

    def shown(self) -> tuple[Colour, ...] | None:
        """Return the colours of its LEDs in screen colours, if they are known: of a simulated board. Any thread."""
        return None

    def close(self) -> None:
        """Make the board dark if it still listens, and close it; it may be opened again. Never raises."""

    def end(self) -> None:
        """Release everything else: it will not be opened again."""


class NoBoard(Transport):
    """No board: frames go nowhere."""

    name = "no LED board"


class SimulatedBoard(Transport):
    """A board that is not there: it keeps what it would light, so that a page can draw it.

    Real bytes, wires and their faults are for the tests, which have boards of their own.
    """

    name = "simulated LED board"
    board: ConnectedBoard | None = ConnectedBoard("simulated", "simulated LED board", SIMULATED_LEDS)

    def __init__(self, brightness: Brightness | None = None) -> None:
        """``brightness``: what its supply would allow."""
        self._brightness = brightness or Brightness()
        self._lit = b""

    def send(self, frame: LedFrame) -> None:
        """Light a frame, as bright as the supply would allow."""
        self._lit = self._brightness.applied(frame.pixels())

    def shown(self) -> tuple[Colour, ...]:
        """Return the colours of its LEDs as an eye would see them."""
        pixels = self._lit.ljust(_LED_BYTES * SIMULATED_LEDS, b"\0")
        return tuple(seen(Colour(*pixels[at : at + _LED_BYTES])) for at in range(0, len(pixels), _LED_BYTES))

    def close(self) -> None:
        """Go dark."""
        self._lit = b""
