"""What a running table and a running laboratory have in common: snapshots to wait for, and signs of life."""

import time
from dataclasses import dataclass

from companion.live.cameras import Cameras
from companion.live.snapshot import Snapshot, SnapshotStore
from companion.live.writer_loop import WriterLoop


@dataclass(frozen=True)
class Vitals:
    """Whether the threads still work, for a watchdog. ``writer``: the one writer answered in time.

    ``frame_age``: seconds since the newest frame that the watching thread has processed was taken; None while none is
    expected: without a camera, before its first frame, or while the table is suspended.
    """

    writer: bool
    frame_age: float | None = None


class Running:
    """A writer, its snapshots and its cameras. All public methods may be called from any thread."""

    def __init__(self, loop: WriterLoop, board: SnapshotStore, cameras: Cameras) -> None:
        self._loop = loop
        self._board = board
        self._cameras = cameras

    def snapshot(self) -> Snapshot:
        """Return the newest state."""
        return self._board.newest()

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, waiting up to ``timeout`` seconds, or None."""
        return self._board.wait_newer(version, timeout)

    def vitals(self) -> Vitals:
        """Return whether the writer answers, and how old the newest frame is; a watchdog depends on this."""
        return Vitals(self._loop.answers(), self._cameras.frame_age(time.monotonic()))

    def offer_frame(self, jpeg: bytes) -> None:
        """Take a picture that a browser page pushed.

        Raises:
            BadFrameError: it cannot show a table.
            NoPushedCameraError: the camera is another one, or it is closed.
        """
        self._cameras.offer(jpeg)
