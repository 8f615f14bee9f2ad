"""A bell that wakes the driver's thread while it waits for a wire: anybody may ring, without waiting."""

import contextlib
import select
import socket
import threading


class Bell:
    """Rings in one thread, is waited for in another. Close it when nobody waits any more."""

    def __init__(self) -> None:
        self._heard, self._rope = socket.socketpair()
        self._heard.settimeout(0)
        self._rope.settimeout(0)
        self._lock = threading.Lock()
        self._open = True  # guarded by _lock: a closed socket's number may be another's soon
        self.final = False  # whether the driver is to end: whoever waits for a board gives up

    def ring(self, *, final: bool = False) -> None:
        """Wake who waits, now or when they wait next; ``final`` says that all is to end."""
        with self._lock, contextlib.suppress(BlockingIOError):  # it rings already
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
        """Let go of it; ringing does nothing from now on."""
        with self._lock:
            self._open = False
            self._heard.close()
            self._rope.close()
