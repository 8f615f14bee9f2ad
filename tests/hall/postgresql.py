"""A real PostgreSQL on loopback, in a folder of its own."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hall.mosquitto import free_port

FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class PostgreSql:
    """One server, which can crash and start again with what was committed."""

    def __init__(self, folder: Path) -> None:
        if not FOUND:
            pytest.skip("PostgreSQL is not installed.")
        self._bin = FOUND[-1]
        self._data = folder / "data"
        self._as: list[str] = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, pwd.getpwnam("postgres").pw_uid)
            self._as = ["runuser", "-u", "postgres", "--"]
        self.port = free_port()
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "alea", "--no-sync", "-E", "UTF8", "--locale=C")
        with (self._data / "postgresql.conf").open("a") as conf:  # what was committed outlives the process all the same
            conf.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n"
            )
        self.url = f"postgresql://alea@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self._as, str(self._bin / program), *map(str, arguments)]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
        log = self._data.parent / "log"
        assert done.returncode == 0, done.stdout + done.stderr + (log.read_text()[-2000:] if log.exists() else "")

    def start(self) -> None:
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", self._data.parent / "log")

    def crash(self) -> None:
        """End it at once, as a crash would."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-D", self._data)

    def kill(self) -> None:
        """Send each of its processes a SIGKILL, and wait until they are gone."""
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(first, signal.SIGSTOP)  # from now on it begins no other process
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() for process in (first, *map(int, children))):
            time.sleep(0.01)


def empty(url: str) -> None:
    """Take everything out of a database."""
    import psycopg  # noqa: PLC0415  # most workers collect these tests and run none of them

    with psycopg.connect(url, autocommit=True) as database:
        database.execute("DROP SCHEMA public CASCADE")
        database.execute("CREATE SCHEMA public")
