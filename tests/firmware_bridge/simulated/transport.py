"""A simulated board and its transport in one, for a table that shows its LEDs without having any."""

from firmware_bridge.bell import Bell
from firmware_bridge.brightness import Brightness, seen
from firmware_bridge.frame import Colour
from firmware_bridge.serial_transport import SerialTransport
from tests.firmware_bridge.simulated.board import SimulatedBoard


class SimulatedTransport(SerialTransport):
    """Runs its own board while it is open."""

    def __init__(self, board: SimulatedBoard | None = None, brightness: Brightness | None = None) -> None:
        self.simulated = board or SimulatedBoard(leds=200)
        self._runs = False
        super().__init__(lister=self.simulated.lister, brightness=brightness)

    @property
    def name(self) -> str:
        """Return the name of the board for a player."""
        return "simulated LED board"

    def open(self, bell: Bell) -> None:
        """Start the board and ask it what it is.

        Raises:
            BoardError: it is unplugged, or broken on purpose.
        """
        if not self._runs:
            self.simulated.start()
            self._runs = True
        super().open(bell)

    def shown(self) -> tuple[Colour, ...] | None:
        """Return the colours of the board's LEDs, decoded from the bytes on its wire."""
        return tuple(seen(light) for light in self.simulated.shown())

    def end(self) -> None:
        """Stop the board."""
        if self._runs:
            self._runs = False
            self.simulated.stop()
