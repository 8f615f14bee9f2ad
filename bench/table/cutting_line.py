"""A line to a port that delays what passes, and cuts connections in the middle by chance."""

import socket
import threading
import time
from random import Random
from typing import Final

LONGEST_DELAY_SECONDS: Final = 0.05
CUT_SHARE: Final = 0.02


class CuttingLine:
    """Passes connections on to a port, slowly, and cuts them by chance."""

    def __init__(self, port: int, chance: Random, *, share: float = CUT_SHARE) -> None:
        """``share``: of the pieces that pass after which it cuts."""
        self._port, self._chance, self._share, self.cuts = port, chance, share, 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._port), 5)
            except OSError:
                if self._listening.fileno() < 0:
                    return
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while part := one.recv(4096):
                time.sleep(LONGEST_DELAY_SECONDS * self._chance.random())
                if self._chance.random() < self._share:
                    self.cuts += 1
                    other.sendall(part[: len(part) // 2])
                    break
                other.sendall(part)
        except OSError:
            pass
        finally:
            one.close()
            other.close()

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()
