"""A real Mosquitto on loopback: one listener open to all, one with TLS, passwords and an access list."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.certificate import self_signed
from companion.hall.settings import Broker

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
PASSWORD = "swordfish"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def certificate(folder: Path) -> None:
    """Write ``ca.crt``, of an authority that signs itself, with ``broker.key``."""
    for name, data in zip(("ca.crt", "broker.key"), self_signed("127.0.0.1"), strict=True):
        (folder / name).write_bytes(data)


class Mosquitto:
    """One broker, which can be killed and started again on the same ports with what it had kept."""

    def __init__(self, folder: Path, users: Iterable[str], access: str, settings: str = "") -> None:
        if PROGRAM is None:
            pytest.skip("Mosquitto is not installed.")
        self.folder = folder
        self.port, self.safe_port = free_port(), free_port()
        certificate(folder)
        (folder / "access.list").write_text(access)
        (folder / "passwords").write_text("".join(f"{user}:{PASSWORD}\n" for user in users))
        subprocess.run(["mosquitto_passwd", "-U", folder / "passwords"], check=True)
        for file in folder.iterdir():
            file.chmod(0o644)
        folder.chmod(0o777)  # Mosquitto gives up being root
        (folder / "mosquitto.conf").write_text(
            f"per_listener_settings true\npersistence true\npersistence_location {folder}/\nautosave_interval 1\n"
            f"{settings}"
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n"
            f"listener {self.safe_port} 127.0.0.1\nallow_anonymous false\n"
            f"password_file {folder}/passwords\nacl_file {folder}/access.list\n"
            f"certfile {folder}/ca.crt\nkeyfile {folder}/broker.key\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.folder / "mosquitto.log").open("ab") as log:
            command = [str(PROGRAM), "-v", "-c", str(self.folder / "mosquitto.conf")]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        for _ in range(30_000):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.safe_port)) == 0:
                    return
            time.sleep(0.01)
        raise AssertionError((self.folder / "mosquitto.log").read_text())

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self.kill()

    @property
    def open(self) -> Broker:
        return Broker(port=self.port)

    def safe(self, user: str, password: str = PASSWORD) -> Broker:
        return Broker(port=self.safe_port, user=user, password=password, ca=self.folder / "ca.crt")
