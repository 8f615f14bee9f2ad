"""A simulated board and the way to it in one, for a table that shall show its LEDs without having any."""

from firmware_bridge.bell import Bell
from firmware_bridge.brightness import Brightness, seen
from firmware_bridge.frame import Colour
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.simulated.board import SimulatedBoard


class SimulatedTransport(SerialTransport):
    """Runs its board while it is open."""

    def __init__(self, board: SimulatedBoard | None = None, brightness: Brightness | None = None) -> None:
        self.simulated = board or SimulatedBoard(leds=200)
        self._runs = False
        super().__init__(lister=self.simulated.lister, brightness=brightness)

    @property
    def name(self) -> str:
        """Return what a player would call it."""
        return "simulated LED board"

    def open(self, bell: Bell) -> None:
        """Start the board and ask it what it is.

        Raises:
            BoardError: it is pulled out, or broken on purpose.
        """
        if not self._runs:
            self.simulated.start()
            self._runs = True
        super().open(bell)

    def shown(self) -> tuple[Colour, ...] | None:
        """Return what the board's LEDs show, decoded from what came over its wire."""
        return tuple(seen(light) for light in self.simulated.shown())

    def end(self) -> None:
        """Stop the board."""
        if self._runs:
            self._runs = False
            self.simulated.stop()
