"""The driver: a thread of its own between the table and a board, so that no game ever waits for a wire."""

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum

from firmware_bridge.bell import Bell
from firmware_bridge.frame import LedFrame
from firmware_bridge.phrase import Phrase, phrase_of
from firmware_bridge.protocols.uplink import Button, Hello, Message, Squares
from firmware_bridge.transport import BoardAwayError, ConnectedBoard, EndedError, Transport

log = logging.getLogger(__name__)

SHORTEST_WAIT, LONGEST_WAIT = 0.25, 5.0  # seconds before another attempt with a board that failed
AWAY_WAIT = 0.5  # seconds at most between two searches for a board that is not plugged in
IDLE_WAIT_SECONDS = 5.0  # seconds of one wait for a board without a keep-alive
SAME_PRESS = 3.0  # seconds in which the same number means a repetition: a board repeats a press for less than one


class State(StrEnum):
    """The state of the connection to the board."""

    OFF = "OFF"  # not started yet, or stopped
    WAITING = "WAITING"  # there has been no board yet
    LIVE = "LIVE"
    LOST = "LOST"  # the board was there; the driver looks for it


class Driver:
    """Sends the newest frame; a newer frame replaces one not sent yet, and an equal frame is not sent again.

    Other threads use only `start`, `stop`, `show` and the attributes; none of these waits for the board.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._frame: LedFrame | None = None  # the newest; a single reference needs no lock
        self._bell: Bell | None = None  # only while the thread runs: a driver that never started holds no sockets
        self._listeners: list[Callable[[Button | Squares], None]] = []
        self._overhearers: list[Callable[[Message], None]] = []
        self._presses: dict[int, float] = {}  # number of a reported press -> when
        self.state = State.OFF
        self.trouble: str | None = None  # why the newest frame is not shown: a sentence for a person
        self._thread = threading.Thread(target=self._run, name=f"LEDs {transport.name}", daemon=True)

    @property
    def board(self) -> ConnectedBoard | None:
        """Return the board that answered last, or None if none has answered yet."""
        return self._transport.board

    @property
    def notice(self) -> Phrase | None:
        """Return what a person should know although frames arrive, or None."""
        return self._transport.notice

    @property
    def name(self) -> str:
        """Return the name of the board for a player."""
        return self._transport.name

    def listen(self, callback: Callable[[Button | Squares], None]) -> None:
        """Call back once for each press, and for each report of squares, in the driver's thread: it must be quick.

        If a callback fails, the press is not answered, so the board repeats it.
        """
        self._listeners.append(callback)

    def overhear(self, callback: Callable[[Message], None]) -> None:
        """Call back for every message of the board, repetitions too; for people who watch a board."""
        self._overhearers.append(callback)

    def start(self) -> None:
        """Start to look for the board, and to send."""
        self.state = State.WAITING
        self._bell = Bell()
        self._thread.start()

    def show(self, frame: LedFrame) -> None:
        """Show this frame as soon as the wire is free; returns at once."""
        self._frame = frame
        if self._bell is not None:
            self._bell.ring()

    def stop(self, timeout: float = 2.0) -> None:
        """Send a frame that still waits, then close the wire; abandon a wire that hangs after ``timeout`` seconds."""
        if self._bell is not None:
            self._bell.ring(final=True)
            self._thread.join(timeout)

    # Everything below runs in the driver's thread.

    def _run(self) -> None:
        assert self._bell is not None, "the bell is hung before the thread begins"
        bell, wait, since = self._bell, SHORTEST_WAIT, 0.0
        while not bell.final:
            try:
                self._transport.open(bell)
                self.state, self.trouble, since = State.LIVE, None, time.monotonic()
                self._serve(bell)
            except EndedError:
                break
            except BoardAwayError as why:
                wait = SHORTEST_WAIT if self.state is State.LIVE else min(wait, AWAY_WAIT)
                self._lost(why)
                _rest(bell, wait)
                wait = min(2 * wait, AWAY_WAIT)
            except OSError as why:
                # do not make a board restart all the time if it answers but then shows nothing
                if self.state is State.LIVE and time.monotonic() - since > LONGEST_WAIT:
                    wait = SHORTEST_WAIT
                self._lost(why)
                _rest(bell, wait)
                wait = min(2 * wait, LONGEST_WAIT)
            except Exception as why:
                log.exception("the driver of the LEDs goes on after this")
                self._lost(why)
                _rest(bell, LONGEST_WAIT)
        self._transport.close()
        self._transport.end()
        bell.close()
        self.state = State.OFF

    def _lost(self, why: Exception) -> None:
        self._transport.close()
        if str(why) != self.trouble:
            log.warning("%s", why)
        self.trouble = phrase_of(why)
        if self.state is State.LIVE:
            self.state = State.LOST

    def _serve(self, bell: Bell) -> None:
        """Send and listen until the driver ends or the wire breaks."""
        transport, keep_alive = self._transport, self._transport.keep_alive
        sent: LedFrame | None = None
        sent_at = 0.0
        while True:
            ending = bell.final
            rest, now = transport.busy(), time.monotonic()
            if transport.refused() and not ending:  # after `busy`, which may notice that no answer came in time
                sent = None
            left = IDLE_WAIT_SECONDS if keep_alive is None else sent_at + keep_alive - now
            frame = self._frame
            due = frame is not None and (frame != sent or (left <= 0 and not ending))
            if frame is not None and due and not rest:
                transport.send(frame)
                sent, sent_at = frame, now
                continue
            if ending and not due:
                return
            # even if nothing is due, the end of `rest` may reveal that the board did not show the last frame
            for message in transport.receive(bell, rest if due else min(left, rest or IDLE_WAIT_SECONDS)):
                self._hear(message)

    def _hear(self, message: Message) -> None:
        for overhear in self._overhearers:
            overhear(message)
        match message:
            case Hello():  # it has restarted, and so has its count
                self._presses.clear()
            case Button():
                self._press(message)
            case Squares():
                self._notify(message)
            case _:
                pass

    def _press(self, press: Button) -> None:
        now = time.monotonic()
        self._presses = {seq: reported for seq, reported in self._presses.items() if now - reported < SAME_PRESS}
        if press.seq in self._presses or self._notify(press):
            self._presses.setdefault(press.seq, now)
            self._transport.answer(press)

    def _notify(self, event: Button | Squares) -> bool:
        try:
            for listener in self._listeners:
                listener(event)
        except Exception:
            log.exception("what the board said could not be used")
            return False
        return True


def _rest(bell: Bell, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not bell.final and (left := until - time.monotonic()) > 0:
        bell.wait(left)
