"""A bell that wakes the driver's thread while it waits for a wire: any thread may ring without waiting."""

import contextlib
import select
import socket
import threading


class Bell:
    """Rings in one thread and wakes another that waits. Close it when no thread waits any more."""

    def __init__(self) -> None:
        self._heard, self._rope = socket.socketpair()
        self._heard.settimeout(0)
        self._rope.settimeout(0)
        self._lock = threading.Lock()
        self._open = True  # guarded by _lock: another file may soon get a closed socket's number
        self.final = False  # whether the driver is to end: a wait for a board then gives up

    def ring(self, *, final: bool = False) -> None:
        """Wake the waiting thread, now or when it waits next; ``final`` means that everything is to end."""
        with self._lock, contextlib.suppress(BlockingIOError):  # the bell already rings
            self.final |= final
            if self._open:
                self._rope.send(b".")

    def wait(self, timeout: float, wire: int | None = None) -> bool:
        """Wait for the bell or for bytes at ``wire``, a file descriptor; return whether there are bytes."""
        bell = self._heard.fileno()
        ready = select.select([bell] if wire is None else [bell, wire], [], [], max(0.0, timeout))[0]
        if bell in ready:
            with contextlib.suppress(BlockingIOError):
                self._heard.recv(4096)
        return wire is not None and wire in ready

    def close(self) -> None:
        """Close the bell; ringing does nothing from now on."""
        with self._lock:
            self._open = False
            self._heard.close()
            self._rope.close()
