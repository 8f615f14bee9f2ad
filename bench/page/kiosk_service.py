"""A stand-in for systemd around a table's process: it restarts the process, and kills it when it gives no sign of life.

As a script, the module is ``companion`` with a wall clock that a file moves: the file, its first argument, has the
seconds to add.
"""

import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from companion.web.serving.units import table_unit

ROOT = Path(__file__).resolve().parents[2]
WATCHDOG = 30.0  # seconds; 60 in the unit, shorter here so that a hang costs less time


def serve_by_another_clock(offset: Path, arguments: list[str]) -> None:
    """Run ``companion`` with a wall clock that a file moves; the file has the seconds to add to the machine's clock."""
    own = time.time

    def moved() -> float:
        try:
            return own() + float(offset.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return own() + last[0]

    last = [float(offset.read_text(encoding="ascii"))]
    time.time = moved
    from companion.cli import main as companion  # noqa: PLC0415  (what it imports takes the clock as it is then)

    companion(arguments)


@dataclass
class Systemd:
    """Restart the table whenever it ends, as its unit says, and kill it when it is silent for too long.

    ``folder``: of its journal, its log and the file ``offset`` that moves its clock; ``options``: of the command serve.
    """

    folder: Path
    options: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None
    started: int = 0
    silenced: int = 0  # number of kills for giving no sign of life
    address: str = ""
    _heard: float = 0.0
    _ready: bool = False
    _ending: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.folder / "notify"))
        self._socket.settimeout(0.2)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ending.set()
        self._thread.join()
        assert self.process
        self.process.terminate()
        self.process.wait(20)
        self._socket.close()

    def _spawn(self) -> None:
        journal = self.folder / "journal.db"
        command = [sys.executable, "-m", "bench.page.kiosk_service", str(self.folder / "offset")]
        command += ["serve", "--port", str(self.port), "--journal", str(journal), *self.options]
        environment = {
            "NOTIFY_SOCKET": str(self.folder / "notify"),
            "WATCHDOG_USEC": str(int(WATCHDOG * 1e6)),
            "TZ": "UTC",
        }
        unit = table_unit(Path(sys.executable), self.folder, self.port, "alea", ())
        environment |= dict(line.split("=", 2)[1:] for line in unit.splitlines() if line.startswith("Environment="))
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, **environment}
            )
        self.started += 1
        self._ready, self._heard = False, time.monotonic()

    def _run(self) -> None:
        self._spawn()
        while not self._ending.is_set():
            try:
                lines = dict(line.split("=", 1) for line in self._socket.recv(4096).decode().splitlines())
                self._ready = self._ready or "READY" in lines
                if "WATCHDOG" in lines or "READY" in lines:
                    self._heard = time.monotonic()
            except TimeoutError:
                pass
            assert self.process
            if self._ready and time.monotonic() - self._heard > WATCHDOG:
                self.silenced += 1
                self.process.kill()
                self.process.wait()
            if self.process.poll() is not None:
                time.sleep(1)  # RestartSec is 2 in the unit
                self._spawn()


if __name__ == "__main__":
    serve_by_another_clock(Path(sys.argv[1]), sys.argv[2:])
