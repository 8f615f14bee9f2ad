"""The driver: a thread of its own between the table and a board, so that no game ever waits for a wire."""

import threading

from firmware_bridge.frame import LedFrame
from firmware_bridge.transport import Transport


class Driver:
    """Sends the newest frame; one that was not sent yet gives way to a newer one, an equal one is not sent again."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._changed = threading.Condition()
        self._frame: LedFrame | None = None  # the newest that was not sent yet
        self._ending = False
        self.trouble: str | None = None  # why the last frame could not be sent
        self._thread = threading.Thread(target=self._run, name=f"LEDs {transport.name}", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def show(self, frame: LedFrame) -> None:
        """Show this frame as soon as the wire is free; returns at once."""
        with self._changed:
            self._frame = frame
            self._changed.notify_all()

    def stop(self, timeout: float = 2.0) -> None:
        """Send what still waits, then close the wire; a wire that hangs is left behind after ``timeout`` seconds."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        sent: LedFrame | None = None
        while (frame := self._next()) is not None:
            if frame == sent:
                continue
            try:
                self._transport.send(frame)
            except OSError as why:
                self.trouble, sent = str(why), None
            else:
                self.trouble, sent = None, frame
        self._transport.close()

    def _next(self) -> LedFrame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._ending or self._frame is not None)
            frame, self._frame = self._frame, None
            return frame
